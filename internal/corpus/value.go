package corpus

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// basics are the types of numbers and bools, by name.
var basics = map[string]reflect.Type{
	"bool": reflect.TypeFor[bool](),
	"int":  reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](),
	"int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint": reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](),
	"uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"byte": reflect.TypeFor[byte](), "rune": reflect.TypeFor[rune](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
	"complex64": reflect.TypeFor[complex64](), "complex128": reflect.TypeFor[complex128](),
}

// typeOf gives a type by its name: that of the numbers, for a slice of arrays.
func typeOf(name string) (reflect.Type, error) {
	elem, slice := strings.CutPrefix(name, "[]")
	if n := arrayLen(name); n > 0 {
		_, elem, _ = strings.Cut(elem, "]")
	}
	t, ok := basics[elem]
	switch {
	case !ok:
		return nil, fmt.Errorf("no values for the type %s", name)
	case slice:
		return reflect.SliceOf(t), nil
	}
	return t, nil
}

// arrayLen is the length of the arrays in a slice of arrays, else 0.
func arrayLen(name string) int {
	text, ok := strings.CutPrefix(name, "[][")
	if !ok {
		return 0
	}
	text, _, _ = strings.Cut(text, "]")
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		return 0
	}
	return n
}

// group makes the arrays of a slice of arrays, by its type's name, from their numbers. Another
// value is as it is.
func group(v reflect.Value, name string) reflect.Value {
	n := arrayLen(name)
	if n == 0 {
		return v
	}
	arrays := reflect.MakeSlice(reflect.SliceOf(reflect.ArrayOf(n, v.Type().Elem())), v.Len()/n, v.Len()/n)
	for i := range arrays.Len() {
		reflect.Copy(arrays.Index(i), v.Slice(n*i, n*(i+1)))
	}
	return arrays
}

// numbers are the numbers in a slice of arrays; another value is as it is.
func numbers(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() != reflect.Array {
		return v
	}
	flat := reflect.MakeSlice(reflect.SliceOf(v.Type().Elem().Elem()), 0, v.Len()*v.Type().Elem().Len())
	for i := range v.Len() {
		flat = reflect.AppendSlice(flat, v.Index(i).Slice(0, v.Index(i).Len()))
	}
	return flat
}

// parseScalar reads a number or a bool of a type.
func parseScalar(t reflect.Type, text string) (reflect.Value, error) {
	v := reflect.New(t).Elem()
	var err error
	switch {
	case t.Kind() == reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		v.SetBool(b)
	case v.CanInt():
		var n int64
		n, err = strconv.ParseInt(text, 0, t.Bits())
		v.SetInt(n)
	case v.CanUint():
		var n uint64
		n, err = strconv.ParseUint(text, 0, t.Bits())
		v.SetUint(n)
	case v.CanComplex():
		var c complex128
		c, err = strconv.ParseComplex(text, t.Bits())
		v.SetComplex(c)
	default:
		var f float64
		f, err = strconv.ParseFloat(text, t.Bits())
		v.SetFloat(f)
	}
	return v, err
}

// parseSlice reads "[1 2 3]".
func parseSlice(t reflect.Type, text string) (reflect.Value, error) {
	text, open := strings.CutPrefix(text, "[")
	text, closed := strings.CutSuffix(text, "]")
	if !open || !closed {
		return reflect.Value{}, fmt.Errorf("want [...]")
	}
	s := reflect.MakeSlice(t, 0, 0)
	for _, word := range strings.Fields(text) {
		v, err := parseScalar(t.Elem(), word)
		if err != nil {
			return s, err
		}
		s = reflect.Append(s, v)
	}
	return s, nil
}

// formatScalar writes a number or a bool so that parseScalar reads the same bits,
// but for those of a NaN.
func formatScalar(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits())
	}
	return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
}

// lineWidth is where the lines of results are broken.
const lineWidth = 110

// formatSlice writes "[1 2 3]". Rows of the given length, if it is not 0, begin
// new lines.
func formatSlice(v reflect.Value, row int) string {
	var b strings.Builder
	b.WriteString("[")
	width := 0
	for i := range v.Len() {
		word := formatScalar(v.Index(i))
		switch {
		case i == 0 && row == 0:
		case row > 0 && i%row == 0, width+1+len(word) > lineWidth:
			b.WriteString("\n  ")
			width = 0
		default:
			b.WriteString(" ")
		}
		b.WriteString(word)
		width += 1 + utf8.RuneCountInString(word)
	}
	b.WriteString("]")
	return b.String()
}

// specialValues are the values of a slice's element type that are likely to go
// wrong: all, or the few of which all pairs are tried; with the denormal floats or
// normal ones only.
func specialValues(t reflect.Type, few, normal bool) reflect.Value {
	elem := t.Elem()
	var values []string
	switch elem.Kind() {
	case reflect.Bool:
		values = []string{"false", "true"}
	case reflect.Float32, reflect.Float64:
		values = specialFloats(elem.Bits(), few)
	case reflect.Complex64, reflect.Complex128:
		floats := specialFloats(elem.Bits()/2, few)
		s := reflect.MakeSlice(t, 0, len(floats)*len(floats))
		for _, re := range floats {
			for _, im := range floats {
				c := reflect.New(elem).Elem()
				c.SetComplex(complex(mustParseFloat(re), mustParseFloat(im)))
				s = reflect.Append(s, c)
			}
		}
		return s
	default:
		values = specialInts(elem, few)
	}
	s := reflect.MakeSlice(t, 0, len(values))
	for _, text := range values {
		v, err := parseScalar(elem, text)
		if err != nil {
			panic("BUG: special value: " + err.Error())
		}
		if normal && isDenormal(v) {
			continue
		}
		s = reflect.Append(s, v)
	}
	return s
}

func mustParseFloat(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("BUG: special value: " + err.Error())
	}
	return f
}

// isDenormal reports whether v is a denormal float.
func isDenormal(v reflect.Value) bool {
	if !v.CanFloat() || v.Float() == 0 {
		return false
	}
	if v.Type().Bits() == 32 {
		return math.Abs(v.Float()) < 0x1p-126
	}
	return math.Abs(v.Float()) < 0x1p-1022
}

// specialInts are the ends of the type's range, what is around 0, and shift
// counts around its width.
func specialInts(t reflect.Type, few bool) []string {
	bits := t.Bits()
	var values []string
	if reflect.Zero(t).CanUint() {
		top := ^uint64(0) >> (64 - bits)
		for _, n := range []uint64{0, 1, 2, 3, 10, uint64(bits - 1), uint64(bits), top/2 - 1, top / 2, top/2 + 1, top - 1, top} {
			values = append(values, strconv.FormatUint(n, 10))
		}
	} else {
		top := int64(^uint64(0) >> (65 - bits))
		for _, n := range []int64{-top - 1, -top, -top / 2, -int64(bits), -10, -3, -2, -1, 0, 1, 2, 3, 10, int64(bits - 1), int64(bits), top / 2, top - 1, top} {
			values = append(values, strconv.FormatInt(n, 10))
		}
	}
	if few {
		keep := values[:0]
		for i, v := range values {
			if i < 2 || i >= len(values)-2 || i%2 == 1 {
				keep = append(keep, v)
			}
		}
		return keep
	}
	return values
}

// specialFloats are NaN, infinities, zeros, denormals, halves, and the neighbours
// of the ends of the integer types.
func specialFloats(bits int, few bool) []string {
	values := []string{"NaN", "+Inf", "-Inf", "0", "-0", "1", "-1", "0.1", "-2.5"}
	if bits == 32 {
		values = append(values, "1e-45", "-1.1754942e-38", "3.4028235e+38")
	} else {
		values = append(values, "5e-324", "-2.225073858507201e-308", "1.7976931348623157e+308")
	}
	if few {
		return values
	}
	values = append(values, "0.5", "-0.5", "1.5", "2.5", "0.49999997", "0.99999994", "3.1415927", "-1e-10", "1e10", "-1e10", "1e30")
	if bits == 32 {
		values = append(values, "1.1754944e-38", "-3.4028235e+38")
	} else {
		values = append(values, "2.2250738585072014e-308", "-1.7976931348623157e+308", "0.49999999999999994")
	}
	for _, width := range []int{7, 8, 15, 16, 31, 32, 63, 64} {
		end := math.Ldexp(1, width)
		below := math.Nextafter(end, 0)
		if bits == 32 {
			below = float64(math.Nextafter32(float32(end), 0))
		}
		for _, v := range []float64{end, below, -end, -end - 1} {
			values = append(values, strconv.FormatFloat(v, 'g', -1, bits))
		}
	}
	return values
}

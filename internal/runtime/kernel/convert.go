package kernel

import (
	"fmt"
	"math"
	"math/cmplx"
	"reflect"
)

// ConvertConstant converts an int or a float64 to a parameter's numeric type as
// Go converts a constant: an integer must be representable, a float is rounded but
// must not overflow.
func ConvertConstant[C int | float64](param reflect.Type, c C, f float64) (any, string) {
	v := reflect.ValueOf(c)
	out := reflect.New(param).Elem()
	overflows := func() (any, string) { return nil, fmt.Sprintf("%v does not fit in %v", c, param) }
	switch param.Kind() {
	case reflect.Complex64, reflect.Complex128:
		re := reflect.TypeFor[float64]()
		if param.Kind() == reflect.Complex64 {
			re = reflect.TypeFor[float32]()
		}
		part, problem := ConvertConstant(re, c, f)
		if problem != "" {
			return overflows()
		}
		out.SetComplex(complex(reflect.ValueOf(part).Float(), 0))
	case reflect.Float32, reflect.Float64:
		if param.Kind() == reflect.Float32 {
			// In one step: an int would else be rounded to float64 first.
			single := float64(float32(c))
			if math.IsInf(single, 0) && !math.IsInf(f, 0) {
				return overflows()
			}
			f = single
		}
		out.SetFloat(f)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i := int64(c)
		if f != math.Trunc(f) {
			return nil, fmt.Sprintf("%v is not an integer, but the parameter is of type %v", c, param)
		}
		if out.OverflowInt(i) || v.Kind() == reflect.Float64 && !(f >= -1<<63 && f < 1<<63) {
			return overflows()
		}
		out.SetInt(i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if f != math.Trunc(f) {
			return nil, fmt.Sprintf("%v is not an integer, but the parameter is of type %v", c, param)
		}
		if f < 0 || f >= 1<<64 || out.OverflowUint(uint64(c)) {
			return overflows()
		}
		out.SetUint(uint64(c))
	default:
		how := "convert it"
		switch {
		case IsQD(param, "Float16"):
			how = "convert it with qd.ToFloat16"
		case IsQD(param, "BFloat16"):
			how = "convert it with qd.ToBFloat16"
		}
		return nil, fmt.Sprintf("the argument is of type %v, but the parameter is of type %v; %s", v.Type(), param, how)
	}
	return out.Interface(), ""
}

// ConvertComplex converts a complex128 to a parameter's complex type as Go converts a constant: it is rounded but must
// not overflow.
func ConvertComplex(param reflect.Type, c complex128) (any, string) {
	out := reflect.New(param).Elem()
	if out.SetComplex(c); cmplx.IsInf(out.Complex()) && !cmplx.IsInf(c) {
		return nil, fmt.Sprintf("%v does not fit in %v", c, param)
	}
	return out.Interface(), ""
}

package corpus

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Tolerance is by how much a result may differ from the expected one. The
// zero value demands the same bits, except that one NaN is as good as another.
type Tolerance struct {
	ULP uint64  // units in the last place, of the result's type
	Abs float64 // or this much
}

// parseTolerance reads "exact", "4ulp", "4ulp or 1e-9".
func parseTolerance(words []string) (Tolerance, error) {
	var t Tolerance
	if len(words) == 1 && words[0] == "exact" {
		return t, nil
	}
	for i, w := range words {
		var err error
		if ulp, ok := strings.CutSuffix(w, "ulp"); ok && i == 0 {
			t.ULP, err = strconv.ParseUint(ulp, 10, 32)
		} else if w != "or" || i != 1 {
			t.Abs, err = strconv.ParseFloat(w, 64)
		}
		if err != nil {
			return t, err
		}
	}
	if t == (Tolerance{}) {
		return t, fmt.Errorf("want tolerance exact, 4ulp or 4ulp or 1e-9")
	}
	return t, nil
}

// Equal reports whether a result is the expected value or near enough. Where the
// expected value is an infinity, a NaN or a zero, the result must be it: those
// are special cases that Go fixes.
func (t Tolerance) Equal(got, want reflect.Value) bool {
	if got.CanComplex() && want.CanComplex() {
		g, w := complexParts(got), complexParts(want)
		return t.Equal(g[0], w[0]) && t.Equal(g[1], w[1])
	}
	if !got.CanFloat() {
		return got.Equal(want)
	}
	g, w := got.Float(), want.Float()
	switch {
	case math.IsNaN(w):
		return math.IsNaN(g)
	case math.Float64bits(g) == math.Float64bits(w):
		return true
	case math.IsNaN(g) || math.IsInf(w, 0) || math.IsInf(g, 0):
		return false
	case t.Abs > 0 && math.Abs(g-w) <= t.Abs:
		return true
	}
	return g != w && ulps(g, w, got.Type().Bits()) <= t.ULP
}

// complexParts are the parts of a complex number, as floats of their type.
func complexParts(v reflect.Value) [2]reflect.Value {
	c := v.Complex()
	if v.Type().Bits() == 64 {
		return [2]reflect.Value{reflect.ValueOf(float32(real(c))), reflect.ValueOf(float32(imag(c)))}
	}
	return [2]reflect.Value{reflect.ValueOf(real(c)), reflect.ValueOf(imag(c))}
}

// ulps is the number of floats of a width from a to b.
func ulps(a, b float64, bits int) uint64 {
	order := func(f float64) int64 {
		n := int64(math.Float64bits(f))
		if bits == 32 {
			n = int64(int32(math.Float32bits(float32(f))))
		}
		if n < 0 { // negative floats count down from -0
			return math.MinInt64>>(64-bits) - n
		}
		return n
	}
	x, y := order(a), order(b)
	return uint64(max(x, y)) - uint64(min(x, y))
}

// FormatResult writes the slices that a launch has changed as they are after it: the section result.
func (l *Launch) FormatResult(args []any) string {
	row := 0
	if n := len(l.Dims); n > 1 && l.Dims[n-1] > 1 {
		row = l.Dims[n-1]
	}
	threads := 1
	for _, d := range l.Dims {
		threads *= d
	}
	args = l.flat(args)
	var b strings.Builder
	for i, p := range l.Kernel.Params {
		v := numbers(reflect.ValueOf(args[i]))
		if v.Kind() != reflect.Slice {
			continue
		}
		if (&difference{}).slice(v, l.args[p.Name], Tolerance{}) {
			continue
		}
		width := 0
		if v.Len() == threads {
			width = row
		}
		fmt.Fprintf(&b, "%s = %s\n", p.Name, formatSlice(v, width))
	}
	return b.String()
}

// CheckResult compares the slices after a launch with the section result, and those that it does not name with what
// they were before. The error lists the first differences.
func (l *Launch) CheckResult(args []any) error {
	want := map[string]string{}
	for _, line := range joinBrackets(l.Result) {
		name, value, _ := strings.Cut(line, " = ")
		want[name] = value
	}
	args = l.flat(args)
	var d difference
	for i, p := range l.Kernel.Params {
		got := numbers(reflect.ValueOf(args[i]))
		if got.Kind() != reflect.Slice {
			continue
		}
		d.param = p.Name
		text, changed := want[p.Name]
		if !changed {
			d.slice(got, l.args[p.Name], Tolerance{})
			continue
		}
		w, err := parseSlice(got.Type(), text)
		if err != nil {
			return fmt.Errorf("expected value of %s: %w", p.Name, err)
		}
		d.slice(got, w, l.Tolerance(p.Name))
	}
	return d.err()
}

// CheckStdout compares what a launch printed with the section stdout. The order
// between threads is not fixed, so lines are compared in order only where there
// is one thread.
func (l *Launch) CheckStdout(got string) error {
	g, w := l.sortedStdout(got), l.sortedStdout(l.Stdout)
	if g != w {
		return fmt.Errorf("printed\n%s\nwant\n%s", g, w)
	}
	return nil
}

// FormatStdout writes the section stdout.
func (l *Launch) FormatStdout(got string) string { return l.sortedStdout(got) }

func (l *Launch) sortedStdout(text string) string {
	if !slices.ContainsFunc(l.Dims, func(d int) bool { return d > 1 }) {
		return text
	}
	lines := slices.Sorted(strings.Lines(text))
	return strings.Join(lines, "")
}

// difference gathers differences between results and what is expected.
type difference struct {
	param string
	count int
	first []string
}

// shownDifferences is how many differences an error lists.
const shownDifferences = 8

// slice compares two slices and reports whether they are equal.
func (d *difference) slice(got, want reflect.Value, t Tolerance) bool {
	if got.Len() != want.Len() {
		d.add("%s has %d elements, want %d", d.param, got.Len(), want.Len())
		return false
	}
	before := d.count
	for i := range got.Len() {
		g, w := got.Index(i), want.Index(i)
		if t.Equal(g, w) {
			continue
		}
		off := ""
		if g.CanFloat() && g.Float() == g.Float() && w.Float() == w.Float() {
			off = fmt.Sprintf(" (%d ulp)", ulps(g.Float(), w.Float(), g.Type().Bits()))
		}
		d.add("%s[%d] = %s, want %s%s", d.param, i, formatScalar(g), formatScalar(w), off)
	}
	return d.count == before
}

func (d *difference) add(format string, args ...any) {
	if d.count++; len(d.first) < shownDifferences {
		d.first = append(d.first, fmt.Sprintf(format, args...))
	}
}

func (d *difference) err() error {
	if d.count == 0 {
		return nil
	}
	list := strings.Join(d.first, "\n")
	if more := d.count - len(d.first); more > 0 {
		list += fmt.Sprintf("\nand %d more", more)
	}
	return fmt.Errorf("%s", list)
}

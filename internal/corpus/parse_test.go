package corpus

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// small is a case for the tests of this file.
const small = `What it is for.
-- kernel.go --
package corpus

import "github.com/qdgen/qd"

//qd:kernel
func small(t qd.Thread, n int8, x, y []float32, b []bool) {}
-- launch --
`

// parseSmall parses small with the given launch, and gives its arguments.
func parseSmall(t *testing.T, launch string) []any {
	t.Helper()
	f, err := Parse("small.txtar", []byte(small+launch))
	if err != nil {
		t.Fatal(err)
	}
	return f.Kernels[0].Launches[0].Args()
}

func TestLaunchValues(t *testing.T) {
	got := parseSmall(t, `
n = -128       # a comment
x = [1 -2.5
  +Inf]
y = seq 1 -1 -0.5
dim len(x) 2
b = cycle 5 special
`)
	want := []any{int8(-128), []float32{1, -2.5, float32(math.Inf(1))}, []float32{1, 0.5, 0, -0.5}, []bool{false, true, false, true, false}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}

	got = parseSmall(t, "dim 1\nn = 0x7f\nx = [1 2]\ny = [3 4 5]\ncross x y\nb = zeros 0\n")
	if x, y := []float32{1, 1, 1, 2, 2, 2}, []float32{3, 4, 5, 3, 4, 5}; !reflect.DeepEqual(got[1], x) || !reflect.DeepEqual(got[2], y) {
		t.Errorf("cross gives %v and %v", got[1], got[2])
	}

	got = parseSmall(t, "dim 1\nn = 0\nx = fill -0 2\ny = random 100 seed 1 range -3 5\nb = random 3 seed 2\n")
	for _, v := range got[2].([]float32) {
		if v < -3 || v >= 5 {
			t.Errorf("random between -3 and 5 gives %v", v)
		}
	}
	if v := got[1].([]float32)[1]; math.Float32bits(v) != 1<<31 {
		t.Errorf("fill -0 gives %v", v)
	}
}

// A slice of arrays is written as the numbers in them.
func TestLaunchArrays(t *testing.T) {
	source := strings.Replace(small, "x, y []float32", "x [][2]float32, y []float32", 1)
	f, err := Parse("small.txtar", []byte(source+"dim 1\nn = 0\nx = seq 0 4 1\ny = [7]\nb = zeros 0\n-- result --\nx = [0 9 2 3]\n"))
	if err != nil {
		t.Fatal(err)
	}
	l := f.Kernels[0].Launches[0]
	args := l.Args()
	x, ok := args[1].([][2]float32)
	if want := [][2]float32{{0, 1}, {2, 3}}; !ok || !reflect.DeepEqual(x, want) {
		t.Fatalf("x is %v, want %v", args[1], want)
	}
	if err := l.CheckResult(args); err == nil || !strings.Contains(err.Error(), "x[1] = 1, want 9") {
		t.Errorf("another x gives %v", err)
	}
	x[0][1] = 9
	if err := l.CheckResult(args); err != nil {
		t.Error(err)
	}
	if got := l.FormatResult(args); got != "x = [0 9 2 3]\n" {
		t.Errorf("the result is\n%s", got)
	}
}

func TestParseErrors(t *testing.T) {
	const rest = "x = zeros 1\ny = zeros 1\nb = zeros 1\n"
	for _, test := range []struct{ name, text, want string }{
		{"no doc", strings.TrimPrefix(small, "What it is for.\n"), "one line that says"},
		{"no source", "doc\n-- launch --\ndim 1\n", "no section kernel.go"},
		{"no kernel", "doc\n-- kernel.go --\npackage corpus\n", "//qd:kernel"},
		{"not launched", strings.TrimSuffix(small, "-- launch --\n"), "not launched"},
		{"unknown section", small + "dim 1\nn = 1\n" + rest + "-- cxx --\n", "unknown"},
		{"unknown kernel", small + "dim 1\nn = 1\n" + rest + "-- result big --\n", `no kernel "big"`},
		{"result first", strings.Replace(small, "-- launch", "-- result", 1), "stands before it"},
		{"no dim", small + "n = 1\n" + rest, "no line dim"},
		{"no value", small + "dim 1\n" + rest, "no value for parameter n"},
		{"no parameter", small + "dim 1\nm = 1\n" + rest, "no parameter m"},
		{"overflow", small + "dim 1\nn = 128\n" + rest, "out of range"},
		{"no filling", small + "dim 1\nn = 1\nx = ones 3\n", "no such filling"},
		{"no slice", small + "dim len(z)\nn = 1\n" + rest, "no such slice"},
		{"bad tolerance", small + "dim 1\nn = 1\ntolerance much\n" + rest, "invalid syntax"},
		{"bad cross", small + "dim 1\nn = 1\ncross n x\n" + rest, "must be slices"},
		{"bad line", small + "dim 1\nn := 1\n" + rest, "want a parameter's value"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("small.txtar", []byte(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestTolerance(t *testing.T) {
	nan, inf, negZero := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	next := math.Nextafter(1, 2)
	exact, loose := Tolerance{}, Tolerance{ULP: 4, Abs: 1e-9}
	for _, test := range []struct {
		t         Tolerance
		got, want any
		equal     bool
	}{
		{exact, nan, nan, true},
		{exact, 1.0, nan, false},
		{loose, nan, 1.0, false},
		{exact, 0.0, negZero, false},
		{Tolerance{ULP: 4}, negZero, 0.0, false},
		{Tolerance{ULP: 4}, 5e-324, negZero, true},
		{exact, next, 1.0, false},
		{Tolerance{ULP: 1}, next, 1.0, true},
		{Tolerance{ULP: 1}, 1.0, math.Nextafter(next, 2), false},
		{Tolerance{ULP: 1}, float32(1), math.Nextafter32(1, 2), true},
		{Tolerance{ULP: 1}, 5e-324, -5e-324, false},
		{Tolerance{ULP: 2}, 5e-324, -5e-324, true},
		{loose, 1e-10, 0.0, true},
		{loose, math.MaxFloat64, inf, false},
		{exact, inf, inf, true},
		{loose, inf, -inf, false},
		{exact, int8(3), int8(3), true},
		{loose, int8(3), int8(4), false},
		{exact, true, false, false},
	} {
		if got := test.t.Equal(reflect.ValueOf(test.got), reflect.ValueOf(test.want)); got != test.equal {
			t.Errorf("%+v: %v for %v: %t", test.t, test.got, test.want, got)
		}
	}
}

// TestResultRoundTrip demands that what FormatResult writes is what CheckResult
// accepts, and that it notices a change of one bit.
func TestResultRoundTrip(t *testing.T) {
	f, err := Parse("small.txtar", []byte(small+"dim 2 3\nn = 1\nx = special\ny = zeros 6\nb = [true false]\n"))
	if err != nil {
		t.Fatal(err)
	}
	l := f.Kernels[0].Launches[0]
	args := l.Args()
	y := args[2].([]float32)
	copy(y, []float32{1, -0.1, 1e-45, float32(math.NaN()), float32(math.Inf(-1)), 3e38})
	l.Result = l.FormatResult(args)
	if want := "y = [\n  1 -0.1 1e-45\n  NaN -Inf 3e+38]\n"; l.Result != want {
		t.Errorf("result\n%s\nwant\n%s", l.Result, want)
	}
	if err := l.CheckResult(args); err != nil {
		t.Error(err)
	}
	y[1] = math.Nextafter32(y[1], 0)
	args[3].([]bool)[0] = false
	err = l.CheckResult(args)
	if err == nil || !strings.Contains(err.Error(), "y[1] = -0.099999994, want -0.1 (1 ulp)") || !strings.Contains(err.Error(), "b[0] = false, want true") {
		t.Errorf("error %v", err)
	}
}

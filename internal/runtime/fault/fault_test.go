package fault

import (
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/ssa"
)

// What is said is what Go says.
func TestReason(t *testing.T) {
	x := make([]int, 3)
	zero, minus, five, four, two, one := 0, -1, 5, 4, 2, 1
	var pointer *int
	goSays := func(f func()) (text string) {
		defer func() {
			if err, ok := recover().(error); ok {
				text = err.Error()[len("runtime error: "):]
			}
		}()
		f()
		return "nothing"
	}
	array, unsigned := &[3]int{}, uint64(math.MaxUint64-1)
	for _, tt := range []struct {
		name    string
		kind    string
		value   [4]int64
		want    string
		message string
		bounds  [2]int
	}{
		{"index", "index", [4]int64{5, 3}, goSays(func() { _ = x[five] }), "", [2]int{5, 3}},
		{"index below", "index", [4]int64{-1, 3}, goSays(func() { _ = x[minus] }), "", [2]int{-1, 3}},
		{"index beyond int64", "index", [4]int64{-2, 3}, goSays(func() { _ = x[unsigned] }), ssa.OfUnsigned, [2]int{-2, 3}},
		{"high", "slice", [4]int64{1, 4, 3}, goSays(func() { _ = x[one:four] }), "", [2]int{4, 3}},
		{"of a copy", "slice", [4]int64{1, 4, 3}, "slice bounds out of range [:4] with length 3: what is behind the elements of a captured package variable is not copied to a kernel; " +
			"slice it in the variable's declaration, or pass the slice as an argument", ssa.OfCopy, [2]int{4, 3}},
		{"of what is not known", "slice", [4]int64{1, 4, 3}, "slice bounds out of range [:4] with length 3: the capacity of this slice is not known in a kernel, " +
			"so that it ends where its elements do; slice it in the function that makes it", ssa.OfUnknown, [2]int{4, 3}},
		{"of three of a copy", "slice", [4]int64{1, 4, 3}, "slice bounds out of range [::4] with length 3: what is behind the elements of a captured package variable is not copied to a kernel; " +
			"slice it in the variable's declaration, or pass the slice as an argument", ssa.OfCopyMost, [2]int{4, 3}},
		{"of three of what is not known", "slice", [4]int64{1, 4, 3}, "slice bounds out of range [::4] with length 3: the capacity of this slice is not known in a kernel, " +
			"so that it ends where its elements do; slice it in the function that makes it", ssa.OfUnknownMost, [2]int{4, 3}},
		{"of an array", "slice", [4]int64{1, 4, 3}, goSays(func() { _ = array[one:four] }), ssa.OfArray, [2]int{4, 3}},
		{"low above high", "slice", [4]int64{2, 1, 3}, goSays(func() { _ = x[two:one] }), "", [2]int{2, 1}},
		{"low", "slice", [4]int64{-1, 1, 3}, goSays(func() { _ = x[minus:one] }), "", [2]int{-1, 1}},
		{"high below", "slice", [4]int64{0, -1, 3}, goSays(func() { _ = x[zero:minus] }), "", [2]int{-1, 3}},
		{"both", "slice", [4]int64{-1, 4, 3}, goSays(func() { _ = x[minus:four] }), "", [2]int{4, 3}},
		{"high beyond int64", "slice", [4]int64{0, -2, 3}, goSays(func() { _ = x[zero:unsigned] }), ssa.OfBounds("", false, true), [2]int{-2, 3}},
		{"low beyond int64", "slice", [4]int64{-2, 1, 3}, goSays(func() { _ = x[unsigned:one] }), ssa.OfBounds("", true, false), [2]int{-2, 1}},
		{"both beyond int64", "slice", [4]int64{-2, -2, 3}, goSays(func() { _ = array[unsigned:unsigned] }), ssa.OfBounds(ssa.OfArray, true, true), [2]int{-2, 3}},
		{"unsigned and negative", "slice", [4]int64{-2, -1, 3}, goSays(func() { _ = x[unsigned:minus] }), ssa.OfBounds("", true, false), [2]int{-1, 3}},
		{"most beyond int64", "slice", [4]int64{1, -2, 3}, goSays(func() { _ = x[zero:one:unsigned] }), ssa.OfBounds(ssa.OfMost, false, true), [2]int{-2, 3}},
		{"high of three beyond int64", "slice", [4]int64{-2, 2, 3}, goSays(func() { _ = x[zero:unsigned:two] }), ssa.OfBounds(ssa.OfMost, true, false), [2]int{-2, 2}},
		{"low of three beyond int64", "slice", [4]int64{-2, 1, 2}, goSays(func() { _ = x[unsigned:one:two] }), ssa.OfBounds(ssa.OfLowOfThree, true, false), [2]int{-2, 1}},
		{"divide", "divide", [4]int64{}, goSays(func() { _ = one / zero }), "", [2]int{}},
		{"shift", "shift", [4]int64{-1}, goSays(func() { _ = one << minus }), "", [2]int{}},
		{"nil", "nil", [4]int64{}, goSays(func() { _ = *pointer }), "", [2]int{}},
	} {
		r := &Record{Values: tt.value}
		if got := r.Reason(tt.kind, tt.message, nil); got != tt.want {
			t.Errorf("%s: %q, Go says %q", tt.name, got, tt.want)
		}
		if op, check, ok := KindOf(tt.want); !ok || op != ssa.OpCheck || check.String() != tt.kind {
			t.Errorf("%s: %q is of kind %v %v", tt.name, tt.want, op, check)
		}
		if index, length := r.Bounds(tt.kind); index != tt.bounds[0] || length != tt.bounds[1] {
			t.Errorf("%s: index %d, length %d", tt.name, index, length)
		}
	}
}

func TestReasonOfPanics(t *testing.T) {
	r := &Record{Values: [4]int64{-1, int64(math.Float32bits(1.5)), int64(math.Float64bits(-2.5)), 1}}
	for _, tt := range []struct {
		kind, message string
		types         []string
		want          string
	}{
		{"assert", "n is even", nil, "assertion failed: n is even"},
		{"panic", "no way", nil, "panic: no way"},
		{"panic", "runtime error: integer overflow", nil, "integer overflow"},
		{"panic", "", []string{"int64"}, "panic: -1"},
		{"panic", "values %v %v %v %t", []string{"uint64", "float32", "float64", "bool"}, "panic: values 18446744073709551615 1.5 -2.5 true"},
		{"panic", "%3d|%x|100%%", []string{"int64", "int64"}, "panic:  -1|3fc00000|100%"},
	} {
		got := r.Reason(tt.kind, tt.message, tt.types)
		if got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
		if op, check, ok := KindOf(got); ok && op == ssa.OpCheck && check.String() != tt.kind || ok != (got != "integer overflow") || (op == ssa.OpPanic) != strings.HasPrefix(got, "panic") {
			t.Errorf("%q is of kind %v %v", got, op, check)
		}
	}
}

// The record is laid out as emitted code has it.
func TestLayout(t *testing.T) {
	var r Record
	if Size != 48 || unsafe.Offsetof(r.Site) != 4 || unsafe.Offsetof(r.Thread) != 8 || unsafe.Offsetof(r.Values) != 16 {
		t.Errorf("%d bytes", Size)
	}
}

package fault

import (
	"math"
	"testing"
	"unsafe"
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
	for _, tt := range []struct {
		name  string
		kind  string
		value [4]int64
		want  string
	}{
		{"index", "index", [4]int64{5, 3}, goSays(func() { _ = x[five] })},
		{"index below", "index", [4]int64{-1, 3}, goSays(func() { _ = x[minus] })},
		{"high", "slice", [4]int64{1, 4, 3}, goSays(func() { _ = x[one:four] })},
		{"low above high", "slice", [4]int64{2, 1, 3}, goSays(func() { _ = x[two:one] })},
		{"low", "slice", [4]int64{-1, 1, 3}, goSays(func() { _ = x[minus:one] })},
		{"high below", "slice", [4]int64{0, -1, 3}, goSays(func() { _ = x[zero:minus] })},
		{"both", "slice", [4]int64{-1, 4, 3}, goSays(func() { _ = x[minus:four] })},
		{"divide", "divide", [4]int64{}, goSays(func() { _ = one / zero })},
		{"shift", "shift", [4]int64{-1}, goSays(func() { _ = one << minus })},
		{"nil", "nil", [4]int64{}, goSays(func() { _ = *pointer })},
	} {
		if got := (&Record{Values: tt.value}).Reason(tt.kind, "", nil); got != tt.want {
			t.Errorf("%s: %q, Go says %q", tt.name, got, tt.want)
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
		{"panic", "", []string{"int64"}, "panic: -1"},
		{"panic", "values", []string{"uint64", "float32", "float64", "bool"}, "panic: values 18446744073709551615 1.5 -2.5 true"},
	} {
		if got := r.Reason(tt.kind, tt.message, tt.types); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
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

package strided

import (
	"reflect"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

func TestView2(t *testing.T) {
	a, b := reflect.TypeFor[view[float32]](), reflect.TypeFor[qd.View2[float32]]()
	if a.NumField() != b.NumField() || a.Size() != b.Size() {
		t.Fatalf("%v and %v", a, b)
	}
	for i := range a.NumField() {
		if f, g := a.Field(i), b.Field(i); f.Name != g.Name || f.Type != g.Type || f.Offset != g.Offset {
			t.Errorf("fields %v and %v", f, g)
		}
	}
	x := []int{0, 1, 2, 3, 4, 5, 6}
	v := View2(x, 2, 3, 4, 1)
	if v.At(1, 2) != 6 || v.Dim(0) != 2 || v.Dim(1) != 3 || v.Stride(0) != 4 || !slices.Equal(v.Row(1), x[4:]) || len(v.Data()) != 7 {
		t.Error(v)
	}
	if v := View2(x, 3, 2, 1, 3); v.At(2, 1) != 5 || v.At(0, 1) != 3 {
		t.Error(v)
	}
	if v := View2[int](nil, 0, 3, 4, 1); v.Dim(0) != 0 || v.Dim(1) != 3 {
		t.Error(v)
	}
	defer func() {
		if recover() == nil {
			t.Error("a view past the end")
		}
	}()
	View2(x, 2, 4, 4, 1)
}

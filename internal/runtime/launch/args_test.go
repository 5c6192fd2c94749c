package launch_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/launch"
)

type vec3 [3]float32

func TestViewArguments(t *testing.T) {
	dev, err := qd.Open("go")
	inner, err2 := launch.Open("go")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	param := reflect.TypeFor[qd.View2[float32]]()
	for _, tt := range []struct {
		name string
		arg  any
		want string
	}{
		{"array", qd.Zeros[float32](dev, 2, 3), ""},
		{"view", qd.ViewOf2(make([]float32, 6), 2, 3), ""},
		{"rank", qd.Zeros[float32](dev, 6), "the array has the shape [6], but the view has 2 dimensions; make the array with 2 sizes"},
		{"element", qd.Zeros[int32](dev, 2, 3), "the array has elements of type int32"},
		{"slice", make([]float32, 6), "pass qd.ViewOf2 of it and the sizes, or a *qd.Array[float32]"},
		{"other view", qd.ViewOf3(make([]float32, 6), 1, 2, 3), "pass a qd.View2[float32] or a *qd.Array[float32] of 2 dimensions"},
		{"number", 1, "the argument is of type int; pass a qd.View2[float32]"},
		{"no array", (*qd.Array[float32])(nil), "the array is nil"},
	} {
		_, problem := launch.CheckArg(inner, param, tt.arg)
		if (problem == "") != (tt.want == "") || !strings.Contains(problem, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, problem, tt.want)
		}
	}
	if _, problem := launch.CheckArg(inner, reflect.TypeFor[vec3](), [3]float32{}); !strings.Contains(problem, "convert it to launch_test.vec3") {
		t.Error(problem)
	}
	if _, problem := launch.CheckArg(inner, reflect.TypeFor[qd.Float16](), 1.5); !strings.Contains(problem, "convert it with qd.ToFloat16") {
		t.Error(problem)
	}
}

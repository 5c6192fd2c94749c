package corpus

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/qdgen/qd"
	kernels "github.com/qdgen/qd/internal/corpus/kernels"
)

// TestGradientsCPU runs the backward kernels of all kernels that have floats in plain slices, and a derivative, as
// compiled C++. They give what the interpreter gives, which package gradient compares with differences.
func TestGradientsCPU(t *testing.T) {
	compiles(t)
	testGradients(t, "cpu")
}

// TestGradientsCUDA runs them on a GPU, where there is one.
func TestGradientsCUDA(t *testing.T) {
	if _, err := qd.Open("cuda:0"); err != nil {
		t.Skip(err)
	}
	testGradients(t, "cuda:0")
}

// TestGradientsCUDAOnHost runs TestGradientsCUDA with the fake driver and the fake NVRTC.
func TestGradientsCUDAOnHost(t *testing.T) {
	compiles(t)
	onFakeGPU(t, "TestGradientsCUDA")
}

func testGradients(t *testing.T, name string) {
	interpreted, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	dev := openDevice(t, name)
	compared := 0
	oneByOne(t, func(t *testing.T, _ *File, k *Kernel) {
		for _, l := range k.Launches {
			if l.Hand != "" || k.Grid || k.Prints {
				continue
			}
			want, err := gradientsOf(interpreted, l)
			if err != nil || len(want) == 0 {
				continue // it has no derivative, or other memory with floats
			}
			got, err := gradientsOf(dev, l)
			if err != nil {
				t.Errorf("launch %q: %v", l.Name, err)
				continue
			}
			compared++
			for i := range got {
				if at, ok := near(reflect.ValueOf(got[i]), reflect.ValueOf(want[i])); !ok {
					t.Errorf("launch %q: element %d of gradient %d: %v and %v", l.Name, at, i, got[i], want[i])
				}
			}
		}
	})
	if compared < 100 {
		t.Errorf("only %d launches have been compared", compared)
	}
}

// gradientsOf launches the backward kernel of a kernel whose floats are in plain slices, and returns all gradients as they are
// after it.
func gradientsOf(dev *qd.Device, l *Launch) (grads []any, err error) {
	args := l.Args()
	for _, arg := range args {
		v := reflect.ValueOf(arg)
		if v.Kind() != reflect.Slice || len(floatsIn(reflect.Zero(v.Type().Elem()))) == 0 {
			continue
		}
		g := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i, f := range floatsIn(g) {
			f.SetFloat(float64(i%5+1) / 4)
		}
		grads = append(grads, g.Interface())
	}
	if len(grads) == 0 {
		return nil, nil
	}
	kernel := qd.NewKernel(kernels.Funcs[l.Kernel.Name])
	if l.Block != 0 {
		kernel = kernel.WithBlockDim(l.Block)
	}
	err = dev.Launch(kernel.Gradient(), qd.Dim(l.Dims...), append(args, grads...)...)
	return grads, errors.Join(err, dev.Wait())
}

// floatsIn are the floats in a slice, in its arrays and structs.
func floatsIn(v reflect.Value) (list []reflect.Value) {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return []reflect.Value{v}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			list = append(list, floatsIn(v.Index(i))...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			list = append(list, floatsIn(v.Field(i))...)
		}
	}
	return list
}

// near compares the floats in slices. Threads may add to a gradient in any order.
func near(got, want reflect.Value) (at int, ok bool) {
	wants := floatsIn(want)
	for i, g := range floatsIn(got) {
		within := 1e-9
		if g.Kind() == reflect.Float32 {
			within = 1e-4
		}
		x, y := g.Float(), wants[i].Float()
		if x != y && !(math.IsNaN(x) && math.IsNaN(y)) && !(math.Abs(x-y) <= within*(1+math.Abs(y))) {
			return i, false
		}
	}
	return 0, true
}

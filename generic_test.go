//go:build !race

package qd_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/testdata/library"
)

type celsius float32

func (c celsius) warmer() celsius { return c + 1 }

type warming[T any] interface {
	~float32
	warmer() T
}

//qd:kernel
func genericAxpy[T qd.Number](t qd.Thread, a T, x, y []T) { y[t.ID()] += a * x[t.ID()] }

//qd:kernel
func genericWarm[T warming[T]](t qd.Thread, x []T) { x[t.ID()] = x[t.ID()].warmer() }

//qd:kernel
func genericInverse[M qd.SquareMatrix[M, R, T], R any, T qd.Float](t qd.Thread, x []M) {
	x[t.ID()] = x[t.ID()].Inverse()
}

//qd:kernel
func genericBeyond[T qd.Float](t qd.Thread, x []T) { x[t.ID()+len(x)] = 1 }

// launchAxpy launches a kernel for a type on a device.
func launchAxpy[T qd.Number](t *testing.T, dev *qd.Device, k any, a T, want ...T) {
	t.Helper()
	x, y := []T{1, 2, 100}, []T{3, 4, 5}
	if err := dev.Launch(k, qd.Dim(3), a, x, y); err != nil {
		t.Errorf("%v: %v", dev, err)
	} else if !slices.Equal(y, want) {
		t.Errorf("%v: %T: %v, want %v", dev, k, y, want)
	}
}

// TestGenericKernels launches instances of generic kernels, which have one name.
func TestGenericKernels(t *testing.T) {
	for _, dev := range devices(t) {
		for range 2 {
			launchAxpy(t, dev, genericAxpy[float32], float32(0.5), 3.5, 5, 55)
			launchAxpy(t, dev, genericAxpy[float64], 0.25, 3.25, 4.5, 30)
			launchAxpy(t, dev, genericAxpy[uint8], uint8(3), 6, 10, 49)
			launchAxpy(t, dev, genericAxpy[celsius], celsius(2), 5, 8, 205)
			x := []celsius{1, 2}
			if err := dev.Launch(genericWarm[celsius], qd.Dim(2), x); err != nil || x[1] != 3 {
				t.Errorf("%v: %v %v", dev, x, err)
			}
		}
	}
}

// TestTypeArgumentsOfMethods launches a kernel whose type arguments follow from the methods of another.
func TestTypeArgumentsOfMethods(t *testing.T) {
	for _, dev := range devices(t) {
		x := []f64.Mat2{f64.Mat2Identity().Scale(2)}
		if err := dev.Launch(genericInverse[f64.Mat2], qd.Dim(1), x); err != nil || x[0] != f64.Mat2Identity().Scale(0.5) {
			t.Errorf("%v: %v %v", dev, x, err)
		}
	}
}

// TestNameOfInstance finds the type arguments of a generic kernel in its faults.
func TestNameOfInstance(t *testing.T) {
	for _, dev := range devices(t) {
		for kernel, launch := range map[string]func() error{
			"genericBeyond[float32]": func() error {
				return dev.Checked().Launch(genericBeyond[float32], qd.Dim(1), make([]float32, 2))
			},
			"genericBeyond[float64]": func() error {
				return dev.Checked().Launch(genericBeyond[float64], qd.Dim(1), make([]float64, 2))
			},
		} {
			err := launch()
			if err == nil {
				err = dev.Wait()
			}
			var fault *qd.Fault
			if !errors.As(err, &fault) || fault.Kernel != kernel {
				t.Errorf("%v: %v, want one of %s", dev, err, kernel)
			}
		}
	}
}

//qd:kernel
func transposed[T qd.Number](t qd.Thread, x, y qd.View2[T]) {
	i, j := t.ID2()
	y.Set(i, j, x.T().At(i, j)+T(x.Dim(0)))
	if v := y.Row(i); j == 0 {
		*y.Ptr(i, 1) += v[0] + T(len(v))
	}
}

// TestGenericViews launches a generic kernel of views.
func TestGenericViews(t *testing.T) {
	for _, dev := range devices(t) {
		x, y := []int32{1, 2, 3, 4, 5, 6}, make([]int32, 6)
		if err := dev.Launch(transposed[int32], qd.Dim(3, 1), qd.ViewOf2(x, 2, 3), qd.ViewOf2(y, 3, 2)); err != nil {
			t.Fatalf("%v: %v", dev, err)
		}
		if want := []int32{3, 5, 4, 6, 5, 7}; !slices.Equal(y, want) {
			t.Errorf("%v: %v, want %v", dev, y, want)
		}
	}
}

// meter is a type that the kernels of package library know nothing of.
type meter struct{ at, steps int32 }

func (m *meter) Step(n int) { m.at, m.steps = m.at+int32(n), m.steps+1 }

// TestLaunchLibrary launches kernels of another package with types of this one, one that
// only its tests have.
func TestLaunchLibrary(t *testing.T) {
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			x := []celsius{1, 2, 3}
			if err := dev.Launch(library.Scale[celsius], qd.Dim(3), 2, x); err != nil {
				t.Fatal(err)
			}
			if want := []celsius{2, 5, 8}; !slices.Equal(x, want) {
				t.Errorf("%v, want %v", x, want)
			}
			m := []meter{{1, 2}, {3, 4}}
			if err := dev.Launch(library.Each[meter], qd.Dim(2), m); err != nil {
				t.Fatal(err)
			}
			if want := []meter{{1, 3}, {4, 5}}; !slices.Equal(m, want) {
				t.Errorf("%v, want %v", m, want)
			}
			v := qd.From(dev, []meter{{1, 1}, {2, 2}}, 1, 2)
			if err := dev.Run(library.Reverse[meter], v, m); err != nil {
				t.Fatal(err)
			}
			if want := []meter{{2, 2}, {1, 1}}; !slices.Equal(m, want) {
				t.Errorf("%v, want %v", m, want)
			}
		})
	}
}

// scaled launches instances of generic kernels whose type arguments are its own: to
// Go they are function literals.
func scaled[T qd.Number](dev *qd.Device, by T, x []T) error {
	if err := dev.Launch(genericAxpy[T], qd.Dim(len(x)), by-1, x, x); err != nil {
		return err
	}
	return dev.Launch(library.Scale[T], qd.Dim(len(x)), 1, x)
}

// TestLaunchFromGeneric launches kernels from a generic function.
func TestLaunchFromGeneric(t *testing.T) {
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			a, b, c := []float64{1, 2}, []celsius{1, 2}, []uint8{100, 200}
			for _, err := range []error{scaled(dev, 2.5, a), scaled(dev, 2.5, b), scaled(dev, 3, c)} {
				if err != nil {
					t.Error(err)
				}
			}
			if a[1] != 6 || b[0] != 2.5 || c[0] != 44 || c[1] != 89 {
				t.Errorf("%v %v %v", a, b, c)
			}
		})
	}
}

// cooling is an operation that only the tests know.
type cooling struct{ by celsius }

func (c cooling) Apply(x celsius) celsius { return x - c.by }

func doubled(x celsius) celsius { return 2 * x }

func increased[T qd.Number](x T) T { return x + 1 }

// TestMethodKernelsOfLibrary launches a kernel that is a method of a generic type of another
// package.
func TestMethodKernelsOfLibrary(t *testing.T) {
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			x := []celsius{1, 2, 3}
			for _, m := range []library.Map[celsius, cooling]{
				{Op: cooling{1}, Then: doubled, From: 1},
				{Op: cooling{2}, Then: increased[celsius]},
			} {
				if err := dev.Launch(m, qd.Dim(3), qd.C(2), x); err != nil {
					t.Fatal(err)
				}
			}
			if want := []celsius{-1, 0, 4}; !slices.Equal(x, want) {
				t.Errorf("%v, want %v", x, want)
			}
		})
	}
}

//qd:kernel
func genericFault[T qd.Number](t qd.Thread, x []T) { x[t.ID()+1] = 1 }

func launchFault[T qd.Number](dev *qd.Device, x []T) error {
	return dev.Checked().Launch(genericFault[T], qd.Dim(len(x)), x)
}

// TestNamesFromGeneric has a kernel that a generic function launches fail: to Go it is a
// literal of that function.
func TestNamesFromGeneric(t *testing.T) {
	for _, dev := range devices(t) {
		for _, test := range []struct {
			err  error
			want string
		}{
			{launchFault(dev, []float64{1}), "genericFault[float64]"},
			{launchFault(dev, []celsius{1}), "genericFault[celsius]"},
		} {
			var fault *qd.Fault
			if !errors.As(test.err, &fault) || fault.Kernel != test.want {
				t.Errorf("%v: %v, want kernel %s", dev, test.err, test.want)
			}
		}
	}
}

// A literal that the Go compiler inlines into the launching function with the one around it
// is that of its own file.
func TestLiteralOfAnotherPackage(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := make([]int, 3)
		if err := dev.Launch(library.Fill(), qd.Dim(3), x); err != nil || x[2] != 222 {
			t.Errorf("%v: %v", err, x)
		}
	})
}

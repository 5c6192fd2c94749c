//go:build !race

package qd_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func transpose(t qd.Thread, in, out qd.View2[float32]) {
	i, j := t.ID2()
	out.Set(j, i, in.At(i, j))
}

//qd:kernel
func rowSums(t qd.Thread, in qd.View2[float32], out []float32) {
	i := t.ID()
	sum := float32(0)
	for _, x := range in.Row(i) {
		sum += x
	}
	out[i] = sum
}

//qd:kernel
func blur(t qd.Thread, in, out qd.View3[float32]) {
	i, j, k := t.ID3()
	inner := in.Sub(0, in.Dim(0), 0, in.Dim(1), 0, in.Dim(2)).Plane(i).T()
	*out.Ptr(i, j, k) = inner.At(k, j) + float32(in.Dim(2))
}

//qd:kernel
func fourth(t qd.Thread, v qd.View4[int32]) {
	i, j, k, l := t.ID4()
	if t.ID() > 0 { // whose element the others count in
		v.Set(i, j, k, l, int32(1000*i+100*j+10*k+l))
	}
	qd.AtomicAdd(v.Ptr(0, 0, 0, 0), 1)
}

//qd:kernel
func flatAsView(t qd.Thread, x []int32, n, m int) {
	v := qd.ViewOf2(x, n, m)
	i, j := t.ID2()
	v.T().Set(j, i, int32(10*i+j))
}

//qd:kernel
func halve(t qd.Thread, a float32, x []qd.Float16, y []qd.BFloat16) {
	i := t.ID()
	h := x[i]
	x[i] = qd.ToFloat16(a*h.Float32() + float32(h.Bits()))
	y[i] = qd.ToBFloat16(y[i].Float32() * a)
	if x[i].IsNaN() {
		y[i] = qd.BFloat16FromBits(0x7fc0)
	}
}

//qd:kernel
func random(t qd.Thread, seed uint64, u []uint64, f []float32, d []float64) {
	i := t.ID()
	u[i] = qd.Rand(seed, i)
	f[i] = qd.RandFloat32(7, i)
	d[i] = qd.RandFloat64(seed, uint8(i))
}

//qd:kernel
func normal(t qd.Thread, f []float32, d []float64) {
	i := t.ID()
	f[i] = qd.RandNormal[float32](1, i)
	d[i] = qd.RandNormal[float64](1, i)
}

type spring struct {
	ends      [2]int32
	stiffness float32
	on        bool
}

type world struct {
	x, v []float32
	drag float32
}

//qd:kernel
func pull(t qd.Thread, s spring, springs []spring, w world, shift [2]float32) {
	i := t.ID()
	p := springs[i]
	if !p.on {
		return
	}
	f := (p.stiffness + s.stiffness) * (w.x[p.ends[1]] - w.x[p.ends[0]])
	w.v[i] += f*w.drag + shift[0] - shift[1]
	springs[i].ends[0]++
}

// Views of arrays and of slices, whole, in part and transposed.
func TestLaunchViews(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, dev := range []*qd.Device{dev, dev.Checked()} {
			in, out := qd.From(dev, ramp(6), 2, 3), qd.Zeros[float32](dev, 3, 2)
			if err := dev.Launch(transpose, qd.Dim(2, 3), in, out); err != nil {
				t.Fatal(err)
			}
			if got := out.Slice(); !slices.Equal(got, []float32{0, 3, 1, 4, 2, 5}) {
				t.Errorf("transposed array %v", got)
			}
			host := make([]float32, 12)
			part := qd.ViewOf2(host, 4, 3).Sub(1, 3, 0, 2).T() // 2 by 2
			if err := dev.Launch(transpose, qd.Dim(2, 2), qd.ViewOf2(ramp(9), 3, 3).Sub(1, 3, 1, 3), part); err != nil {
				t.Fatal(err)
			}
			if want := []float32{0, 0, 0, 4, 5, 0, 7, 8, 0, 0, 0, 0}; !slices.Equal(host, want) {
				t.Errorf("transposed part %v, want %v", host, want)
			}
			sums := make([]float32, 2)
			if err := dev.Launch(rowSums, qd.Dim(2), qd.ViewOf2(ramp(8), 2, 4).Sub(0, 2, 1, 4), sums); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(sums, []float32{6, 18}) {
				t.Errorf("sums %v", sums)
			}
			in3, out3 := qd.From(dev, ramp(24), 2, 3, 4), qd.Zeros[float32](dev, 2, 3, 4)
			if err := dev.Launch(blur, qd.Dim(2, 3, 4), in3, out3); err != nil {
				t.Fatal(err)
			}
			if got := out3.Slice(); got[23] != 27 || got[5] != 9 {
				t.Errorf("three dimensions %v", got)
			}
			out4 := qd.Zeros[int32](dev, 2, 1, 2, 2)
			if err := dev.Launch(fourth, qd.Dim(2, 1, 2, 2), out4); err != nil {
				t.Fatal(err)
			}
			if got := out4.Slice(); !slices.Equal(got[1:], []int32{1, 10, 11, 1000, 1001, 1010, 1011}) {
				t.Errorf("four dimensions %v", got)
			}
			x := make([]int32, 6)
			if err := dev.Launch(flatAsView, qd.Dim(2, 3), x, 2, 3); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(x, []int32{0, 1, 2, 10, 11, 12}) {
				t.Errorf("a view made by the kernel: %v", x)
			}
		}
	})
}

// A view's indices are checked in the words of Go, at the line of the kernel.
func TestLaunchViewFaults(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dev = dev.Checked()
		var f *qd.Fault
		host := make([]float32, 12)
		err := dev.Launch(transpose, qd.Dim(2, 4), qd.ViewOf2(ramp(9), 3, 3), qd.ViewOf2(host, 4, 3).Sub(0, 4, 0, 2))
		if !errors.As(err, &f) || f.Reason != "index out of range [3] with length 3" || !strings.HasSuffix(f.File, "viewkernel_test.go") || f.Line != lineWith(t, "viewkernel_test.go", "out.Set(j, i, in.At(i, j))") {
			t.Errorf("column out of range: %v", err)
		}
		err = dev.Launch(rowSums, qd.Dim(2), qd.ViewOf2(ramp(4), 2, 2).T(), host)
		if !errors.As(err, &f) || !strings.Contains(f.Reason, "panic: qd.View2.Row: the elements of a row are not adjacent") {
			t.Errorf("row of a transposed view: %v", err)
		}
		err = dev.Launch(flatAsView, qd.Dim(2, 3), make([]int32, 5), 2, 3)
		if !errors.As(err, &f) || !strings.Contains(f.Reason, "assertion failed: qd.ViewOf2: the sizes do not fit") {
			t.Errorf("view of a slice of another length: %v", err)
		}
		for _, sizes := range [][2]int{{huge(32), huge(32)}, {huge(62) + 1, huge(63) - 4}, {-1, 0}} {
			f = nil
			err = dev.Launch(flatAsView, qd.Dim(1, 1), []int32{}, sizes[0], sizes[1])
			if !errors.As(err, &f) || !strings.Contains(f.Reason, "assertion failed: qd.ViewOf2: the sizes do not fit") {
				t.Errorf("view of %d elements by %d: %v", sizes[0], sizes[1], err)
			}
		}
	})
}

// What package qd has in kernel Go gives the same on every device.
func TestLaunchHalvesAndRandom(t *testing.T) {
	const n = 3000
	type results struct {
		x []qd.Float16
		y []qd.BFloat16
		u []uint64
		f []float32
		d []float64
	}
	var want *results
	onAll(t, func(t *testing.T, dev *qd.Device) {
		got := &results{make([]qd.Float16, n), make([]qd.BFloat16, n), make([]uint64, n), make([]float32, n), make([]float64, n)}
		for i := range n {
			got.x[i] = qd.Float16FromBits(uint16(i * 23))
			got.y[i] = qd.BFloat16FromBits(uint16(i * 29))
		}
		if err := dev.Launch(halve, qd.Dim(n), 1.25, got.x, got.y); err != nil {
			t.Fatal(err)
		}
		if err := dev.Launch(random, qd.Dim(n), uint64(1<<63+5), got.u, got.f, got.d); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got.x, want.x) || !slices.Equal(got.y, want.y) || !slices.Equal(got.u, want.u) || !slices.Equal(got.f, want.f) || !slices.Equal(got.d, want.d) {
			t.Error("the results differ from those of device go")
		}
		if got.u[17] != qd.Rand(uint64(1<<63+5), 17) {
			t.Error("Rand differs in a kernel")
		}
		f, d := make([]float32, n), make([]float64, n)
		if err := dev.Launch(normal, qd.Dim(n), f, d); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if e := d[i] - qd.RandNormal[float64](1, i); e > 1e-12 || e < -1e-12 {
				t.Fatalf("normal number %d is %v", i, d[i])
			}
			if e := f[i] - qd.RandNormal[float32](1, i); e > 1e-5 || e < -1e-5 {
				t.Fatalf("normal number %d is %v", i, f[i])
			}
		}
	})
}

// Structs and arrays as arguments and as elements, with slices in them too.
func TestLaunchStructs(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, dev := range []*qd.Device{dev, dev.Checked()} {
			springs := []spring{{[2]int32{0, 1}, 2, true}, {[2]int32{1, 2}, 3, false}, {[2]int32{0, 2}, 4, true}}
			w := world{x: []float32{1, 2, 4}, v: make([]float32, 3), drag: 0.5}
			if err := dev.Launch(pull, qd.Dim(3), spring{stiffness: 10}, springs, w, [2]float32{3, 1}); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(w.v, []float32{8, 0, 23}) || springs[0].ends[0] != 1 || springs[1].ends[0] != 1 || springs[2].ends[0] != 1 {
				t.Errorf("%v %v", w, springs)
			}
			array := qd.From(dev, springs)
			if err := dev.Launch(pull, qd.Dim(3), spring{stiffness: 10}, array, w, [2]float32{}); err != nil {
				t.Fatal(err)
			}
			if got := array.Slice(); got[2].ends[0] != 2 || got[2].stiffness != 4 || !got[0].on {
				t.Errorf("%v", got)
			}
		}
	})
}

// scan is no view, though it has the methods of one.
type scan struct {
	qd.View2[float32]
	gain float32
}

//qd:kernel
func amplify(t qd.Thread, s scan) {
	i, j := t.ID2()
	s.Set(i, j, s.At(i, j)*s.gain)
}

// A struct that embeds a view is given as such, and not as an array.
func TestLaunchEmbeddedView(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float32{1, 2, 3, 4}
		if err := dev.Launch(amplify, qd.Dim(2, 2), scan{qd.ViewOf2(x, 2, 2), 3}); err != nil || x[3] != 12 {
			t.Errorf("%v, %v", x, err)
		}
		var launch *qd.LaunchError
		if err := dev.Launch(amplify, qd.Dim(2, 2), qd.From(dev, x, 2, 2)); !errors.As(err, &launch) {
			t.Errorf("an array for the struct: %v", err)
		}
	})
}

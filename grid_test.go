package qd_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func smooth(g qd.Grid, rounds int, x, y []float32) {
	n := len(x)
	for range rounds {
		g.For(n, func(i int) {
			y[i] = (x[max(i-1, 0)] + 2*x[i] + x[min(i+1, n-1)]) / 4
		})
		x, y = y, x
	}
	x[0] += y[0]
}

//qd:kernel
func gridFaulty(g qd.Grid, n int, x []int32) {
	g.For2(n, n, func(i, j int) {
		if i*n+j == 7 {
			x[i*n+j+100]++
		}
	})
}

//qd:kernel
func hostFaulty(g qd.Grid, at int, x []int32) {
	x[0] = 1
	g.For(len(x), func(i int) { x[i]++ })
	x[at]++
}

//qd:kernel
func tooLarge(g qd.Grid, n int, x []int32) {
	g.For2(n, n, func(i, j int) { x[0] = 1 })
}

// Grid kernels on all devices, with slices and with arrays, launched once and
// prepared.
func TestRunKernels(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		host := []float32{1, 2, 4, 8, 16}
		want, tmp := slices.Clone(host), make([]float32, 5)
		smooth(qd.Grid{}, 3, want, tmp)

		x, y := slices.Clone(host), make([]float32, 5)
		if err := dev.Run(smooth, 3, x, y); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(x, want) || !slices.Equal(y, tmp) {
			t.Errorf("slices: %v and %v, want %v and %v", x, y, want, tmp)
		}
		a, b := qd.From(dev, host), qd.Zeros[float32](dev, 5)
		p, err := qd.NewKernel(smooth).BindRun(3, a, b)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := a.CopyFrom(host); err != nil {
				t.Fatal(err)
			}
			if err := p.Launch(); err != nil {
				t.Fatal(err)
			}
			if got := a.Slice(); !slices.Equal(got, want) {
				t.Errorf("prepared: %v, want %v", got, want)
			}
		}
		if err := a.CopyFrom(host); err != nil {
			t.Fatal(err)
		}
		s, err := dev.NewStream()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(smooth, 3, a, b); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if got := a.Slice(); !slices.Equal(got, want) {
			t.Errorf("on a stream: %v, want %v", got, want)
		}
	})
}

// Runs of one kernel may overlap: each has launches of its own.
func TestRunAtOnce(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		var all [8][]float32
		var wg sync.WaitGroup
		for k := range all {
			all[k] = make([]float32, 100+k)
			for i := range all[k] {
				all[k][i] = float32(i * (k + 1))
			}
			wg.Go(func() {
				x := slices.Clone(all[k])
				if err := dev.Run(smooth, k, x, make([]float32, len(x))); err != nil {
					t.Error(err)
				}
				smooth(qd.Grid{}, k, all[k], make([]float32, len(x)))
				if !slices.Equal(x, all[k]) {
					t.Errorf("run %d gives %v, want %v", k, x, all[k])
				}
			})
		}
		wg.Wait()
	})
}

// Runs that do not fit the kernel.
func TestRunErrors(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float32{1}
		for _, test := range []struct {
			err  error
			want string
		}{
			{dev.Launch(smooth, qd.Dim(3), 1, x, x), "run it with qd.Run, without a dimension"},
			{dev.Run(saxpy, float32(2), x, x), "launch it with qd.Launch"},
			{dev.Run(smooth, 1, x), "2 arguments for 3 parameters"},
			{dev.Run(smooth, 1, x, []int{1}), "parameter 3 ([]float32)"},
			{dev.Run(notKernel, x), "its first parameter must be"},
			{dev.Run(nil), "the kernel is nil"},
		} {
			var le *qd.LaunchError
			if !errors.As(test.err, &le) || !strings.Contains(test.err.Error(), test.want) {
				t.Errorf("got %v, want %q", test.err, test.want)
			}
		}
		if x[0] != 1 {
			t.Errorf("something has run: %v", x)
		}
	})
}

// A fault between loops has a place, and no thread.
func TestRunFaults(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		var f *qd.Fault
		x := make([]int32, 3)
		err := dev.Run(hostFaulty, 3, x)
		if !errors.As(err, &f) || f.Thread != nil || f.Line != 39 || !strings.Contains(err.Error(), "grid_test.go:39:") || !strings.HasSuffix(err.Error(), ": index out of range [3] with length 3 (kernel hostFaulty)") {
			t.Errorf("between loops: %v", err)
		}
		if want := []int32{2, 1, 1}; dev.String() != "cuda:0" && !slices.Equal(x, want) {
			t.Errorf("what stands before has left %v, want %v", x, want)
		}
		err = dev.Run(tooLarge, huge(33), x)
		if !errors.As(err, &f) || f.Line != 44 || !strings.HasPrefix(f.Reason, "parallel loop over Dim(8589934592, 8589934592): a dimension is at most") {
			t.Errorf("too large: %v", err)
		}
	})
}

// On device go, a fault in a loop has the index along each dimension.
func TestGridFault(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	var f *qd.Fault
	err = dev.Run(gridFaulty, 4, make([]int32, 16))
	if !errors.As(err, &f) || f.Kernel != "gridFaulty" || !slices.Equal(f.Thread, []int{1, 3}) || f.Line != 30 || f.Reason != "index out of range [107] with length 16" {
		t.Error(err)
	}
}

// A kernel that is called as a function panics as Go does.
func TestGridCalled(t *testing.T) {
	defer func() {
		if s := fmt.Sprint(recover()); !strings.Contains(s, "index out of range [107]") {
			t.Errorf("recovered %q", s)
		}
	}()
	gridFaulty(qd.Grid{}, 4, make([]int32, 16))
}

func quotient(x []int32, d int32) int32 {
	x[0] = 100 / d
	return x[0]
}

//qd:kernel
func checkedLoops(g qd.Grid, d, far int32, x, y []int32) {
	d = quotient(x, d)
	g.For(len(x), func(i int) { y[i] = d })
	g.For2(2, len(x)/2, func(i, j int) {
		if i == 1 && j == 2 {
			y[i*len(x)/2+j+int(far)] = 1
		}
	})
	if far < 0 {
		panic("behind")
	}
}

// A checked build finds the faults of loops, in the kernel that the loop has become,
// and those of functions that the host's part calls.
func TestRunChecked(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, test := range []struct {
			d, far int32
			thread []int
			reason string
		}{
			{4, 100, []int{1, 2}, "index out of range [105] with length 6"},
			{0, 0, nil, "integer divide by zero"},
			{5, -1, nil, "panic: behind"},
		} {
			x, y := make([]int32, 6), make([]int32, 6)
			err := dev.Checked().Run(checkedLoops, test.d, test.far, x, y)
			var f *qd.Fault
			if !errors.As(err, &f) || f.Kernel != "checkedLoops" || !slices.Equal(f.Thread, test.thread) || f.Reason != test.reason || f.Line == 0 {
				t.Errorf("%d, %d: %v", test.d, test.far, err)
			}
		}
		x, y := make([]int32, 6), make([]int32, 6)
		if err := dev.Checked().Run(checkedLoops, 4, 0, x, y); err != nil || y[5] != 1 || y[4] != 25 {
			t.Errorf("without a fault: %v, %v", err, y)
		}
	})
}

type material struct {
	spring, damping float32
	pins            [2]int32
}

type particle struct {
	at, v float32
	kind  int8
}

//qd:kernel
func chain(g qd.Grid, steps int, m material, ps []particle, force qd.View2[float32], out []qd.Float16) {
	n := force.Dim(1)
	for step := range steps {
		row := force.Row(step % force.Dim(0))
		g.For(n, func(i int) {
			p := &ps[i]
			f := row[i] - m.damping*p.v
			if i > 0 {
				f += m.spring * (ps[i-1].at - p.at)
			}
			force.Set(step%force.Dim(0), i, f)
		})
		g.For(n, func(i int) {
			p := &ps[i]
			if int32(i) == m.pins[0] || int32(i) == m.pins[1] || p.kind == 7 {
				return
			}
			p.v += force.At(step%force.Dim(0), i) / 16
			p.at += p.v / 16
		})
		ps[n-1].v = -ps[n-1].v
		*force.Ptr(0, 0) += 1
	}
	g.For(len(out), func(i int) { out[i] = qd.ToFloat16(ps[i].at) })
}

// A Grid kernel with structs, elements that are structs, views and Float16.
func TestRunStructs(t *testing.T) {
	m := material{spring: 2, damping: 0.5, pins: [2]int32{0, 3}}
	start := []particle{{1, 2, 0}, {2, -1, 1}, {3, 0.5, 7}, {4, 4, 2}, {5, -3, 0}, {6, 0.25, 0}}
	forces := []float32{1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6}
	wantPs, wantForces, wantOut := slices.Clone(start), slices.Clone(forces), make([]qd.Float16, 5)
	chain(qd.Grid{}, 5, m, wantPs, qd.ViewOf2(wantForces, 2, 6), wantOut)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, dev := range []*qd.Device{dev, dev.Checked()} {
			ps, fs, out := slices.Clone(start), slices.Clone(forces), make([]qd.Float16, 5)
			if err := dev.Run(chain, 5, m, ps, qd.ViewOf2(fs, 2, 6), out); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(ps, wantPs) || !slices.Equal(fs, wantForces) || !slices.Equal(out, wantOut) {
				t.Errorf("%v: %v %v %v, want %v %v %v", dev, ps, fs, out, wantPs, wantForces, wantOut)
			}
			a, b, c := qd.From(dev, start), qd.From(dev, forces, 2, 6), qd.Zeros[qd.Float16](dev, 5)
			if err := dev.Run(chain, 5, m, a, b, c); err != nil {
				t.Fatal(err)
			}
			if got := a.Slice(); !slices.Equal(got, wantPs) || !slices.Equal(c.Slice(), wantOut) {
				t.Errorf("%v: arrays %v, want %v", dev, got, wantPs)
			}
		}
	})
}

type adder[T qd.Number] struct{ by T }

func (o adder[T]) apply(x T) T { return x + o.by }

//qd:kernel
func scanBy[T qd.Number](g qd.Grid, by T, x, y []T) {
	o := adder[T]{by}
	n := len(x)
	for stride := 1; stride < n; stride *= 2 {
		g.For(n, func(i int) {
			y[i] = x[i]
			if i >= stride {
				y[i] = o.apply(y[i] + x[i-stride])
			}
		})
		x, y = y, x
	}
	g.For(n, func(i int) { y[i] = x[i] })
	x[0] = T(stepOf(g, y))
}

func stepOf[T qd.Number](g qd.Grid, y []T) int {
	g.For(1, func(i int) { y[i]++ })
	return int(y[0])
}

// Generic Grid kernels, with generic functions that have parallel loops.
func TestRunGeneric(t *testing.T) {
	want, tmp := []int32{1, 2, 3, 4, 5}, make([]int32, 5)
	scanBy(qd.Grid{}, 3, want, tmp)
	wantF, tmpF := []float64{1, 2, 3, 4, 5}, make([]float64, 5)
	scanBy(qd.Grid{}, 0.5, wantF, tmpF)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := []int32{1, 2, 3, 4, 5}, make([]int32, 5)
		if err := dev.Run(scanBy[int32], 3, x, y); err != nil {
			t.Fatal(err)
		}
		f, h := []float64{1, 2, 3, 4, 5}, make([]float64, 5)
		if err := dev.Run(scanBy[float64], 0.5, f, h); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(x, want) || !slices.Equal(y, tmp) || !slices.Equal(f, wantF) || !slices.Equal(h, tmpF) {
			t.Errorf("%v %v %v %v, want %v %v %v %v", x, y, f, h, want, tmp, wantF, tmpF)
		}
	})
}

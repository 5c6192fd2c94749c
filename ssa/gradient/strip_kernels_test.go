package gradient_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/interp"
)

// stripKernels are kernels with loops of some hundred turns.
const stripKernels = `package k

import (
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
)

func counted(t qd.Thread, n int, x, y []float64) {
	s := x[t.ID()]
	for range 100 * n {
		s = math.Sin(s) + x[t.ID()+1]*0.01
	}
	y[t.ID()] = s
}

func while(t qd.Thread, n int, x, y []float64) {
	v, s := x[t.ID()], 0.0
	for k := 0; v < 10; k++ {
		v *= 1.01 + x[k%n]*0.001
		s += v * v
		if s > 2000 {
			break
		}
		if k%3 == 0 {
			continue
		}
		s *= 0.99
	}
	y[t.ID()] = s * v
}

func state(t qd.Thread, n int, x, y []float64) {
	type body struct{ p, v f64.Vec2 }
	b := body{f64.Vec2{x[t.ID()], 1}, f64.Vec2{0, x[1]}}
	for k := range 60 * n {
		r := b.p.Norm()
		b.v = b.v.Sub(b.p.Scale(0.01 / (r * r * r)))
		b.p = b.p.Add(b.v.Scale(0.01))
		if r > 3 {
			y[t.ID()] = r * float64(k)
			return
		}
	}
	y[t.ID()] = b.p[0] * b.v[1]
}

func array(t qd.Thread, n int, x, y []float64) {
	var a [5]float64
	copy(a[:], x)
	for k := range 50 * n {
		a[k%5] = math.Sin(a[(k+1)%5]*a[(k*k)%5]) + 0.1
	}
	y[t.ID()] = a[t.ID()%5] * a[2]
}

func nested(t qd.Thread, n int, x, y []float64) {
	s := x[t.ID()]
outer:
	for i := range 20 * n {
		p := s
		for k := 0; k < 10+i%7; k++ {
			p = math.Cos(p*s) + 0.001*x[k%4]
			if p > 0.9999 {
				continue outer
			}
			for q := 0.1 + p*p; q < 1; q *= 1.9 {
				p += 0.01 * q * p
			}
		}
		s = 0.5*p + 0.4*s
	}
	y[t.ID()] = s
}

func place(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	for k := 0; 8*i < len(y) && k < 60*n; k++ {
		y[8*i] -= 0.01 * math.Sin(x[k%4])
		if y[8*i] > 0.1 {
			y[8*i] *= 0.99 - 0.001*y[8*i]
		}
	}
}

func owned(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	for k := range 40 * n {
		if i < len(y)/2 {
			y[2*i] += 0.02 * y[2*i+1] * y[2*i]
			for y[2*i] > 0.5 {
				y[2*i+1] -= 0.03 * y[2*i]
				y[2*i] *= 0.9
			}
			y[2*i+1] += x[k%4] * 0.01
		}
	}
}

func twice(t qd.Thread, n int, x, y []float64) {
	s := x[t.ID()]
	if s > 0.4 {
		for range 30 * n {
			s = math.Sin(s + 0.2)
		}
	} else {
		for range 40 * n {
			s = math.Exp(-s * s)
		}
	}
	for k := uint8(0); int(k) < 50*n; k++ {
		s += s * s * float64(k) * 1e-5
	}
	y[t.ID()] = s
}
`

// Gradients of long loops in strips are the same to the bit, and keep less.
func TestStrips(t *testing.T) {
	lib := library(t)
	for _, name := range []string{"counted", "while", "state", "array", "nested", "owned", "place", "twice"} {
		k := lower(t, lib, stripKernels, name).Kernels()[0]
		tr := &trial{kernel: k, threads: 4, seed: 3}
		run := func(o gradient.Options) (gradients []float64, kept uint64) {
			t.Helper()
			var err error
			if tr.back, err = gradient.Of(k, o); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := ssa.Verify(&ssa.Module{Pkg: "k", Name: "k", Funcs: tr.back.Funcs()}); err != nil {
				t.Fatalf("%s: %v\n%v", name, err, tr.back.Kernel)
			}
			if gradients, err = tr.gradients(tr.weights()); err != nil {
				t.Fatalf("%s: %v\n%v", name, err, tr.back.Kernel)
			}
			return gradients, tr.kept(t)
		}
		want, all := run(gradient.Options{})
		if err := tr.compare(tr.weights(), 1e-6); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, turns := range []int{1, 7, 16, 1000} {
			got, kept := run(gradient.Options{Strip: turns})
			if !slices.Equal(got, want) {
				t.Errorf("%s, strips of %d: %v, not %v\n%v", name, turns, got, want, tr.back.Kernel)
			}
			if t.Logf("%s, strips of %d: %d numbers, not %d", name, turns, kept, all); turns == 16 && kept > all/2 {
				t.Errorf("%s: %d numbers are kept, and %d without strips", name, kept, all)
			}
		}
	}
}

// kept is how many numbers a thread keeps at most.
func (tr *trial) kept(t *testing.T) (n uint64) {
	t.Helper()
	a := tr.arguments()
	args := slices.Clone(a.bytes)
	var counts [][]byte
	for range tr.back.Tapes {
		c := make([]byte, 8*tr.threads)
		counts = append(counts, c)
		args = append(args, interp.SliceArg(a.memory.Add(c), int(tr.threads)))
	}
	if err := launch(tr.back.Count, &a.memory, args, tr.threads); err != nil {
		t.Fatal(err)
	}
	for _, c := range counts {
		most := uint64(0)
		for at := 0; at < len(c); at += 8 {
			most = max(most, binary.LittleEndian.Uint64(c[at:]))
		}
		n += most
	}
	return n
}

package gradient_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa/gradient"
)

// A stencilSource writes a random kernel whose threads read elements of their neighbours.
type stencilSource struct {
	r     *rand.Rand
	rank  int
	view  bool    // of two dimensions
	step  int     // between the elements of threads along the last axis
	from  int     // of the first thread, along each axis
	wraps bool    // no test keeps threads from the next row
	bound [3]bool // by axis: threads outside the array write nothing
}

var axes = []string{"i", "j", "k"}

func newStencilSource(seed uint64) *stencilSource {
	s := &stencilSource{r: rand.New(rand.NewPCG(seed, 11)), step: 1}
	s.rank = 1 + s.r.IntN(3)
	s.view = s.rank == 2 && s.r.IntN(3) == 0
	if !s.view && s.r.IntN(4) == 0 {
		s.step = 2
	}
	if s.r.IntN(3) == 0 {
		s.from = s.r.IntN(3)
	}
	s.wraps = s.r.IntN(6) == 0
	return s
}

// element is an element of an array at an offset, with coordinates that may be clamped.
func (s *stencilSource) element(array string, clamp bool) string {
	coords := make([]string, s.rank)
	for axis := range coords {
		d := s.r.IntN(4) - 1 // to the right more often
		if s.r.IntN(2) == 0 {
			d = 0
		}
		at := fmt.Sprintf("%s%+d", axes[axis], s.from+d)
		switch {
		case clamp && d < 0:
			at = fmt.Sprintf("max(%s, 0)", at)
		case clamp && d > 0:
			at = fmt.Sprintf("min(%s, n%d-1)", at, axis)
		}
		coords[axis] = at
	}
	return s.at(array, coords, s.r.IntN(s.step))
}

func (s *stencilSource) at(array string, coords []string, plus int) string {
	if s.view {
		return fmt.Sprintf("%s.At(%s)", array, strings.Join(coords, ", "))
	}
	index := "(" + coords[0] + ")"
	for axis := 1; axis < s.rank; axis++ {
		index = fmt.Sprintf("(%s*n%d + %s)", index, axis, coords[axis])
	}
	if s.step > 1 {
		index = fmt.Sprintf("%d*%s", s.step, index)
	}
	return fmt.Sprintf("%s[%s+%d]", array, index, plus)
}

func (s *stencilSource) source() string {
	var b strings.Builder
	array := "[]float64"
	if s.view {
		array = "qd.View2[float64]"
	}
	fmt.Fprintf(&b, "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread, n0, n1, n2 int, x, z, y %s, w []float64) {\n", array)
	id := []string{"ID", "ID2", "ID3"}[s.rank-1]
	fmt.Fprintf(&b, "\t%s := t.%s()\n", strings.Join(axes[:s.rank], ", "), id)
	clamp := s.r.IntN(3) == 0
	var tests []string
	for axis := range s.rank {
		if clamp && s.r.IntN(2) == 0 || s.wraps && axis > 0 {
			continue
		}
		low, high := 0, 0
		if !clamp {
			low, high = max(0, 1-s.from), 2+s.from
		}
		if low > 0 {
			tests = append(tests, fmt.Sprintf("%s >= %d", axes[axis], low))
		}
		tests = append(tests, fmt.Sprintf("%s < n%d-%d", axes[axis], axis, high))
		s.bound[axis] = true
	}
	close := ""
	if len(tests) > 0 {
		if s.r.IntN(2) == 0 {
			fmt.Fprintf(&b, "\tif !(%s) {\n\t\treturn\n\t}\n", strings.Join(tests, " && "))
		} else {
			fmt.Fprintf(&b, "\tif %s {\n", strings.Join(tests, " && "))
			close = "\t}\n"
		}
	}
	own := make([]string, s.rank)
	for axis := range own {
		own[axis] = axes[axis]
	}
	expr := func() string {
		var terms []string
		for range 1 + s.r.IntN(4) {
			array := []string{"x", "x", "z"}[s.r.IntN(3)]
			term := s.element(array, clamp)
			switch s.r.IntN(4) {
			case 0:
				term += " * " + s.element(array, clamp)
			case 1:
				term += fmt.Sprintf(" * w[%d]", s.r.IntN(3))
			case 2:
				term = fmt.Sprintf("%d * %s", 2+s.r.IntN(3), term)
			}
			terms = append(terms, term)
		}
		return strings.Join(terms, " + ")
	}
	store := func(value string) {
		if s.view {
			fmt.Fprintf(&b, "\ty.Set(%s, %s)\n", strings.Join(own, ", "), value)
		} else {
			fmt.Fprintf(&b, "\t%s = %s\n", s.at("y", own, 0), value)
		}
	}
	switch s.r.IntN(4) {
	case 0:
		fmt.Fprintf(&b, "\ts := %s\n\tif %s > 0 {\n\t\ts = %s\n\t}\n", expr(), s.element("x", clamp), expr())
		store("s")
	case 1:
		fmt.Fprintf(&b, "\ts := 0.0\n\tfor c := range 2 {\n\t\ts += float64(c+1) * (%s)\n\t}\n", expr())
		store("s")
	case 2:
		store(fmt.Sprintf("%s + %s", s.at("y", own, 0), expr()))
	default:
		store(expr())
	}
	b.WriteString(close + "}\n")
	return b.String()
}

// runs are launches of a kernel: smaller than the arrays, of their size, and larger.
func (s *stencilSource) run() stencilRun {
	n := [3]int{1 + s.r.IntN(7), 1 + s.r.IntN(7), 1 + s.r.IntN(7)}
	run := stencilRun{kernel: "k", dim: dims(), args: []any{n[0], n[1], n[2]}}
	all := s.step
	for axis := range s.rank {
		all *= n[axis]
		more := 3
		if axis > 0 && !s.bound[axis] {
			more = 0 // or threads would write where others do
		}
		run.dim[axis] = int64(max(1, n[axis]+s.r.IntN(4+more)-3))
	}
	var array any = floats(all)
	if s.view {
		array = view{n[0], n[1], n[1] + s.r.IntN(3)}
	}
	run.args = append(run.args, array, array, array, floats(3))
	return run
}

// Of random stencils, gradients that are gathered are those of atomic additions, to the bit: all numbers are small integers.
func TestRandomStencils(t *testing.T) {
	lib := library(t)
	gathered, scattered, refused, ran := 0, 0, 0, 0
	for seed := *firstOf; seed < *firstOf+uint64(*programs); seed++ {
		s := newStencilSource(seed)
		text := s.source()
		m := lower(t, lib, text, "k")
		k := m.Kernels()[0]
		for range 4 {
			run := s.run()
			err := run.compare(m, true)
			if errors.Is(err, errForward) {
				continue // it reads outside an array
			}
			ran++
			if err != nil {
				b, _ := gradient.Of(k, gradient.Options{})
				t.Fatalf("seed %d, %v, %v: %v\n%s\n%v", seed, run.dim, run.args, err, text, moduleOf(m, b))
			}
			switch run.outcome(k) {
			case gathers, unchecked:
				gathered++
			case scatters:
				scattered++
			default:
				refused++
			}
		}
	}
	t.Logf("%d launches: %d gather, %d scatter, and of %d all additions are atomic", ran, gathered, scattered, refused)
	if *programs >= 60 && (gathered < *programs/2 || scattered == 0) {
		t.Errorf("only %d launches gather, and %d scatter", gathered, scattered)
	}
}

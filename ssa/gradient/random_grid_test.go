package gradient_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// A gridWriter writes a random Grid kernel: loops that write arrays in place and read others, atomic additions, arrays
// that change places, parts of arrays, and a host that computes between them, with branches, loops, exits, and
// variables that it overwrites.
type gridWriter struct {
	writer
	arrays   []string // slice variables that lead to different memory
	counters []string
	size     int      // of the arrays at least
	added    []string // the arrays that are added to atomically
	block    bool     // it is a Block kernel
}

// hostExpr is a float that the host computes.
func (w *gridWriter) hostExpr(depth int) string {
	if depth == 0 || w.IntN(5) == 0 {
		switch w.IntN(6) {
		case 0:
			return fmt.Sprintf("(%.2f)", w.Float64()*2-1)
		case 1, 2:
			return fmt.Sprintf("%s[%s]", w.one(w.arrays...), w.hostIndex(w.size-2))
		case 3:
			return fmt.Sprintf("arr[%s]", w.hostIndex(3))
		}
		return w.one("a", "b")
	}
	x := func() string { return w.hostExpr(depth - 1) }
	switch w.IntN(8) {
	case 0:
		return "math.Sin(" + x() + ")"
	case 1:
		return "(" + x() + ")/(1.5+math.Cos(" + x() + "))"
	case 2:
		return "max(" + x() + ", " + x() + ")"
	case 3:
		return "mix(" + x() + ", " + x() + ", " + x() + " > 0)"
	case 4, 5:
		return "(" + x() + ")*(" + x() + ")"
	}
	return x() + w.one(" + ", " - ") + x()
}

func (w *gridWriter) hostIndex(n int) string {
	if len(w.counters) > 0 && w.IntN(2) == 0 {
		return fmt.Sprintf("(%s+%d)%%%d", w.one(w.counters...), w.IntN(3), n)
	}
	return fmt.Sprint(w.IntN(n))
}

func (w *gridWriter) hostCondition() string {
	if len(w.counters) > 0 && w.IntN(2) == 0 {
		return fmt.Sprintf("%s%%%d == %d", w.one(w.counters...), 2+w.IntN(2), w.IntN(2))
	}
	return fmt.Sprintf("%s %s %s", w.hostExpr(1), w.one("<", ">"), w.hostExpr(1))
}

func (w *gridWriter) hostBlock(n int) {
	w.depth++
	arrays := w.arrays
	for range 1 + w.IntN(n) {
		w.hostStatement()
	}
	w.arrays = arrays
	w.depth--
}

func (w *gridWriter) hostStatement() {
	if w.budget--; w.budget < 0 {
		return
	}
	switch k := w.IntN(22); {
	case k < 7:
		w.phase()
	case k < 9:
		w.line("%s = math.Sin(%s)", w.one("a", "b", "arr["+w.hostIndex(3)+"]"), w.hostExpr(2))
	case k < 11:
		w.line("%s[%s] = 0.5*%s + 0.4*math.Tanh(%s)", w.one(w.arrays...), w.hostIndex(w.size-2), w.hostExpr(1), w.hostExpr(2))
	case k == 11 && w.depth < 4:
		w.line("if %s {", w.hostCondition())
		w.hostBlock(3)
		if w.IntN(2) == 0 {
			w.line("} else {")
			w.hostBlock(3)
		}
		w.line("}")
	case k < 15 && w.loops < 2 && w.depth < 4:
		w.hostLoop()
	case k == 15 && !w.block:
		x, y := w.IntN(len(w.arrays)), w.IntN(len(w.arrays))
		// What a block has declared stands for an array of outside in this block only, so it must not change places with others.
		if x != y && len(w.arrays[x]) == 1 && len(w.arrays[y]) == 1 {
			w.line("%s, %s = %s, %s", w.arrays[x], w.arrays[y], w.arrays[y], w.arrays[x])
		}
	case k == 16 && len(w.counters) > 0:
		w.line("if %s {", w.hostCondition())
		w.line("\t%s", w.one("break", "continue"))
		w.line("}")
	case k == 17 && w.IntN(3) == 0:
		w.line("if %s {", w.hostCondition())
		w.hostBlock(2)
		w.line("\treturn")
		w.line("}")
	case k == 18:
		x, y := w.IntN(len(w.arrays)), w.IntN(len(w.arrays))
		if x != y {
			w.line("copy(%s[%d:], %s[%d:])", w.arrays[x], w.IntN(3), w.arrays[y], w.IntN(3))
		}
	case k == 19 && w.depth > 0 && !w.block:
		// A part of an array stands for it, in this block.
		i := w.IntN(len(w.arrays))
		name := fmt.Sprintf("p%d", w.Uint32()%100000)
		if w.IntN(3) == 0 { // two of them, in either order
			j := (i + 1) % len(w.arrays)
			w.line("%s, o%s := %s, %s", name, name, w.arrays[i], w.arrays[j])
			w.line("_, _ = %s, o%s", name, name)
			w.line("if %s {", w.hostCondition())
			w.line("\t%s, o%s = o%s, %s", name, name, name, name)
			w.line("}")
			w.arrays = append([]string{}, w.arrays...)
			w.arrays[i], w.arrays[j] = name, "o"+name
		} else {
			w.line("%s := %s[%d:]", name, w.arrays[i], w.IntN(2)*w.IntN(3))
			w.line("if len(%s) < %d {", name, w.size)
			w.line("\treturn")
			w.line("}")
			w.arrays = append([]string{}, w.arrays...)
			w.arrays[i] = name
		}
	case k == 20:
		w.line("change(&%s, %s)", w.one("a", "b", "arr[1]"), w.hostExpr(1))
	default:
		if w.block {
			w.line("qd.AtomicAdd(&%s[%s], %s)", w.one(w.added...), w.hostIndex(w.size-2), w.hostExpr(2))
		} else {
			w.line("qd.AtomicAdd(&%s[%s], %s)", w.one(w.arrays...), w.hostIndex(w.size-2), w.hostExpr(2))
		}
	}
}

func (w *gridWriter) hostLoop() {
	w.loops++
	k := fmt.Sprintf("k%d", w.Uint32()%100000)
	counters := w.counters
	switch w.IntN(4) {
	case 0:
		w.line("for %s := 0; %s < %d && %s; %s++ {", k, k, 1+w.IntN(3), w.hostCondition(), k)
	case 1:
		w.line("for %s := n; %s > 0; %s -= %d {", k, k, k, 2+w.IntN(2))
	case 2:
		w.line("for %s := range %d {", k, w.IntN(4))
	default:
		w.line("for %s := n; %s < n+3; %s++ {", k, k, k)
	}
	w.counters = append(counters[:len(counters):len(counters)], k)
	w.line("\ta += 0.01 * float64(%s)", k)
	w.hostBlock(5)
	w.counters = counters
	w.line("}")
	w.loops--
}

// phase is a parallel loop. It writes its own elements of one array, reads all of others, and may add to one that it does not
// read.
func (w *gridWriter) phase() {
	order := w.Perm(len(w.arrays))
	own, reads := w.arrays[order[0]], []string{w.arrays[order[1]], w.arrays[order[2]]}
	sum := ""
	if w.IntN(2) == 0 && (!w.block || slices.Contains(w.added, reads[1])) {
		sum, reads = reads[1], reads[:1]
	}
	full := fmt.Sprint(w.size)
	size := w.one(full, full, "n%4", "0", "len("+own+")", full)
	w.line("g.For(%s, func(i int) {", size)
	w.depth++
	var expr func(depth int) string
	expr = func(depth int) string {
		if depth == 0 || w.IntN(5) == 0 {
			switch w.IntN(7) {
			case 0:
				return fmt.Sprintf("(%.2f)", w.Float64()*2-1)
			case 1, 2:
				return fmt.Sprintf("%s[%s]", w.one(reads...), w.one("i", "(i+1)%"+full, "(i+at[i])%"+full, "i/2", "(7*i+3)%"+full))
			case 3:
				return fmt.Sprintf("arr[%s]", w.one("i%3", "1"))
			case 4:
				return own + "[i]"
			}
			return w.one("a", "b", "c")
		}
		x := func() string { return expr(depth - 1) }
		switch w.IntN(7) {
		case 0:
			return "math.Sin(" + x() + ")"
		case 1:
			return "(" + x() + ")/(1.5+math.Cos(" + x() + "))"
		case 2:
			return "mix(" + x() + ", " + x() + ", " + x() + " > 0)"
		case 3, 4:
			return "(" + x() + ")*(" + x() + ")"
		}
		return x() + w.one(" + ", " - ") + x()
	}
	w.line("c := 0.3")
	w.line("_ = c")
	for range 1 + w.IntN(3) {
		switch w.IntN(6) {
		case 0:
			w.line("for k := range n {")
			w.line("\tc = 0.7*c + 0.1*math.Sin(%s)*float64(k)", expr(2))
			w.line("\tif %s > 0.8 {", expr(1))
			w.line("\t\t%s", w.one("break", "continue", "return"))
			w.line("\t}")
			w.line("\t%s[i] *= math.Cos(%s)", own, expr(1))
			w.line("}")
		case 1:
			w.line("if %s < %s {", expr(1), expr(1))
			w.line("\t%s[i] = %s", own, expr(1))
			if w.IntN(2) == 0 {
				w.line("\treturn")
			}
			w.line("}")
		case 2:
			if sum != "" {
				w.line("qd.AtomicAdd(&%s[%s], 0.1*math.Sin(%s))", sum, w.one("0", "(i+1)%"+full, "i%"+full), expr(2))
			}
		case 3:
			w.line("c += math.Tanh(%s)", expr(2))
		default:
			w.line("%s[i] = 0.5*%s[i] + 0.5*math.Sin(%s)", own, own, expr(2))
		}
	}
	w.depth--
	w.line("})")
}

const gridFunctions = `package k

import (
	"math"

	"github.com/qdgen/qd"
)

func mix(a, b float64, c bool) float64 {
	if c {
		return a * b
	}
	if a > b {
		return a
	}
	return b * 0.5
}

func change(p *float64, by float64) {
	if *p > 0.3 {
		*p *= by
		return
	}
	*p = math.Sin(*p + by)
}

//qd:kernel
`

// gridSource is the Grid kernel of a seed.
func gridSource(seed uint64) string {
	w := &gridWriter{writer: writer{Rand: rand.New(rand.NewPCG(seed, 6)), budget: 24}, arrays: []string{"x", "y", "z"}, size: 8}
	w.WriteString(gridFunctions + `func k(g qd.Grid, n int, at []int, x, y, z []float64) {
	a, b := x[0], 0.5
	arr := [3]float64{x[1], b, 1}
`)
	w.hostBlock(8)
	w.WriteString("\ty[0] += math.Sin(a*b) + arr[0]*arr[1] + arr[2]\n}\n")
	return w.String()
}

// blockSource is the Block kernel of a seed, whose blocks have parts of arrays and memory of their own.
func blockSource(seed uint64) string {
	w := &gridWriter{writer: writer{Rand: rand.New(rand.NewPCG(seed, 7)), budget: 20}, arrays: []string{"x", "y", "s", "u"}, size: 4, added: []string{"s", "u"}, block: true}
	w.WriteString(gridFunctions + `func k(g qd.Block, n int, at []int, px, py []float64) {
	x, y := px[4*g.ID():4*g.ID()+4], py[4*g.ID():4*g.ID()+4]
	s, u := qd.Shared[float64](g, 4), qd.Shared[float64](g, 5)
	a, b := x[0], 0.5
	arr := [3]float64{x[1], b, 1}
`)
	w.hostBlock(8)
	w.WriteString("\ty[0] += math.Sin(a*b) + arr[0]*arr[1] + arr[2] + s[1]*u[2]\n}\n")
	return w.String()
}

// Gradients of random Block kernels are what differences say.
func TestRandomBlocks(t *testing.T) { compareRandom(t, blockSource, 3) }

// Gradients of random Grid kernels are what differences say.
func TestRandomGrids(t *testing.T) { compareRandom(t, gridSource, 0) }

// Programs for which quotients of differences once were taken for reliable that are not: in the first, a variable grows
// so large that what is added to it is lost; in the second, the launches of a quotient go other ways than the one
// between them.
func TestHardToDiffer(t *testing.T) {
	first, n := *firstOf, *programs
	defer func() { *firstOf, *programs = first, n }()
	*programs = 1
	*firstOf = 72000396
	t.Run("lost", func(t *testing.T) { compareRandom(t, blockSource, 3) })
	*firstOf = 72000109
	t.Run("ways", TestRandom)
}

// isRefusedCopy reports whether a random kernel has no gradient for a reason that its generator does not avoid.
func isRefusedCopy(err error) bool {
	return strings.Contains(err.Error(), "copy of floats between slices that are made in different ways")
}

func compareRandom(t *testing.T, source func(seed uint64) string, launched int64) {
	lib := library(t)
	wild, reliable, witnessed, floats := 0, 0, 0, 0
	for seed := *firstOf; seed < *firstOf+uint64(*programs); seed++ {
		text := source(seed)
		m := lower(t, lib, text, "k")
		k := kernelOf(m)
		b, err := gradient.Of(k, gradient.Options{})
		if err != nil {
			if isRefusedCopy(err) {
				wild++
				continue
			}
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		back := moduleOf(m, b)
		if err := ssa.Verify(back); err != nil {
			t.Fatalf("seed %d: %v\n%s\n%v", seed, err, text, back)
		}
		tr := &trial{kernel: k, back: b, seed: seed, threads: launched}
		if !tr.isTame() {
			wild++
			continue
		}
		tr.makeTangent(t, lib, text)
		if err := tr.compare(tr.weights(), 1e-6); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		reliable, witnessed, floats = reliable+tr.reliable, witnessed+tr.witnessed, floats+tr.floats
	}
	if t.Logf("%d of %d derivatives are compared with differences, %d more with tangents", reliable, floats, witnessed); *programs >= 20 && reliable < floats*8/10 || reliable+witnessed < floats*99/100 {
		t.Errorf("of %d derivatives only %d are compared with differences, and %d more with tangents", floats, reliable, witnessed)
	}
	if t.Logf("%d of %d kernels are not compared, for what they compute grows without bound", wild, *programs); wild > *programs/4 {
		t.Errorf("only %d kernels are compared", *programs-wild)
	}
}

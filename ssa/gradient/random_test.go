package gradient_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

var (
	programs = flag.Int("programs", 60, "random kernels to differentiate")
	firstOf  = flag.Uint64("first", 1, "the seed of the first random kernel")
)

// A writer writes a random kernel: of floats that stay small, with loops, exits, variables that are overwritten, an
// array, structs, slices that are written in place, atomic additions, chosen slices, closures, and functions with
// gradients of their own.
type writer struct {
	*rand.Rand
	strings.Builder
	depth, loops, budget int
	counters             []string // of the loops around, as integers that may be read
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, strings.Repeat("\t", w.depth)+format+"\n", args...)
}

func (w *writer) one(list ...string) string { return list[w.IntN(len(list))] }

// variable is a place that is read and written.
func (w *writer) variable() string {
	switch w.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("arr[%s]", w.index(3))
	case 2:
		return "y[i]"
	case 3:
		return fmt.Sprintf("y[i+%d]", 4*w.IntN(3))
	case 4:
		return fmt.Sprintf("v[%d]", w.IntN(3))
	}
	return w.one("a", "b", "c")
}

// index is an index below n.
func (w *writer) index(n int) string {
	e := fmt.Sprint(w.IntN(n))
	if w.IntN(3) > 0 {
		e = w.one(append(w.counters, "i", "n", "i", "at[i]")...)
	}
	if w.IntN(3) == 0 {
		e += "+" + fmt.Sprint(w.IntN(4))
	}
	return fmt.Sprintf("(%s)%%%d", e, n)
}

func (w *writer) expr(depth int) string {
	if depth == 0 || w.IntN(6) == 0 {
		switch w.IntN(5) {
		case 0:
			return fmt.Sprintf("(%.2f)", w.Float64()*2-1)
		case 1, 2:
			return fmt.Sprintf("x[%s]", w.index(12))
		}
		return w.variable()
	}
	x := func() string { return w.expr(depth - 1) }
	switch w.IntN(20) {
	case 18:
		return fmt.Sprintf("sel(x, y[i:], %s)[%d]", w.condition(), 4*w.IntN(3))
	case 19:
		return fmt.Sprintf("sel(lx[%d:], x[%s:], %s)[%d]", w.IntN(3), w.index(6), w.condition(), w.IntN(6))
	case 14:
		return "own(" + x() + ", " + w.index(3) + ")"
	case 15:
		return "at2(x, " + w.index(11) + ")"
	case 16:
		return "ps[" + w.index(2) + "].p[" + w.index(2) + "]"
	case 17:
		return "add(" + x() + ")"
	case 0:
		return "math.Sin(" + x() + ")"
	case 1:
		return "math.Exp(-math.Abs(" + x() + "))"
	case 2:
		return "math.Sqrt(1+math.Abs(" + x() + ")*0.1)"
	case 3:
		return "(" + x() + ")/(1.5+math.Cos(" + x() + "))"
	case 4:
		return w.one("min", "max") + "(" + x() + ", " + x() + ")"
	case 5:
		return "mix(" + x() + ", " + x() + ", " + w.condition() + ")"
	case 6:
		return "v.Dot(f64.Vec3{" + x() + ", " + x() + ", 1})"
	case 7, 8, 9:
		return "(" + x() + ")*(" + x() + ")"
	case 10:
		return "-(" + x() + ")"
	}
	return x() + w.one(" + ", " - ") + x()
}

func (w *writer) condition() string {
	c := fmt.Sprintf("%s %s %s", w.expr(1), w.one("<", ">", "<="), w.expr(1))
	switch w.IntN(5) {
	case 0:
		return c + " && " + w.expr(1) + " > 0.1"
	case 1:
		return fmt.Sprintf("%s %s %d", w.index(4), w.one("==", "<", "!="), w.IntN(4))
	}
	return c
}

func (w *writer) block(n int) {
	w.depth++
	for range 1 + w.IntN(n) {
		w.statement()
	}
	w.depth--
}

func (w *writer) statement() {
	if w.budget--; w.budget < 0 {
		return
	}
	switch k := w.IntN(16); {
	case k < 3 && w.depth < 6:
		w.line("if %s {", w.condition())
		w.block(3)
		if w.IntN(2) == 0 {
			w.line("} else {")
			w.block(3)
		}
		w.line("}")
	case k < 6 && w.loops < 3 && w.depth < 6:
		w.loop()
	case k == 6 && len(w.counters) > 0:
		w.line("if %s {", w.condition())
		w.line("\t%s", w.exit())
		w.line("}")
	case k == 7 && w.IntN(3) == 0:
		w.line("if %s {", w.condition())
		w.block(2)
		w.line("\treturn")
		w.line("}")
	case k == 8:
		w.line("qd.AtomicAdd(&z[%s], %s)", w.index(12), w.expr(2))
	case k == 9:
		w.line("v = v.Cross(f64.Vec3{%s, %s, 0.5}).Scale(0.5)", w.expr(1), w.expr(1))
		w.line("v[%s] = math.Sin(%s)", w.index(3), w.expr(1))
	case k == 11 && w.IntN(2) == 0:
		switch w.IntN(6) {
		case 5:
			w.line("sel(lx[%d:], y[i:], %s)[%d] = math.Sin(%s)", w.IntN(3), w.condition(), 4*w.IntN(2), w.expr(2))
		case 0:
			w.line("copy(arr[%s:], arr[%s:])", w.index(3), w.index(3))
		case 1:
			w.line("ps[%s].q = math.Sin(%s)", w.index(2), w.expr(1))
			w.line("ps[%s], ps[%s] = ps[%s], ps[%s]", w.index(2), w.index(2), w.index(2), w.index(2))
		case 2:
			w.line("ps[%s].p = ps[%s].p.Scale(0.5).AddScalar(ps[%s].q*0.1)", w.index(2), w.index(2), w.index(2))
		case 3:
			w.line("double(&arr[%s])", w.index(3))
		default:
			w.line("if norm := v.Norm(); norm > 0.5 {")
			w.line("\tv = v.Scale(0.5 / norm)")
			w.line("}")
		}
	case k == 10:
		w.line("change(&%s, %s)", w.one("a", "b", "c", "arr[1]"), w.expr(1))
	default:
		v := w.variable()
		switch w.IntN(3) {
		case 0:
			w.line("%s = math.Sin(%s)", v, w.expr(2))
		case 1:
			w.line("%s = 0.5*%s + 0.4*math.Tanh(%s)", v, w.variable(), w.expr(2))
		default:
			w.line("%s *= math.Cos(%s)", v, w.expr(2))
		}
	}
}

func (w *writer) exit() string {
	e := w.one("break", "continue")
	if w.IntN(3) == 0 {
		e += fmt.Sprintf(" L%s", w.counters[w.IntN(len(w.counters))][1:])
	}
	return e
}

func (w *writer) loop() {
	w.loops++
	k := fmt.Sprintf("k%d", w.Uint32()%100000)
	inside := append(w.counters[:len(w.counters):len(w.counters)], k)
	label := ""
	body := func(open string) {
		outer := w.counters
		w.counters = inside
		at := w.Len()
		w.line("%s", open)
		w.line("\tc += 0.01 * float64(%s)", k)
		w.block(5)
		w.line("}")
		if text := w.String()[at:]; strings.Contains(text, " L"+k[1:]+"\n") {
			label = "L" + k[1:] + ":\n"
			before := w.String()[:at]
			w.Reset()
			w.WriteString(before + label + text)
		}
		w.counters = outer
	}
	switch w.IntN(5) {
	case 0:
		body(fmt.Sprintf("for %s := 0; %s < %d && %s; %s++ {", k, k, 2+w.IntN(5), w.condition(), k))
	case 1:
		body(fmt.Sprintf("for %s := n; %s > 0; %s -= %d {", k, k, k, 1+w.IntN(2)))
	case 2:
		body(fmt.Sprintf("for %s := range n {", k))
	case 3:
		body(fmt.Sprintf("for %s := i; %s < n; %s += %d {", k, k, k, 1+w.IntN(3)))
	default:
		body(fmt.Sprintf("for %s := 0; %s < %d; %s++ {", k, k, 1+w.IntN(5), k))
	}
	w.loops--
}

// source is the kernel of a seed.
func source(seed uint64) string {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 5)), budget: 30}
	w.WriteString(`package k

import (
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
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

func own(x float64, k int) float64 { return math.Sin(x) * float64(k+1) * 0.3 }

//qd:gradient own
func ownGradient(x float64, k int, adj float64) float64 { return adj * math.Cos(x) * float64(k+1) * 0.3 }

func at2(x []float64, i int) float64 { return x[i] * x[i+1] }

//qd:gradient at2
func at2Gradient(x []float64, i int, xGrad []float64, adj float64) {
	qd.AtomicAdd(&xGrad[i], adj*x[i+1])
	qd.AtomicAdd(&xGrad[i+1], adj*x[i])
}

func double(p *float64) { *p *= 2 }

//qd:gradient double
func doubleGradient(_, pGrad *float64) { *pGrad *= 2 }

func sel(a, b []float64, c bool) []float64 {
	if c {
		return a
	}
	return b
}

type point struct {
	p f64.Vec2
	q float64
}

//qd:kernel
func k(t qd.Thread, n int, at []int, x, y, z []float64) {
	i := t.ID()
	a, b, c := x[i], y[i], 0.5
	arr := [3]float64{x[n], b, 1}
	v := f64.Vec3{a, 0.3, x[i+4]}
	ps := [2]point{{f64.Vec2{a, b}, 0.5}, {f64.Vec2{x[i+1], 1}, y[i]}}
	lx := [9]float64{x[i], b, 0.3, 1, a}
	calls := 0
	add := func(by float64) float64 {
		if calls++; calls > 4 {
			return by * 0.5
		}
		c += math.Tanh(by) * 0.1
		return c
	}
	_ = add
`)
	w.block(8)
	w.WriteString("\ty[i] += a*b + math.Sin(c)*arr[0] + arr[1]*arr[2] + v[0]*v[1] - v[2] + ps[0].q*ps[1].p[0] + ps[0].p[1] + lx[2]*lx[4]\n}\n")
	return w.String()
}

// Gradients of random kernels are what differences say.
func TestRandom(t *testing.T) {
	lib := library(t)
	wild, reliable, witnessed, floats := 0, 0, 0, 0
	for seed := *firstOf; seed < *firstOf+uint64(*programs); seed++ {
		text := source(seed)
		m := lower(t, lib, text, "k")
		k := kernelOf(m)
		b, err := gradient.Of(k, gradient.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		back := moduleOf(m, b)
		if err := ssa.Verify(back); err != nil {
			t.Fatalf("seed %d: %v\n%s\n%v", seed, err, text, back)
		}
		tr := &trial{kernel: k, back: b, threads: 4, seed: seed}
		if !tr.isTame() {
			wild++
			continue
		}
		tr.makeTangent(t, lib, text)
		if err := tr.compare(tr.weights(), 1e-6); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if err := tr.compareConstant(2); err != nil { // x, which the kernels only read
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

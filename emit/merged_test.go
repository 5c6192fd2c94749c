package emit_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/ssa"
)

// Modules that define the same, something else under one name, and what another one's
// kernel is called.
var togetherSources = []string{`
type point struct{ a, b int }

func step(x int) int {
	for i := range x {
		x += i & 3
	}
	return x
}

//qd:kernel
func first(t qd.Thread, x []int) {
	p := point{step(x[t.ID()]), 1}
	for i := range p.a {
		p.b += i
	}
	x[t.ID()] = p.a + p.b
}
`, `
type point struct{ a, b int }

func step(x int) int {
	for i := range x {
		x += i & 3
	}
	return x
}

func third(x int) int {
	for range x {
		x = step(x) & 31
	}
	return x
}

//qd:kernel
func second(t qd.Thread, x []int) {
	i, j := t.ID2()
	x[i*t.Dim(1)+j] = third(x[i*t.Dim(1)+j]) + 100*i + j
}
`, `
type point struct{ b float64; a int }

func step(x int) int {
	for i := range x {
		x += i & 7
	}
	return x
}

//qd:kernel
func third(t qd.Thread, x []int) {
	p := point{a: step(x[t.ID()])}
	for i := range p.a {
		p.b += float64(i)
	}
	x[t.ID()] = int(p.b)
}
`, `
func step_2(x int) int {
	for i := range x {
		x += i & 1
	}
	return x
}

//qd:kernel
func fourth(t qd.Thread, x []int) {
	i, j := t.ID2()
	x[i*t.Dim(1)+j] = step_2(x[i*t.Dim(1)+j])
}
`}

// Kernels compute in one text what each computes in its own.
func TestTogether(t *testing.T) {
	var modules []*ssa.Module
	var kernels []*ssa.Func
	for _, src := range togetherSources {
		m := lower(t, src)
		for _, other := range modules {
			if emit.Clash(m, other) {
				t.Errorf("%s and %s clash", m.Name, other.Name)
			}
		}
		modules, kernels = append(modules, m), append(kernels, m.Kernels()...)
	}
	if !emit.Clash(modules[0], lower(t, "//qd:kernel\nfunc first_args(t qd.Thread, x []int) {}")) {
		t.Error("a kernel that is called as the arguments of another does not clash with it")
	}
	forTargets(t, func(t *testing.T, to target) {
		text := to.both(modules)
		if again := to.both(modules); again.Source != text.Source {
			t.Error("two texts of the same modules differ")
		}
		if lines := strings.Count(text.Source, "\n"); len(text.Lines) != lines {
			t.Errorf("%d lines have statements, of %d", len(text.Lines), lines)
		}
		for definition, want := range map[string]int{
			" step(int64": 1, " step_2(int64": 1, " step_2_2(int64": 1, " third_2(int64": 1,
			"struct point {": 1, "struct point_2 {": 1, "struct Thread {": 1, "struct Thread_2 {": 1, "using int64 ": 1,
		} {
			n := 0
			for line := range strings.Lines(text.Code()) {
				if strings.Contains(line, definition) && !strings.Contains(line, ";") || definition == "using int64 " && strings.Contains(line, definition) {
					n++
				}
			}
			if n != want {
				t.Errorf("%q is there %d times, want %d:\n%s", definition, n, want, text.Source)
			}
		}
		all := compileText(t, to, text.Source, kernels)
		for i, m := range modules {
			alone := build(t, to, m)
			dims := []int{12}
			if kernels[i].Rank == 2 {
				dims = []int{3, 4}
			}
			x, y := newArray(8, 12), newArray(8, 12)
			for j := range 12 {
				x.set(j, uint64(j))
				y.set(j, uint64(j))
			}
			alone.run(t, kernels[i], dims, x)
			all.run(t, kernels[i], dims, y)
			for j := range 12 {
				if x.get(j) != y.get(j) {
					t.Errorf("%s: element %d is %d, and %d together with others", m.Name, j, x.get(j), y.get(j))
				}
			}
		}
	})
}

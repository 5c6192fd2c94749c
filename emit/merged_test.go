package emit_test

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

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

// Modules with one function that panics, which another panic stands before in the second.
var panickingSources = []string{`
func half(x int) int {
	if x&1 != 0 {
		panic("odd")
	}
	return x / 2
}

//qd:kernel
func first(t qd.Thread, x []int) { x[t.ID()] = half(x[t.ID()]) }
`, `
func half(x int) int {
	if x&1 != 0 {
		panic("odd")
	}
	return x / 2
}

//qd:kernel
func second(t qd.Thread, x []int) {
	if x[t.ID()] < 0 {
		panic("negative")
	}
	x[t.ID()] = half(x[t.ID()])
}
`, `
//qd:kernel
func third(t qd.Thread, x []int) {
	if x[t.ID()] > 100 {
		panic("large")
	}
	x[t.ID()]++
}
`}

// Each kernel of one text has its own record, in which it leaves what it leaves in a text of its own, while
// those of the others stay as they are.
func TestFaultsTogether(t *testing.T) {
	var modules []*ssa.Module
	var kernels []*ssa.Func
	for _, src := range panickingSources {
		m := lower(t, src)
		modules, kernels = append(modules, m), append(kernels, m.Kernels()...)
	}
	forTargets(t, func(t *testing.T, to target) {
		all := compileText(t, to, to.both(modules).Source, kernels)
		together := faultRecords(t, all, len(modules))
		for i, m := range modules {
			alone := build(t, to, m)
			own := faultRecords(t, alone, 1)
			failed := 0
			for _, bad := range []int{3, -2, -3, 102} {
				clear(own)
				want := make([]faultRecord, len(modules))
				for k := range together {
					together[k] = faultRecord{site: 77}
					want[k] = together[k]
				}
				together[i], want[i] = faultRecord{}, faultRecord{}
				x, y := newArray(8, 12), newArray(8, 12)
				for j := range 12 {
					x.set(j, uint64(2*j))
					y.set(j, uint64(2*j))
				}
				x.set(5, uint64(bad))
				y.set(5, uint64(bad))
				alone.run(t, kernels[i], []int{12}, x)
				all.run(t, kernels[i], []int{12}, y)
				if want[i] = own[0]; want[i].state != 0 {
					failed++
				}
				if !slices.Equal(together, want) {
					t.Errorf("%s with %d: %+v, want %+v", m.Name, bad, together, want)
				}
				for j := range 12 {
					if x.get(j) != y.get(j) {
						t.Errorf("%s with %d: element %d is %d, and %d together with others", m.Name, bad, j, x.get(j), y.get(j))
					}
				}
			}
			if failed == 0 {
				t.Errorf("%s has not failed", m.Name)
			}
		}
	})
}

// faultRecords are the records of a built text.
func faultRecords(t *testing.T, b *built, count int) []faultRecord {
	records := (*faultRecord)(*(*unsafe.Pointer)(unsafe.Pointer(&[]uintptr{symbol(t, b.lib, "qd_fault")}[0])))
	return unsafe.Slice(records, count)
}

package analysis_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// tower is a module of functions of which each calls the one before it some times, at some depth
// of Ifs; the first one stores.
func tower(depth, calls, nesting int) *ssa.Module {
	m := new(ssa.Module)
	for n := range depth + 1 {
		f := ssa.NewFunc(string(rune('a' + n)))
		s := f.Body.AddParam(ssa.Slice{Elem: ssa.Int64}, "s")
		c := f.Body.AddParam(ssa.Bool, "c")
		i := f.Body.Append(&ssa.Instr{Op: ssa.OpConst}, ssa.Int64).Result()
		b := f.Body
		for range nesting {
			in := b.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{c}})
			inner := in.NewBlock()
			in.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield})
			b = inner
		}
		inner := b
		if n == 0 {
			p := inner.Append(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{s, i}}, ssa.Pointer{Elem: ssa.Int64}).Result()
			inner.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{p, i}})
		} else {
			for range calls {
				inner.Append(&ssa.Instr{Op: ssa.OpCall, Callee: m.Funcs[n-1], Args: []*ssa.Value{s, c}})
			}
		}
		for b != f.Body {
			b.Append(&ssa.Instr{Op: ssa.OpYield})
			b = b.Owner.Block
		}
		f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
		m.Funcs = append(m.Funcs, f)
	}
	return m
}

// size is the number of instructions of a module.
func size(m *ssa.Module) (n int) {
	for _, f := range m.Funcs {
		f.Body.Walk(func(*ssa.Instr) { n++ })
	}
	return n
}

// TestSteps counts the instructions that are looked at: each once, whatever shape the calls have.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name                   string
		depth, fanOut, nesting int
	}{
		{"depth", 200, 2, 1},
		{"fan-out", 3, 300, 1},
		{"nesting", 3, 2, 200},
		{"all", 50, 50, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := tower(c.depth, c.fanOut, c.nesting)
			if err := ssa.Verify(m); err != nil {
				t.Fatal(err)
			}
			var s analysis.Summaries
			for range 3 { // asked again it remembers
				for _, f := range m.Funcs {
					if e := s.Of(f).Effects; e != analysis.WritesMemory {
						t.Fatalf("%s has the effects %b", f.Name, e)
					}
					f.Body.Walk(func(in *ssa.Instr) { s.Effects(in) })
				}
			}
			if s.Steps() != size(m) {
				t.Errorf("%d steps for %d instructions", s.Steps(), size(m))
			}
			for range 3 {
				for _, f := range m.Funcs {
					if use := s.Memory(f).Use(f.Params()[0]); use != analysis.Written {
						t.Fatalf("%s does %b to its argument", f.Name, use)
					}
				}
			}
			if s.Steps() != 2*size(m) {
				t.Errorf("with memory %d steps for %d instructions", s.Steps(), size(m))
			}
			found := 0
			count := analysis.NewBottomUp(func(f *ssa.Func, of func(*ssa.Func) int) int {
				found++
				f.Body.Walk(func(in *ssa.Instr) {
					if in.Op == ssa.OpCall {
						of(in.Callee)
					}
				})
				return 0
			})
			last := m.Funcs[len(m.Funcs)-1]
			count.Of(last)
			if found != len(m.Funcs) {
				t.Errorf("a fact is found %d times for %d functions", found, len(m.Funcs))
			}
			if reached := analysis.Reached(last); !slices.Equal(reached, m.Funcs[:len(m.Funcs)-1]) {
				t.Errorf("%d functions are reached, of %d others", len(reached), len(m.Funcs)-1)
			}
		})
	}
}

// TestManyRecursions counts the steps for a function that calls itself many times: they grow with it, not with its square.
func TestManyRecursions(t *testing.T) {
	steps := func(n int) int {
		f := ssa.NewFunc("f")
		c := f.Body.AddParam(ssa.Bool, "c")
		for range n {
			f.Body.Append(&ssa.Instr{Op: ssa.OpRecur, Callee: f, Args: []*ssa.Value{c}})
		}
		f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
		s := new(analysis.Summaries)
		if !s.Of(f).Recurs {
			t.Fatal("it does not call itself")
		}
		return s.Steps()
	}
	if few, many := steps(100), steps(1000); many > 11*few {
		t.Errorf("%d steps for 100 calls, %d for 1000", few, many)
	}
}

// TestRecursionsInCycles counts the steps for functions of which each calls the next one and the one before: the
// analysis looks at each some times, not once for each of the others.
func TestRecursionsInCycles(t *testing.T) {
	steps := func(n int) int {
		funcs := make([]*ssa.Func, n)
		for i := range funcs {
			funcs[i] = ssa.NewFunc("f" + strconv.Itoa(i))
		}
		s := new(analysis.Summaries)
		for i := n - 1; i >= 0; i-- {
			if i+1 < n {
				funcs[i].Body.Append(&ssa.Instr{Op: ssa.OpCall, Callee: funcs[i+1]})
			}
			funcs[i].Body.Append(&ssa.Instr{Op: ssa.OpRecur, Callee: funcs[max(i-1, 0)]})
			funcs[i].Body.Append(&ssa.Instr{Op: ssa.OpReturn})
		}
		if groups := analysis.Cycles(funcs); len(groups) != 1 || len(groups[0]) != n {
			t.Fatalf("%d groups for one cycle", len(groups))
		}
		for _, f := range funcs {
			if !s.Of(f).Effects.Has(analysis.Endless) {
				t.Fatal("it ends")
			}
		}
		return s.Steps()
	}
	if few, many := steps(100), steps(1000); many > 11*few {
		t.Errorf("%d steps for 100 functions, %d for 1000", few, many)
	}
}

// TestCycles has functions of which each shows another way to lead to itself: r and c call each other, e is called by c
// and calls it, and g closes a cycle through all of them. Function self calls itself, and leaf calls nothing.
func TestCycles(t *testing.T) {
	calls := map[string]string{"leaf": "", "self": "self leaf", "e": "c leaf", "c": "e r", "g": "e", "r": "c g self", "top": "r"}
	names := slices.Sorted(maps.Keys(calls))
	funcs := make(map[string]*ssa.Func)
	var list []*ssa.Func
	for _, name := range names {
		funcs[name] = ssa.NewFunc(name)
		list = append(list, funcs[name])
	}
	for _, name := range names {
		for _, callee := range strings.Fields(calls[name]) {
			funcs[name].Body.Append(&ssa.Instr{Op: ssa.OpRecur, Callee: funcs[callee]})
		}
	}
	var got []string
	for _, group := range analysis.Cycles(list) {
		var in []string
		for _, f := range group {
			in = append(in, f.Name)
		}
		slices.Sort(in)
		got = append(got, fmt.Sprint(strings.Join(in, " "), " ", analysis.LeadsToItself(group)))
	}
	want := []string{"leaf false", "self true", "c e g r true", "top false"}
	if !slices.Equal(got, want) {
		t.Errorf("groups %q, want %q", got, want)
	}
}

// TestRecursionChanged changes a function that another one only leads back to: the facts about both are the new ones.
func TestRecursionChanged(t *testing.T) {
	g, f := ssa.NewFunc("g"), ssa.NewFunc("f")
	f.Body.Append(&ssa.Instr{Op: ssa.OpRecur, Callee: g})
	f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	g.Body.Append(&ssa.Instr{Op: ssa.OpSync})
	g.Body.Append(&ssa.Instr{Op: ssa.OpCall, Callee: f})
	g.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	s := new(analysis.Summaries)
	for _, h := range []*ssa.Func{f, g} {
		if !s.Of(h).Effects.Has(analysis.Waits) {
			t.Errorf("%s does not wait", h.Name)
		}
	}
	g.Body.Instrs = g.Body.Instrs[1:]
	s.Changed(g)
	for _, h := range []*ssa.Func{f, g} {
		if s.Of(h).Effects.Has(analysis.Waits) {
			t.Errorf("%s waits", h.Name)
		}
	}
	g.Body.Instrs = slices.Insert(g.Body.Instrs, 0, &ssa.Instr{Op: ssa.OpSync, Block: g.Body})
	s.Changed(g)
	for _, h := range []*ssa.Func{f, g} {
		if !s.Of(h).Effects.Has(analysis.Waits) {
			t.Errorf("%s does not wait again", h.Name)
		}
	}
}

// TestNoLongerRecursive changes a function that another one has led back to before a call was removed: the facts about
// both are the new ones.
func TestNoLongerRecursive(t *testing.T) {
	g, f := ssa.NewFunc("g"), ssa.NewFunc("f")
	f.Body.Append(&ssa.Instr{Op: ssa.OpRecur, Callee: g})
	f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	wait := g.Body.Append(&ssa.Instr{Op: ssa.OpSync})
	end := g.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	s := new(analysis.Summaries)
	for _, body := range [][]*ssa.Instr{{wait, end}, {end}, {wait, end}} {
		g.Body.Instrs = body
		s.Changed(g)
		for _, h := range []*ssa.Func{f, g} {
			if got := s.Of(h).Effects.Has(analysis.Waits); got != (len(body) > 1) {
				t.Errorf("%s waits: %v, with %d instructions in g", h.Name, got, len(body))
			}
		}
	}
}

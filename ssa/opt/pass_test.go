package opt

import (
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// passCase is a function's body before and after one pass.
type passCase struct {
	name   string
	pass   func(*ssa.Func, *analysis.Summaries) bool
	build  func(b ssatest.Builder, p ssatest.Params)
	before string
	after  string // "" for what the pass leaves alone
}

func TestPasses(t *testing.T) {
	for _, c := range slices.Concat(foldCases, foldIfCases, earlyCases, loopCases, cseCases, dceCases, memoryCases) {
		t.Run(c.name, func(t *testing.T) {
			m := &ssa.Module{Name: "m"}
			f := ssatest.Kernel(m, c.build)
			if err := ssa.Verify(m); err != nil {
				t.Fatalf("%v\n%s", err, f)
			}
			if got, want := ssatest.Body(f), ssatest.Outdent(c.before); got != want {
				t.Fatalf("before:\n%s\nwant:\n%s", got, want)
			}
			changed := c.pass(f, new(analysis.Summaries))
			if err := ssa.Verify(m); err != nil {
				t.Errorf("%v\n%s", err, f)
			}
			want := c.after
			if want == "" {
				want = c.before
			}
			if got, want := ssatest.Body(f), ssatest.Outdent(want); got != want {
				t.Errorf("after:\n%s\nwant:\n%s", got, want)
			}
			if changed != (c.after != "") {
				t.Errorf("the pass says changed: %v", changed)
			}
			if c.pass(f, new(analysis.Summaries)) && c.after == "" {
				t.Error("run again, the pass changes what it left alone")
			}
		})
	}
}

// TestSettled runs the pipeline over a loop whose variable is forwarded by one
// pass and used again by another: the passes must agree on an end.
func TestSettled(t *testing.T) {
	m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "a"), ssatest.Arg(ssa.Bool, "c"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
		l := b.Loop([]*ssa.Value{p[1]}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return p[2] },
			func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Break(loop, b.Int(ssa.Int64, 3)) },
			func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
		b.Set(p[3], 0, l.Result())
		b.Return()
	})
	Optimize(m, nil)
	for _, p := range Passes() {
		if before := m.String(); p.run(m, new(analysis.Summaries), newSettling(pipeline, m)) || m.String() != before {
			t.Errorf("%s still changes\n%sinto\n%s", p.Name, before, m)
		}
	}
}

// TestPassDocs keeps the pipeline readable as documentation.
func TestPassDocs(t *testing.T) {
	seen := make(map[string]bool)
	for _, p := range Passes() {
		if p.Name == "" || p.Doc == "" || seen[p.Name] || (p.Run == nil) == (p.RunModule == nil) {
			t.Errorf("pass %q (%q) is not fully described, or is there twice", p.Name, p.Doc)
		}
		seen[p.Name] = true
	}
}

func TestOptimizeObserve(t *testing.T) {
	m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
		b.Op(ssa.OpAdd, b.Int(ssa.Int64, 1), b.Int(ssa.Int64, 2))
		b.Return()
	})
	ssatest.AddFunc(m, "unused", false, nil, nil, func(b ssatest.Builder, _ []*ssa.Value) { b.Return() })
	var names []string
	Optimize(m, func(at Step) { names = append(names, at.String()) })
	want := []string{"early", "fold", "invariant", "cse", "checks", "dce", "unreached",
		"early 2", "fold 2", "invariant 2", "cse 2", "checks 2", "dce 2", "unreached 2"}
	if !slices.Equal(names, want) {
		t.Errorf("observed %q, want %q", names, want)
	}
	if len(m.Funcs) != 1 || len(m.Funcs[0].Body.Instrs) != 1 {
		t.Errorf("left:\n%s", m)
	}
}

func TestUnreached(t *testing.T) {
	m := &ssa.Module{Name: "m"}
	leaf := ssatest.AddFunc(m, "leaf", false, nil, nil, func(b ssatest.Builder, _ []*ssa.Value) { b.Return() })
	ssatest.AddFunc(m, "mid", false, nil, nil, func(b ssatest.Builder, _ []*ssa.Value) { b.Call(leaf); b.Return() })
	used := ssatest.AddFunc(m, "used", false, nil, nil, func(b ssatest.Builder, _ []*ssa.Value) { b.Return() })
	ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t")}, nil, func(b ssatest.Builder, _ []*ssa.Value) { b.Call(used); b.Return() })
	if !m.DropUnreached() {
		t.Error("nothing was removed")
	}
	var names []string
	for _, f := range m.Funcs {
		names = append(names, f.Name)
	}
	if want := []string{"used", "k"}; !slices.Equal(names, want) {
		t.Errorf("left %q, want %q", names, want)
	}
	if m.DropUnreached() {
		t.Error("a second run finds more")
	}
}

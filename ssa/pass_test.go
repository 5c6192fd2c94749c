package ssa

import (
	"slices"
	"strings"
	"testing"
)

// passCase is a function's body before and after one pass.
type passCase struct {
	name   string
	pass   func(*Func) bool
	build  func(b builder, p params)
	before string
	after  string // "" for what the pass leaves alone
}

// params are the parameters of the functions under test.
type params struct {
	a, b, c, x, y, s *Value
	m                *Module
}

// testFunc is a device function (a, b int64, c bool, x, y float32, s []int64),
// after those that build adds to the module.
func testFunc(m *Module, build func(b builder, p params)) *Func {
	args := []*Value{arg(Int64, "a"), arg(Int64, "b"), arg(Bool, "c"), arg(Float32, "x"), arg(Float32, "y"), arg(Slice{Int64}, "s")}
	f := addFunc(m, "f", false, args, nil, func(b builder, p []*Value) {
		build(b, params{p[0], p[1], p[2], p[3], p[4], p[5], m})
	})
	m.Funcs = append(m.Funcs[1:], f)
	return f
}

// body is a function's text without its first and last line, one level out.
func body(f *Func) string {
	lines := strings.Split(f.String(), "\n")
	return outdent(strings.Join(lines[1:len(lines)-2], "\n"))
}

// outdent takes the indentation of the first line off all lines of a text, and
// empty lines off its ends.
func outdent(text string) string {
	text = strings.Trim(text, "\n")
	indent := text[:len(text)-len(strings.TrimLeft(text, "\t"))]
	return strings.TrimPrefix(strings.ReplaceAll(text, "\n"+indent, "\n"), indent)
}

func TestPasses(t *testing.T) {
	for _, c := range slices.Concat(foldCases, earlyCases, loopCases, cseCases, dceCases, memoryCases) {
		t.Run(c.name, func(t *testing.T) {
			m := &Module{Name: "m"}
			f := testFunc(m, c.build)
			if err := Verify(m); err != nil {
				t.Fatalf("%v\n%s", err, f)
			}
			if got, want := body(f), outdent(c.before); got != want {
				t.Fatalf("before:\n%s\nwant:\n%s", got, want)
			}
			changed := c.pass(f)
			if err := Verify(m); err != nil {
				t.Errorf("%v\n%s", err, f)
			}
			want := c.after
			if want == "" {
				want = c.before
			}
			if got, want := body(f), outdent(want); got != want {
				t.Errorf("after:\n%s\nwant:\n%s", got, want)
			}
			if changed != (c.after != "") {
				t.Errorf("the pass says changed: %v", changed)
			}
			if c.pass(f) && c.after == "" {
				t.Error("run again, the pass changes what it left alone")
			}
		})
	}
}

// TestSettled runs the pipeline over a loop whose variable is forwarded by one
// pass and used again by another: the passes must agree on an end.
func TestSettled(t *testing.T) {
	m := kernelOf("k", []*Value{arg(Int64, "a"), arg(Bool, "c"), arg(Slice{Int64}, "s")}, func(b builder, p []*Value) {
		l := b.loop([]*Value{p[1]}, func(b builder, v []*Value) *Value { return p[2] },
			func(b builder, loop *Instr, v []*Value) { b.brk(loop, b.int(Int64, 3)) },
			func(b builder, v []*Value) []*Value { return v })
		b.set(p[3], 0, l.Result())
		b.ret()
	})
	Optimize(m, nil)
	for _, p := range Passes() {
		if before := m.String(); p.run(m) || m.String() != before {
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
	m := kernelOf("k", []*Value{arg(Slice{Int64}, "s")}, func(b builder, p []*Value) {
		b.op(OpAdd, b.int(Int64, 1), b.int(Int64, 2))
		b.ret()
	})
	addFunc(m, "unused", false, nil, nil, func(b builder, _ []*Value) { b.ret() })
	var names []string
	Optimize(m, func(pass string, m *Module) { names = append(names, pass) })
	want := []string{"input", "early", "fold", "invariant", "cse", "checks", "dce", "unreached",
		"early 2", "fold 2", "invariant 2", "cse 2", "checks 2", "dce 2", "unreached 2"}
	if !slices.Equal(names, want) {
		t.Errorf("observed %q, want %q", names, want)
	}
	if len(m.Funcs) != 1 || len(m.Funcs[0].Body.Instrs) != 1 {
		t.Errorf("left:\n%s", m)
	}
}

func TestUnreached(t *testing.T) {
	m := &Module{Name: "m"}
	leaf := addFunc(m, "leaf", false, nil, nil, func(b builder, _ []*Value) { b.ret() })
	addFunc(m, "mid", false, nil, nil, func(b builder, _ []*Value) { b.call(leaf); b.ret() })
	used := addFunc(m, "used", false, nil, nil, func(b builder, _ []*Value) { b.ret() })
	addFunc(m, "k", true, []*Value{arg(Thread, "t")}, nil, func(b builder, _ []*Value) { b.call(used); b.ret() })
	if !unreached(m) {
		t.Error("nothing was removed")
	}
	var names []string
	for _, f := range m.Funcs {
		names = append(names, f.Name)
	}
	if want := []string{"used", "k"}; !slices.Equal(names, want) {
		t.Errorf("left %q, want %q", names, want)
	}
	if unreached(m) {
		t.Error("a second run finds more")
	}
}

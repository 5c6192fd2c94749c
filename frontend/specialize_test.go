package frontend

import (
	"testing"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// table is an Environment that counts what it is asked.
type table struct {
	vars  map[string]comptime.Value
	asked int
}

func (t *table) Var(pkg, name string) (comptime.Value, error) {
	t.asked++
	if v, ok := t.vars[pkg+"."+name]; ok {
		return v, nil
	}
	return comptime.Value{}, ErrNotRegistered
}

func (t *table) Static(StaticSite, []comptime.Value, Reads) (comptime.Value, error) {
	t.asked++
	return comptime.Value{}, ErrNotRegistered
}

// Each question is asked once, over several lowerings too, and recorded in order for
// the last of them.
func TestAsking(t *testing.T) {
	square := load.Ref{Pkg: "k", Name: "square"}
	env := &table{vars: map[string]comptime.Value{
		"k.F": {Kind: comptime.Func, Type: "func(float32) float32", Func: &square},
		"k.N": {Kind: comptime.Int, Type: "int", Bits: 3},
	}}
	a := newAsking(env)
	a.begin()
	for range 2 {
		_, _ = a.Var("k", "F")
	}
	a.begin()
	_, _ = a.Var("k", "N")
	_, _ = a.Var("k", "F")
	_, _ = a.Var("k", "unregistered")
	_, _ = a.Static(StaticSite{Pkg: "k", Expr: "N"}, nil, Reads{})
	if env.asked != 4 || len(a.asked) != 4 {
		t.Fatalf("%d questions, asked %v", env.asked, a.asked)
	}
	if q := a.asked; q[0].Var.Name != "N" || q[0].Value.Bits != 3 || q[0].Unknown || q[1].Var.Name != "F" ||
		!q[2].Unknown || !q[3].Unknown || q[3].Site.Expr != "N" {
		t.Errorf("asked %+v", q)
	}
}

func TestSpecialize(t *testing.T) {
	src := sources(t, onePackage("k", "k/k.go", "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread, x []float32) { x[t.ID()] *= 2 }\n"))
	s, err := Specialize(Options{}, src, load.Ref{Pkg: "k", Name: "k"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Module.Name != "k" || len(s.Asked) != 0 || len(s.Program.Kernels) != 1 {
		t.Errorf("%+v", s)
	}
	if s, err := Specialize(Options{}, src, load.Ref{Pkg: "k", Name: "missing"}); s != nil || err == nil {
		t.Errorf("a missing kernel: %v, %v", s, err)
	}
}

package ssa_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
)

// companionModule has a function with a gradient and a replay, and a kernel that calls it.
func companionModule() (m *ssa.Module, f, gradient, replay *ssa.Func) {
	make := func(name string, params ...string) *ssa.Func {
		f := ssa.NewFunc(name)
		for _, p := range params {
			f.Body.AddParam(ssa.Float32, p)
		}
		f.Results = []ssa.Type{ssa.Float32}
		f.Body.Append(&ssa.Instr{Op: ssa.OpReturn, Args: f.Params()[:1]})
		return f
	}
	f, gradient, replay = make("f", "x"), make("fGradient", "x", "adj"), make("fAgain", "x")
	f.Gradient = &ssa.Gradient{By: gradient, Results: []int{0}, Params: []int{0}}
	f.Replay = replay
	k := ssa.NewFunc("k")
	k.Kernel = true
	k.Body.AddParam(ssa.Thread, "t")
	x := k.Body.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.FloatConst(ssa.Float32, 1)}, ssa.Float32).Result()
	k.Body.Append(&ssa.Instr{Op: ssa.OpCall, Callee: f, Args: []*ssa.Value{x}}, ssa.Float32)
	k.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	return &ssa.Module{Name: "k", Funcs: []*ssa.Func{f, gradient, replay, k}}, f, gradient, replay
}

// The companions of a function are printed, copied with it, and stay as long as it does and is to be differentiated.
func TestCompanions(t *testing.T) {
	m, f, _, _ := companionModule()
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	if want := "func f(x.v0:float32) float32 gradient fGradient replay fAgain {"; !strings.Contains(m.String(), want) {
		t.Errorf("no %q in\n%v", want, m)
	}
	c := m.Clone()
	if err := ssa.Verify(c); err != nil {
		t.Error(err)
	}
	if c.Funcs[0].Gradient.By != c.Funcs[1] || c.Funcs[0].Replay != c.Funcs[2] || f.Gradient.By != m.Funcs[1] {
		t.Errorf("the copy has the companions of the original")
	}
	if m.DropUnreached() || len(m.Funcs) != 4 {
		t.Errorf("companions have been removed: %v", m)
	}
	if !m.DropCompanions() || len(m.Funcs) != 2 || m.DropCompanions() {
		t.Errorf("companions are left: %v", m)
	}
	if err := ssa.Verify(m); err != nil {
		t.Error(err)
	}
}

// A companion with another signature, or from elsewhere, is a violation.
func TestCompanionsVerified(t *testing.T) {
	for want, change := range map[string]func(m *ssa.Module, f, gradient, replay *ssa.Func){
		"gradient has another signature": func(_ *ssa.Module, f, _, _ *ssa.Func) { f.Gradient.Params = nil },
		"its gradient has another":       func(_ *ssa.Module, f, _, _ *ssa.Func) { f.Gradient.Results = []int{3} },
		"replay has another signature":   func(_ *ssa.Module, f, gradient, _ *ssa.Func) { f.Replay = gradient },
		"is not in the module":           func(m *ssa.Module, _, _, _ *ssa.Func) { m.Funcs = append(m.Funcs[:1:1], m.Funcs[2:]...) },
		"is no device function":          func(m *ssa.Module, f, _, _ *ssa.Func) { f.Replay = m.Funcs[3] },
		"a kernel with":                  func(m *ssa.Module, _, _, replay *ssa.Func) { m.Funcs[3].Replay = replay },
	} {
		m, f, gradient, replay := companionModule()
		change(m, f, gradient, replay)
		if err := ssa.Verify(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
}

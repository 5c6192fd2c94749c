package compile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/ssa"
)

var pipelines = map[string]compile.Pipeline{"go": compile.Go, "cpp": compile.CPU, "plain": compile.PlainCPU, "cuda": compile.CUDA, "gradient": compile.CPU.Gradient(), "gradient in cuda": compile.CUDA.Gradient()}

// What a stage needs an earlier one gives, names are one stage's, and each says why it is there.
func TestPipelines(t *testing.T) {
	for target, p := range pipelines {
		var holds []*ssa.Invariant
		names := map[string]bool{}
		for _, s := range p.Stages {
			for _, inv := range s.Needs {
				if !slices.Contains(holds, inv) {
					t.Errorf("%s: %s needs that the module is %s, which no stage before gives", target, s.Name, inv.Name)
				}
			}
			holds = append(holds, s.Gives...)
			if names[s.Name] || s.Name == "" || s.Name != strings.ToLower(s.Name) {
				t.Errorf("%s: the name %q", target, s.Name)
			}
			names[s.Name] = true
			if s.Why == "" || strings.HasSuffix(s.Why, ".") || strings.Contains(s.Why, "\n") {
				t.Errorf("%s: %s: the reason %q", target, s.Name, s.Why)
			}
			if p.Find(s.Name) != s {
				t.Errorf("%s: %s is not found", target, s.Name)
			}
			if !strings.Contains(p.String(), s.Why) {
				t.Errorf("%s: %s is not listed", target, s.Name)
			}
		}
		if p.Find("fusion") != nil {
			t.Errorf("%s: a stage that there is not is found", target)
		}
	}
}

// An observer reports what does not hold: here a barrier after Fission, planted by another observer.
func TestVerifying(t *testing.T) {
	f := ssa.NewFunc("k")
	f.Kernel = true
	f.Body.AddParam(ssa.Thread, "t")
	f.Body.Append(&ssa.Instr{Op: ssa.OpSync})
	f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	m := &ssa.Module{Name: "k", Funcs: []*ssa.Func{f}}
	at := compile.At{Stage: compile.Fission, Holds: compile.CPU.Holds(compile.Fission)}
	var found error
	compile.Verifying(func(err error) { found = err })(at, m)
	if found == nil || !strings.Contains(found.Error(), "after fission: ") || !strings.Contains(found.Error(), "sync: a barrier") {
		t.Errorf("found %v", found)
	}
	found = nil
	at = compile.At{Stage: compile.Optimize, Holds: compile.CPU.Holds(compile.Optimize)}
	if compile.Verifying(func(err error) { found = err })(at, m); found != nil {
		t.Errorf("before fission: %v", found)
	}
}

package opt_test

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
)

// TestRandom runs random modules before and after each pass.
func TestRandom(t *testing.T) {
	seeds := ssatest.Trials()
	shrunk, ran := 0, 0
	for seed := range seeds {
		m := ssatest.RandomModule(seed)
		input := m.String()
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, input)
		}
		want, ended := ssatest.Run(m)
		if !ended {
			continue
		}
		ran++
		before, last := input, opt.Step{}
		summaries := new(analysis.Summaries)
		opt.OptimizeWith(m, summaries, func(pass opt.Step) {
			last = pass
			text := m.String()
			if !pass.Changed && text != before {
				t.Fatalf("seed %d: %v says that it has changed nothing\nbefore:\n%s\nafter:\n%s", seed, pass, before, text)
			}
			if err := summaries.UpToDate(m); err != nil {
				t.Fatalf("seed %d: after %v: %v\nbefore:\n%s\nafter:\n%s", seed, pass, err, before, text)
			}
			for _, f := range m.Funcs { // all of which is to stay up to date
				summaries.Of(f)
				summaries.Memory(f)
				summaries.NonEscaping(f)
			}
			if err := ssa.Verify(m); err != nil {
				t.Fatalf("seed %d: after %v: %v\nbefore:\n%s\nafter:\n%s", seed, pass, err, before, text)
			}
			if got, _ := ssatest.Run(m); got != want {
				t.Fatalf("seed %d: after %v it runs differently:\n%s\nnot:\n%s\nbefore:\n%s\nafter:\n%s", seed, pass, got, want, before, text)
			}
			before = text
		})
		if len(before) < len(input) {
			shrunk++
		}
		// What the pipeline has settled stays as it is.
		settled := last.Round < opt.MaxRounds
		for _, p := range opt.Passes() {
			if settled && p.RunOn(m) {
				t.Errorf("seed %d: %s still changes the result:\n%s\ninto:\n%s", seed, p.Name, before, m)
			}
		}
		again := ssatest.RandomModule(seed)
		opt.Optimize(again, nil)
		if again.String() != before {
			t.Errorf("seed %d: two runs of the pipeline differ", seed)
		}
	}
	if shrunk < ran*9/10 || ran < int(seeds)*9/10 {
		t.Errorf("of %d modules %d ran and %d shrank: the generator has lost its bite", seeds, ran, shrunk)
	}
}

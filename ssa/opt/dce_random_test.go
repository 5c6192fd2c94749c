package opt

import (
	"testing"

	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// What the removal of dead code leaves has none, so that a second time finds nothing. Addresses that escape only in
// dead code once kept stores until then.
func TestDeadCodeOnce(t *testing.T) {
	changed := 0
	for seed := range uint64(1500) {
		for _, f := range ssatest.RandomModule(seed).Funcs {
			before := f.String()
			if !dce(f, new(analysis.Summaries)) {
				continue
			}
			changed++
			once := f.String()
			if dce(f, new(analysis.Summaries)) {
				t.Fatalf("seed %d: a second time removes more. First\n%s\nonce\n%s\ntwice\n%s", seed, before, once, f)
			}
		}
	}
	if changed < 1500 {
		t.Errorf("only %d functions had dead code", changed)
	}
}

package opt_test

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
)

// BenchmarkOptimize is the pipeline over 100 random modules, each larger than
// most kernels.
func BenchmarkOptimize(b *testing.B) {
	instrs := 0
	for b.Loop() {
		b.StopTimer()
		ms := make([]*ssa.Module, 100)
		instrs = 0
		for i := range ms {
			ms[i] = ssatest.RandomModule(uint64(i))
			for _, f := range ms[i].Funcs {
				f.Body.Walk(func(*ssa.Instr) { instrs++ })
			}
		}
		b.StartTimer()
		for _, m := range ms {
			opt.Optimize(m, nil)
		}
	}
	b.ReportMetric(float64(instrs), "instrs/op")
}

// BenchmarkVerify is the verifier over the same modules.
func BenchmarkVerify(b *testing.B) {
	ms := make([]*ssa.Module, 100)
	for i := range ms {
		ms[i] = ssatest.RandomModule(uint64(i))
	}
	for b.Loop() {
		for _, m := range ms {
			if err := ssa.Verify(m); err != nil {
				b.Fatal(err)
			}
		}
	}
}

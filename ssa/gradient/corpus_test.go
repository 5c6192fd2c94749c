package gradient_test

import (
	"testing"

	"github.com/qdgen/qd/internal/corpus"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// unbounded are kernels of the corpus whose derivative is infinite somewhere, such as that of math.Log(x - x), and which
// are therefore not compared.
var unbounded = map[string]bool{"forMathDiverge": true}

// The kernels of the corpus that run with the arguments of these tests have the gradients that differences say. There is
// one thread: many of these kernels are for one, and would race.
func TestCorpus(t *testing.T) {
	files, err := corpus.Load("../..")
	if err != nil {
		t.Fatal(err)
	}
	lib := library(t)
	compared, reliable, witnessed, floats := 0, 0, 0, 0
	for _, file := range files {
		for _, k := range file.Kernels {
			m := lower(t, lib, file.Source, k.Name)
			f := m.Kernels()[0]
			if f.Kind != ssa.ThreadKernel || m.Waits() || unbounded[k.Name] {
				continue
			}
			b, err := gradient.Of(f, gradient.Options{})
			if err != nil || len(b.Gradients) == 0 {
				continue
			}
			tr := &trial{kernel: f, back: b, threads: 1, seed: 1}
			if !tr.runs() {
				continue
			}
			compared++
			tr.tangent, _ = gradient.Of(f, gradient.Options{Steps: gradient.Tangent}) // nil if it is refused
			if err := tr.compare(tr.weights(), 1e-6); err != nil {
				t.Errorf("%s, %s: %v", file.Name, k.Name, err)
			}
			reliable, witnessed, floats = reliable+tr.reliable, witnessed+tr.witnessed, floats+tr.floats
		}
	}
	if t.Logf("%d kernels compared, %d of their %d derivatives with differences, %d more with tangents", compared, reliable, floats, witnessed); compared < 100 || reliable+witnessed < floats*9/10 {
		t.Errorf("only %d kernels were compared, and %d of %d derivatives", compared, reliable+witnessed, floats)
	}
}

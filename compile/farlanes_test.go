package compile_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
)

// Lanes that read everybody's memory far apart take several vectors at once. What a block keeps itself is near. The few
// lanes that vectors leave are no work for the C++ compiler.
func TestLongVectors(t *testing.T) {
	if compile.Lanes != 0 {
		t.Skip("QD_LANES is set")
	}
	const text = `package k

import "github.com/qdgen/qd"

//qd:kernel
func far(b qd.Block, lanes, n int, x, y []float32) {
	b.For(lanes, func(lane int) {
		s := float32(0)
		for i := lane; i < n; i += lanes {
			s += x[i]
		}
		y[b.ID()*lanes+lane] = s
	})
}

//qd:kernel
func near(b qd.Block, lanes, n int, x, y []float32) {
	kept := qd.Shared[float32](b, 1024)
	b.For(1024, func(lane int) { kept[lane] = x[lane] })
	b.For(lanes, func(lane int) {
		s := float32(0)
		for i := lane; i < n; i += lanes {
			s += kept[i]
		}
		y[b.ID()*lanes+lane] = s
	})
}
`
	for name, long := range map[string]bool{"far": true, "near": false} {
		code := printedFor(t, "x86-64-v4", text, name).Text.Code()
		if !strings.Contains(code, "float32x16") || strings.Contains(code, "float32x256") != long {
			t.Errorf("%s: long vectors: %v, want %v:\n%s", name, !long, long, code)
		}
		if !strings.Contains(code, "#pragma clang loop vectorize(disable) unroll(disable)\n    for (int64 lane = lanes / 16 * 16; ") {
			t.Errorf("%s: a compiler takes its time for the lanes that remain:\n%s", name, code)
		}
	}
}

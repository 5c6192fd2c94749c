package emit_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
)

// What an atomic operation alone needs of a row of memory is read by each lane when it is its turn. A row that something
// else needs too is a vector, and so is one that may be written before the operation.
func TestRowsOfAtomicOperations(t *testing.T) {
	for body, want := range map[string]int{
		"qd.AtomicAdd(&bins[x[i]], 1)":                       1,
		"qd.AtomicAdd(&bins[x[i]], y[i])":                    2,
		"qd.AtomicMax(&bins[x[i]], y[i])":                    2,
		"qd.AtomicAdd(&bins[x[i]&15], 1)":                    0, // computed with
		"k := x[i]; qd.AtomicAdd(&bins[k], 1); x[i] = k + 1": 0, // used twice
		"k := y[i]; y[i] = 3; qd.AtomicAdd(&bins[x[i]], k)":  1, // k is read before y is written
		"if x[i] > 3 { qd.AtomicAdd(&bins[x[i]], 1) }":       0, // read for the condition
		"if i&3 == 1 { qd.AtomicAdd(&bins[x[i]], 1) }":       0, // not in all lanes
	} {
		m := lower(t, `
//qd:kernel
func k(b qd.Block, n int, x []uint8, y, z []int32) {
	bins := qd.Shared[int32](b, 256)
	b.For(256, func(lane int) {
		for i := lane; i < n; i += 256 {
			`+body+`
		}
	})
	b.For(256, func(lane int) { z[lane] = bins[lane] })
}
`)
		text := compile.CPU.Text(m, emit.Options{}).Source
		if got := strings.Count(text, "vec::row<"); got != want {
			t.Errorf("%s: %d rows are read lane by lane, want %d\n%s", body, got, want, text)
		}
	}
}

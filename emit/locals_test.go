package emit_test

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
)

// A loop over the lanes of a block that reads rows far from each other runs 256 lanes at once, or as many fewer as have room on the
// stack for their arrays.
func TestArraysFitTheStack(t *testing.T) {
	arrays := regexp.MustCompile(`array<float32, (\d+)>`)
	for size, lanes := range map[int]int{16: 256, 100: 128, 1000: 16, 1025: 1} {
		m := lower(t, fmt.Sprintf(`
//qd:kernel
func k(b qd.Block, n int, x, y []float32) {
	b.For(256, func(lane int) {
		var a [%d]float32
		for k := lane; k < n*256; k += 256 {
			a[k%%%[1]d] += x[k]
		}
		s := float32(0)
		for k := range n {
			s += a[k]
		}
		y[lane] = s
	})
}
`, size))
		text := compile.CPU.Text(m, emit.Options{}).Source
		most := 0
		for _, a := range arrays.FindAllStringSubmatch(text, -1) {
			n, err := strconv.Atoi(a[1])
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, n)
		}
		if most != size*lanes {
			t.Errorf("arrays of %d have %d elements in lanes, want %d\n%s", size, most, size*lanes, text)
		}
	}
}

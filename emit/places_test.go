package emit_test

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/dl"
)

// Threads find their places however large the launch is: parts of launches are run, up
// to the last thread of one, whose blocks lie where numbers of 16, 31 and 32 bits end.
func TestPlaces(t *testing.T) {
	const block = 256
	launches := map[int][][]int{
		2: {{1, 1}, {1, 5}, {5, 1}, {300, 257}, {65536, 65536}, {65537, 65537}, {65535, 65539}, {46341, 46341}, {3, 1<<31 - 1}, {1 << 31, 3}, {1 << 31, 255}, {255, 1 << 31}, {3, 1 << 31}},
		3: {{1, 1, 1}, {7, 1, 3}, {1291, 1291, 1291}, {1625, 1627, 1629}, {2, 65536, 65536}, {2, 1 << 31, 100}, {1 << 31, 1, 2}, {641, 1, 6700417}},
		4: {{1, 1, 1, 1}, {2, 3, 5, 7}, {256, 256, 256, 256}, {257, 251, 263, 269}, {1, 1 << 31, 1, 2}, {1, 1, 1, 1 << 31}, {4, 4, 1 << 27, 4}},
	}
	to := targets[1]
	for rank, ids := range map[int]string{2: "a, b := t.ID2()\n\tc, d := 0, 0", 3: "a, b, c := t.ID3()\n\td := 0", 4: "a, b, c, d := t.ID4()"} {
		m := lower(t, `
//qd:kernel
func place(t qd.Thread, first int, ran []bool, out []int) {
	`+ids+`
	at := t.ID() - first
	ran[at] = true
	out[4*at], out[4*at+1], out[4*at+2], out[4*at+3] = a, b, c, d
}
`)
		k := m.Kernels()[0]
		b := build(t, to, m)
		for _, dims := range launches[rank] {
			threads := 1
			for _, n := range dims {
				threads *= n
			}
			blocks := (threads-1)/block + 1
			if blocks > math.MaxInt32 {
				t.Fatalf("%v: no grid has %d blocks", dims, blocks)
			}
			for _, around := range []int{0, 1 << 16, 1 << 31, 1 << 32, threads} {
				begin, end := max(around/block-1, 0), min(around/block+2, blocks)
				if begin >= end {
					continue
				}
				first := begin * block
				ran, out := newArray(1, (end-begin)*block), newArray(8, 4*(end-begin)*block)
				args := b.pack(t, k, dims, uint64(first), ran, out)
				dl.Call(symbol(t, b.lib, emit.Symbol(k)+"_host_from"), uintptr(unsafe.Pointer(&args[0])), uintptr(begin), uintptr(end), block)
				for i := range (end - begin) * block {
					want, got := fmt.Sprint(make([]int, 4), false), make([]int, 4)
					for axis := range got {
						got[axis] = int(out.get(4*i + axis))
					}
					if rest := first + i; rest < threads {
						place := make([]int, 4)
						for axis := rank - 1; axis > 0; axis-- {
							place[axis], rest = rest%dims[axis], rest/dims[axis]
						}
						place[0] = rest
						want = fmt.Sprint(place, true)
					}
					if got := fmt.Sprint(got, ran.get(i) == 1); got != want {
						t.Fatalf("launch over %v: thread %d is at %s, want %s", dims, first+i, got, want)
					}
				}
			}
		}
	}
}

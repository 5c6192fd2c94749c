package device

import (
	"math/rand/v2"
	"testing"
)

// TestBatches tells that batches are all threads in their order, that they have room for what each keeps, that they fill
// blocks where they can, and that one thread that keeps much makes only its own batch small.
func TestBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sizes := []int{8, 1}
	for range 200 {
		threads := 1 + r.IntN(3000)
		counts := [][]int64{make([]int64, threads), make([]int64, threads)}
		for i := range threads {
			counts[0][i], counts[1][i] = int64(r.IntN(3)), int64(r.IntN(9))
		}
		for range r.IntN(3) {
			counts[r.IntN(2)][r.IntN(threads)] = int64(r.IntN(1000))
		}
		allowed := 8000 + r.IntN(20000)
		next := 0
		for _, b := range batchesOf(counts, sizes, threads, allowed) {
			if b.first != next || b.n == 0 {
				t.Fatalf("a batch of %d threads from %d on, not from %d", b.n, b.first, next)
			}
			next += b.n
			if n := b.bytes(sizes); n > allowed {
				t.Fatalf("%d bytes of %d", n, allowed)
			}
			if b.n > wide && b.n%wide != 0 && next < threads {
				t.Fatalf("a batch of %d threads", b.n)
			}
			if b.n < wide && next < threads {
				if more := b.with(counts, 1); more.bytes(sizes) <= allowed {
					t.Fatalf("a batch of %d threads has room for another one", b.n)
				}
			}
			for i, all := range counts {
				for _, h := range all[b.first:next] {
					if int(h) > b.heights[i] {
						t.Fatalf("room for %d values, not for %d", b.heights[i], h)
					}
				}
			}
		}
		if next != threads {
			t.Fatalf("batches of %d threads, not of %d", next, threads)
		}
	}
	counts := [][]int64{make([]int64, 100*wide)}
	for i := range counts[0] {
		counts[0][i] = 10
	}
	counts[0][50*wide+7] = 10000
	if n := len(batchesOf(counts, sizes[:1], 100*wide, 100*wide*10*8)); n != 3 {
		t.Errorf("%d batches, not those before, with and behind a thread", n)
	}
	counts[0][3] = 1e9
	if list := batchesOf(counts, sizes[:1], 100*wide, 8000); list[len(list)-1].first != 3 || list[len(list)-1].bytes(sizes) <= 8000 {
		t.Errorf("a thread that keeps too much: %v", list)
	}
	if most, bytes := mostOf([]batch{{0, 10, []int{3, 1}}, {10, 5, []int{2, 40}}}, sizes); most[0] != 30 || most[1] != 200 || bytes != 440 {
		t.Errorf("%v values, of %d bytes", most, bytes)
	}
}

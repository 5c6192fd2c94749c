package errors

import "github.com/qdgen/qd"

type tally struct{ n int }

func (t *tally) add() { t.n++ }

//qd:kernel
func laneWrites(b qd.Block, x []float32) {
	sum := float32(0)
	s := qd.Shared[float32](b, 8)
	var arr [4]float32
	var t tally
	b.For(8, func(lane int) {
		sum += x[lane] // want "sum is declared outside the parallel loop, and the body of the loop cannot write to it"
		s[lane] = 1
		qd.AtomicAdd(&x[0], 1)
		own := 0
		own++
		arr[lane%4] = 1        // want "arr is declared outside the parallel loop"
		b.For(3, func(i int) { // want "parallel loops cannot be nested: this one is in the body of For"
			x[i] = 1
		})
	})
	x[0] = sum + arr[1] + float32(t.n)
}

//qd:kernel
func laneCallsWriter(b qd.Block, x []float32) {
	var t tally
	p := &t
	b.For(8, func(lane int) {
		p.add() // want "t is declared outside the parallel loop, and the body of the loop cannot write to it"
	})
	x[0] = float32(t.n)
}

//qd:kernel
func laneShared(b qd.Block, x []float32) {
	b.For(8, func(lane int) {
		_ = qd.Shared[float32](b, 8) // want "this shared memory is not reached by all threads of a block"
	})
	_ = b == b     // want "comparing qd.Threads and qd.Blocks is not supported"
	_ = qd.Block{} // want "cannot make a qd.Block"
}

func (t *tally) same(x []float32) *tally {
	x[0]++
	return t
}

//qd:kernel
func lanePointers(b qd.Block, x []float32) {
	var t tally
	p := t.same(x) // want "a function that writes memory returns a pointer here, but only one thread of the block would get it"
	x[1] = float32(p.n)
}

//qd:kernel
func laneWritesLocal(b qd.Block, x []float32) {
	row := qd.Local[float32](4)
	b.For(len(x), func(i int) {
		row[i%4] = x[i] // want "a variable is declared outside the parallel loop, and the body of the loop cannot write to it"
	})
	x[b.ID()] = row[0]
}

package main

import "github.com/qdgen/qd"

// Kernels whose threads work together in blocks: see blocks.go. Beside them is native/blocks.cpp.

// blockSize is the number of threads in a block, and side the side of a tile of a matrix.
const (
	blockSize = 256
	side      = 16
)

// Blocks sum in two ways. In dotThread, dotBlock and sumBlock all blocks go through the arrays together, each with its
// piece of every stretch. In the kernels of parts each block has a part of the arrays of its own.

// sumThreads is the sum of what the threads of a block give.
func sumThreads(t qd.Thread, s float32, out []float32) {
	part := qd.Shared[float32](t, blockSize)
	lane := t.Lane()
	part[lane] = s
	t.Sync()
	for d := t.BlockDim() / 2; d > 0; d /= 2 {
		if lane < d {
			part[lane] += part[lane+d]
		}
		t.Sync()
	}
	if lane == 0 {
		out[t.BlockID()] = part[0]
	}
}

// sumPart is the sum of what a block has in shared memory.
func sumPart(b qd.Block, part, out []float32) {
	for d := blockSize / 2; d > 0; d /= 2 {
		b.For(d, func(lane int) { part[lane] += part[lane+d] })
	}
	out[b.ID()] = part[0]
}

//qd:kernel
func dotThread(t qd.Thread, x, y, out []float32) {
	n := len(x)
	var s float32
	for i := t.ID(); i < n; i += t.Dim(0) {
		s += x[i] * y[i]
	}
	sumThreads(t, s, out)
}

//qd:kernel
func dotBlock(b qd.Block, blocks int, x, y, out []float32) {
	part := qd.Shared[float32](b, blockSize)
	n := len(x)
	b.For(blockSize, func(lane int) {
		var s float32
		for i := b.ID()*blockSize + lane; i < n; i += blocks * blockSize {
			s += x[i] * y[i]
		}
		part[lane] = s
	})
	sumPart(b, part, out)
}

//qd:kernel
func sumBlock(b qd.Block, blocks int, x, out []float32) {
	part := qd.Shared[float32](b, blockSize)
	n := len(x)
	b.For(blockSize, func(lane int) {
		var s float32
		for i := b.ID()*blockSize + lane; i < n; i += blocks * blockSize {
			s += x[i]
		}
		part[lane] = s
	})
	sumPart(b, part, out)
}

//qd:kernel
func dotThreadParts(t qd.Thread, size int, x, y, out []float32) {
	end := min((t.BlockID()+1)*size, len(x))
	var s float32
	for i := t.BlockID()*size + t.Lane(); i < end; i += t.BlockDim() {
		s += x[i] * y[i]
	}
	sumThreads(t, s, out)
}

//qd:kernel
func dotBlockParts(b qd.Block, size int, x, y, out []float32) {
	part := qd.Shared[float32](b, blockSize)
	end := min((b.ID()+1)*size, len(x))
	b.For(blockSize, func(lane int) {
		var s float32
		for i := b.ID()*size + lane; i < end; i += blockSize {
			s += x[i] * y[i]
		}
		part[lane] = s
	})
	sumPart(b, part, out)
}

//qd:kernel
func sumBlockParts(b qd.Block, size int, x, out []float32) {
	part := qd.Shared[float32](b, blockSize)
	end := min((b.ID()+1)*size, len(x))
	b.For(blockSize, func(lane int) {
		var s float32
		for i := b.ID()*size + lane; i < end; i += blockSize {
			s += x[i]
		}
		part[lane] = s
	})
	sumPart(b, part, out)
}

//qd:kernel
func histogram(b qd.Block, blocks int, x []uint8, out []int32) {
	bins := qd.Shared[int32](b, 256)
	n := len(x)
	b.For(blockSize, func(lane int) {
		for i := b.ID()*blockSize + lane; i < n; i += blocks * blockSize {
			qd.AtomicAdd(&bins[x[i]], 1)
		}
	})
	b.For(256, func(bin int) { qd.AtomicAdd(&out[bin], bins[bin]) })
}

//qd:kernel
func matmulThread(t qd.Thread, n int, a, b, c []float32) {
	sa, sb := qd.Shared[float32](t, side*side), qd.Shared[float32](t, side*side)
	lane := t.Lane()
	y, x := lane/side, lane%side
	row, col := t.BlockID()/(n/side)*side+y, t.BlockID()%(n/side)*side+x
	var sum float32
	for k := 0; k < n; k += side {
		sa[lane] = a[row*n+k+x]
		sb[lane] = b[(k+y)*n+col]
		t.Sync()
		for i := range side {
			sum += sa[y*side+i] * sb[i*side+x]
		}
		t.Sync()
	}
	c[row*n+col] = sum
}

//qd:kernel
func matmulBlock(g qd.Block, n int, a, b, c []float32) {
	sa, sb, sum := qd.Shared[float32](g, side*side), qd.Shared[float32](g, side*side), qd.Shared[float32](g, side*side)
	row, col := g.ID()/(n/side)*side, g.ID()%(n/side)*side
	for k := 0; k < n; k += side {
		g.For(side*side, func(lane int) {
			y, x := lane/side, lane%side
			sa[lane] = a[(row+y)*n+k+x]
			sb[lane] = b[(k+y)*n+col+x]
		})
		g.For(side*side, func(lane int) {
			y, x := lane/side, lane%side
			s := sum[lane]
			for i := range side {
				s += sa[y*side+i] * sb[i*side+x]
			}
			sum[lane] = s
		})
	}
	g.For(side*side, func(lane int) { c[(row+lane/side)*n+col+lane%side] = sum[lane] })
}

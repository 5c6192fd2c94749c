package device

// A batch is some of the threads of a launch, in which all of them have room for as many values as any of them keeps.
type batch struct {
	first, n int
	heights  []int // by type: how many values a thread keeps at most
}

// bytes is what the values of a batch take. sizes are those of the types.
func (b *batch) bytes(sizes []int) int {
	sum := 0
	for i, h := range b.heights {
		sum += h * sizes[i]
	}
	return sum * b.n
}

// batchesOf divides threads into batches that keep no more bytes than are allowed. counts are how many values each
// thread keeps, by type. If a single thread keeps more, it gives a batch of that thread, and no others.
func batchesOf(counts [][]int64, sizes []int, threads, allowed int) []batch {
	var list []batch
	for first := 0; first < threads; {
		b := batch{first, 0, make([]int, len(counts))}
		for step := wide; step > 0 && first+b.n < threads; {
			more := b.with(counts, min(step, threads-first-b.n))
			switch {
			case more.bytes(sizes) <= allowed:
				b = more
				continue
			case b.n == 0 && step == 1:
				return []batch{more}
			case b.n >= wide && b.n%wide == 0:
				step = 0
			default: // too few threads to fill a block: as many of them as fit
				step /= 2
			}
		}
		list = append(list, b)
		first += b.n
	}
	return list
}

// with is a batch with n threads more.
func (b *batch) with(counts [][]int64, n int) batch {
	c := batch{b.first, b.n + n, make([]int, len(counts))}
	for i, all := range counts {
		c.heights[i] = b.heights[i]
		for _, h := range all[b.first+b.n : c.first+c.n] {
			c.heights[i] = max(c.heights[i], int(h))
		}
	}
	return c
}

// mostOf is how many values of each type any of the batches keeps, and the bytes of memory for so many of all types.
func mostOf(batches []batch, sizes []int) (most []int, bytes int) {
	most = make([]int, len(sizes))
	for _, b := range batches {
		for i, h := range b.heights {
			most[i] = max(most[i], h*b.n)
		}
	}
	for i, n := range most {
		bytes += n * sizes[i]
	}
	return most, bytes
}

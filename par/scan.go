package par

import "github.com/qdgen/qd"

// scanSize is how many neighbours one thread scans: those of a tile of fold.
const scanSize = foldWidth

// scanned scans each scanSize neighbours, from what is before them.
type scanned[T any, F combiner[T]] struct{ F F }

// Kernel is the code of a thread.
//
//qd:kernel
func (s scanned[T, F]) Kernel(t qd.Thread, x, ends, out []T) {
	from := t.ID() * scanSize
	acc := x[from]
	if from > 0 {
		acc = s.F.of(ends[t.ID()-1], acc)
	}
	out[from] = acc
	for i := from + 1; i < min(from+scanSize, len(x)); i++ {
		acc = s.F.of(acc, x[i])
		out[i] = acc
	}
}

// Scan sets each element of out to the sum of the elements of x up to the same index, that one among them. out may be x.
func Scan[T qd.Number](on Launcher, x, out *qd.Array[T]) error {
	c := &call{on: on, name: "Scan"}
	scanSums(c, x, out)
	return c.err
}

// ScanFunc is [Scan] with a function in the place of the sum, which is as that of [Reduce].
func ScanFunc[T any](on Launcher, x, out *qd.Array[T], f func(a, b T) T) error {
	c := &call{on: on, name: "ScanFunc"}
	notNil(c, f == nil)
	scan(c, x, out, function[T]{f}, runs[T, function[T]]{function[T]{f}, scanSize})
	return c.err
}

// scanSums is scan for sums.
func scanSums[T qd.Number](c *call, x, out *qd.Array[T]) {
	scan(c, x, out, sums[T]{}, fold[T]{opAdd, 1})
}

// scan scans what totals, a kernel, gives for each piece first, and then the pieces.
func scan[T any, F combiner[T]](c *call, x, out *qd.Array[T], f F, totals any) {
	if x.Len() != out.Len() {
		c.wrong("the arrays have %d and %d elements", x.Len(), out.Len())
	}
	n := pieces(x.Len(), scanSize)
	ends := temporary[T](c, x, max(n, 1))
	if n > 1 {
		c.launch(totals, n, x, ends)
		if c.err == nil {
			scan(c, ends, ends, f, totals)
		}
	}
	c.launch(scanned[T, F]{f}, n, x, ends, out)
}

// Package wide has kernels that compute with numbers of 128 bits and more.
package wide

import (
	"math/bits"

	"github.com/qdgen/qd"
)

// products multiplies numbers of four words, and adds to the product.
//
//qd:kernel
func products(t qd.Thread, x, y []uint64) {
	i := t.ID()
	a := [4]uint64{x[i], ^x[i], x[i] * 3, x[i] * 5}
	b := a
	for range 16 {
		var p [4]uint64
		var carry uint64
		for j := range 4 {
			carry = 0
			for k := range 4 - j {
				hi, lo := bits.Mul64(a[j], b[k])
				var c uint64
				lo, c = bits.Add64(lo, carry, 0)
				hi += c
				p[j+k], c = bits.Add64(p[j+k], lo, 0)
				carry = hi + c
			}
		}
		b = p
		b[0], carry = bits.Add64(b[0], a[0], 0)
		b[1], carry = bits.Add64(b[1], a[1], carry)
		b[2], carry = bits.Sub64(b[2], a[2], carry)
		b[3], _ = bits.Sub64(b[3], a[3], carry)
	}
	y[i] = b[0] ^ b[1] ^ b[2] ^ b[3]
}

// sums adds and subtracts numbers of three words.
//
//qd:kernel
func sums(t qd.Thread, n int, x, y []uint64) {
	i := t.ID()
	a, b, c := x[3*i], x[3*i+1], x[3*i+2]
	for k := range n {
		var carry uint64
		a, carry = bits.Add64(a, x[k], 0)
		b, carry = bits.Add64(b, x[k+1], carry)
		c, _ = bits.Add64(c, x[k+2], carry)
		a, carry = bits.Sub64(a, y[k], 0)
		b, carry = bits.Sub64(b, y[k+1], carry)
		c, _ = bits.Sub64(c, y[k+2], carry)
	}
	x[3*i], x[3*i+1], x[3*i+2] = a, b, c
}

// remainders divides products.
//
//qd:kernel
func remainders(t qd.Thread, x, y []uint64) {
	i := t.ID()
	hi, lo := bits.Mul64(x[i], x[i])
	y[i] = bits.Rem64(hi, lo, y[i])
}

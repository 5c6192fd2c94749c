package main

import (
	_ "embed"
	"math/bits"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/wide.cpp
var wideSource []byte

// wide times kernels that multiply, add and divide numbers of 128 bits by package math/bits, beside C++ with unsigned
// __int128.
func wide() ([]result, error) {
	return besideNative("wide.cpp", wideSource, numbersCase("powers by Montgomery", "powers", powers), numbersCase("powers by Div64", "dividing", dividing),
		numbersCase("PCG-DXSM", "dxsm", dxsm), numbersCase("products of 256 bits", "products", products), foldingCase)
}

// besideWide is the C++ beside these kernels.
var besideWide = []kind{{"", "", 1.25}}

const (
	// wideCount is how many numbers there are, and foldedCount how many a thread of folding reads.
	wideCount, foldedCount = 1 << 13, 64
	// widePrime is the largest prime below 2^64. Times wideInverse it is 1 modulo 2^64.
	widePrime, wideInverse = 1<<64 - 59, 3751880150584993549
)

func numbersCase(name, symbol string, kernel any) func(*qd.Device) (laneCase, error) {
	return func(dev *qd.Device) (laneCase, error) {
		x, y := make([]uint64, wideCount), make([]uint64, wideCount)
		for i := range x {
			x[i] = (uint64(i) + 1) * 0x9e3779b97f4a7c15
		}
		l, err := dev.Bind(kernel, qd.Dim(wideCount), x, y)
		return laneCase{name: name, symbol: symbol, launch: l, args: []uintptr{wideCount, dl.Address(x), dl.Address(y)}, outputs: [][]float32{halves(y)}, kinds: besideWide}, err
	}
}

func foldingCase(dev *qd.Device) (laneCase, error) {
	text, y := make([]uint64, wideCount*foldedCount), make([]uint64, wideCount)
	for i := range text {
		text[i] = (uint64(i) + 1) * 0x9e3779b97f4a7c15
	}
	l, err := dev.Bind(folding, qd.Dim(wideCount), foldedCount, text, y)
	return laneCase{name: "hash by folded products", symbol: "folding", launch: l, args: []uintptr{wideCount, foldedCount, dl.Address(text), dl.Address(y)}, outputs: [][]float32{halves(y)}, kinds: besideWide}, err
}

// halves are the bits of numbers, as a case compares them.
func halves(s []uint64) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(s))), 2*len(s))
}

// montgomery is x*y divided by 2^64, modulo the prime.
func montgomery(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	m, _ := bits.Mul64(lo*wideInverse, widePrime)
	z, borrow := bits.Sub64(hi, m, 0)
	return z + widePrime&-borrow
}

//qd:kernel
func powers(t qd.Thread, x, y []uint64) {
	i := t.ID()
	base, power := x[i], uint64(1)
	for e := uint64(0xf0f0f0f0f0f0f0f0); e > 0; e >>= 1 {
		if e&1 != 0 {
			power = montgomery(power, base)
		}
		base = montgomery(base, base)
	}
	y[i] = power
}

// dividing is powers with the remainder of a division.
//
//qd:kernel
func dividing(t qd.Thread, x, y []uint64) {
	i := t.ID()
	base, power := x[i]%widePrime, uint64(1)
	for e := 0xf0; e > 0; e >>= 1 {
		if e&1 != 0 {
			hi, lo := bits.Mul64(power, base)
			_, power = bits.Div64(hi, lo, widePrime)
		}
		hi, lo := bits.Mul64(base, base)
		_, base = bits.Div64(hi, lo, widePrime)
	}
	y[i] = power
}

// dxsm adds up random numbers, of the generator PCG of package math/rand/v2.
//
//qd:kernel
func dxsm(t qd.Thread, x, y []uint64) {
	i := t.ID()
	hi, lo := uint64(i), x[i]
	var sum uint64
	for range 64 {
		const mulHi, mulLo, incHi, incLo = 2549297995355413924, 4865540595714422341, 6364136223846793005, 1442695040888963407
		h, l := bits.Mul64(lo, mulLo)
		h += hi*mulLo + lo*mulHi
		var c uint64
		lo, c = bits.Add64(l, incLo, 0)
		hi, _ = bits.Add64(h, incHi, c)
		const cheapMul = 0xda942042e4dd58b5
		r := hi
		r ^= r >> 32
		r *= cheapMul
		r ^= r >> 48
		sum += r * (lo | 1)
	}
	y[i] = sum
}

// products multiplies numbers of four words, and keeps the lower four of the product.
//
//qd:kernel
func products(t qd.Thread, x, y []uint64) {
	i := t.ID()
	a := [4]uint64{x[i], ^x[i], x[i] * 3, x[i] * 5}
	b := a
	for range 16 {
		var p [4]uint64
		for j := range 4 {
			var carry uint64
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
		var c uint64
		b[0], c = bits.Add64(b[0], a[0], 0)
		b[1], c = bits.Add64(b[1], a[1], c)
		b[2], c = bits.Sub64(b[2], a[2], c)
		b[3], _ = bits.Sub64(b[3], a[3], c)
	}
	y[i] = b[0] ^ b[1] ^ b[2] ^ b[3]
}

// folding is a hash of the numbers of each thread, two at a time, as wyhash and xxh3 make it.
//
//qd:kernel
func folding(t qd.Thread, n int, text, y []uint64) {
	i := t.ID()
	h := uint64(n)
	for k := 0; k < n; k += 2 {
		hi, lo := bits.Mul64(text[i*n+k]^0xa0761d6478bd642f, text[i*n+k+1]^h)
		h = hi ^ lo
	}
	y[i] = h
}

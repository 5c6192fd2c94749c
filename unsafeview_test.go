//go:build !race

package qd_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/qdgen/qd"
)

// viewedWords reads bytes as viewedWords, of any place.
//
//qd:kernel
func viewedWords(t qd.Thread, text []byte, out []int) {
	i := t.ID()
	w := (*[2]uint64)(unsafe.Pointer(&text[3*i]))
	out[4*i], out[4*i+1] = int(w[0]), int(w[1])
	h := *(*[3]int16)(unsafe.Pointer(&text[i]))
	out[4*i+2] = int(h[0]) + 3*int(h[1]) + 5*int(h[i%3])
	out[4*i+3] = int(*(*uint32)(unsafe.Pointer(&w[1])))
}

// viewedHalves has a block of numbers as smaller and as larger ones.
func viewedHalves(p *[4][2]uint32, i int) {
	q := (*[4]uint64)(unsafe.Pointer(p))
	q[i%4] = q[(i+1)%4]<<7 ^ 0x1234567890abcdef
	p[1][i%2]++
	p[i%4][1] -= 5
	for j := range p[0] {
		p[0][j] ^= uint32(j) + viewedSum(q)
	}
}

func viewedSum(q *[4]uint64) uint32 {
	return uint32(q[3]>>9) + viewedQuarters((*[16]uint16)(unsafe.Pointer(q)))
}

func viewedQuarters(p *[16]uint16) (sum uint32) {
	for i := range p {
		p[i] = p[(i+3)%len(p)]*3 + 1
		sum += uint32(p[i])
	}
	return sum
}

//qd:kernel
func viewedBlocks(t qd.Thread, text []byte, out []int) {
	i := t.ID()
	var block [4]uint64
	for j := range block {
		block[j] = uint64(text[i+j]) * 0x9e3779b97f4a7c15
	}
	viewedHalves((*[4][2]uint32)(unsafe.Pointer(&block)), i)
	floats := [2][2]float32{{1, 2}, {3, 4}}
	bits := (*[4]uint32)(unsafe.Pointer(&floats[0][0]))
	bits[2] ^= uint32(text[i]) << 8
	*(*[2]uint32)(unsafe.Pointer(&floats[0])) = [2]uint32{bits[3], bits[2] + 1}
	bytes := (*[16]byte)(unsafe.Pointer(&floats))
	bytes[i%16] = text[i]
	second := (*[2]uint16)(unsafe.Pointer(&bits[1]))
	second[1]++
	var number float64 = float64(i)
	pair := (*[2]int32)(unsafe.Pointer(&number))
	pair[0], pair[1] = pair[0]+1, pair[1]^64
	for j := range 4 {
		out[4*i+j] = int(block[j]) ^ int(bits[j])<<16 ^ int(pair[j%2])
	}
}

// viewedStores writes words to bytes, and numbers to slices of other numbers.
//
//qd:kernel
func viewedStores(t qd.Thread, text []byte, out []int) {
	i := t.ID()
	*(*uint32)(unsafe.Pointer(&text[4*i])) += uint32(i * 77777)
	(*[4]float64)(unsafe.Pointer(&out[4*i]))[i%4] = float64(i) / 3
	(*[4]uint64)(unsafe.Pointer(&out[4*i]))[(i+1)%4] = 1 << 63
	var own [8]byte
	*(*[2]uint16)(unsafe.Pointer(&own[i%4])) = [2]uint16{uint16(i), 0xfffe}
	out[4*i+(i+2)%4] = int(*(*uint64)(unsafe.Pointer(&own)))
}

// drawsChaCha draws more numbers than one block of the generator has.
//
//qd:kernel
func drawsChaCha(t qd.Thread, text []byte, out []int) {
	i := t.ID()
	var seed [32]byte
	copy(seed[:], text[i:])
	c := rand.NewChaCha8(seed)
	r := rand.New(c)
	for range 3*32 + 40*(i%3) {
		out[4*i] ^= int(c.Uint64())
	}
	out[4*i+1] = r.IntN(1000)
	out[4*i+2] = int(r.Float64() * 1e15)
	out[4*i+3] = int(r.Uint32())
}

// TestUnsafeViews has pointers by way of unsafe.Pointer.
func TestUnsafeViews(t *testing.T) {
	for name, kernel := range map[string]func(t qd.Thread, text []byte, out []int){
		"words": viewedWords, "blocks": viewedBlocks, "stores": viewedStores, "chacha": drawsChaCha,
	} {
		t.Run(name, func(t *testing.T) {
			sameOnCPU(t, func(d *qd.Device) []int {
				const n = 24
				text, out := make([]byte, 4*n+16), make([]int, 4*n)
				for i := range text {
					text[i] = byte(i * i * 7919 >> 3)
				}
				if err := qd.NewKernel(kernel).WithDevice(d).Launch(qd.Dim(n), text, out); err != nil {
					t.Fatal(err)
				}
				for _, b := range text {
					out = append(out, int(b))
				}
				return out
			})
		})
	}
}

type sized struct {
	A uint8
	B float64
}

func sizeOf[T any](x []T) int {
	const pointer = unsafe.Sizeof(&x)
	return int(unsafe.Sizeof(x[100])*10 + unsafe.Alignof(x[0]) + unsafe.Sizeof([3]T{})*1000 + pointer)
}

// parameterSizes asks for sizes that depend on type parameters. What they are asked of is not evaluated.
//
//qd:kernel
func parameterSizes(t qd.Thread, out []int) {
	out[0] = sizeOf(out)
	out[1] = sizeOf([]sized{})
	out[2] = sizeOf([]complex64{})
	out[3] = sizeOf([]bool{})
	out[4] = sizeOf([]struct{}{})
}

// TestSizesOfParameters compares sizes of type parameters with compiled Go.
func TestSizesOfParameters(t *testing.T) {
	sameOnCPU(t, func(d *qd.Device) []int {
		out := make([]int, 5)
		if err := d.Launch(parameterSizes, qd.Dim(1), out); err != nil {
			t.Fatal(d, err)
		}
		return out
	})
}

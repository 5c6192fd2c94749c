package errors

import (
	"unsafe"

	"github.com/qdgen/qd"
)

//qd:kernel
func unsafeBits(t qd.Thread, x []float32, b []byte) {
	*(*uint32)(unsafe.Pointer(&x[0])) = 1
	*(*uint32)(unsafe.Pointer(&b[0])) = 1
	p := &*(*uint32)(unsafe.Pointer(&x[0]))
	*p = 1
}

// holder keeps a pointer.
type holder struct{ p *[2]uint16 }

//qd:kernel
func unsafeArrays(t qd.Thread, x []float32, b []byte) {
	var own [2]float32
	p := (*[2]uint32)(unsafe.Pointer(&own))
	for i, n := range p { // want "a range over a pointer that unsafe.Pointer has converted is not supported in a kernel"
		own[i] = float32(n)
	}
	for i := range p {
		p[i]++
	}
	b[0] = byte(len(p))
	s := p[:]                                                    // want "a slice of an array that unsafe.Pointer has converted is not supported in a kernel"
	_ = (*[3]uint32)(unsafe.Pointer(&own))                       // want "the pointer leads to 12 bytes, of which there are 8"
	h := holder{(*[2]uint16)(unsafe.Pointer(&own))}              // want "a pointer that unsafe.Pointer has converted cannot be kept here in a kernel"
	same := p == (*[2]uint32)(unsafe.Pointer(&own))              // want "a pointer that unsafe.Pointer has converted cannot be compared in a kernel"
	var q, r *[2]uint32 = p, (*[2]uint32)(unsafe.Pointer(&b[0])) // of bytes that may be anywhere
	if b[1] == 0 {
		q = r
	}
	q[0] = 1 // want "q is not known at compile time: it differs between branches or iterations"
	_, _, _ = s, h, same
}

//qd:kernel
func unsafePart(t qd.Thread, x []float32) {
	*(*uint8)(unsafe.Pointer(&x[0]))++ // want "a part of a number is assigned through unsafe.Pointer, and other threads may have the other parts"
}

type bytes16 [16]uint8

func (p *bytes16) sum() uint8 { return p[1] + p[2] }

func (p bytes16) last() uint8 { return p[15] }

//qd:kernel
func unsafeUses(t qd.Thread, x []float32, b []byte) {
	var own [300]float32
	p := (*[300]uint32)(unsafe.Pointer(&own))
	copied := *p // want "an array of more than 256 numbers is read or assigned through unsafe.Pointer"
	h := (*[600]uint16)(unsafe.Pointer(&own))
	q := &h[3] // want "the address of a part of a number is taken with unsafe.Pointer"
	v := (*bytes16)(unsafe.Pointer(&own))
	b[0] = v.sum() + uint8(copied[0])
	b[1] = v.last() // want "a pointer that unsafe.Pointer has converted is used in a way that is not supported in a kernel"
	*q = 1
}

func viewOf(x *[2]float32) *[2]uint32 {
	return (*[2]uint32)(unsafe.Pointer(x)) // want "a pointer that unsafe.Pointer has converted cannot be kept here in a kernel"
}

func viewOfIts(p *[2]uint32, n float32) *[2]uint32 {
	if n < 1 {
		own := [2]float32{n}
		return (*[2]uint32)(unsafe.Pointer(&own))
	}
	return p
}

//qd:kernel
func unsafeResults(t qd.Thread, x []uint32) {
	var own [2]float32
	p := viewOf(&own)
	q := viewOfIts((*[2]uint32)(unsafe.Pointer(&own)), float32(x[0]))
	x[0] = p[0] + q[1] // want "q is not known at compile time: it differs between branches or iterations"
	var r *[2]uint32   // want "a pointer that unsafe.Pointer has converted cannot be kept here in a kernel"
	func(n float32) {
		for range x {
			own := [2]float32{n}
			r = (*[2]uint32)(unsafe.Pointer(&own))
		}
	}(2)
	x[1] = r[0]
}

func increments(p *[4]uint8) { p[1]++ }

//qd:kernel
func unsafePartOfArgument(t qd.Thread, x []float32) {
	var own [2]float32
	increments((*[4]uint8)(unsafe.Pointer(&own[1])))
	setsPart(&own[0])
	setsPart(&x[0])
	x[1] = own[0] + own[1]
}

func setsPart(x *float32) {
	(*[4]uint8)(unsafe.Pointer(x))[3] = 2 // want "a part of a number is assigned through unsafe.Pointer, and other threads may have the other parts"
}

//qd:kernel
func untypedPointer(t qd.Thread, x []float32) {
	p := unsafe.Pointer(&x[0]) // want "pointers without a type are not supported"
	_ = p
}

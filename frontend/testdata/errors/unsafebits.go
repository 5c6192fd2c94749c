package errors

import (
	"unsafe"

	"github.com/qdgen/qd"
)

//qd:kernel
func unsafeBits(t qd.Thread, x []float32, b []byte) {
	*(*uint32)(unsafe.Pointer(&x[0])) = 1
	*(*uint32)(unsafe.Pointer(&b[0])) = 1   // want "assigns a number of 4 bytes to one of 1"
	*(*uint8)(unsafe.Pointer(&x[0]))++      // want "assigns a number of 1 bytes to one of 4"
	p := &*(*uint32)(unsafe.Pointer(&x[0])) // want "is known at compile time only, and has no address"
	*p = 1
}

//qd:kernel
func untypedPointer(t qd.Thread, x []float32) {
	p := unsafe.Pointer(&x[0]) // want "pointers without a type are not supported"
	_ = p
}

func ownVariable(v int32) *int32 { return &v }

func called(f func(int32) *int32) int32 {
	return *f(1) // want "ownVariable returns a pointer to its own variable, and is not called by its name"
}

//qd:kernel
func calledByValue(t qd.Thread, x []int32) { x[0] = called(ownVariable) }

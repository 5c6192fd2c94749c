package errors

import (
	"unsafe"

	gpu "github.com/qdgen/qd"
)

//qd:kernel
func pointers(t gpu.Thread, x []float32, n []uint64) {
	p := unsafe.Pointer(&x[0]) // want "conversion to unsafe.Pointer: pointers without a type are not supported"
	x[1] = *(*float32)(p)
	x[2] = *(*float32)(unsafe.Add(unsafe.Pointer(&x[0]), 4)) // want "Add is not supported in a kernel"
	x[3] = *(*float32)(unsafe.Pointer(&n[0]))
	n[0] = uint64(uintptr(unsafe.Pointer(&x[0]))) // want "conversion to unsafe.Pointer: pointers without a type are not supported"
	*(*uint32)(unsafe.Pointer(&x[4])) = 1
	n[1] = uint64(unsafe.Sizeof(x[0]))
	y := unsafe.Slice(&x[0], 3) // want "Slice is not supported in a kernel"
	x[5] = y[0]
}

type record struct{ a, b float32 }

func bodiless(x float32) float32

//qd:kernel
func records(t gpu.Thread, x []float32, r []record) {
	x[0] = (*(*[2]float32)(unsafe.Pointer(&r[0])))[1] // want "conversion to unsafe.Pointer: pointers without a type are not supported"
	x[1] = bodiless(x[0])                             // want "function bodiless has no body in Go"
	f := bodiless
	x[2] = f(1) // want "function bodiless has no body in Go"
}

package errors

import "github.com/qdgen/qd"

//qd:kernel
func returns(t qd.Thread, x []float32) float32 { // want "kernel returns returns a value"
	return x[t.ID()]
}

//qd:kernel
func empty() { // want "kernel empty has no qd.Thread parameter"
}

//qd:kernel
func noThread(x []float32) { // want "first parameter of kernel noThread must be a qd.Thread"
	x[0] = 1
}

//qd:kernel
func pointer(t *qd.Thread, x []float32) { // want "first parameter of kernel pointer must be a qd.Thread"
	x[t.ID()] = 1
}

//qd:kernel
func second(t qd.Thread, b qd.Block, x []float32) { // want "a kernel has only one qd.Thread or qd.Block parameter, the first one"
	x[t.ID()] = 1
}

//qd:kernel
func variadic(t qd.Thread, x ...float32) { // want "variadic parameters are not supported"
	x[0] = 1
}

//qd:kernel
func launching(t qd.Thread, x []float32) {
	qd.Launch(nil) // want "qd.Launch cannot be called in a kernel"
}

type scaler struct{ by float32 }

//qd:kernel
func (s scaler) method(t qd.Thread, x []float32) { // want "the launch gives no value for receiver s, which the kernel captures"
	x[t.ID()] *= s.by
}

//qd:kernel
func twins(t qd.Thread, x []int) {
	qd.Dim(3)               // want "qd.Dim cannot be called in a kernel"
	_ = qd.Zeros[float32]() // want "qd.Zeros\\[float32\\] cannot be called in a kernel"
}

//qd:kernel
func twoThreads(t qd.Thread, u, _ qd.Thread, x []int) { // want "a kernel has only one qd.Thread or qd.Block"
	x[t.ID()] = u.ID()
}

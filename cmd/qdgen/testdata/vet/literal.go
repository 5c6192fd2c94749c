package main

import "github.com/qdgen/qd"

type thread = qd.Thread

// launchLiterals launches function literals that are no kernels, and one that is by another name.
func launchLiterals(x []float32) {
	_ = qd.Launch(func() {}, qd.Dim(1))                                                    // want `first parameter of a kernel must be a qd.Thread`
	_ = qd.Launch(func(i int) {}, qd.Dim(1), 3)                                            // want `first parameter of a kernel must be a qd.Thread`
	_ = qd.NewKernel(func(t *qd.Thread) {})                                                // want `first parameter of a kernel must be a qd.Thread`
	_ = qd.Launch(func(t thread, n int, x []float32) { x[t.ID()] = 1 }, qd.Dim(1), "a", x) // want `argument "a" of type string does not fit parameter n`
	_ = qd.NewKernel(func(t thread, x []float32) { go func() {}() })                       // want `go statements are not supported`
}

package main

import "github.com/qdgen/qd"

type op int

//qd:kernel
func constants(t qd.Thread, n qd.Const[int8], o qd.Const[op], s qd.Const[string], f qd.Const[func(float32) float32], x []float32) {
	for range qd.Static(n.V) {
		x[t.ID()] += 1
	}
	if n.V == 3 {
		x[t.ID()] = f.V(x[t.ID()])
	} else {
		select {} // note `channels are not supported in a kernel`
	}
	if s.V == "zero" {
		x[t.ID()] = 0
	}
	x[t.ID()] *= factor
}

var factor float32 = 2

func half(x float32) float32 { return x / 2 }

type maps[T qd.Float, F interface{ Apply(T) T }] struct {
	f     F
	shift T
}

//qd:kernel
func (m maps[T, F]) Kernel(t qd.Thread, x []T, n qd.Const[int]) {
	x[t.ID()] = m.f.Apply(x[t.ID()]) + m.shift*T(n.V)
}

type by struct{ s float32 }

func (b by) Apply(x float32) float32 {
	defer println() // want `defer statements are not supported in a kernel`
	return b.s * x
}

type two struct{}

func (two) First(t qd.Thread, x []float32)  {}
func (two) Second(t qd.Thread, x []float32) {}

func launchConstants(x []float32, n int, o op) {
	_ = qd.Launch(constants, qd.Dim(1), qd.C(3), qd.C(1), qd.C("one"), qd.C(half), x)
	_ = qd.Launch(constants, qd.Dim(1), qd.C(n), qd.C(o), qd.C("one"), qd.C(half), x)
	_ = qd.Launch(constants, qd.Dim(1), 3, o, "one", half, x)                                // want `argument 3 for parameter n of constants, which is known at compile time, is of type int` `argument o for parameter o` `argument "one"` `argument half`
	_ = qd.Launch(constants, qd.Dim(1), qd.C(128), qd.C(1), qd.C("one"), qd.C(half), x)      // want `argument qd.C\(128\) for parameter n of constants, which is known at compile time, is a qd.C of type int`
	_ = qd.Launch(constants, qd.Dim(1), qd.C(2.5), qd.C(true), qd.C(1), qd.C(n), x)          // want `is a qd.C of type float64` `is a qd.C of type bool, but the parameter is one of type main.op` `is a qd.C of type int, but the parameter is one of type string` `is a qd.C of type int, but the parameter is one of type func\(float32\) float32`
	_ = qd.Launch(constants, qd.Dim(1), qd.C(int16(3)), qd.C(1), qd.C("one"), qd.C(half), x) // want `is a qd.C of type int16`

	k := maps[float32, by]{by{2}, 1}
	_ = qd.Launch(k, qd.Dim(1), x, qd.C(3))
	_ = qd.Launch(k, qd.Dim(1), x)              // want `launch of maps.Kernel with 1 argument, for 2 parameters`
	_ = qd.Launch(k, qd.Dim(1), []float64{}, 3) // want `does not fit parameter x of maps.Kernel, which is of type \[\]float32` `argument 3 for parameter n`
	_ = qd.Launch(&k, qd.Dim(1), x, qd.C(3))    // want `launch of a pointer`
	_ = qd.NewKernel(k).Launch(qd.Dim(1), x, qd.C(3))
	_ = qd.Launch(two{}, qd.Dim(1), x)
}

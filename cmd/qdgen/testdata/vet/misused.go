package main

import "github.com/qdgen/qd"

// What is wrong with captures is told where they stand, as the launch would.

//qd:kernel
func appliedTo(t qd.Thread, f qd.Const[func(int) int], x []int) { x[t.ID()] = f.V(x[t.ID()]) }

type adder struct{ n int }

func (a adder) add(x int) int { return x + a.n }

func (a *adder) next(x int) int { return x + a.n }

//qd:kernel
func (a adder) Kernel(t qd.Thread, x []int) { x[t.ID()] += a.n }

func twice(x int) int { return 2 * x }

func misused(x []int, c int, list []int, table map[int]int) {
	_ = qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] = c })                                         // want `the kernel captures c`
	_ = qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] = c }, qd.Capture("c", c), qd.Capture("c", c)) // want `qd.Capture\("c"\) is given twice`
	_ = qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] = c }, qd.Capture("c", c), nil)                // want `an option of qd.NewKernel is nil`
	_ = qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] = c }, qd.Capture("c d", c))                   // want `names no variable` `the kernel captures c`
	_ = qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] = list[0] }, qd.Capture("list", list))         // want `a slice \(\[\]int\) cannot be a compile-time value`
	_ = qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] = table[0] }, qd.Capture("table", table))      // want `a map \(map\[int\]int\) cannot be`
	_ = qd.NewKernel(adder{1}, qd.Capture("n", 1))                                                         // want `a kernel that is a method captures only its receiver`
	_ = qd.NewKernel(appliedTo, qd.Capture("n", 1))                                                        // want `a declared function captures nothing`
	_ = qd.NewKernel(qd.NewKernel(appliedTo), qd.Capture("n", 1))                                          // want `put qd.Capture into the call of qd.NewKernel that has the function literal`
	_ = qd.NewFunc(func(x int) int { return c * x }, qd.Capture("c", c), qd.Capture("c", c))               // want `qd.Capture\("c"\) is given twice`
	_ = qd.NewFunc(twice, qd.Capture("c", c))                                                              // want `a declared function captures nothing`
	held := func(t qd.Thread, x []int) { x[t.ID()] = c }                                                   // want `whether qd.Capture\("c"\) gives the value of c cannot be seen`
	_ = qd.NewKernel(held, qd.Capture("c", c))
	plain := func(t qd.Thread, x []int) { x[t.ID()] = make([]int, len(x))[0] } // want `a kernel cannot allocate memory`
	_ = qd.Launch(plain, qd.Dim(1), x)

	a := adder{c}
	_ = qd.Launch(appliedTo, qd.Dim(1), qd.C(func(x int) int { return c * x }), x)             // want `the function captures c`
	_ = qd.Launch(appliedTo, qd.Dim(1), qd.C(qd.NewFunc(func(x int) int { return c * x })), x) // want `the function captures c`
	_ = qd.Launch(appliedTo, qd.Dim(1), qd.C(a.add), x)                                        // want `a.add is a method value, which holds its receiver`
	_ = qd.Launch(appliedTo, qd.Dim(1), qd.C(a.next), x)                                       // want `a.next is a method value that holds a pointer`
	_ = qd.Launch(appliedTo, qd.Dim(1), qd.C(qd.NewFunc(a.add, qd.Capture("a", a))), x)
	_ = qd.Launch(appliedTo, qd.Dim(1), qd.C(qd.NewFunc(interface{ add(int) int }(a).add, qd.Capture("a", a))), x) // want `is a method value of an interface`
}

package main

import "github.com/qdgen/qd"

//qd:kernel
func first(t qd.Thread, x []int) { x[t.ID()] = twice(x[t.ID()]) + 1 }

//qd:kernel
func second(t qd.Thread, x []int) { x[t.ID()] = twice(x[t.ID()]) - 2 }

//qd:kernel
func third(t qd.Thread, x []int) { x[t.ID()] += 3 }

func twice(x int) int { return 2 * x }

//qd:kernel
func power(t qd.Thread, n qd.Const[int], x []int) {
	v := 1
	for range n.V {
		v *= x[t.ID()]
	}
	x[t.ID()] = v
}

// same is the same for any n.
//
//qd:kernel
func same(t qd.Thread, n qd.Const[int], x []int) { x[t.ID()] -= 7 }

//qd:kernel
func foo(t qd.Thread, x []int) { qd.Printf("foo %d\n", x[t.ID()]) }

//qd:kernel
func bar(t qd.Thread, x []int) {
	qd.Printf("bar\n")
	qd.Printf("%d is %t\n", x[t.ID()], x[t.ID()] == 3)
}

// scale is captured by scaled.
var scale = 1

//qd:kernel
func scaled(t qd.Thread, x []int) { x[t.ID()] *= scale }

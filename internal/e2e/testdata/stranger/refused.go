package main

import "github.com/qdgen/qd"

// refused is full of what kernels cannot have.
//
//qd:kernel
func refused(t qd.Thread, x []int32, names map[string]int32) {
	i := t.ID()
	go square(1)
	defer square(2)
	seen := map[int32]bool{}
	x[i] = int32(len(seen))
	x = append(x, helper(x[i]))
}

func helper(v int32) int32 {
	c := make(chan int32, 1)
	c <- v
	return <-c
}

//qd:kernel
func noKernel(t qd.Thread, x []string) {}

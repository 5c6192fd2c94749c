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
	x[0] = sent(x[i])
	more := append(x, 1)
	x[1] = more[0]
}

func sent(v int32) int32 {
	c := make(chan int32, 1)
	c <- v
	return <-c
}

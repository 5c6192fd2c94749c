package errors

import "github.com/qdgen/qd"

//qd:kernel
func statements(t qd.Thread, x []int32) {
	go helper(x)    // want "go statements are not supported in a kernel"
	defer helper(x) // want "defer statements are not supported in a kernel"
	i := t.ID()
	switch i {
	case 0:
		x[i] = 1
		fallthrough
	default:
		x[i] = 2
	}
again:
	x[i]++
	if x[i] < 10 {
		goto again
	}
	panic("lost")
}

func helper(x []int32) { x[0] = 1 }

//qd:kernel
func channels(t qd.Thread, c chan int, x []int) { // want "parameter c has type chan int: channels are not supported"
	c <- 1   // want "channels are not supported in a kernel"
	select { // want "channels are not supported in a kernel"
	case v := <-c:
		x[0] = v
	default:
	}
	x[1] = <-c   // want "channels are not supported in a kernel"
	v, ok := <-c // want "channels are not supported in a kernel"
	if ok {
		x[2] = v
	}
	for v := range c {
		x[3] = v
	}
	close(c) // want "channels are not supported"
}

//qd:kernel
func interfaces(t qd.Thread, x []int, v any) { // want "parameter v has type any: interfaces are known at compile time only, by their dynamic types"
	switch v.(type) {
	case int:
	}
	x[0] = v.(int)
	if v == nil {
		return
	}
}

// Unreachable code is checked too.
//
//qd:kernel
func unreachable(t qd.Thread, x []int) {
	return
	x = append([]int(nil), make([]int, 1)[:len(x)]...) // want "a kernel cannot allocate memory: the length of make.* is not known at compile time"
}

// A branch that a constant rules out is not.
//
//qd:kernel
func ruledOut(t qd.Thread, x []int) {
	const debug = false
	if debug {
		x = append(x, 1)
	}
	if !debug {
		x[0] = 1
	} else {
		x = append(x, 1)
	}
}

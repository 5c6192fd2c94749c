// Package rolled has loops that qd.Dynamic keeps, and the same loops without it.
package rolled

import "github.com/qdgen/qd"

//qd:kernel
func unrolled(t qd.Thread, x []float32) {
	s := x[t.ID()]
	for range 4 {
		s = s*s + 3
	}
	x[t.ID()] = s
}

//qd:kernel
func overRange(t qd.Thread, x []float32) {
	s := x[t.ID()]
	for range qd.Dynamic(4) {
		s = s*s + 3
	}
	x[t.ID()] = s
}

//qd:kernel
func ofVariable(t qd.Thread, x []float32) {
	s := x[t.ID()]
	n := qd.Dynamic(3)
	for range n + 1 {
		s = s*s + 3
	}
	x[t.ID()] = s
}

//qd:kernel
func bound(t qd.Thread, x []float32) {
	s := x[t.ID()]
	for i := 0; i < qd.Dynamic(4); i++ {
		s = s*s + 3
	}
	x[t.ID()] = s
}

//qd:kernel
func condition(t qd.Thread, x []float32) {
	s := x[t.ID()]
	for i := 0; qd.Dynamic(i < 4); i++ {
		s = s*s + 3
	}
	x[t.ID()] = s
}

//qd:kernel
func withBreak(t qd.Thread, x []float32) {
	s := x[t.ID()]
	i := 0
	p := &i
	for *p < qd.Dynamic(4) {
		s = s*s + 3
		*p++
	}
	x[t.ID()] = s
}

// ofRuntime has a number of turns that only launches know: a compiler may unroll such a loop in parts.
//
//qd:kernel
func ofRuntime(t qd.Thread, n int, x []float32) {
	s := x[t.ID()]
	for range qd.Dynamic(n) {
		s = s*s + 3
	}
	x[t.ID()] = s
}

package errors

import "github.com/qdgen/qd"

type shape interface{ area() float32 }

// The types that a tool takes for a generic kernel are the first of its constraints.
//
//qd:kernel
func unguessable[S shape](t qd.Thread, s S, x []float32) { // want "kernel unguessable cannot be instantiated: the types of the kernel's parameters do not determine type parameter S"
	x[t.ID()] = s.area()
}

//qd:kernel
func guessed[T qd.Number, S ~[]E, E qd.Float](t qd.Thread, x []T, s S) {
	x[0] = T(len(s))
	defer finish(x) // want "defer statements are not supported in a kernel"
	s[0] = E(cap(s))
}

func finish[T any](x []T) {}

type scaleBy[T qd.Float] struct{ by T }

//qd:kernel
func (s scaleBy[T]) method(t qd.Thread, x []T) { // want "the launch gives no value for receiver s, which the kernel captures"
	x[t.ID()] *= s.by
}

type chain[T any] struct{ v T }

func grow[T any](c chain[T], n int) int { // want "instantiation cycle"
	if n == 0 {
		return 0
	}
	return grow(chain[chain[T]]{}, n-1) // want "recursive call of grow, with other type arguments each time"
}

//qd:kernel
func endless(t qd.Thread, x []int) { x[0] = grow(chain[int]{}, x[0]) }

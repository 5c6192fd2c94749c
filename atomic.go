package qd

import (
	"sync/atomic"
	"unsafe"
)

// Atomic is the type of a variable for atomic operations: any number of 32 or 64 bits.
type Atomic interface {
	AtomicInt | ~float32 | ~float64
}

// AtomicInt is the type of a variable for atomic operations on bits: any
// integer of 32 or 64 bits.
type AtomicInt interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64
}

// AtomicAdd adds v to *p and returns the old value, in one atomic step. Threads add in any
// order, so the last bits of a sum of floats may differ between runs.
func AtomicAdd[T Atomic](p *T, v T) (old T) {
	return update(p, func(old T) T { return old + v })
}

// AtomicMin sets *p to the smaller of *p and v, like the built-in min, and returns the old
// value.
func AtomicMin[T Atomic](p *T, v T) (old T) {
	return update(p, func(old T) T { return min(old, v) })
}

// AtomicMax sets *p to the larger of *p and v, like the built-in max, and returns the old value.
func AtomicMax[T Atomic](p *T, v T) (old T) {
	return update(p, func(old T) T { return max(old, v) })
}

// AtomicAnd sets *p to *p & v and returns the old value.
func AtomicAnd[T AtomicInt](p *T, v T) (old T) {
	return update(p, func(old T) T { return old & v })
}

// AtomicOr sets *p to *p | v and returns the old value.
func AtomicOr[T AtomicInt](p *T, v T) (old T) {
	return update(p, func(old T) T { return old | v })
}

// AtomicXor sets *p to *p ^ v and returns the old value.
func AtomicXor[T AtomicInt](p *T, v T) (old T) {
	return update(p, func(old T) T { return old ^ v })
}

// AtomicExch sets *p to v and returns the old value.
func AtomicExch[T Atomic](p *T, v T) (old T) {
	return update(p, func(T) T { return v })
}

// AtomicCAS sets *p to v if *p is want, and returns the old value. The swap happened if the old
// value is want. Floats are compared by their bits: a NaN can be swapped, and 0 differs from -0.
func AtomicCAS[T Atomic](p *T, want, v T) (old T) {
	for {
		old = atomicLoad(p)
		if !sameBits(old, want) {
			return old
		}
		if atomicSwap(p, old, v) {
			return old
		}
	}
}

// update replaces *p by f(*p) in one atomic step and returns the old value.
func update[T Atomic](p *T, f func(T) T) (old T) {
	for {
		old = atomicLoad(p)
		if atomicSwap(p, old, f(old)) {
			return old
		}
	}
}

// atomicLoad reads *p atomically.
func atomicLoad[T Atomic](p *T) (v T) {
	if unsafe.Sizeof(v) == 4 {
		bits := atomic.LoadUint32((*uint32)(unsafe.Pointer(p)))
		return *(*T)(unsafe.Pointer(&bits))
	}
	bits := atomic.LoadUint64((*uint64)(unsafe.Pointer(p)))
	return *(*T)(unsafe.Pointer(&bits))
}

// atomicSwap sets *p to v if it still holds the bits of old.
func atomicSwap[T Atomic](p *T, old, v T) bool {
	if unsafe.Sizeof(v) == 4 {
		return atomic.CompareAndSwapUint32((*uint32)(unsafe.Pointer(p)), *(*uint32)(unsafe.Pointer(&old)), *(*uint32)(unsafe.Pointer(&v)))
	}
	return atomic.CompareAndSwapUint64((*uint64)(unsafe.Pointer(p)), *(*uint64)(unsafe.Pointer(&old)), *(*uint64)(unsafe.Pointer(&v)))
}

// sameBits reports whether a and b have the same representation.
func sameBits[T Atomic](a, b T) bool {
	if unsafe.Sizeof(a) == 4 {
		return *(*uint32)(unsafe.Pointer(&a)) == *(*uint32)(unsafe.Pointer(&b))
	}
	return *(*uint64)(unsafe.Pointer(&a)) == *(*uint64)(unsafe.Pointer(&b))
}

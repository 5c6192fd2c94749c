package warp

import (
	"fmt"

	"github.com/qdgen/qd"
)

// MadeBetweenLaunches makes kernels between launches. Each is built once, and what is
// loaded stays: nothing that was built before is built or loaded again.
func MadeBetweenLaunches() {
	a := make([]float32, 5)
	for _, c := range []float32{17, 42, -9} {
		k := kernelWithConstant(c)
		check(k.Launch(qd.Dim(len(a)), a))
		fmt.Println(a)
	}
	// Output:
	// [17 17 17 17 17]
	// [59 59 59 59 59]
	// [50 50 50 50 50]
}

// MadeFirst makes all kernels first and builds them at once, in parallel. The launches
// find them.
func MadeFirst() {
	k1 := kernelWithConstant(17)
	k2 := kernelWithConstant(42)
	k3 := kernelWithConstant(-9)
	check(qd.Build(k1, k2, k3))

	a := make([]float32, 5)
	for _, k := range []*qd.Kernel{k1, k2, k3} {
		check(k.Launch(qd.Dim(len(a)), a))
		fmt.Println(a)
	}
	// Output:
	// [17 17 17 17 17]
	// [59 59 59 59 59]
	// [50 50 50 50 50]
}

// A terms has two factors.
type terms[T qd.Number] struct{ a, b T }

func (s terms[T]) product() T { return s.a * s.b }

// A times is a kernel that captures a constant.
type times[T qd.Number] struct{ C T }

//qd:kernel
func (k times[T]) Kernel(t qd.Thread, a []T) {
	i := t.ID()
	a[i] = terms[T]{a[i], k.C}.product()
}

// IdenticalKernels makes the same struct, function and kernel in each turn: they are
// one kernel.
func IdenticalKernels() {
	for range 3 {
		k := times[float32]{3}
		a := []float32{1, 2, 3, 4, 5}
		check(qd.Launch(k, qd.Dim(len(a)), a))
		fmt.Println(a)
	}
	// Output:
	// [3 6 9 12 15]
	// [3 6 9 12 15]
	// [3 6 9 12 15]
}

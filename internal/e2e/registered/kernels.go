// Package registered has kernels and registers its source, as packages with a generated
// file do. Its tests have kernels too.
package registered

import (
	"embed"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

//go:embed [^._]*.go
var source embed.FS

func init() {
	if err := qdreg.Source("github.com/qdgen/qd/internal/e2e/registered", source); err != nil {
		panic(err)
	}
}

// Apply applies a function to the elements of x.
//
//qd:kernel
func Apply(t qd.Thread, f qd.Const[func(int) int], x []int) { x[t.ID()] = f.V(x[t.ID()]) }

// Step calls a method of the elements of x.
//
//qd:kernel
func Step[T interface{ Next() T }](t qd.Thread, x []T) { x[t.ID()] = x[t.ID()].Next() }

// Scaled multiplies by a number.
type Scaled[F interface{ By() int }] struct{ F F }

// Kernel is the kernel.
//
//qd:kernel
func (s Scaled[F]) Kernel(t qd.Thread, x []int) { x[t.ID()] *= s.F.By() }

// Twice is a function for Apply.
func Twice(x int) int { return 2 * x }

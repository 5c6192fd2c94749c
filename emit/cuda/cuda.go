// Package cuda prints SSA as CUDA C++17, for NVRTC.
package cuda

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/ssa"
)

// Emit prints a module. A kernel becomes
//
//	extern "C" __global__ void NAME(const NAME_args args)
//
// launched over a grid and blocks of one dimension with at least as many
// threads as the launch has. Signed integers that may overflow are computed through the
// prelude: in CUDA, unlike in Go, their overflow is undefined.
func Emit(m *ssa.Module, o emit.Options) *emit.Text { return emit.Emit(m, dialect, o) }

//go:embed prelude.h
var prelude string

var dialect = &emit.Dialect{
	Language: "CUDA C++",
	Ext:      ".cu",
	Device:   "__device__ ",
	Builtin:  "::",
	Prelude:  prelude,
	Frame:    []string{"args", "flat"},
	Open:     open,
	Close:    closeKernel,
}

func open(k *emit.Kernel) []string {
	lines := []string{
		fmt.Sprintf(`extern "C" __global__ void %s(const %s args) {`, k.Symbol, k.Args()),
		"    const int64 flat = int64(blockIdx.x) * blockDim.x + threadIdx.x;",
		"    if (flat >= " + threads(k.Func.Rank) + ") return;",
	}
	if k.Thread != "" {
		lines = append(lines, thread(k))
	}
	for _, p := range k.Params {
		if p.Name == "" {
			continue
		}
		constant := ""
		if p.Const {
			constant = "const "
		}
		lines = append(lines, fmt.Sprintf("    %s%s %s = %s;", constant, p.Type, p.Name, p.In("args")))
	}
	return lines
}

// threads is the number of threads of a launch.
func threads(rank int) string {
	if rank == 0 {
		rank = 4 // sizes past the launch's are 1
	}
	var dims []string
	for axis := range rank {
		dims = append(dims, fmt.Sprintf("args.dim[%d]", axis))
	}
	return strings.Join(dims, " * ")
}

// thread declares the kernel's Thread, with the flat index split into those
// along the axes.
func thread(k *emit.Kernel) string {
	ids := make([]string, max(0, k.Func.Rank))
	rest := "flat"
	for axis := k.Func.Rank - 1; axis > 0; axis-- {
		ids[axis] = fmt.Sprintf("modulo(%s, args.dim[%d])", rest, axis)
		rest = fmt.Sprintf("quotient(%s, args.dim[%d])", rest, axis)
	}
	if k.Func.Rank > 0 {
		ids[0] = rest
	}
	return fmt.Sprintf("    const Thread %s%s;", k.Thread, k.ThreadLiteral("flat", ids, "args.dim"))
}

func closeKernel(*emit.Kernel) []string { return []string{"}"} }

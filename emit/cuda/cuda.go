// Package cuda prints SSA as CUDA C++17, for NVRTC.
package cuda

import (
	_ "embed"
	"fmt"
	"strconv"
	"sync"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/emit/prelude"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

//go:embed prelude.h
var ownPieces string

// spread is for matrices in the registers of threads.
//
//go:embed spread.h
var spread string

// stack tells the host how much of a stack to ask the driver for.
var stack = fmt.Sprintf(`
//@ recursion_stack
// Functions call themselves: each thread needs a stack of so many bytes, which the host asks the driver for.
extern "C" {
__device__ unsigned char qd_stack[%d];
}
`, abi.GPUStack)

// device stands before what is declared for the device.
const device = "__device__ "

// Dialect is CUDA C++. A kernel becomes
//
//	extern "C" __global__ void NAME(const NAME_args args)
//
// launched over a grid and blocks of one dimension with at least as many threads as the launch has; of a kernel that is
// the code of a block, over as many blocks as the launch has. A thread finds its indices along the axes from its flat
// one, without a division: 64-bit ones are subroutines of a hundred instructions on a GPU. It multiplies by reciprocals
// of the sizes, which the host computes; see [abi.Divisor]. Indices along axes and sizes are printed as the 32 bits
// that hold them, so that the compiler sees that their products take one multiplication. In a kernel for small launches
// the flat index has 32 bits too. Signed integers that may overflow are computed through the prelude: in CUDA, unlike
// in Go, their overflow is undefined.
var Dialect = &emit.Dialect{
	Language: "CUDA C++",
	Ext:      ".cu",
	Device:   device,
	Prelude: sync.OnceValue(func() *prelude.Library {
		pieces := ownPieces + prelude.Single + prelude.AllInSingle() + spread + stack
		return prelude.New(prelude.Dialect{Pieces: pieces, Device: device, Builtin: "::"})
	}),
	ABI:    abi.GPU,
	Rolled: "#pragma unroll 1",
	Table:  "static ",

	Recursion: "recursion_stack",
	OffsetOf:  "offset_of",
	Frame:     func(*ssa.Func) []string { return []string{"args", "flat"} },
	Block: emit.BlockWords{
		Shared:  func(declared string) string { return "__shared__ " + declared + ";" },
		Scratch: func(declared string) string { return "alignas(16) __shared__ " + declared + ";" },
		Cut: func(elem, name string, at int) string {
			return fmt.Sprintf("%s* const %s = (%s*)(%s + %d);", elem, name, elem, abi.BlockMemoryName, at)
		},
		Zeroed:  true,
		Barrier: "__syncthreads();",
		Loop: func(index, lane, n string, threads int, once bool) string {
			if once { // a thread has one lane or none, which the step says
				return fmt.Sprintf("for (%s %s = threadIdx.x; %s < %s; %s = %s) {", index, lane, lane, n, lane, n)
			}
			if threads > 0 {
				return fmt.Sprintf("for (%s %s = threadIdx.x; %s < %s; %s += %d) {", index, lane, lane, n, lane, threads)
			}
			return fmt.Sprintf("for (%s %s = threadIdx.x; %s < %s; %s += blockDim.x) {", index, lane, lane, n, lane)
		},
		First: "threadIdx.x == 0",
	},
	Open:  open,
	Close: closeKernel,
}

func open(k *emit.Kernel) []string {
	bounds := ""
	if n := k.Func.Threads; n > 0 {
		bounds = fmt.Sprintf("__launch_bounds__(%d) ", n)
	}
	var lines []string
	if k.Memory > 0 {
		lines = append(lines,
			"// The size of this tells the host how much memory a block needs: more than the "+strconv.Itoa(abi.StaticBlockMemory>>10)+" KiB that can be declared.",
			fmt.Sprintf(`extern "C" { __device__ unsigned char %s_%s[%d]; }`, abi.BlockMemoryName, k.Symbol, k.Memory))
	}
	lines = append(lines, fmt.Sprintf(`extern "C" __global__ void %s%s(const %s args) {`, bounds, k.Symbol, k.Args()))
	if k.Func.Threads > 0 { // which the bounds do not tell NVRTC
		lines = append(lines, fmt.Sprintf("    __builtin_assume(threadIdx.x < %d);", k.Func.Threads))
	}
	if k.Memory > 0 {
		lines = append(lines, fmt.Sprintf("    extern __shared__ __align__(16) unsigned char %s[];", abi.BlockMemoryName))
	}
	// All threads of the block make its memory zero, those past the launch too.
	lines = append(lines, k.Shared...)
	if k.Func.Kind == ssa.BlockKernel {
		if k.Thread != "" {
			lines = append(lines, fmt.Sprintf("    const %s %s%s;", k.Place, k.Thread, k.BlockLiteral("blockIdx.x", places(k, "blockIdx.x"))))
		}
	} else {
		if k.Narrow {
			lines = append(lines,
				"    const uint32 flat = blockIdx.x * blockDim.x + threadIdx.x;",
				"    if (flat >= uint32(args.threads)) return;")
		} else {
			lines = append(lines,
				"    const int64 flat = int64(blockIdx.x) * blockDim.x + threadIdx.x;",
				"    if (flat >= args.threads) return;")
		}
		if k.Thread != "" {
			lines = append(lines, fmt.Sprintf("    const %s %s%s;", k.Place, k.Thread,
				k.ThreadLiteral("flat", places(k, "flat"), "uint32(args.dim[%d])", "threadIdx.x", "blockIdx.x", "blockDim.x")))
		}
	}
	for _, p := range k.Params {
		if p.Name == "" {
			continue
		}
		t := p.Type
		switch {
		case p.Const && p.Aggregate && !p.Empty:
			// No copy, which an index that is found at run time would have made in memory.
			t = "const " + t + "&"
		case p.Const:
			t = "const " + t
		}
		lines = append(lines, fmt.Sprintf("    %s %s = %s;", t, p.Name, p.In("args")))
	}
	return lines
}

// places splits a flat index into those along the axes.
func places(k *emit.Kernel, flat string) []string {
	rank := k.Func.Rank
	if rank < 2 {
		return []string{flat}[:rank]
	}
	quotient, modulo := "quotient", "modulo"
	if k.Narrow {
		quotient, modulo = "quotient32", "modulo32"
	}
	ids := make([]string, rank)
	rest := flat
	for axis := rank - 1; axis > 0; axis-- {
		ids[axis] = fmt.Sprintf("%s(%s, args.by[%d])", modulo, rest, axis)
		rest = fmt.Sprintf("%s(%s, args.by[%d])", quotient, rest, axis)
	}
	if !k.Narrow {
		rest = "uint32(" + rest + ")"
	}
	ids[0] = rest
	return ids
}

func closeKernel(*emit.Kernel) []string { return []string{"}"} }

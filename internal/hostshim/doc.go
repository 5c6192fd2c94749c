// Package hostshim makes emitted CUDA code compile as C++ for the host, so that its meaning can be
// tested on machines without a GPU.
//
// The code itself is not changed. A few definitions go in front of it, in place of CUDA's
// predefined names, and a launcher for each kernel goes behind it. Threads run one after the other,
// so atomic operations are plain ones. A program whose threads wait for each other otherwise than at a
// barrier does not end. If the code has barriers, each thread of a block has a stack of its own,
// and a barrier is a switch to the next thread. Assembly becomes calls of functions that do what the manual of PTX
// says, see ptx.h.
package hostshim

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/qdgen/qd/ssa/target/abi"
)

//go:embed shim.h
var front string

//go:embed fibers.h
var fibers string

//go:embed ptx.h
var ptx string

// Wrap gives C++17 text that is made of emitted CUDA text and, for each kernel
// named by its symbol,
//
//	extern "C" void NAME_host(const NAME_args* qd_args, unsigned grid, unsigned block)
//
// which runs all threads of grid blocks of block threads; where no thread waits for others also
//
//	extern "C" void NAME_host_from(const NAME_args* qd_args, unsigned first, unsigned grid, unsigned block)
//
// which runs those of the blocks first to grid-1. It needs the C and math libraries and no header.
func Wrap(text string, kernels ...string) string {
	var b strings.Builder
	text, assembly := withoutAssembly(text)
	b.WriteString(front)
	launch := launcher
	if strings.Contains(text, "__syncthreads") || assembly {
		b.WriteString(fibers)
		if assembly {
			b.WriteString(ptx)
		}
		launch = fiberLauncher
	}
	// A block has as much memory as a GPU has at most.
	text = strings.ReplaceAll(text, "extern __shared__ __align__(16) unsigned char "+abi.BlockMemoryName+"[];", fmt.Sprintf("alignas(16) static thread_local unsigned char %s[%d];", abi.BlockMemoryName, abi.MaxBlockMemory))
	b.WriteString("#line 1 \"kernel.cu\"\n")
	b.WriteString(text)
	for _, k := range kernels {
		b.WriteString(strings.ReplaceAll(launch, "NAME", k))
	}
	return b.String()
}

const launcher = `
extern "C" void NAME_host_from(const NAME_args* qd_args, unsigned first, unsigned grid, unsigned block) {
    gridDim = {grid, 1, 1};
    blockDim = {block, 1, 1};
    for (unsigned b = first; b < grid; b++) {
        for (unsigned t = 0; t < block; t++) {
            blockIdx = {b, 0, 0};
            threadIdx = {t, 0, 0};
            if (_setjmp(shim_jump) == 0) ::NAME(*qd_args);
        }
    }
}
extern "C" void NAME_host(const NAME_args* qd_args, unsigned grid, unsigned block) {
    NAME_host_from(qd_args, 0, grid, block);
}
`

// fiberLauncher runs the threads of a block at once, each until its next barrier.
const fiberLauncher = `
static void NAME_fiber() {
    NAME(*(const NAME_args*)shim_args);
    shim_fiber_end();
}
extern "C" void NAME_host(const NAME_args* qd_args, unsigned grid, unsigned block) {
    gridDim = {grid, 1, 1};
    blockDim = {block, 1, 1};
    shim_args = qd_args;
    shim_run(grid, block, NAME_fiber);
}
`

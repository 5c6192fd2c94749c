// Package hostshim makes emitted CUDA text compile as C++ for the host, so that
// its meaning is tested on machines without a GPU.
//
// The text itself is not touched: a few definitions go in front of it, in place
// of what CUDA predefines, and a launcher for each kernel behind it. Threads run one after the
// other, so atomic operations are plain ones, and a program whose
// threads wait for each other does not end.
package hostshim

import (
	_ "embed"
	"strings"
)

//go:embed shim.h
var front string

// Wrap gives C++17 text that is made of emitted CUDA text and, for each kernel
// named by its symbol,
//
//	extern "C" void NAME_host(const NAME_args* qd_args, unsigned grid, unsigned block)
//
// which runs all threads of grid blocks of block threads. It needs the C and
// math libraries and no header.
func Wrap(text string, kernels ...string) string {
	var b strings.Builder
	b.WriteString(front)
	b.WriteString("#line 1 \"kernel.cu\"\n")
	b.WriteString(text)
	for _, k := range kernels {
		b.WriteString(strings.ReplaceAll(launcher, "NAME", k))
	}
	return b.String()
}

const launcher = `
extern "C" void NAME_host(const NAME_args* qd_args, unsigned grid, unsigned block) {
    gridDim = {grid, 1, 1};
    blockDim = {block, 1, 1};
    for (unsigned b = 0; b < grid; b++) {
        for (unsigned t = 0; t < block; t++) {
            blockIdx = {b, 0, 0};
            threadIdx = {t, 0, 0};
            if (_setjmp(shim_jump) == 0) NAME(*qd_args);
        }
    }
}
`

package compile

import (
	"context"
	"fmt"
	"go/token"
	"strings"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/abi"
)

// blockMemoryCPU is how many bytes of memory the threads of a block may share on a CPU, where it is on the stack of a
// thread.
const blockMemoryCPU = 1 << 20

// fitting returns the stage that refuses kernels that need more memory than a target has, for blocks or on the stack of a
// thread.
func fitting(name string, block, stack int) *Stage {
	return &Stage{
		Name: "fit", Why: fmt.Sprintf("refuse kernels whose blocks share more than %d bytes of memory, or whose threads have variables of more than %d bytes at once", block, stack),
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.NoTiles},
		keeps: true,
		run: func(_ context.Context, u *Unit) error {
			var list diag.List
			for _, k := range u.Module.Device().Kernels() {
				fitBlock(&list, k, name, block)
				fitStack(&list, k, name, stack)
			}
			return list.Err()
		},
	}
}

// fitBlock refuses a kernel whose blocks need more memory than there is.
func fitBlock(list *diag.List, k *ssa.Func, target string, limit int) {
	begins, sum := abi.BlockMemory(k)
	if sum <= limit {
		return
	}
	var parts []string
	for _, in := range k.Body.Instrs {
		if _, ok := begins[in]; ok {
			parts = append(parts, fmt.Sprintf("%d of %v", in.Len, in.Result().Type.(ssa.Slice).Elem))
		}
	}
	list.Add(diag.Diagnostic{
		Pos:  position(k.Decl.Pos),
		Msg:  fmt.Sprintf("the blocks of %s need %d bytes of memory that their threads share, for tiles and qd.Shared (%s elements); a block on %s has at most %d", k.Name, sum, strings.Join(parts, ", "), target, limit),
		Hint: "use shorter tiles, or fewer at the same time: those that are not needed at the same time have the same memory",
	})
}

// fitStack refuses a kernel whose functions have more variables in memory than the stack of a thread has room for.
func fitStack(list *diag.List, k *ssa.Func, on string, limit int) {
	sum, chain := target.Frames(k)
	if sum <= limit {
		return
	}
	largest, bytes := target.LargestFrame(chain)
	list.Add(diag.Diagnostic{
		Pos:  position(k.Decl.Pos),
		Msg:  fmt.Sprintf("the variables of %s and of the functions that it calls in one another, %d functions, need %d bytes of stack, those of %s %d; a thread on %s has at most %d", k.Name, len(chain), sum, largest.Name, bytes, on, limit),
		Hint: "pass large arrays as slices, which are in memory, or use qd.Shared",
	})
}

func position(at ssa.Pos) token.Position {
	return token.Position{Filename: at.File, Line: at.Line, Column: at.Col}
}

// The stages that look at the memory of blocks and threads. A GPU with less memory than the largest ones
// refuses the kernel when it loads it.
var (
	FitCPU = fitting("cpu", blockMemoryCPU, target.CPUFrames)
	FitGPU = fitting("cuda", abi.MaxBlockMemory, abi.GPUFrames)
)

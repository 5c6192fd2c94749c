package compile

import (
	"context"
	"fmt"
	"go/token"
	"strings"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

// blockMemoryCPU is how many bytes of memory the threads of a block may share on a CPU, where it is on the stack of a
// thread.
const blockMemoryCPU = 1 << 20

// fitting returns the stage that refuses kernels whose blocks need more memory than a target has.
func fitting(target string, limit int) *Stage {
	return &Stage{
		Name: "fit", Why: fmt.Sprintf("refuse kernels whose blocks share more than %d bytes of memory", limit),
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.NoTiles},
		keeps: true,
		run: func(_ context.Context, u *Unit) error {
			var list diag.List
			for _, k := range u.Module.Device().Kernels() {
				begins, sum := abi.BlockMemory(k)
				if sum <= limit {
					continue
				}
				var parts []string
				for _, in := range k.Body.Instrs {
					if _, ok := begins[in]; ok {
						parts = append(parts, fmt.Sprintf("%d of %v", in.Len, in.Result().Type.(ssa.Slice).Elem))
					}
				}
				at := k.Decl.Pos
				list.Add(diag.Diagnostic{
					Pos:  token.Position{Filename: at.File, Line: at.Line, Column: at.Col},
					Msg:  fmt.Sprintf("the blocks of %s need %d bytes of memory that their threads share, for tiles and qd.Shared (%s elements); a block on %s has at most %d", k.Name, sum, strings.Join(parts, ", "), target, limit),
					Hint: "use shorter tiles, or fewer at the same time: those that are not needed at the same time have the same memory",
				})
			}
			return list.Err()
		},
	}
}

// The stages that look at the memory of blocks. A GPU with less memory than the largest ones
// refuses the kernel when it loads it.
var (
	FitCPU = fitting("cpu", blockMemoryCPU)
	FitGPU = fitting("cuda", abi.MaxBlockMemory)
)

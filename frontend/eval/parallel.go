package eval

import (
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// TheGrid stands for the value of a kernel's qd.Grid. There is only one grid, so it is never an operand.
var TheGrid = &ssa.Value{Type: gridType{}, Name: "grid"}

// gridType is the type of theGrid alone.
type gridType struct{}

func (gridType) String() string { return "grid" }

// Size implements [ssa.Type].
func (gridType) Size() int { return 0 }

// Align implements [ssa.Type].
func (gridType) Align() int { return 1 }

// A Parallel is the body of a parallel loop that is being lowered.
type Parallel struct {
	Outer   *Parallel // nil, unless it has been refused
	Method  string    // "For"
	Outside map[*types.Var]bool
}

// Declare notes that a variable is declared in the body.
func (p *Parallel) Declare(v *types.Var) {
	if p != nil {
		delete(p.Outside, v)
	}
}

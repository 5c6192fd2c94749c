package shapes

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target/split"
)

// A Decider decides about the kernels of a module. It remembers what it has found of functions, and
// so holds as long as no instruction of the module changes.
type Decider struct {
	m         *ssa.Module // the device's part
	summaries *analysis.Summaries
	table     *Costs
	costs     costModel
	local     *analysis.BottomUp[localMemory]
	ordered   *analysis.BottomUp[bool]   // whether the order of accesses matters: see order.go
	rows      *analysis.BottomUp[bool]   // whether a loop over a row with them may be vectorized: see inline.go
	turned    *analysis.BottomUp[uint64] // parameters of which a column becomes a row: see rows.go
	edges     *analysis.BottomUp[bool]   // whether a function clamps or tests what may be an index: see package split
	roots     ssa.Roots
}

// NewDecider is one that has decided nothing yet; summaries are those of the module's functions, and table
// what things cost.
func NewDecider(m *ssa.Module, summaries *analysis.Summaries, table *Costs) *Decider {
	p := &Decider{m: m.Device(), summaries: summaries, table: table, costs: newCostModel(table), local: analysis.NewBottomUp(localMemoryOf)}
	p.ordered = analysis.NewBottomUp(p.findOrderMatters)
	p.rows = analysis.NewBottomUp(p.findVectorizable)
	p.turned = analysis.NewBottomUp(p.findTurned)
	p.edges = analysis.NewBottomUp(split.Clamps)
	return p
}

// mayStop reports whether running a function may come to a check or a panic.
func (p *Decider) mayStop(f *ssa.Func) bool { return p.summaries.Of(f).Effects.Has(analysis.MayStop) }

package opt

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// MaxRounds bounds how often the pipeline runs over a module.
const MaxRounds = maxRounds

// RunOn applies a pass to a module and reports whether it changed something.
func (p *Pass) RunOn(m *ssa.Module) bool {
	return p.run(m, new(analysis.Summaries), newSettling(pipeline, m))
}

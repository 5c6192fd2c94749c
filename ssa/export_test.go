package ssa

// RandomModule is a random module that is well formed.
func RandomModule(seed uint64) *Module { return randomModule(seed) }

// MaxRounds bounds how often the pipeline runs over a module.
const MaxRounds = maxRounds

// RunOn applies a pass to a module and reports whether it changed something.
func (p *Pass) RunOn(m *Module) bool { return p.run(m) }

// RandomGrid is a random module of a Grid kernel.
func RandomGrid(seed uint64) *Module { return randomGrid(seed) }

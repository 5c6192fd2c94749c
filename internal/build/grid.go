package build

import (
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target/abi"
)

// A Grid describes a Grid kernel for a launch: the host's part, and the kernels of its parallel loops.
type Grid struct {
	Host    *ssa.Func
	ABI     *ABI // of the host's part, which has no symbol
	Kernels map[*ssa.Func]*ABI
	Formats []printf.Format
}

// Formats are those of the module's printf calls.
func (m *Module) Formats() []printf.Format {
	if m.Grid != nil {
		return m.Grid.Formats
	}
	return m.ABI.Formats
}

// gridOf describes a module with a part for the host, and its kernels but for the
// hoisted ones, whose arguments are laid out by the toolchain.
func gridOf(m *ssa.Module, host *ssa.Func, kernels []*ssa.Func, hoisted map[*ssa.Func]*Hoisted, layoutOf func(*ssa.Func) abi.Layout) *Grid {
	layout := abi.HostLayout(host)
	g := &Grid{Host: host, ABI: &ABI{Size: layout.Size, Ordered: analysis.Ordered(append(kernels, host)...)}, Kernels: map[*ssa.Func]*ABI{}, Formats: formatsOf(m)}
	emitted := m.Device() // whose checks are numbered
	for _, k := range kernels {
		g.Kernels[k] = abiOf(emitted, k, hoisted[k], layoutOf(k))
	}
	memory := new(analysis.Summaries).Memory(host)
	for i, p := range host.Params() {
		g.ABI.Params = append(g.ABI.Params, paramOf(p, layout.Offsets[i], memory))
	}
	return g
}

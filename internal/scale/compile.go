package scale

import (
	"fmt"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/emit/cpp"
	"github.com/qdgen/qd/emit/cuda"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/ssa"
)

// Compile takes the kernel of a size through the compiler, up to the emitted text, and
// gives the C++.
func (s Shape) Compile(turns int) (string, error) {
	src := load.Chain(s.Sources(turns), qd.KernelSources())
	prog, err := frontend.Specialize(frontend.Options{Checked: s.Checked}, src, load.Ref{Pkg: "long", Name: "long"})
	if err != nil {
		return "", err
	}
	m := prog.Module
	if err := ssa.Verify(m); err != nil {
		return "", fmt.Errorf("the front end made invalid SSA: %w", err)
	}
	ssa.Optimize(m, nil)
	build.HoistChecks(m)
	text := cpp.Emit(m, emit.Options{}).Source
	cuda.Emit(m, emit.Options{})
	return text, nil
}

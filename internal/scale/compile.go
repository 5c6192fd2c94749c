package scale

import (
	"context"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
)

// Compile takes the kernel of a size through the stages of each target, up to the emitted
// text, and gives the C++. Package qd is as lib has it: this package does not import it, so that it
// need not be built anew to count what the compiler does.
func (s Shape) Compile(turns int, lib load.Sources) (string, error) {
	src := load.Chain(s.Sources(turns), lib)
	var text string
	for _, p := range []compile.Pipeline{compile.CUDA, compile.CPU} {
		u := &compile.Unit{Pipeline: p, Kernel: load.Ref{Pkg: "long", Name: "long"}, Source: src, Options: frontend.Options{Checked: s.Checked, Narrow: true}}
		if err := u.RunTo(context.Background(), compile.Print); err != nil {
			return "", err
		}
		text = u.Text.Source
	}
	return text, nil
}

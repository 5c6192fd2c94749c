package device

import (
	"context"
	"slices"
	"testing"

	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa/gradient"
)

// A notedProgram notes the launches of it.
type notedProgram struct {
	Program
	name string
	log  *[]string
}

func (p notedProgram) Prepare(l Launch) (Runner, error) {
	*p.log = append(*p.log, p.name+" "+l.Dim.String())
	return nil, nil
}

// A launch of a backward kernel gathers over a larger launch, and does the rest. If there can be no larger one, or if
// the conditions do not hold, it gathers nothing: no gradient is lost.
func TestGatheredProgram(t *testing.T) {
	fits := gradient.Conditions{{{{Times: 100}, {Times: -1, Of: []gradient.Number{{Dim: true, Axis: 1}}}}}} // at most 100 columns
	for _, tt := range []struct {
		how  build.Gather
		dim  dims.Dims
		want []string
	}{
		{build.Gather{Flat: true, Before: []int{1}, After: []int{2}}, dims.Of(10), []string{"gather Dim(13)", "rest Dim(10)"}},
		{build.Gather{Flat: true, Before: []int{1}, After: []int{2}}, dims.Of(10, 5), []string{"gather Dim(53)", "rest Dim(10, 5)"}},
		{build.Gather{Flat: true, Before: []int{1}, After: []int{2}}, dims.Of(dims.Max), []string{"scatter Dim(2147483648)"}},
		{build.Gather{Flat: true, Before: []int{0}, After: []int{0}}, dims.Of(dims.Max/2, 4), []string{"scatter Dim(1073741824, 4)"}},
		{build.Gather{Before: []int{1, 0}, After: []int{2, 1}, Holds: fits}, dims.Of(10, 100), []string{"gather Dim(13, 101)", "rest Dim(10, 100)"}},
		{build.Gather{Before: []int{1, 0}, After: []int{2, 1}, Holds: fits}, dims.Of(10, 101), []string{"scatter Dim(10, 101)"}},
		{build.Gather{Before: []int{1, 0}, After: []int{2, 1}, Holds: fits}, dims.Of(dims.Max, 1), []string{"scatter Dim(2147483648, 1)"}},
	} {
		var log []string
		tt.how.Kernel = &build.ABI{Size: 128}
		program := func(name string) Program { return notedProgram{name: name, log: &log} }
		p := &gatheredProgram{how: &tt.how, gather: program("gather"), rest: program("rest")}
		p.scattering.build = func(context.Context) (Program, error) { return program("scatter"), nil }
		threads, problem := tt.dim.Check()
		if problem != "" {
			t.Fatal(problem)
		}
		if _, err := p.Prepare(Launch{Kernel: &kernel.Kernel{Func: new(kernel.Func)}, Dim: tt.dim, Threads: threads}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(log, tt.want) {
			t.Errorf("%v: %q, not %q", tt.dim, log, tt.want)
		}
	}
}

// A launch of the backward kernel of a Block kernel has one more dimension, for the threads of the blocks. Where there
// would be more than a launch can have, it is refused.
func TestBlocksProgram(t *testing.T) {
	for _, tt := range []struct {
		dim  dims.Dims
		want string
	}{
		{dims.Of(3, 4), "blocks Dim(3, 4, 256)"},
		{dims.Of(dims.Max, dims.Max/2), "error"},
		{dims.Of(1, 1, 1, 1), "error"},
	} {
		var log []string
		p := blocksProgram{notedProgram{name: "blocks", log: &log}}
		threads, _ := tt.dim.Check()
		_, err := p.Prepare(Launch{Kernel: &kernel.Kernel{Func: new(kernel.Func)}, Dim: tt.dim, Threads: threads})
		if err != nil {
			log = append(log, "error")
		}
		if !slices.Equal(log, []string{tt.want}) {
			t.Errorf("%v: %q, error %v, want %q", tt.dim, log, err, tt.want)
		}
	}
}

package build

import (
	"context"
	"fmt"
	"strings"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/target/abi"
)

// Gradient is a toolchain that builds the backward kernel in the place of the kernel.
type Gradient struct {
	Toolchain
	Options gradient.Options
}

// Pipeline implements [Toolchain].
func (t Gradient) Pipeline() compile.Pipeline { return t.Toolchain.Pipeline().GradientOf(t.Options) }

// Await is that of the toolchain for kernels.
func (t Gradient) Await(ctx context.Context) error { return await(ctx, t.Toolchain) }

// Identity implements [Toolchain].
func (t Gradient) Identity() string {
	id := t.Toolchain.Identity() + "," + strings.ReplaceAll(gradient.Suffix(t.Options.All()), ".", " ")
	if t.Options.Overlap {
		id += " of slices that overlap"
	}
	if c := t.Options.Constants; c != 0 {
		id += fmt.Sprintf(" with constants %b", c)
	}
	if t.Options.Scatter {
		id += " that scatters"
	}
	if t.Options.Batches {
		id += " for batches of threads"
	}
	if n := t.Options.Strip; n != 0 {
		id += fmt.Sprintf(" in strips of %d turns", n)
	}
	return id
}

// Backward tells a launch about a backward kernel what its ABI does not.
type Backward struct {
	Params    int      // of the kernel that it is for: its own are those, then gradients, then tapes, then what tells a batch
	Gradients []int    // the places, among these parameters, of those that have a gradient
	Copies    []int    // and of those whose memory the backward kernel writes again, and Count too: see [gradient.Backward]
	After     []int    // and of those whose memory it needs as it is after the launch; that of others as before
	Tapes     []string // the elements of the slices that values are kept in: "float32"
	Batched   bool     // it is for a batch of threads: see [gradient.Backward]
	Blocks    bool     // it is for the threads of blocks: see [gradient.Backward]
	Count     *ABI     // of the kernel that counts them, nil if there are none
	Gather    *Gather  `json:",omitempty"` // what is launched instead of it, or before it; nil for nothing
}

// Gather describes a [gradient.Gather].
type Gather struct {
	Kernel        *ABI
	Rest          *ABI  // of the kernel that does the rest, nil if there is none
	Before, After []int // how much larger the launch of Kernel is, along each axis, before the first thread and after the last
	Flat          bool  // it is over one dimension
	Holds         gradient.Conditions
}

// gatherOf describes the kernels that gather in a module, nil for none.
func gatherOf(m *ssa.Module, g *gradient.Gather, layoutOf func(*ssa.Func) abi.Layout) *Gather {
	if g == nil {
		return nil
	}
	made := &Gather{Kernel: abiOf(m, g.Kernel, nil, layoutOf(g.Kernel)), Before: g.Before, After: g.After, Flat: g.Flat, Holds: g.Holds}
	if g.Rest != nil {
		made.Rest = abiOf(m, g.Rest, nil, layoutOf(g.Rest))
	}
	return made
}

// kernels are the ABIs of the kernels of a gather.
func (g *Gather) kernels() (list []*ABI) {
	if g != nil {
		list = append(list, g.Kernel)
		if g.Rest != nil {
			list = append(list, g.Rest)
		}
	}
	return list
}

// withoutPositions returns it without the positions of checks in the source.
func (g *Gather) withoutPositions() *Gather {
	if g == nil {
		return nil
	}
	own := *g
	own.Kernel, own.Rest = g.Kernel.withoutPositions(), g.Rest.withoutPositions()
	return &own
}

// batchParams is the number of parameters that describe a batch of threads.
const batchParams = 5

// Given are the parameters of a backward kernel that a launch of it is given: not those for what it keeps.
func (b *Backward) Given(abi *ABI) []Param { return abi.Params[:b.Params+len(b.Gradients)] }

// backwardOf describes a backward kernel of a module. For one of a Grid kernel there is no ABI.
func backwardOf(m *ssa.Module, b *gradient.Backward, layoutOf func(*ssa.Func) abi.Layout) (*ABI, *Backward) {
	if b.Kernel.Kind == ssa.GridKernel { // what its parts need, their launches know
		return nil, &Backward{Params: len(b.Kernel.Params()) - len(b.Gradients), Gradients: b.Gradients, Copies: b.Copies}
	}
	kernel := abiOf(m, b.Kernel, nil, layoutOf(b.Kernel))
	back := &Backward{Params: len(kernel.Params) - len(b.Gradients) - len(b.Tapes), Batched: b.Batched, Blocks: b.Blocks}
	if b.Batched {
		back.Params -= batchParams
	}
	for _, i := range b.Gradients {
		back.Gradients = append(back.Gradients, i-1) // without the Thread
	}
	for _, i := range b.Copies {
		back.Copies = append(back.Copies, i-1)
	}
	for _, i := range b.After {
		back.After = append(back.After, i-1)
	}
	for _, t := range b.Tapes {
		back.Tapes = append(back.Tapes, t.String())
	}
	if b.Count != nil {
		back.Count = abiOf(m, b.Count, nil, layoutOf(b.Count))
	}
	back.Gather = gatherOf(m, b.Gather, layoutOf)
	return kernel, back
}

// A Differentiated is a backward kernel as SSA, for a device that interprets it.
type Differentiated struct {
	*compile.Unit
	ABI      *ABI  // nil for a Grid kernel
	Grid     *Grid // of a Grid kernel
	Backward *Backward
}

// Differentiate makes the backward kernel of a kernel of the running program, without compiling it.
func (b *Builder) Differentiate(src load.Sources, ref load.Ref, opts Options, o gradient.Options) (*Differentiated, error) {
	u, err := b.take(compile.Go.GradientOf(o), src, ref, opts)
	if err != nil {
		return nil, err
	}
	d := &Differentiated{Unit: u}
	d.ABI, d.Backward = backwardOf(u.Module, u.Backward, abi.CPU.Args)
	d.Grid = interpretedGrid(u.Module)
	return d, nil
}

// Interpreted describes the kernel of a module that [Builder.Lower] has made, for a device that interprets it: a Grid
// kernel by a Grid, another one by an ABI.
func Interpreted(m *ssa.Module) (*ABI, *Grid) {
	if g := interpretedGrid(m); g != nil {
		return nil, g
	}
	k := m.Kernels()[0]
	return abiOf(m, k, nil, abi.CPU.Args(k)), nil
}

func interpretedGrid(m *ssa.Module) *Grid {
	host := m.Host()
	if host == nil {
		return nil
	}
	return gridOf(m, host, m.Device().Kernels(), nil, abi.CPU.Args)
}

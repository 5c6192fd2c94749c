package compile

import (
	"context"
	"fmt"
	"slices"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/emit/cpp"
	"github.com/qdgen/qd/emit/cuda"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/shapes"
)

// The front end.
var (
	Load = &Stage{
		Name: "load", Why: "find, parse and type-check what the kernel reaches",
		quiet: true,
		run: func(_ context.Context, u *Unit) error {
			if u.specializing == nil {
				u.specializing = frontend.NewSpecializing(u.Options)
			}
			check := u.Check
			if check == nil {
				check = func(also load.Also) (*load.Program, error) { return load.CheckWith(u.Source, also, u.Kernel) }
			}
			return u.specializing.Load(check)
		},
	}

	Lower = &Stage{
		Name: "lower", Why: "make SSA of the kernel for its types and constants; where that brings in more source, load that too",
		Gives: []*ssa.Invariant{ssa.WellFormed},
		run: func(_ context.Context, u *Unit) error {
			again, err := u.specializing.Lower()
			if again {
				return errAgain
			}
			u.Specialized = u.specializing.Specialized()
			u.Module = u.Specialized.Module
			return err
		},
	}

	Outline = &Stage{
		Name: "outline", Why: "make kernels of the bodies of a Grid kernel's parallel loops: what is left is the host's",
		Needs: []*ssa.Invariant{ssa.WellFormed}, Gives: []*ssa.Invariant{ssa.Outlined},
		run: func(_ context.Context, u *Unit) error { target.Outline(u.Module); return nil },
	}
)

// What is the same for all targets.
var (
	Optimize = &Stage{
		Name: "optimize", Why: "compute and prove what can be, and leave out what is not needed",
		Needs:  []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		Passes: opt.Passes(),
		run: func(_ context.Context, u *Unit) error {
			// What the front end has made depends on what users write: it is verified each time.
			if err := ssa.Verify(u.Module); err != nil {
				panic(fmt.Sprintf("BUG: the front end made invalid SSA of %s.%s: %v", u.Module.Pkg, u.Module.Name, err))
			}
			u.optimize(u.Module)
			return nil
		},
	}

	Blame = &Stage{
		Name: "blame", Why: "make what fails in a library's functions a fault of the user's code that calls them",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		keeps: true,
		run: func(_ context.Context, u *Unit) error {
			if opt.Blame(u.Module) {
				u.known = new(analysis.Summaries)
			}
			return nil
		},
	}

	HoistChecks = &Stage{
		Name: "hoist", Why: "make a second kernel without the checks that a launch can answer for all of its threads at once",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		keeps: true,
		run: func(_ context.Context, u *Unit) error {
			for _, k := range u.Module.Device().Kernels() {
				fast, when := target.HoistChecks(k)
				if fast == nil {
					continue
				}
				u.Hoisted = append(u.Hoisted, Hoisted{Kernel: k, Fast: fast, When: when})
				u.Module.Funcs = slices.Insert(u.Module.Funcs, slices.Index(u.Module.Funcs, k)+1, fast)
			}
			return nil
		},
	}

	Settle = &Stage{
		Name: "settle", Why: "optimize these second kernels, in which more is known without the checks",
		Needs:  []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		Passes: opt.Passes(),
		keeps:  true,
		run: func(_ context.Context, u *Unit) error {
			for _, h := range u.Hoisted {
				u.optimize(&ssa.Module{Name: u.Module.Name, Pkg: u.Module.Pkg, Funcs: []*ssa.Func{h.Fast}})
			}
			return nil
		},
	}
)

// What one target needs.
var (
	Number = &Stage{
		Name: "number", Why: "give checks and panics the numbers by which a fault record names them",
		Needs: []*ssa.Invariant{ssa.WellFormed}, Gives: []*ssa.Invariant{ssa.Numbered},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { target.NumberChecks(u.Module); return nil },
	}

	PlaceLanes = &Stage{
		Name: "place", Why: "decide which arrays for the threads of a block have no room on the stack",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.OneAfterTheOther},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { target.PlaceLanes(u.Module, u.known); return nil },
	}

	Cooperate = &Stage{
		Name: "cooperate", Why: "in the code of a block, have one thread do for all what is done to memory that they share",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { target.Cooperate(u.Module, u.known); return nil },
	}

	Fission = &Stage{
		Name: "fission", Why: "split kernels at their barriers into loops over the threads of a block, which run one after the other",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.Outlined}, Gives: []*ssa.Invariant{ssa.OneAfterTheOther},
		keeps: true,
		run: func(_ context.Context, u *Unit) error {
			for _, f := range u.Module.Kernels() {
				if f.Kind == ssa.ThreadKernel && u.known.Of(f).Block {
					replace(f, target.Fission(f))
					u.known.Changed(f)
				}
			}
			return nil
		},
	}
)

// How a CPU runs threads in loops, see package shapes.
var (
	Split = &Stage{
		Name: "split", Why: "split rows of threads where clamps and tests of indices at the edges change, for the interior to be vectorized",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.OneAfterTheOther},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { u.decider().Split(); return nil },
	}

	Tile = &Stage{
		Name: "tile", Why: "run threads that compute much from one element each in tiles, whose numbers are transposed",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.OneAfterTheOther},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { u.decider().Tile(); return nil },
	}

	Vectorize = &Stage{
		Name: "vectorize", Why: "decide what the compiler is told of the loops over threads, and read matrices by rows where these have no vectors",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.OneAfterTheOther},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { u.decider().Vectorize(); return nil },
	}

	Inline = &Stage{
		Name: "inline", Why: "decide which calls must not stay in loops over threads, which would not be vectorized for them",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.OneAfterTheOther},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { u.decider().Inline(); return nil },
	}
)

// legalizing is the stage that decides how a machine does what Go says.
func legalizing(machine target.Machine, needs ...*ssa.Invariant) *Stage {
	return &Stage{
		Name: "legalize", Why: "decide which arithmetic needs no care for overflow or its divisor, and which functions may have aggregates by reference",
		Needs: append(needs, ssa.WellFormed, ssa.Outlined), Gives: []*ssa.Invariant{ssa.Legal},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { target.Legalize(u.Module, machine, u.known); return nil },
	}
}

// The stages that legalize.
var (
	LegalizeCPU = legalizing(target.CPU, ssa.OneAfterTheOther)
	LegalizeGPU = legalizing(target.GPU)
)

// decider is what decides about the module as it stands.
func (u *Unit) decider() *shapes.Decider {
	if u.deciding == nil {
		u.deciding = shapes.NewDecider(u.Module, u.known)
	}
	return u.deciding
}

// replace puts a function in the place of another one, for all who know that one.
func replace(f, by *ssa.Func) {
	*f = *by
	own(f.Body, f)
}

func own(b *ssa.Block, f *ssa.Func) {
	b.Func = f
	for _, in := range b.Instrs {
		for _, nested := range in.Blocks {
			own(nested, f)
		}
	}
}

// nameStage is the name of the stages that name.
const nameStage = "name"

// naming is the stage that names what a module has in a dialect.
func naming(d *emit.Dialect, needs ...*ssa.Invariant) *Stage {
	return &Stage{
		Name: nameStage, Why: "give functions, types and variables their names in " + d.Language,
		Needs: append(needs, ssa.WellFormed, ssa.Outlined, ssa.Numbered, ssa.Legal),
		quiet: true,
		keeps: true,
		run: func(_ context.Context, u *Unit) error {
			u.Named = emit.Name(d, u.known, append([]*ssa.Module{u.Module}, u.beside...)...)
			return nil
		},
	}
}

// From names to an artifact.
var (
	NameCPP   = naming(cpp.Clang, ssa.OneAfterTheOther)
	NamePlain = naming(cpp.Plain, ssa.OneAfterTheOther)
	NameCUDA  = naming(cuda.Dialect)

	Print = &Stage{
		Name: "print", Why: "write the text, as a person would have",
		quiet: true,
		run: func(_ context.Context, u *Unit) error {
			u.Text = u.Named.Print(u.Print)
			return nil
		},
	}

	Build = &Stage{
		Name: "build", Why: "have the target's compiler make of it what a device loads",
		quiet: true,
		run: func(ctx context.Context, u *Unit) (err error) {
			u.Artifact.Data, u.Artifact.Ext, err = u.Compile.Compile(ctx, u.Kernel.Name, u.Text)
			return err
		},
	}
)

// A Compiler makes an artifact of emitted text; ext is its file's ending. An error is an *Error when the
// compiler refuses the text.
type Compiler interface {
	Compile(ctx context.Context, name string, text *emit.Text) (data []byte, ext string, err error)
}

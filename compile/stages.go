package compile

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/emit/cpp"
	"github.com/qdgen/qd/emit/cuda"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/abi"
	"github.com/qdgen/qd/ssa/target/declare"
	"github.com/qdgen/qd/ssa/target/hint"
	"github.com/qdgen/qd/ssa/target/outofssa"
	"github.com/qdgen/qd/ssa/target/split"
	"github.com/qdgen/qd/ssa/target/tiles"
	"github.com/qdgen/qd/ssa/target/widen"
)

// The front end.
var (
	Load = &Stage{
		Name: "load", Why: "find, parse and type-check what the kernel reaches",
		quiet: true,
		run: func(_ context.Context, u *Unit) error {
			if u.specializing == nil {
				options := u.Options
				options.Remark = u.Remarks
				u.specializing = frontend.NewSpecializing(options)
			}
			check := u.Check
			if check == nil {
				check = func(also load.Also) (*load.Program, error) { return load.CheckWith(u.Source, also, u.Kernel) }
			}
			return u.specializing.Load(check)
		},
	}

	Lower = &Stage{
		Name: "lower", Why: "translate the kernel to SSA, for its types and constants; load more source if it needs more",
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

	Tiles    = lowering(target.CPUStack, func(*Unit) tiles.Machine { return tiles.AnyMachine })
	TilesCPU = lowering(target.CPUStack, func(*Unit) tiles.Machine { return tiles.CPU }) // where vectors can be printed
	TilesGPU = lowering(abi.GPUStack, func(u *Unit) tiles.Machine {
		return tiles.GPU(cmp.Or(u.Options.BlockDim, ssa.DefaultBlockDim), u.Options.Stages)
	})

	Outline = &Stage{
		Name: "outline", Why: "turn the bodies of a Grid kernel's parallel loops into kernels; the host runs the rest",
		Needs: []*ssa.Invariant{ssa.WellFormed}, Gives: []*ssa.Invariant{ssa.Outlined},
		run: func(_ context.Context, u *Unit) error {
			if target.Outline(u.Module) {
				u.verified = false
			}
			return nil
		},
	}
)

// lowering is the stage that removes tiles. It comes before all passes, so that none of them needs to know of tiles. In
// checked builds it bounds recursion by the stack of the machine.
func lowering(stack int, machine func(*Unit) tiles.Machine) *Stage {
	return &Stage{
		Name: "tiles", Why: "turn tiles into memory of the block and loops over its lanes",
		Needs: []*ssa.Invariant{ssa.WellFormed}, Gives: []*ssa.Invariant{ssa.NoTiles},
		run: func(_ context.Context, u *Unit) error {
			u.verify()
			if tiles.Lower(u.Module, machine(u), u.Remarks) {
				u.verified = false
			}
			if u.Options.Checked {
				target.BoundDepth(u.Module, stack)
				u.verified = false
			}
			return nil
		},
	}
}

// verify verifies the module, unless nothing has changed since the last time. The output of the front end depends on the
// user's code, so it is verified in each compilation.
func (u *Unit) verify() {
	if u.verified {
		return
	}
	if err := ssa.Verify(u.Module); err != nil {
		panic(fmt.Sprintf("BUG: the front end made invalid SSA of %s.%s: %v", u.Module.Pkg, u.Module.Name, err))
	}
	u.verified = true
}

// settle runs the passes over functions that a stage has changed.
func (u *Unit) settle(changed []*ssa.Func) {
	for _, f := range changed {
		u.summaries.Changed(f)
	}
	opt.Settle(changed, u.summaries, u.step)
}

// Target-independent stages.
var (
	Optimize = &Stage{
		Name: "optimize", Why: "fold constants, prove checks, and remove unused code",
		Needs:  []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		Passes: opt.Passes(),
		run: func(_ context.Context, u *Unit) error {
			u.verify()
			opt.OptimizeWith(u.Module, u.summaries, u.step)
			return nil
		},
	}

	Blame = &Stage{
		Name: "blame", Why: "report faults in library functions at the user's code that calls them",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		keeps: true,
		run: func(_ context.Context, u *Unit) error {
			if opt.Blame(u.Module) {
				u.forget()
			}
			return nil
		},
	}

	Forget = &Stage{
		Name: "forget", Why: "drop the functions that only a gradient needs: derivatives that the user has written",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { u.Module.DropCompanions(); return nil },
	}

	Fuse = &Stage{
		Name: "fuse", Why: "make one operation of x*y + z, in builds that ask for it",
		Needs:  []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		Passes: opt.FuncPasses(),
		keeps:  true,
		run: func(_ context.Context, u *Unit) error {
			if !u.Module.Fused {
				return nil
			}
			var changed []*ssa.Func
			for _, f := range u.Module.Device().Funcs {
				if opt.Fuse(f) {
					changed = append(changed, f)
				}
			}
			u.settle(changed)
			return nil
		},
	}

	HoistChecks = &Stage{
		Name: "hoist", Why: "make a second version of a kernel without the checks that the launch can decide for all threads at once",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		keeps: true,
		run: func(_ context.Context, u *Unit) error {
			for _, k := range u.Module.Device().Kernels() {
				k.Blocked = abi.Blocked(k, u.summaries) // its copy takes the same arguments, though it may ask for no block any more
				fast, when := target.HoistChecks(k, u.summaries)
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
		Name: "settle", Why: "optimize these second versions, where the missing checks allow more",
		Needs:  []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		Passes: opt.FuncPasses(),
		keeps:  true,
		run: func(_ context.Context, u *Unit) error {
			for _, h := range u.Hoisted {
				opt.Settle([]*ssa.Func{h.Fast}, u.summaries, u.step)
			}
			return nil
		},
	}
)

// Stages for one target.
var (
	Number = &Stage{
		Name: "number", Why: "number checks and panics, so that a fault record can name them",
		Needs: []*ssa.Invariant{ssa.WellFormed}, Gives: []*ssa.Invariant{ssa.Numbered},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { target.NumberChecks(u.Module); return nil },
	}

	PlaceLanes = &Stage{
		Name: "place", Why: "decide which arrays for the threads of a block are too large for the stack",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.OneAfterTheOther},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { target.PlaceLanes(u.Module, u.summaries); return nil },
	}

	Cooperate = &Stage{
		Name: "cooperate", Why: "in Block kernels, let one thread do the operations on memory that all threads share",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.Outlined},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { target.Cooperate(u.Module, u.summaries); return nil },
	}

	Fission = &Stage{
		Name: "fission", Why: "split kernels at their barriers into loops over the threads of a block",
		Needs: []*ssa.Invariant{ssa.WellFormed, ssa.Outlined}, Gives: []*ssa.Invariant{ssa.OneAfterTheOther},
		keeps: true,
		run: func(_ context.Context, u *Unit) error {
			for _, f := range u.Module.Kernels() {
				if abi.Blocked(f, u.summaries) {
					replace(f, target.Fission(f))
					u.summaries.Changed(f)
				}
			}
			return nil
		},
	}
)

// Rows is for CPUs, which run threads in loops, as is Split.
var Rows = &Stage{
	Name: "rows", Why: "run the threads of a launch over one dimension in rows where kernels take their index apart into a row and a column",
	Needs:  []*ssa.Invariant{ssa.WellFormed, ssa.OneAfterTheOther},
	Passes: opt.FuncPasses(),
	keeps:  true,
	run: func(_ context.Context, u *Unit) error {
		var changed []*ssa.Func
		for _, k := range u.Module.Device().Kernels() {
			if split.CPU.Rows(k, u.summaries) {
				changed = append(changed, k)
			}
		}
		opt.Settle(changed, u.summaries, u.step)
		return nil
	},
}

// Split finds the interior of rows.
var Split = &Stage{
	Name: "split", Why: "split rows of threads into edges and interior, so that the interior is vectorized without clamps and tests of indices",
	Needs:  []*ssa.Invariant{ssa.WellFormed, ssa.OneAfterTheOther},
	Passes: opt.FuncPasses(),
	keeps:  true,
	run: func(_ context.Context, u *Unit) error {
		found := split.CPU.NewKernels(u.summaries, u.Pipeline.Vectors != nil)
		var worth, inlined []*ssa.Func
		unrolled := make(map[*ssa.Func]bool)
		for _, k := range u.Module.Device().Kernels() {
			if !found.Worth(k) {
				continue
			}
			worth = append(worth, k)
			if found.IsUnrolled(k) {
				unrolled[k] = true
			}
			if wanted := found.Inlined(k); wanted != nil && opt.Inline(k, u.summaries, wanted) {
				u.summaries.Changed(k)
				inlined = append(inlined, k)
			}
		}
		opt.Settle(inlined, u.summaries, u.step)
		var interiors []*ssa.Func
		for _, k := range worth {
			if split.CPU.Row(k, unrolled[k], u.Remarks) {
				u.Module.Funcs = slices.Insert(u.Module.Funcs, slices.Index(u.Module.Funcs, k), k.Interior.Inside)
				interiors = append(interiors, k.Interior.Inside)
			}
		}
		opt.Settle(interiors, u.summaries, u.step)
		u.Module.DropUnreached()
		return nil
	},
}

// Lanes is the number of lanes that Widen gives each kernel that can have vectors. If it is 0, Widen decides. Tests set
// QD_LANES to compare the results of all widths. Users can set it too, if they doubt a result. WrongLanes is the error
// of a text that is no such number, nil if there is none.
var Lanes, WrongLanes = lanes(os.Getenv("QD_LANES"))

// lanes parses a number of lanes that vectors can have, 0 for no text.
func lanes(text string) (int, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || !ssa.IsLanes(n) {
		return 0, fmt.Errorf("QD_LANES=%s: use a power of 2 from 1 to 256", text)
	}
	return n, nil
}

// Widen runs threads in the lanes of vectors.
var Widen = &Stage{
	Name: "widen", Why: "run threads in the lanes of vectors, those in the interior of a row too, unless vectors do not pay",
	Needs: []*ssa.Invariant{ssa.WellFormed, ssa.OneAfterTheOther},
	keeps: true,
	run: func(_ context.Context, u *Unit) error {
		if WrongLanes != nil {
			return WrongLanes
		}
		d := &widen.Widener{Summaries: u.summaries, Table: u.Pipeline.Vectors, Lanes: Lanes}
		for _, h := range u.Hoisted {
			d.Alone(h.Kernel, "a launch whose checks cannot fail runs the kernel without them, and this one seldom runs")
		}
		for _, k := range u.Module.Device().Kernels() {
			if k.Wide != nil {
				continue
			}
			made := d.Fors(k)
			if len(made) > 0 {
				u.summaries.Changed(k)
			}
			made = append(made, d.Kernel(k)...)
			u.Module.Funcs = slices.Insert(u.Module.Funcs, slices.Index(u.Module.Funcs, k), made...)
			if made := d.Interior(k); len(made) > 0 {
				u.Module.Funcs = slices.Insert(u.Module.Funcs, slices.Index(u.Module.Funcs, k.Interior.Inside), made...)
			}
		}
		return nil
	},
}

// threadsOf are the functions whose threads a kernel's loops run one by one: itself, and the interior of its rows.
func threadsOf(k *ssa.Func) []*ssa.Func {
	if k.Interior != nil {
		return []*ssa.Func{k, k.Interior.Inside}
	}
	return []*ssa.Func{k}
}

// Hint is for compilers that find vectors themselves where Widen leaves them something to do.
var Hint = &Stage{
	Name: "hint", Why: "tell the compiler what is known of the loops whose vectors it finds itself, put functions in the place of calls that it would leave there, and read matrices by rows where threads run in no vectors",
	Needs:  []*ssa.Invariant{ssa.WellFormed, ssa.OneAfterTheOther},
	Passes: opt.FuncPasses(),
	keeps:  true,
	run: func(_ context.Context, u *Unit) error {
		var wanted, inlined []*ssa.Func
		for _, k := range u.Module.Device().Kernels() {
			hint.Loops(k, u.summaries)
			for _, f := range threadsOf(k) {
				if f.Vector.Has(ssa.VectorWanted) {
					wanted = append(wanted, f)
				}
			}
		}
		if len(wanted) > 0 {
			sites := hint.SitesOf(u.Module)
			for _, f := range wanted {
				if sites.Stay(f) && opt.Inline(f, u.summaries, func(*ssa.Instr) bool { return true }) {
					u.summaries.Changed(f)
					inlined = append(inlined, f)
				}
			}
		}
		if len(inlined) > 0 {
			opt.Settle(inlined, u.summaries, u.step)
			u.Module.DropUnreached()
		}
		rows := hint.NewRows()
		for _, k := range u.Module.Device().Kernels() {
			for _, f := range threadsOf(k) {
				if f.Wide == nil || f.Wide.By == nil {
					rows.Of(f)
				}
			}
		}
		return nil
	},
}

// legalizing is the stage that decides how a machine implements Go's semantics.
func legalizing(machine target.Machine, needs ...*ssa.Invariant) *Stage {
	return &Stage{
		Name: "legalize", Why: "choose the arithmetic that needs no handling of overflow or zero divisors, and the functions that take aggregates by reference; drop atomic operations on memory that one thread owns, and values without size",
		Needs: append(needs, ssa.WellFormed, ssa.Outlined), Gives: []*ssa.Invariant{ssa.Legal},
		keeps: true,
		run:   func(_ context.Context, u *Unit) error { target.Legalize(u.Module, machine, u.summaries); return nil },
	}
}

// The stages that legalize.
var (
	LegalizeCPU = legalizing(target.CPU, ssa.OneAfterTheOther)
	LegalizeGPU = legalizing(target.GPU)
)

// replace overwrites f with another function, so that all references to f now see that one.
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

// OutOfSSA is the stage after which nothing is left to decide but names.
var OutOfSSA = &Stage{
	Name: "outofssa", Why: "choose which values share variables, where these are declared, and which instructions are expressions; turn block arguments into assignments",
	Needs: []*ssa.Invariant{ssa.WellFormed, ssa.Outlined, ssa.Numbered, ssa.Legal},
	keeps: true,
	same:  true,
	run: func(_ context.Context, u *Unit) error {
		u.written = outofssa.Module(u.Module, u.summaries)
		return nil
	},
}

// printable is the unit's module in the form in which it is printed.
func (u *Unit) printable(d *emit.Dialect) *emit.Module {
	return &emit.Module{SSA: u.Module, Funcs: u.written, Declared: declare.Find(u.Module.Device(), d.ABI, u.summaries)}
}

// nameStage is the name of the naming stages.
const nameStage = "name"

// naming is the stage that chooses the names for a module in a dialect.
func naming(d *emit.Dialect, needs ...*ssa.Invariant) *Stage {
	return &Stage{
		Name: nameStage, Why: "choose the names of functions, types and variables in " + d.Language,
		Needs: append(needs, ssa.WellFormed, ssa.Outlined, ssa.Numbered, ssa.Legal),
		quiet: true,
		keeps: true,
		run: func(_ context.Context, u *Unit) error {
			units := u.together
			if units == nil {
				units = []*Unit{u}
			}
			modules := make([]*emit.Module, len(units))
			for i, u := range units {
				modules[i] = u.printable(d)
			}
			u.Named = emit.Name(d, modules...)
			return nil
		},
	}
}

// Stages that name, print and compile.
var (
	NameCPP   = naming(cpp.Clang, ssa.OneAfterTheOther)
	NamePlain = naming(cpp.Plain, ssa.OneAfterTheOther)
	NameCUDA  = naming(cuda.Dialect)

	Print = &Stage{
		Name: "print", Why: "print readable code",
		quiet: true,
		run: func(_ context.Context, u *Unit) error {
			u.Text = u.Named.Print(u.Print)
			return nil
		},
	}

	Build = &Stage{
		Name: "build", Why: "compile the code with the target's compiler",
		quiet: true,
		run: func(ctx context.Context, u *Unit) (err error) {
			u.Artifact.Data, u.Artifact.Ext, err = u.Compile.Compile(ctx, u.Kernel.Name, u.Text)
			return err
		},
	}
)

// A Compiler compiles emitted code to an artifact; ext is the extension of its file. The error is an *Error if
// the compiler rejects the code.
type Compiler interface {
	Compile(ctx context.Context, name string, text *emit.Text) (data []byte, ext string, err error)
}

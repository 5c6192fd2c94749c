package qd

import (
	"reflect"
	"time"

	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/launch"
	"github.com/qdgen/qd/internal/runtime/tune"
)

// A Tuned is a kernel that runs with the fastest of several configurations, see [Tune]. It is safe for use by several
// goroutines at once.
type Tuned struct{ core any } // *tune.Tuner, see opaque.go

// Tune makes a kernel that is run with the fastest of several configurations. A configuration is a value for the
// kernel's parameter of type [Const] of C: block sizes, unrolling, the way to do something.
//
//	mm := qd.Tune(matmul, []Config{{64, 64, 32}, {128, 64, 32}},
//		qd.TuneKey("x", "y"),
//		qd.TuneGrid(func(c Config, a qd.Args) qd.Dims {
//			return qd.Dim(qd.CeilDiv(a.Dim("z", 0), c.M), qd.CeilDiv(a.Dim("z", 1), c.N))
//		}))
//	err := mm.Run(x, y, z)
//
// The first run for a key builds all configurations, and times each of them several times on the arguments of the
// run. What the kernel writes is put back after each of these trials, so the kernel may work in place; what it prints
// is printed each time. A configuration that cannot be built or launched is left out, with a warning. The times are
// kept in the cache with the code that was measured: after an edit of the kernel they are measured again, and a new
// configuration measures only itself. Where that takes long, a bar on the terminal shows how far it is.
// "qdgen cache list --tuned" shows the times. QD_TUNE=off takes the first configuration and measures nothing;
// QD_TUNE=force measures all anew.
func Tune[C comparable](kernel any, configs []C, options ...TuneOption) *Tuned {
	values := make([]any, len(configs))
	for i, c := range configs {
		values[i] = Const[C]{c}
	}
	return newTuned(kernel, values, options)
}

//go:noinline
func newTuned(kernel any, configs []any, options []TuneOption) *Tuned {
	var o tune.Options
	for _, option := range options {
		if option != nil {
			option.tuning(&o)
		}
	}
	return &Tuned{tune.New(kernelOf(kernel), configs, o)}
}

// Run runs the kernel with the best configuration for the arguments, which are those of a launch without the
// configuration. A run that has to find it first takes longer. The errors are those of [Device.Launch]; if no
// configuration can be used, the error joins those of all.
func (t *Tuned) Run(args ...any) error { return public(innerTuned(t).Run(args)) }

// Best is the configuration that a run with these arguments uses, of the configurations' type. It is found if it is
// not known yet; nothing is run beside that.
func (t *Tuned) Best(args ...any) (any, error) {
	best, err := innerTuned(t).Best(args)
	return best, public(err)
}

// A TuneOption says how [Tune] finds the best configuration.
type TuneOption interface{ tuning(o *tune.Options) }

type tuneOption func(o *tune.Options)

func (f tuneOption) tuning(o *tune.Options) { f(o) }

// TuneKey names parameters of the kernel: the best configuration is kept for each shape of these arrays, slices and
// views, and for each value of other arguments. Without it there is one for all arguments of a device.
func TuneKey(params ...string) TuneOption {
	return tuneOption(func(o *tune.Options) { o.Keys = append(o.Keys, params...) })
}

// TuneGrid gives the size of a launch with a configuration: the number of threads of a Thread kernel, of blocks of a
// Block kernel. A Grid kernel needs none.
func TuneGrid[C any](grid func(c C, a Args) Dims) TuneOption {
	return tuneGrid(configured[C]("qd.TuneGrid", grid == nil), func(c any, a Args) Dims { return grid(c.(C), a) })
}

// configured is what is checked of an option's function before it is called.
func configured[C any](option string, isNil bool) tune.Function {
	return tune.Function{Option: option, Config: reflect.TypeFor[C](), Nil: isNil}
}

//go:noinline
func tuneGrid(f tune.Function, grid func(c any, a Args) Dims) TuneOption {
	return tuneOption(func(o *tune.Options) {
		o.Functions = append(o.Functions, f)
		o.Grid = func(c any, a *launch.Args) dims.Dims { return grid(c, Args{a}).inner() }
	})
}

// TuneBlockDim gives the number of threads in a block with a configuration, as [Kernel.WithBlockDim] takes it.
func TuneBlockDim[C any](threads func(c C) int) TuneOption {
	return tuneBlockDim(configured[C]("qd.TuneBlockDim", threads == nil), func(c any) int { return threads(c.(C)) })
}

//go:noinline
func tuneBlockDim(f tune.Function, threads func(c any) int) TuneOption {
	return tuneOption(func(o *tune.Options) {
		o.Functions = append(o.Functions, f)
		o.BlockDim = threads
	})
}

// TuneStages gives the number of stages of loops with a configuration, as [Kernel.WithStages] takes it.
func TuneStages[C any](stages func(c C) int) TuneOption {
	return tuneStages(configured[C]("qd.TuneStages", stages == nil), func(c any) int { return stages(c.(C)) })
}

//go:noinline
func tuneStages(f tune.Function, stages func(c any) int) TuneOption {
	return tuneOption(func(o *tune.Options) {
		o.Functions = append(o.Functions, f)
		o.Stages = stages
	})
}

// TunePrune leaves out the configurations for which prune reports true, for these arguments: those that cannot be the
// best, or that do not fit.
func TunePrune[C any](prune func(c C, a Args) bool) TuneOption {
	return tunePrune(configured[C]("qd.TunePrune", prune == nil), func(c any, a Args) bool { return prune(c.(C), a) })
}

//go:noinline
func tunePrune(f tune.Function, prune func(c any, a Args) bool) TuneOption {
	return tuneOption(func(o *tune.Options) {
		o.Functions = append(o.Functions, f)
		o.Prune = func(c any, a *launch.Args) bool { return prune(c, Args{a}) }
	})
}

// TuneBudget bounds the time that the trials for one key take; 0 is the default of 5 seconds. Building is not
// counted. A trial that has begun ends, and the first configuration is tried in any case.
func TuneBudget(d time.Duration) TuneOption {
	return tuneOption(func(o *tune.Options) { o.Budget = d })
}

// TuneVerify compares what each configuration computes with what the first one does. One whose results differ is left
// out with a warning. Floating-point numbers may differ by the part within of the larger one, which is less than 1: 0
// stands for equal.
func TuneVerify(within float64) TuneOption {
	return tuneOption(func(o *tune.Options) { o.Verify, o.Within = true, within })
}

// A HeuristicArg is an argument for a [Const] parameter, see [Heuristic].
type HeuristicArg struct{ heuristic }

// heuristic is what package launch takes for one: whatever has it embedded.
type heuristic = launch.Heuristic

// Heuristic is an argument for a [Const] parameter whose value follows from the other arguments of the launch, such
// as whether a size is a multiple of the block's: the kernel is then compiled without the test. The other
// arguments may be heuristics too, but those of several parameters may not ask for each other. Where the
// kernel is tuned, it may ask for the configuration: it is evaluated for each.
//
//	even := qd.Heuristic(func(a qd.Args) bool { return a.Len("x")%block == 0 })
//	err := qd.Launch(scale, qd.Dim(n), x, even)
func Heuristic[T any](f func(a Args) T) HeuristicArg {
	if f == nil {
		return HeuristicArg{}
	}
	return HeuristicArg{func(a *launch.Args) any { return C(f(Args{a})) }}
}

// Args are the arguments of a launch, by the names of the kernel's parameters. A name that the
// kernel does not have, or a question that the argument cannot answer, ends the function that asks and is the error of
// the launch. They answer until the function returns that they are given to. The zero Args have no arguments: a question
// to them panics.
type Args struct{ core any } // *launch.Args, see opaque.go

// Dim is the size of an array, a slice or a view along an axis, which counts from 0.
func (a Args) Dim(name string, axis int) int { return innerArgs(a).Dim(name, axis) }

// Len is the number of elements of an array, a slice or a view.
func (a Args) Len(name string) int { return innerArgs(a).Len(name) }

// Int is an argument that is an integer, or the value of a [C] that is one.
func (a Args) Int(name string) int { return innerArgs(a).Int(name) }

// Value is an argument as it was given, and the value of a [C].
func (a Args) Value(name string) any { return innerArgs(a).Value(name) }

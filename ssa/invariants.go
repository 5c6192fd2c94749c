package ssa

import "errors"

// An Invariant is what holds of a module between two stages of a pipeline: each stage says what
// it asks for and what it leaves behind.
type Invariant struct {
	Name string // a few words, as the list of stages shows them

	check func(v *verifier)
}

// The invariants. Each of them can be asked for by [Hold].
var (
	// WellFormed is what [Verify] checks.
	WellFormed = &Invariant{Name: "well-formed", check: (*verifier).verify}

	// Outlined says that the host's part of a Grid kernel launches kernels and has no parallel loops left, and
	// that no code of a thread has one.
	Outlined = &Invariant{Name: "no parallel loop but in the code of a block", check: func(v *verifier) {
		v.refuseOps("a parallel loop that is not in the code of a block", func(f *Func, in *Instr) bool {
			return in.Op == OpFor && f.Kernel && f.Kind != BlockKernel && !f.Phased
		})
	}}

	// Numbered says that checks and panics on the device have their numbers.
	Numbered = &Invariant{Name: "checks and panics numbered", check: func(v *verifier) {
		v.refuseOnDevice("a fault without a number", func(in *Instr) bool {
			switch in.Op {
			case OpCheck, OpPanic, OpCheckLanes, OpPanicLanes:
				return in.Number == 0
			}
			return false
		})
	}}

	// Legal says that it is decided how arithmetic is done: which of it needs no care. Of divisions by constants it
	// can be seen whether somebody has looked. And nothing moves what has no size.
	Legal = &Invariant{Name: "arithmetic that needs no care marked, and nothing without size moved", check: func(v *verifier) {
		v.refuseOnDevice("a move of what has no size", func(in *Instr) bool {
			switch in.Op {
			case OpStore:
				return in.Args[1].Type.Size() == 0
			case OpLoad, OpField, OpElem:
				return in.Results[0].Type.Size() == 0
			case OpEq, OpNe:
				return in.Args[0].Type.Size() == 0
			case OpCopy:
				return in.Args[0].Type.(Slice).Elem.Size() == 0
			}
			return false
		})
		v.refuseOnDevice("a division by a constant with care for it", func(in *Instr) bool {
			return (in.Op == OpDiv || in.Op == OpRem) && in.Fit == FitUnknown && IsInteger(in.Results[0].Type) && in.Args[1].IsSafeDivisor()
		})
	}}

	// NoTiles says that tiles have become memory and loops.
	NoTiles = &Invariant{Name: "no tiles", check: func(v *verifier) {
		v.refuseOps("a tile", func(_ *Func, in *Instr) bool {
			for _, vs := range [][]*Value{in.Args, in.Results} {
				for _, x := range vs {
					if IsTile(x.Type) {
						return true
					}
				}
			}
			return false
		})
	}}

	// OneAfterTheOther says that nothing waits for another thread, so that the threads of a block can run
	// one after the other.
	OneAfterTheOther = &Invariant{Name: "no barrier, and shared memory in phased kernels and code of blocks only", check: func(v *verifier) {
		v.refuseOps("a barrier", func(_ *Func, in *Instr) bool { return in.Op == OpSync })
		v.refuseOps("memory of a block in the code of one thread", func(f *Func, in *Instr) bool {
			return in.Op == OpShared && f.Kernel && f.Kind == ThreadKernel && !f.Phased
		})
	}}
)

// Hold checks that invariants hold of a module, and gives all violations.
func Hold(m *Module, invariants ...*Invariant) error {
	v := verifier{module: m}
	for _, inv := range invariants {
		v.fn = nil
		inv.check(&v)
	}
	return errors.Join(v.errs...)
}

// refuseOps reports the instructions that a rule is about.
func (v *verifier) refuseOps(what string, rule func(*Func, *Instr) bool) {
	for _, f := range v.module.Funcs {
		v.fn = f
		f.Body.Walk(func(in *Instr) {
			if rule(f, in) {
				v.report(in, "%s", what)
			}
		})
	}
}

// refuseOnDevice reports the instructions of the device's part that a rule is about.
func (v *verifier) refuseOnDevice(what string, rule func(*Instr) bool) {
	onDevice := make(map[*Func]bool)
	for _, f := range v.module.Device().Funcs {
		onDevice[f] = true
	}
	v.refuseOps(what, func(f *Func, in *Instr) bool { return onDevice[f] && rule(in) })
}

package widen

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A Threads is the code of one thread of a kernel without calls, with facts about the threads beside it in a row. It is
// for people who ask how threads run together: nothing is changed.
type Threads struct {
	Code  *ssa.Func
	Lanes *analysis.Lanes
}

// ThreadsOf returns the code that the threads of a kernel run: the kernel itself, or each loop over the lanes of a
// block. It leaves out code that is too large together with its calls.
func (d *Widener) ThreadsOf(k *ssa.Func) (list []Threads) {
	if k.Kind == ssa.ThreadKernel && !k.Phased {
		if d.refusedSize(k, nil) != "" {
			return nil
		}
		code := k.Clone(k.Name)
		code.Kernel = false
		return []Threads{withoutCalls(code, analysis.NewLanes)}
	}
	k.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpFor || len(in.Args) != 1 || len(in.Blocks) == 0 {
			return
		}
		code, _ := in.Blocks[0].Outline(k.Name)
		if in.Stmt != nil {
			code.Decl = *in.Stmt
		}
		if d.refusedSize(code, nil) == "" {
			list = append(list, withoutCalls(code, ofBlock))
		}
	})
	return list
}

// withoutCalls puts what code calls in the place of the calls, and analyses it.
func withoutCalls(code *ssa.Func, analyse analyser) Threads {
	inPlace(code, new(analysis.Summaries), analyse, func(*ssa.Instr) bool { return true })
	return Threads{code, analyse(code)}
}

// A Pattern says where the threads of a row access memory at once.
type Pattern uint8

// The patterns.
const (
	Nowhere     Pattern = iota // the address is of the thread's own memory
	OnePlace                   // all access the same place
	Contiguous                 // numbers that lie next to each other
	Interleaved                // numbers at a distance that is known when the kernel is compiled
	Strided                    // numbers at one distance, which is known when the kernel runs
	Gathered                   // anywhere
)

// String is the pattern in a word.
func (p Pattern) String() string {
	return [...]string{"its own memory", "one place", "contiguous", "interleaved", "strided", "gathered"}[p]
}

// Pattern is that of an access to an address, and for interleaved numbers the distance in bytes.
func (t Threads) Pattern(ptr *ssa.Value) (p Pattern, bytes int64) {
	if ptr.IsLocal() || ptr.Root().IsLocal() {
		return Nowhere, 0
	}
	if t.Lanes.IsUniform(ptr) {
		return OnePlace, 0
	}
	a, ok := addressOf(ptr)
	if !ok || !t.Lanes.IsUniform(a.slice) {
		return Gathered, 0
	}
	for _, step := range a.path {
		for _, i := range step.Args[1:] {
			if !t.Lanes.IsUniform(i) {
				return Gathered, 0
			}
		}
	}
	stride, of, ok := t.Lanes.Step(a.index)
	_, number := a.elem().(ssa.Basic)
	switch {
	case ok && of != nil:
		return Strided, 0
	case !ok:
		return Gathered, 0
	case stride == 1 && number:
		return Contiguous, 0
	}
	return Interleaved, stride * int64(a.elem().Size())
}

package shapes

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A compiler that vectorizes the loop over threads gives each lane of its vectors a thread. A
// number that lies at most eight of its size from the next thread's it loads with whole vectors
// and shuffles; those that lie further apart, as in arrays of 4x4 matrices, it gathers one by
// one, which takes longer than what it gains unless there is much to compute for each of them.
// Its own reckoning takes gathers for cheaper than they are, so it is told where not to.
// Vectors within a thread remain, for which matrices are read by rows. Package widen
// shuffles them instead, where threads compute enough for that.
//
// The bounds here come from measurements of elementwise operations, products, determinants and
// inverses of 3x3 and 4x4 matrices in float32 and float64.

// gathers reports whether the threads of a kernel compute too little for the numbers that
// vectors of threads would have to gather.
func (c costModel) gathers(f *ssa.Func) bool {
	w := c.Of(f)
	return w.gathered > 0 && w.gathered*c.table.operationsPerGather > w.operations*c.table.gatherScale
}

// A cost counts the operations of a thread that matter to a loop over threads.
type cost struct {
	operations int  // arithmetic on numbers, of the weight of an addition
	gathered   int  // numbers that it reads or writes further from the next thread's than maxGroup
	size       int  // instructions that are not constants or addresses
	own        int  // those of them that are not in what it calls
	loops      bool // there are some that compilers do not unroll
}

// A costModel is what functions cost, with all that they call.
type costModel struct {
	*analysis.BottomUp[cost]
	table *Costs
}

func newCostModel(table *Costs) costModel {
	return costModel{analysis.NewBottomUp(func(f *ssa.Func, of func(*ssa.Func) cost) cost { return table.costOf(f.Body, of) }), table}
}

// costOf is what a block costs.
func (c *Costs) costOf(b *ssa.Block, of func(*ssa.Func) cost) cost {
	var w cost
	for _, in := range b.Instrs {
		w.operations += c.weight(in)
		if in.Op != ssa.OpConst && !in.Op.IsPart() {
			w.size++
			w.own++
		}
		switch in.Op {
		case ssa.OpLoad, ssa.OpStore:
			w.gathered += c.gathered(in.Args[0])
		case ssa.OpCall:
			callee := of(in.Callee)
			callee.own = 0
			w.add(callee, 1)
		}
		turns := 1
		if in.Op == ssa.OpLoop {
			if c.Split.IsUnrolled(in) {
				n, _ := analysis.Turns(in)
				turns = int(n)
			} else {
				turns = c.manyTurns
				w.loops = true
			}
		}
		for _, nested := range in.Blocks {
			w.add(c.costOf(nested, of), turns)
		}
	}
	return w
}

func (w *cost) add(v cost, times int) {
	w.operations = min(w.operations+times*v.operations, maxWork)
	w.gathered = min(w.gathered+times*v.gathered, maxWork)
	w.size = min(w.size+v.size, maxWork)
	w.own += v.own
	w.loops = w.loops || v.loops
}

// weight is how many additions an instruction is worth. What compilers do for each lane apart,
// as C's functions, is worth none.
func (c *Costs) weight(in *ssa.Instr) int {
	switch in.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpNeg, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpAndNot, ssa.OpShl, ssa.OpShr, ssa.OpMin, ssa.OpMax, ssa.OpConvert:
		if ssa.IsInteger(in.Results[0].Type) {
			if _, isIndex := analysis.Stride(in.Results[0]); isIndex {
				return 0
			}
		}
		return 1
	case ssa.OpDiv:
		return c.heavy
	case ssa.OpMath:
		switch {
		case in.Math == ssa.Sqrt:
			return c.heavy
		case !scalarized(in):
			return 1
		}
	}
	return 0
}

// scalarized reports whether vectors have no operation for an instruction: for most of C's
// functions, and for divisions of integers by what is not constant.
func scalarized(in *ssa.Instr) bool {
	switch in.Op {
	case ssa.OpMath:
		switch in.Math {
		case ssa.Sqrt, ssa.Abs, ssa.Floor, ssa.Ceil, ssa.Trunc, ssa.Copysign:
			return false
		}
		return true
	case ssa.OpDiv, ssa.OpRem:
		return ssa.IsInteger(in.Results[0].Type) && !ssa.IsConst(in.Args[1])
	}
	return false
}

// gathered is how many numbers at an address lie further from the next thread's than maxGroup.
func (c *Costs) gathered(ptr *ssa.Value) int {
	if !inSlice(ptr) {
		return 0
	}
	in := ptr.Def
	for in.Op != ssa.OpIndexAddr {
		in = in.Args[0].Def
	}
	apart := in.Results[0].Type.(ssa.Pointer).Elem.Size()
	if n, ok := analysis.Stride(in.Args[1]); ok {
		apart *= int(max(n, -n))
	}
	return c.numbersApart(ptr.Type.(ssa.Pointer).Elem, apart)
}

// numbersApart is how many numbers of a value of type t are smaller than a maxGroup-th of a
// number of bytes.
func (c *Costs) numbersApart(t ssa.Type, bytes int) int {
	switch t := t.(type) {
	case ssa.Array:
		return t.Len * c.numbersApart(t.Elem, bytes)
	case *ssa.Struct:
		n := 0
		for _, f := range t.Fields {
			n += c.numbersApart(f.Type, bytes)
		}
		return n
	}
	if size := t.Size(); size > 0 && size*c.maxGroup < bytes {
		return 1
	}
	return 0
}

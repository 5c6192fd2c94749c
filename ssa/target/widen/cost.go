package widen

import (
	"strings"

	"github.com/qdgen/qd/ssa"
)

// Costs are what decides about vectors. All costs are in additions of numbers.
type Costs struct {
	// vectorBytes is the size of the vectors of which a kernel's numbers fill one. A processor may have two registers for
	// it.
	vectorBytes int

	// What operations cost that cost more than an addition. A function of package math is a call.
	divide, root, call int
	// What a division of integers costs in lanes, by their size. Lanes divide floats that are as exact.
	divideSmall, divide32, divide64 int
	// What a product in twice the bits costs, and what it costs in lanes, which multiply the halves of numbers.
	mulWide, mulWideLanes int
	// What it costs to convert floats to integers of up to 32 bits in lanes, which test whether these can hold them.
	truncate int
	// A number that is gathered or scattered, in each lane. Processors have no instruction for numbers of one or two bytes.
	anywhere, anywhereSmall int
	// A vector of numbers of elements, one of each lane's, that is read or written with the others and shuffled.
	shuffled int
	// How many hundredths of an operation make up for a number that is shuffled, where compilers may find vectors too.
	perShuffled int
	// Where fewer of them come with a number that is shuffled, vectors have half the size: processors shuffle these as
	// fast, or twice as fast.
	perWhole int
	// How many hundredths of what a thread computes may be conversions of integers to another size, where compilers
	// may find vectors too.
	perResized int
	// Where a thread has no loop, and fewer than perRow hundredths of an operation for each number that it reads or writes next
	// to other threads, vectors have half the size. Half of these cross no line of a cache, and memory takes as long. Their
	// code is repeated unroll times.
	perRow, unroll int
	// A number that lies far from the one that is read next.
	jump int
	// What a test costs whether a lane wants a block, and what an exit costs that lanes take apart.
	test, exit int
	// Up to freely, all lanes run a block that only some want.
	freely int
	// Up to full, a loop has a copy for the iterations that all lanes are in.
	full int

	// How many times faster vectors must be for a kernel to get them, by this reckoning, which takes no notice of lanes
	// that wait for others.
	gain float64

	// manyTurns is how often the body of a loop is taken to run.
	manyTurns int
	// fewTurns is how many iterations compilers unroll, so that a loop is none to them.
	fewTurns int64

	// stays is the size, in instructions with its calls, from which a function stays one that is called at several places:
	// its code is there once. A call moves vectors to where the function expects them, and keeps none in a register.
	stays int
	// perGeneral is how many hundredths of the time of a version of such a function a more general one may take that is
	// called instead.
	perGeneral int
	// maxVersions is of how many kinds the arguments of such a function's calls may be.
	maxVersions int

	// maxSize is the size of a kernel, in instructions with its calls, up to which there are vectors for it.
	maxSize int
	// maxCopies is how many times the kernel's own code and that of the functions it calls that size may be.
	maxCopies int
}

// CPU is a processor with registers of 32 or 64 bytes, or any processor.
var CPU = Costs{
	vectorBytes: 64,
	divide:      8, root: 8, call: 20,
	divideSmall: 24, divide32: 32, divide64: 20,
	mulWide: 3, mulWideLanes: 18,
	truncate: 4,
	anywhere: 2, anywhereSmall: 8,
	shuffled: 6, perShuffled: 100, perWhole: 200, perResized: 25,
	perRow: 200, unroll: 4,
	jump: 8,
	test: 3, exit: 3,
	freely:    12,
	full:      64,
	gain:      2,
	manyTurns: 16,
	fewTurns:  16,
	stays:     80, perGeneral: 125, maxVersions: 4,
	maxSize:   3000,
	maxCopies: 8,
}

// SmallCPU is a processor with registers of 16 bytes.
var SmallCPU = small()

func small() Costs {
	c := CPU
	c.vectorBytes = 32
	c.mulWideLanes = 28
	return c
}

// LanesOf is how many numbers of so many bytes fill a vector.
func (c *Costs) LanesOf(bytes int) int { return c.vectorBytes / bytes }

// bySet are the tables for sets of instructions, by the names that clang has for them without their extensions. A
// vector is two registers where these have fewer than 64 bytes: the processor computes with one while it waits for the
// other. Four registers are too many for what a loop carries: with SSE4.2 the loop of mandelbrot took 1.3 times as long
// with them, and one with a root 12 times. With AVX2, one register took 1.2 to 1.4 times as long as two. With AVX-512,
// two took 0.7 to 1.0 of the time of one, but leave twice as many threads at the end of each row. NEON has not been
// measured: its registers are as large as those of SSE4.2, and twice as many.
var bySet = map[string]*Costs{
	"x86-64-v4": &CPU,      // AVX-512
	"x86-64-v3": &CPU,      // AVX2
	"x86-64-v2": &SmallCPU, // SSE4.2
	"x86-64":    &SmallCPU,
	"armv8-a":   &SmallCPU, // NEON
	"apple-m1":  &SmallCPU,
}

// For returns the table for a processor, by the name that clang has for its instructions, such as x86-64-v3 or
// armv8-a+lse.
func For(arch string) *Costs {
	set, _, _ := strings.Cut(arch, "+")
	if c := bySet[set]; c != nil {
		return c
	}
	for _, family := range []string{"arm", "apple-", "cortex-", "neoverse-"} { // all with NEON
		if strings.HasPrefix(set, family) {
			return &SmallCPU
		}
	}
	return &CPU
}

// maxLeaves is how many numbers an aggregate may have, each of which becomes a vector.
const maxLeaves = 32

// weight is what an operation costs.
func (c *Costs) weight(in *ssa.Instr) int {
	switch in.Op {
	case ssa.OpConst, ssa.OpMake, ssa.OpField, ssa.OpElem, ssa.OpFieldAddr, ssa.OpElemAddr, ssa.OpIndexAddr, ssa.OpZero, ssa.OpLen, ssa.OpOpaque,
		ssa.OpIf, ssa.OpLoop, ssa.OpYield, ssa.OpTest, ssa.OpContinue, ssa.OpBreak, ssa.OpReturn, ssa.OpUnreachable:
		return 0
	case ssa.OpDiv, ssa.OpRem, ssa.OpDivWide:
		return c.divide
	case ssa.OpMulWide:
		return c.mulWide
	case ssa.OpCall: // of a function that stays: it is large
		return c.stays
	case ssa.OpMath:
		switch {
		case in.Math == ssa.Sqrt:
			return c.root
		case elementary[in.Math] > 0:
			return elementary[in.Math]
		case hasVectors(in):
			return 1
		}
		return c.call
	}
	return 1
}

// lanesWeight is what an operation costs for each register of the processor that its vectors fill. It has one for
// vectors: see hasVectors.
func (c *Costs) lanesWeight(in *ssa.Instr) int {
	switch in.Op {
	case ssa.OpDiv, ssa.OpRem:
		switch t := in.Results[0].Type; {
		case ssa.IsFloat(t) || in.Args[1].IsSafeDivisor():
		case t == ssa.Uint64: // a hash or a random number: floats would not be exact, and each lane is divided for itself
			return c.divide * c.LanesOf(t.Size())
		case t == ssa.Int64:
			return c.divide64
		case t.Size() == 4:
			return c.divide32
		default:
			return c.divideSmall
		}
	case ssa.OpConvert:
		if truncates(in) {
			return c.truncate
		}
	case ssa.OpBits:
		return onBits[in.Bits]
	case ssa.OpMulWide:
		return c.mulWideLanes
	case ssa.OpShl, ssa.OpShr:
		if !ssa.IsConst(in.Args[1]) {
			return variableShift
		}
	}
	return c.weight(in)
}

// onBits is what the functions of package math/bits cost. Few processors have them for vectors, so each is some operations
// on all bits of a number.
var onBits = map[ssa.BitsOp]int{ssa.BitsOnesCount: 6, ssa.BitsTrailingZeros: 8, ssa.BitsLen: 16, ssa.BitsReverse: 16, ssa.BitsReverseBytes: 6}

// variableShift is what a shift costs by a number that is not known. That may be past the width.
const variableShift = 4

// elementary is what the functions cost that package emit has for vectors, which are branchless but long.
var elementary = map[ssa.Math]int{
	ssa.Acos: 60, ssa.Acosh: 120, ssa.Asin: 60, ssa.Asinh: 120, ssa.Atanh: 80, ssa.Erfcinv: 120, ssa.Erfinv: 120, ssa.Atan: 60, ssa.Atan2: 80, ssa.Cbrt: 50, ssa.Cos: 60, ssa.Cosh: 80, ssa.Erf: 130, ssa.Erfc: 130,
	ssa.Exp: 40, ssa.Exp2: 50, ssa.Expm1: 60, ssa.Hypot: 60, ssa.Log: 40, ssa.Log10: 100, ssa.Log1p: 50, ssa.Log2: 100, ssa.Pow: 170,
	ssa.Sin: 60, ssa.Sincos: 120, ssa.Sinh: 110, ssa.Tan: 90, ssa.Tanh: 80,
}

// weightOf is what instructions cost with their blocks, if all of them run.
func (c *Costs) weightOf(ins []*ssa.Instr) (sum int) {
	for _, in := range ins {
		sum += c.weight(in)
		for _, b := range in.Blocks {
			sum += c.weightOf(b.Instrs)
		}
	}
	return sum
}

// hasVectors reports whether processors have an operation on vectors. Others are done lane by lane.
func hasVectors(in *ssa.Instr) bool {
	switch in.Op {
	case ssa.OpMath:
		return in.Math.IsOperation() || in.Math == ssa.Modf || elementary[in.Math] > 0
	case ssa.OpConvert:
		return !truncates(in) || ssa.Truncated(in.Results[0].Type) == ssa.Int32
	case ssa.OpDivWide:
		return false
	}
	return true
}

// truncates reports whether an instruction converts floats to integers. Few processors give more than one of 64 bits at
// once.
func truncates(in *ssa.Instr) bool {
	return in.Op == ssa.OpConvert && ssa.IsFloat(in.Args[0].Type) && !ssa.IsFloat(in.Results[0].Type)
}

// bestLanes is how many lanes fill a vector with the widest numbers that are computed with, floats before integers:
// of these, many are indices.
func (w *widener) bestLanes() int {
	width := map[bool]int{}
	w.widest(width)
	for _, v := range w.calls.versions {
		v.widener().widest(width)
	}
	bytes := width[true]
	if bytes == 0 {
		bytes = max(width[false], 4)
	}
	return w.table.LanesOf(bytes)
}

// widest finds the sizes of the widest floats, and integers, that differ between lanes.
func (w *widener) widest(width map[bool]int) {
	w.thread.Body.Walk(func(in *ssa.Instr) {
		if !in.Op.IsLanewise() || w.uniform(in.Results) {
			return
		}
		for _, r := range in.Results {
			if _, _, isIndex := w.facts.Step(r); ssa.IsNumeric(r.Type) && !isIndex {
				isFloat := ssa.IsFloat(r.Type)
				width[isFloat] = max(width[isFloat], r.Type.Size())
			}
		}
	})
}

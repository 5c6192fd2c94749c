package ssa

// types checks an instruction's arity, the types of its operands and results,
// and that it may stand where it stands. Its pointers are in order.
func (v *verifier) types(in *Instr) {
	info := &ops[in.Op]
	if info.args != variable && len(in.Args) != int(info.args) {
		v.report(in, "has %d operands, not %d", len(in.Args), info.args)
		return
	}
	if info.results != variable && len(in.Results) != int(info.results) {
		v.report(in, "has %d results, not %d", len(in.Results), info.results)
		return
	}
	if in.Op.IsLanewise() && len(in.Args) > 0 && LanesOf(in.Args[0].Type) > 0 {
		v.lanes(in)
		return
	}
	if info.shape != shapeSpecial {
		v.shaped(in, info)
		return
	}
	switch in.Op {
	case OpConst:
		v.constant(in)
	case OpMath:
		v.math(in)
	case OpThreadID, OpThreadDim:
		v.thread(in)
	case OpLane, OpBlockDim:
		v.operand(in, 0, Thread)
		v.result(in, 0, Int64)
	case OpBlockID, OpBlockIndex:
		v.block0(in)
	case OpSync:
		v.sync(in)
	case OpShared:
		v.shared(in)
	case OpZero, OpMake, OpField, OpElem, OpLocal, OpFieldAddr, OpElemAddr, OpSliceOf, OpIsNil, OpApart, OpCopy:
		v.memory(in)
	case OpBits:
		v.bits(in)
	case OpMulWide, OpDivWide:
		for i := range in.Args {
			v.operand(in, i, Uint64)
		}
		v.result(in, 0, Uint64)
		v.result(in, 1, Uint64)
	case OpCheck:
		v.check(in)
	case OpFor:
		v.parallel(in)
	case OpLaunch:
		v.launch(in)
	case OpSnapshot, OpRestore, OpPush, OpPop:
		v.hosts(in)
	case OpLen:
		v.slice(in)
		v.result(in, 0, Int64)
	case OpSubslice:
		v.slice(in)
		v.operand(in, 1, Int64)
		v.operand(in, 2, Int64)
		v.result(in, 0, in.Args[0].Type)
	case OpIndexAddr:
		if elem := v.slice(in); elem != nil {
			v.index(in, 1)
			v.result(in, 0, Pointer{elem})
		}
	case OpLoad:
		if elem := v.pointer(in); elem != nil {
			v.result(in, 0, elem)
		}
	case OpStore:
		if elem := v.pointer(in); elem != nil {
			v.operand(in, 1, elem)
		}
	case OpAtomic:
		v.atomic(in)
	case OpPrintf:
		v.printf(in)
	case OpCall, OpRecur:
		v.call(in)
	case OpSplat, OpIota, OpSelect, OpExtract, OpConcat, OpAny, OpLoadRow, OpStoreRow, OpLoadParts, OpStoreParts, OpLoadStrided, OpStoreStrided, OpGather, OpScatter, OpAdvance, OpPrefetch, OpAtomicLanes, OpCheckLanes, OpPanicLanes, OpReduce:
		v.vector(in)
	case OpTileMake, OpTileAt, OpTileReduce, OpTileScan, OpTileDot:
		v.tile(in)
	case OpMultiply:
		v.multiply(in)
	case OpCopyRow:
		if elem := v.pointer(in); elem != nil {
			v.operand(in, 1, Pointer{elem})
			if in.Len < 1 || HoldsAddress(elem) {
				v.report(in, "copies %d elements of type %v", in.Len, elem)
			}
		}
	case OpIf:
		v.branch(in)
	case OpLoop:
		v.loop(in)
	default:
		v.terminator(in)
	}
}

// operand checks the type of one operand.
func (v *verifier) operand(in *Instr, i int, want Type) {
	if got := in.Args[i].Type; got != want {
		v.report(in, "operand %d is %v, not %v", i, got, want)
	}
}

// result checks the type of one result.
func (v *verifier) result(in *Instr, i int, want Type) {
	if got := in.Results[i].Type; got != want {
		v.report(in, "result %d is %v, not %v", i, got, want)
	}
}

// all checks the number and the types of values that must match others.
func (v *verifier) all(in *Instr, what string, got, want []*Value) {
	if len(got) != len(want) {
		v.report(in, "has %d %s, not %d", len(got), what, len(want))
		return
	}
	for i := range got {
		if got[i].Type != want[i].Type {
			v.report(in, "%s %d is %v, not %v", what, i, got[i].Type, want[i].Type)
		}
	}
}

// allTypes is all against types.
func (v *verifier) allTypes(in *Instr, what string, got []*Value, want []Type) {
	if len(got) != len(want) {
		v.report(in, "has %d %s, not %d", len(got), what, len(want))
		return
	}
	for i := range got {
		if got[i].Type != want[i] {
			v.report(in, "%s %d is %v, not %v", what, i, got[i].Type, want[i])
		}
	}
}

// includes reports whether a type is of one of the classes.
func (c classes) includes(t Type) bool {
	return c&clsInt != 0 && IsInteger(t) || c&clsFloat != 0 && IsFloat(t) || c&clsBool != 0 && t == Bool || c&clsComparable != 0 && IsComparable(t)
}

// shaped checks an instruction by the shape in its row.
func (v *verifier) shaped(in *Instr, info *opInfo) {
	t := in.Args[0].Type
	if !info.operands.includes(t) {
		v.report(in, "operand 0 is %v, which the operation does not take", t)
	}
	switch info.shape {
	case shapeBinary:
		v.operand(in, 1, t)
		v.result(in, 0, t)
	case shapeShift:
		if count := in.Args[1].Type; !IsInteger(count) {
			v.report(in, "the count is %v, not an integer", count)
		}
		v.result(in, 0, t)
	case shapeUnary:
		v.result(in, 0, t)
	case shapeComparison:
		v.operand(in, 1, t)
		v.result(in, 0, Bool)
	case shapeConversion:
		u := in.Results[0].Type
		if in.Op == OpConvert && !IsNumeric(u) || in.Op == OpBitcast && !isBitcast(t, u) {
			v.report(in, "no such conversion from %v to %v", t, u)
		}
	}
}

// index checks an operand that is an index, or how many there are.
func (v *verifier) index(in *Instr, i int) {
	if i < len(in.Args) && in.Args[i].Type != Int32 {
		v.operand(in, i, Int64)
	}
}

// isBitcast reports whether OpBitcast goes from one type to the other.
func isBitcast(from, to Type) bool {
	return from == Float32 && to == Uint32 || from == Uint32 && to == Float32 ||
		from == Float64 && to == Uint64 || from == Uint64 && to == Float64
}

func (v *verifier) constant(in *Instr) {
	t := in.Results[0].Type
	if !IsConstType(t) {
		v.report(in, "a constant of type %v", t)
		return
	}
	bits, normal := in.Const.bits, true
	switch {
	case IsInteger(t):
		normal = Wrap(t, bits) == bits
	case t == Float32:
		normal = bits>>32 == 0
	case t == Bool:
		normal = bits <= 1
	case t == String:
		normal = bits == 0
	}
	if !normal || t != String && in.Const.str != "" {
		v.report(in, "the constant is not one of type %v: %#x", t, bits)
	}
}

// math checks a function of package math against the table: its float type is
// that of whichever operand or result has one.
func (v *verifier) math(in *Instr) {
	if in.Math == mathInvalid || in.Math >= NumMath {
		v.report(in, "an invalid function")
		return
	}
	var float Type = Float64
	for _, vs := range [][]*Value{in.Results, in.Args} {
		for _, x := range vs {
			if IsFloat(x.Type) {
				float = x.Type
			}
		}
	}
	params, results := in.Math.Signature(float)
	v.allTypes(in, "operands", in.Args, params)
	v.allTypes(in, "results", in.Results, results)
}

func (v *verifier) thread(in *Instr) {
	v.operand(in, 0, Thread)
	v.result(in, 0, Int64)
	rank := int8(4)
	if in.Op == OpThreadID {
		rank = in.Rank
		if rank < 1 || rank > 4 {
			v.report(in, "rank %d is not one of 1 to 4", rank)
			return
		}
	}
	if in.Axis < 0 || in.Axis >= rank {
		v.report(in, "axis %d is not one of 0 to %d", in.Axis, rank-1)
	}
}

// slice gives the element type of the first operand, nil if it is no slice.
func (v *verifier) slice(in *Instr) Type {
	s, ok := in.Args[0].Type.(Slice)
	if !ok {
		v.report(in, "operand 0 is %v, not a slice", in.Args[0].Type)
		return nil
	}
	return s.Elem
}

// pointer gives what the first operand points to, nil if it is no pointer.
func (v *verifier) pointer(in *Instr) Type {
	if len(in.Args) > 0 {
		if p, ok := in.Args[0].Type.(Pointer); ok {
			return p.Elem
		}
	}
	v.report(in, "operand 0 is not a pointer")
	return nil
}

func (v *verifier) atomic(in *Instr) {
	want := 2
	var takes classes
	switch in.Atomic {
	case AtomicAdd, AtomicMin, AtomicMax, AtomicExch:
		takes = clsNumeric
	case AtomicAnd, AtomicOr, AtomicXor:
		takes = clsInt
	case AtomicCAS:
		takes, want = clsNumeric, 3
	default:
		v.report(in, "an invalid operation")
		return
	}
	if len(in.Args) != want {
		v.report(in, "has %d operands, not %d", len(in.Args), want)
		return
	}
	elem := v.pointer(in)
	if elem == nil {
		return
	}
	short := elem == Uint16 && in.Atomic == AtomicCAS // from which all others can be made
	if !takes.includes(elem) || Bits(elem) < 32 && !short {
		v.report(in, "there is no atomic %v of %v", in.Atomic, elem)
	}
	for i := range in.Args[1:] {
		v.operand(in, i+1, elem)
	}
	v.result(in, 0, elem)
}

func (v *verifier) printf(in *Instr) {
	if in.Format < 0 || int(in.Format) >= len(v.module.Formats) {
		v.report(in, "the module has %d formats", len(v.module.Formats))
		return
	}
	args := v.module.Formats[in.Format].Args
	if len(in.Args) != len(args) {
		v.report(in, "has %d operands, its format %d", len(in.Args), len(args))
		return
	}
	for i, a := range args {
		v.operand(in, i, a.Type)
		if t := in.Args[i].Type; t != Bool && !IsNumeric(t) {
			v.report(in, "operand %d is %v, which a device cannot record", i, t)
		}
	}
}

func (v *verifier) call(in *Instr) {
	if in.Callee == nil || in.Callee.Body == nil {
		v.report(in, "the callee is missing or has no body")
		return
	}
	v.all(in, "operands", in.Args, in.Callee.Params())
	v.allTypes(in, "results", in.Results, in.Callee.Results)
}

func (v *verifier) branch(in *Instr) {
	v.operand(in, 0, Bool)
	for _, b := range in.Blocks {
		if len(b.Params) > 0 {
			v.report(in, "a block with parameters")
		}
	}
}

func (v *verifier) loop(in *Instr) {
	vars := in.Cond().Params
	v.all(in, "operands", in.Args, vars)
	v.all(in, "results", in.Results, vars)
	v.all(in, "parameters of post", in.Post().Params, vars)
	if len(in.Do().Params) > 0 {
		v.report(in, "a body with parameters")
	}
}

// terminator checks that a terminator may end the block it stands in, and what
// it hands over.
func (v *verifier) terminator(in *Instr) {
	switch in.Op {
	case OpTest:
		v.operand(in, 0, Bool)
	case OpReturn:
		v.allTypes(in, "operands", in.Args, v.fn.Results)
		v.leaves(in, nil)
	case OpBreak, OpContinue:
		if in.Target == nil || in.Target.Op != OpLoop {
			v.report(in, "the target is not a loop")
			return
		}
		v.all(in, "operands", in.Args, in.Target.Cond().Params)
		v.leaves(in, in.Target)
	case OpPanic:
		for i, a := range in.Args {
			if a.Type != Bool && !IsNumeric(a.Type) {
				v.report(in, "operand %d is %v, not a number or a bool", i, a.Type)
			}
		}
	case OpUnreachable:
		// In a phased kernel it is reached when all lanes have left: nothing that follows has a lane to run.
		if n := len(in.Block.Instrs); !v.fn.Phased && (n < 2 || in.Block.Instrs[n-2].FallsThrough()) {
			v.report(in, "the end of the block can be reached")
		}
	}

	v.inside(in)
	isTest, isYield := in.Op == OpTest, in.Op == OpYield
	isStop := in.Op == OpPanic || in.Op == OpUnreachable
	owner := in.Block.Owner
	switch {
	case owner == nil:
		if in.Op != OpReturn && !isStop {
			v.report(in, "does not end a function's body")
		}
	case owner.Op.OwnsLanes() && owner.Op != OpFor:
		if !isYield && !isStop {
			v.report(in, "does not end a block of a tile's elements")
		}
	case owner.Op == OpFor:
		// Of a phased kernel a return ends the turn of a lane.
		if !isYield && !isStop && !(v.fn.Phased && in.Op == OpReturn) {
			v.report(in, "does not end a parallel for")
		}
		if isYield {
			v.all(in, "operands", in.Args, nil)
		}
	case owner.Op == OpIf:
		if isTest {
			v.report(in, "does not end a block of an if")
		}
		if isYield {
			v.all(in, "operands", in.Args, owner.Results)
		}
	case in.Block == owner.Cond():
		if !isTest {
			v.report(in, "does not end the cond of a loop")
		}
	case in.Block == owner.Do():
		if isTest || isYield {
			v.report(in, "does not end the do of a loop")
		}
	case in.Block == owner.Post():
		if !isYield {
			v.report(in, "does not end the post of a loop")
		}
		v.all(in, "operands", in.Args, owner.Post().Params)
	}
}

// inside checks that a terminator hands no address on to where the variable is no
// more: to outside of the block that makes it.
func (v *verifier) inside(in *Instr) {
	var left *Instr // the instruction whose blocks are left, nil for the function
	switch in.Op {
	case OpYield:
		left = in.Block.Owner
	case OpBreak, OpContinue:
		left = in.Target
	case OpReturn:
	default:
		return
	}
	for i, a := range in.Args {
		if l := v.roots.Variable(a); l != nil && l.Block.Owner.Within(left) {
			v.report(in, "operand %d, %v, outlives the variable that it points to", i, a)
		}
	}
}

// leaves checks that all the loops that a terminator leaves, up to the target or
// the function, are left from their Do, and that the target is one of them.
func (v *verifier) leaves(in, target *Instr) {
	for b := in.Block; b.Owner != nil; b = b.Owner.Block {
		if b.Owner.Op.OwnsLanes() {
			if !v.fn.Phased || target != nil {
				v.report(in, "leaves a parallel for")
			}
			return
		}
		if b.Owner.Op == OpLoop && b != b.Owner.Do() {
			v.report(in, "leaves a loop from outside its do")
			return
		}
		if b.Owner == target {
			return
		}
	}
	if target != nil {
		v.report(in, "the target is not a loop around it")
	}
}

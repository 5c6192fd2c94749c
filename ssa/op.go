package ssa

// An Op is an operation. The comment of each constant shows its printed form, with values that have no name.
// A value that holds the Go variable sum is printed as sum.v7.
type Op uint8

const (
	OpInvalid Op = iota

	// OpConst is a compile-time value.
	//	v1:int64 = const 8
	OpConst

	// Arithmetic, both operands and the result of one numeric type. Integers
	// wrap; a zero divisor gives 0, and the smallest integer over -1 itself.
	// OpDiv on floats is IEEE division.
	//	v3:int64 = add v1, v2
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpRem // integers only
	OpAnd // integers and bool
	OpOr  // integers and bool
	OpXor // integers and bool
	OpAndNot

	// Shifts: the result has the first operand's type; the count is any integer
	// type, taken as unsigned (the front end refuses constants below zero). A
	// count past the width gives 0, or the sign for OpShr of a signed value.
	//	v3:int32 = shl v1, v2
	OpShl
	OpShr

	// OpNeg is 0-x (for floats, the sign flipped); OpCom is ^x; OpNot is !x.
	//	v2:float32 = neg v1
	OpNeg
	OpCom
	OpNot

	// Comparisons, operands of one type; OpEq and OpNe take everything that
	// [IsComparable]: structs are compared field by field, without blank ones.
	//	v3:bool = lt v1, v2
	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe

	// OpMin and OpMax are Go's built-ins of two operands: a NaN wins, -0 < 0.
	//	v3:float64 = min v1, v2
	OpMin
	OpMax

	// OpConvert is Go's conversion between numeric types. A float that the
	// integer type cannot hold converts as Go on amd64 converts it.
	//	v2:float32 = convert v1
	OpConvert

	// OpBitcast keeps the bits: between float32 and uint32, float64 and uint64.
	//	v2:uint32 = bitcast v1
	OpBitcast

	// OpOpaque is its operand, of a basic type. Passes and analyses do not look through it: the value counts as
	// unknown (qd.Dynamic).
	//	v2:bool = opaque v1
	OpOpaque

	// OpMath is a function of package math, of float32 or float64; which one is
	// in Math. Its signature is in the table of [Math].
	//	v2:float32 = math sin v1
	OpMath

	// OpThreadID is the thread's index along Axis, in a launch of Rank
	// dimensions; with Rank 1, Axis 0, it is the flat index in any launch. With Rows it is a place in the kernel's own
	// rows: see [Rows].
	//	v2:int64 = thread.id v0 axis 1 of 2
	OpThreadID
	// OpThreadDim is the launch's size along Axis, 1 past its rank.
	//	v2:int64 = thread.dim v0 axis 0
	OpThreadDim
	// OpLane is the thread's index in its block, OpBlockID the block's flat index
	// in the launch, OpBlockDim the number of threads that a block has, the last
	// one of a launch perhaps fewer. OpBlockID takes a Thread or a Block.
	//	v2:int64 = lane v0
	OpLane
	OpBlockID
	OpBlockDim
	// OpBlockIndex is a Block's index along Axis, in a launch of Rank dimensions.
	//	v2:int64 = block.index v0 axis 1 of 2
	OpBlockIndex
	// OpSync is a barrier: no thread of the block passes it before all threads that have not returned have
	// reached it.
	// With Async it waits for copies too, see [Instr].
	//	sync
	//	sync copies 2
	OpSync
	// OpShared is memory that the threads of a block share, zero when the block starts: Len elements. In the host code
	// of a Grid kernel it is memory of the device, zero when the run starts. It is at the top level of a kernel's body,
	// outside nested blocks.
	//	v1:[]float32 = shared 256
	OpShared

	// OpZero is the zero value of an aggregate, a slice or a pointer.
	//	v1:Vec = zero
	OpZero
	// OpMake is a struct or an array of its fields or elements, all of them.
	//	v4:Vec = make v1, v2, v3
	OpMake
	// OpField is field Index of a struct.
	//	v2:float32 = field v1, 0
	OpField
	// OpElem is an element of an array; the index is an int64, or an int32 where a stage has found that this will do. So
	// are the indices of OpElemAddr, OpIndexAddr and OpFor.
	//	v3:float32 = elem v1, v2
	OpElem

	// OpLocal makes a new variable in memory each time that it is executed, with its argument as initial value.
	// Its result is the address of the variable. The address is used only in the block that contains the
	// instruction, and in nested blocks.
	//	v2:*[4]float32 = local v1
	OpLocal
	// OpFieldAddr is the address of field Index of the struct that a pointer points to.
	//	v2:*float32 = field.addr v1, 0
	OpFieldAddr
	// OpElemAddr is the address of an element of the array that a pointer points to.
	//	v3:*float32 = elem.addr v1, v2
	OpElemAddr
	// OpSliceOf is the slice of all elements of the array that a pointer points to.
	//	v2:[]float32 = sliceof v1
	OpSliceOf
	// OpIsNil reports whether a slice is nil. (Pointers are compared with OpZero's.)
	//	v2:bool = isnil v1
	OpIsNil
	// OpApart reports whether two slices have no memory in common.
	//	v3:bool = apart v1, v2
	OpApart
	// OpCopy is Go's copy: it copies as many elements as the shorter slice has from the second slice to the
	// first; the slices may overlap. Its result is the number of elements.
	//	v3:int64 = copy v1, v2
	OpCopy
	// OpBits is a function of package math/bits on unsigned integers, which one is
	// in Bits; see [BitsOp]. One that counts bits gives an int64; package narrow makes that an int32.
	//	v2:int64 = bits len v1
	OpBits
	// OpMulWide is the product of two uint64 in twice their bits: the upper half, and the lower one.
	//	v3:uint64, v4:uint64 = mulwide v1, v2
	OpMulWide
	// OpDivWide divides a number of 128 bits, given by its upper half and its lower one, by a uint64: its results are the
	// quotient and the remainder. Both are 0 if the divisor is not more than the upper half, as the quotient has too many bits.
	//	v4:uint64, v5:uint64 = divwide v1, v2, v3
	OpDivWide

	// OpCheck stops the launch with a fault if the condition of Check does not hold. The code after it is
	// reached only if it holds. The documentation of each [Check] gives the operands; Message is the message of
	// an assertion. Only checked builds have checks.
	//	check index v1, v2
	OpCheck

	// OpLen is a slice's length in elements.
	//	v2:int64 = len v1
	OpLen
	// OpSubslice is x[lo:hi] of a slice; hi may be above its length, where its array has as many elements.
	//	v4:[]float32 = subslice v1, v2, v3
	OpSubslice
	// OpIndexAddr is &x[i] of a slice.
	//	v3:*float32 = index v1, v2
	OpIndexAddr
	// OpLoad reads through a pointer.
	//	v4:float32 = load v3
	OpLoad
	// OpStore writes through a pointer; it has no result.
	//	store v3, v4
	OpStore
	// OpAtomic is an atomic read-modify-write; Atomic says which. Its arguments are the pointer and one value
	// (two for cas: old, new). Its result is the old value.
	// With Launch it is one step for the threads of its launch only.
	//	v5:float32 = atomic add v3, v4
	OpAtomic

	// OpFor runs its first block for each index below its one to three arguments, in parallel and in any
	// order. The block's parameters are the indices. The block ends in OpYield without values, and can be left
	// otherwise only by a panic. In a Grid kernel each OpFor is a separate launch (see ssa/target). In a Block
	// kernel the block's threads share the indices, and a barrier follows.
	//	for v1, v2 (i.v3:int64, j.v4:int64) { ... yield }
	// If it has a second block, that runs Len indices at once, beginning with its parameter, as long as there are so
	// many. The first block runs the others.
	//	for v1 (i.v3:int64) { ... yield } by 16 lanes (i.v4:int64) { call k.wide(i.v4) yield }
	OpFor
	// OpLaunch launches Callee, a kernel. The first Rank arguments are the sizes; the others are the arguments
	// after Callee's Thread, but for what its [Room] stands for. Only the host code of a Grid kernel has it.
	//	launch step.1 over v1 (v2, v3)
	OpLaunch
	// OpSnapshot notes what is in the memory that its operand leads to. Its result is the number of the note. OpRestore
	// gives the operand of a snapshot again, with that memory as it was, which is not to be written. A snapshot is
	// restored once at most. OpPush puts a value on the stack of the run, OpPop takes the last one. Only the host code of
	// a Grid kernel has these four.
	//	v2:int64 = snapshot v1
	//	v3:[]float32 = restore v2
	//	push v1
	//	v2:float64 = pop
	OpSnapshot
	OpRestore
	OpPush
	OpPop

	// OpPrintf records its arguments under the format number Format.
	//	printf 0, v1, v2
	OpPrintf

	// OpCall calls a device function; it has as many results as the function.
	//	v3:int64, v4:int64 = call divmod(v1, v2)
	OpCall
	// OpRecur is a call that leads back to the function that it stands in: the callee, or what it is a copy of, calls this
	// function, itself or through others. The calls of OpCall have no cycle, so that facts can be found callees first; there
	// are no facts about what an OpRecur does but its operands.
	//	v2:float64 = recur f(v1)
	OpRecur

	// Tiles; see [TileType]. The indices of elements are three int64; an axis that a tile lacks has index 0. OpTileMake is
	// a tile of what its block yields for each index, in any order.
	//	v5:tile 64 of float32 = tile.make (v1:int64, v2:int64, v3:int64) { ... yield v4 }
	OpTileMake
	// OpTileAt is an element. Of an axis of length 1 it is the only one, whatever the index.
	//	v5:float32 = tile.at v1, v2, v3, v4
	OpTileAt
	// OpTileReduce joins the elements of its operands, tiles of the same lengths, along Axis by its block, which has one
	// of each and then another one of each as its parameters. As long as more than one is left, those from the half on,
	// which is the largest power of two below their number, are joined to the first ones.
	//	v5:tile 64 of float32 = tile.reduce v1 axis 2 (v2:float32, v3:float32) { ... yield v4 }
	OpTileReduce
	// OpTileScan joins each element along Axis to what all before it came to.
	//	v5:tile 64 of float32 = tile.scan v1 axis 2 (v2:float32, v3:float32) { ... yield v4 }
	OpTileScan
	// OpTileDot adds the product of two matrices to a third operand: the products of one element in the order of their
	// index, floats with one rounding for multiplication and addition.
	//	v4:tile 64x64 of float32 = tile.dot v1, v2, v3
	OpTileDot

	// OpMultiply adds the product of two matrices in shared memory to a third one that is spread over the threads of the
	// block in registers: its operands are the memory of the sum, of M x N elements, of the first matrix, of M x Len, and
	// of the second one, of Len x N. The matrices in memory are swizzled: see [Swizzle]. See [Narrow] for what is added in
	// which order.
	//	multiply v1, v2, v3 depth 32
	OpMultiply
	// OpCopyRow copies Len elements that lie next to each other, from where its second operand points to where the
	// first one does. They do not overlap.
	//	copy.row v1, v2 len 4
	OpCopyRow

	// Vectors; see [Vec]. OpSplat has its operand in all lanes, OpIota the number of each lane, from 0.
	//	v2:float32x16 = splat v1
	//	v1:int64x16 = iota
	OpSplat
	OpIota
	// OpSelect has the second operand's lane where the mask, its first, holds, else the third's.
	//	v4:float32x16 = select v1, v2, v3
	OpSelect
	// OpExtract is some lanes of a vector that follow each other, from lane Index on. OpConcat puts vectors of one type
	// behind each other.
	//	v2:float32x16 = extract v1 from 16
	//	v3:float32x32 = concat v1, v2
	OpExtract
	OpConcat
	// OpAny reports whether a mask holds in any lane.
	//	v2:bool = any v1
	OpAny
	// OpLoadRow reads numbers or bools that lie next to each other: that of lane i is the i-th from the pointer.
	// OpStoreRow writes them. A mask, the last operand, is for those lanes only: memory of the others is not touched, and
	// what is read for them is zero.
	//	v3:float32x16 = load.row v1, v2
	//	store.row v1, v2, v3
	OpLoadRow
	OpStoreRow
	// OpLoadParts reads numbers of elements that lie at the same distance from each other: the k-th result has in lane i
	// the k-th of the numbers that lie next to each other from Len*i bytes behind the pointer on. All results are of one
	// type. OpStoreParts writes them: one vector for each number of an element. Elements do not overlap, and are not of
	// bools. Masks are as those of OpLoadRow.
	//	v3:float32x16, v4:float32x16 = load.parts v1, v2 by 32
	//	store.parts v1, v2, v3, v4 by 32
	OpLoadParts
	OpStoreParts
	// OpLoadStrided reads numbers at a distance that is no constant: that of lane i is Len bytes times i
	// times the second operand, an int64, from the pointer. OpStoreStrided writes them, one lane after the other. Masks are
	// as those of OpLoadRow.
	//	v4:float32x16 = load.strided v1, v2, v3 by 4
	//	store.strided v1, v2, v3, v4 by 4
	OpLoadStrided
	OpStoreStrided
	// OpGather reads numbers or bools that lie anywhere: that of lane i is Len bytes times its index, the second
	// operand, a vector of any integers, from the pointer. OpScatter writes them, one lane after the other. Masks are
	// as those of OpLoadRow.
	//	v4:float32x16 = gather v1, v2, v3 by 4
	//	scatter v1, v2, v3, v4 by 4
	OpGather
	OpScatter
	// OpAtomicLanes is OpAtomic in each lane, one lane after the other: where OpGather would read. The values follow
	// the indices, each a vector or a number that is the same in all lanes. Its result has what was there before, 0 in
	// lanes without the mask. With Owned no other thread of the operating system sees the memory, and nothing need be
	// atomic.
	//	v5:int32x16 = atomic.lanes add v1, v2, v3, v4 by 4
	OpAtomicLanes
	// OpReduce is the sum of the lanes of integers, or what another atomic operation makes of them.
	//	v2:int32 = reduce add v1
	OpReduce
	// OpCheckLanes is OpCheck in each lane: each operand is a vector, or a number or pointer that is the same in all lanes.
	// A mask, the last operand, is for those lanes only. The fault is that of the first lane in which the condition does
	// not hold.
	//	check.lanes index v1, v2, v3
	OpCheckLanes
	// OpPanicLanes is OpPanic in the first lane in which a mask holds. There must be one. The values of the panic follow,
	// each a vector, or a number that is the same in all lanes. The code after it is not reached, but it is no terminator.
	//	panic.lanes "message" v1, v2
	OpPanicLanes
	// OpAdvance says that what follows is done for a thread whose index is so much larger, an int64, than that of the thread
	// before: a fault is of this thread.
	//	advance v1
	OpAdvance
	// OpPrefetch asks for Len elements of a slice, from an index on, which are read soon. It changes nothing, and the
	// elements may be outside the slice.
	//	prefetch v1, v2 len 16
	OpPrefetch

	// OpIf takes a bool. Its blocks have no parameters. They end in OpYield with the results, or in another
	// terminator.
	//	v5:int64 = if v1 { ... yield v2 } else { ... yield v3 }
	OpIf

	// OpLoop: its arguments are the initial values of the loop's variables. The
	// parameters of Cond are the variables, visible in Cond and Do (what Cond
	// computes is visible in Cond alone); Do has no parameters of its own; Post has
	// as many as Cond and sees nothing else of the loop. Cond ends in OpTest, Do
	// leaves by OpContinue, OpBreak or OpReturn, Post ends in OpYield with the
	// next values. The results are the variables as they are when the loop is left.
	//	i.v8:int64 = loop L0 (i.v2:int64 = v1) { ... test v3 } do { ... continue L0 (i.v2) } post (i.v5:int64) { ... yield v6 }
	OpLoop

	// Terminators.

	// OpYield passes its arguments to the If or the Loop that owns the block.
	//	yield v1, v2
	OpYield
	// OpTest ends a loop's Cond: true continues with Do, false leaves the loop.
	//	test v3
	OpTest
	// OpContinue goes to Target's Post, with the values of the loop's variables.
	//	continue L0 (v4, v5)
	OpContinue
	// OpBreak leaves Target, with the values of the loop's variables.
	//	break L0 (v4, v5)
	OpBreak
	// OpReturn leaves the function.
	//	return v1
	OpReturn
	// OpUnreachable ends a block whose end is never reached: it follows an If whose blocks both leave, or a loop
	// that never ends normally.
	//	unreachable
	OpUnreachable
	// OpPanic stops the launch with a fault, in any build. Message is the message. With arguments, which are numbers and
	// bools, it is a format of package fmt for these, or empty. It can end any block except a loop's Cond and Post.
	//	panic "negative mass %v", v3
	OpPanic

	numOps
)

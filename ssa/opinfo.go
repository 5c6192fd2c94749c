package ssa

// An Effect says what an operation does apart from its results.
type Effect uint8

const (
	// Pure: nothing. It may be removed if unused, merged with equal ones, and moved.
	Pure Effect = iota
	// Reads memory: it may be removed if unused, but not moved over a write.
	Reads
	// Writes memory or has another visible effect: it stays, in order.
	Writes
	// Control: it owns blocks or leaves one. Its effects are those of its blocks.
	Control
)

// shape is the type rule of an operation.
type shape uint8

const (
	shapeSpecial    shape = iota // arity in the row, types checked by code of its own
	shapeBinary                  // (T, T) -> T
	shapeShift                   // (T, integer) -> T
	shapeUnary                   // (T) -> T
	shapeComparison              // (T, T) -> bool
	shapeConversion              // (T) -> U
)

// classes of types that a row allows for its operands.
type classes uint8

const (
	clsInt classes = 1 << iota
	clsFloat
	clsBool
	clsComparable // all of IsComparable
	clsNumeric    = clsInt | clsFloat
)

// variable is an arity that depends on other fields of the instruction.
const variable = -1

// opInfo is one row of the table of operations.
type opInfo struct {
	name          string
	effect        Effect
	shape         shape
	operands      classes // of every shape but the special one: what T may be
	args, results int8    // arity
	blocks        int8
	commutative   bool
	terminator    bool
}

func binary(name string, operands classes) opInfo {
	return opInfo{name: name, shape: shapeBinary, operands: operands, args: 2, results: 1}
}

func commutative(name string, operands classes) opInfo {
	return opInfo{name: name, shape: shapeBinary, operands: operands, args: 2, results: 1, commutative: true}
}

func shift(name string) opInfo {
	return opInfo{name: name, shape: shapeShift, operands: clsInt, args: 2, results: 1}
}

func unary(name string, operands classes) opInfo {
	return opInfo{name: name, shape: shapeUnary, operands: operands, args: 1, results: 1}
}

func equality(name string) opInfo {
	return opInfo{name: name, shape: shapeComparison, operands: clsComparable, args: 2, results: 1, commutative: true}
}

func order(name string) opInfo {
	return opInfo{name: name, shape: shapeComparison, operands: clsNumeric, args: 2, results: 1}
}

func conversion(name string) opInfo {
	return opInfo{name: name, shape: shapeConversion, operands: clsNumeric, args: 1, results: 1}
}

func terminator(name string, args int8) opInfo {
	return opInfo{name: name, effect: Control, args: args, terminator: true}
}

var ops = [numOps]opInfo{
	OpInvalid: {name: "invalid"},

	OpConst:  {name: "const", results: 1},
	OpAdd:    commutative("add", clsNumeric),
	OpSub:    binary("sub", clsNumeric),
	OpMul:    commutative("mul", clsNumeric),
	OpDiv:    binary("div", clsNumeric),
	OpRem:    binary("rem", clsInt),
	OpAnd:    commutative("and", clsInt|clsBool),
	OpOr:     commutative("or", clsInt|clsBool),
	OpXor:    commutative("xor", clsInt|clsBool),
	OpAndNot: binary("andnot", clsInt),
	OpShl:    shift("shl"),
	OpShr:    shift("shr"),
	OpNeg:    unary("neg", clsNumeric),
	OpCom:    unary("com", clsInt),
	OpNot:    unary("not", clsBool),
	OpEq:     equality("eq"),
	OpNe:     equality("ne"),
	OpLt:     order("lt"),
	OpLe:     order("le"),
	OpGt:     order("gt"),
	OpGe:     order("ge"),
	OpMin:    binary("min", clsNumeric),
	OpMax:    binary("max", clsNumeric),

	OpConvert: conversion("convert"),
	OpBitcast: conversion("bitcast"),
	OpOpaque:  unary("opaque", clsNumeric|clsBool),
	OpMath:    {name: "math", args: variable, results: variable},

	OpThreadID:  {name: "thread.id", args: 1, results: 1},
	OpThreadDim: {name: "thread.dim", args: 1, results: 1},

	OpLane:       {name: "lane", args: 1, results: 1},
	OpBlockID:    {name: "block.id", args: 1, results: 1},
	OpBlockDim:   {name: "block.dim", args: 1, results: 1},
	OpBlockIndex: {name: "block.index", args: 1, results: 1},
	OpSync:       {name: "sync", effect: Writes},
	OpShared:     {name: "shared", effect: Writes, results: 1},

	OpZero:      {name: "zero", results: 1},
	OpMake:      {name: "make", args: variable, results: 1},
	OpField:     {name: "field", args: 1, results: 1},
	OpElem:      {name: "elem", args: 2, results: 1},
	OpLocal:     {name: "local", effect: Writes, args: 1, results: 1},
	OpFieldAddr: {name: "field.addr", args: 1, results: 1},
	OpElemAddr:  {name: "elem.addr", args: 2, results: 1},
	OpSliceOf:   {name: "sliceof", args: 1, results: 1},
	OpIsNil:     {name: "isnil", args: 1, results: 1},
	OpApart:     {name: "apart", args: 2, results: 1},
	OpCopy:      {name: "copy", effect: Writes, args: 2, results: 1},
	OpBits:      {name: "bits", args: 1, results: 1},
	OpMulWide:   {name: "mulwide", args: 2, results: 2, commutative: true},
	OpDivWide:   {name: "divwide", args: 3, results: 2},
	OpCheck:     {name: "check", effect: Writes, args: variable},

	OpLen:       {name: "len", args: 1, results: 1},
	OpSubslice:  {name: "subslice", args: 3, results: 1},
	OpIndexAddr: {name: "index", args: 2, results: 1},
	OpLoad:      {name: "load", effect: Reads, args: 1, results: 1},
	OpStore:     {name: "store", effect: Writes, args: 2},
	OpAtomic:    {name: "atomic", effect: Writes, args: variable, results: 1},
	OpPrintf:    {name: "printf", effect: Writes, args: variable},
	OpCall:      {name: "call", effect: Writes, args: variable, results: variable},
	OpRecur:     {name: "recur", effect: Writes, args: variable, results: variable},

	OpFor:    {name: "for", effect: Writes, args: variable, blocks: 1},
	OpLaunch: {name: "launch", effect: Writes, args: variable},

	OpSnapshot: {name: "snapshot", effect: Writes, args: 1, results: 1},
	OpRestore:  {name: "restore", effect: Writes, args: 1, results: 1},
	OpPush:     {name: "push", effect: Writes, args: 1},
	OpPop:      {name: "pop", effect: Writes, results: 1},

	OpTileMake:   {name: "tile.make", effect: Control, results: 1, blocks: 1},
	OpTileAt:     {name: "tile.at", args: 4, results: 1},
	OpTileReduce: {name: "tile.reduce", effect: Control, args: variable, results: variable, blocks: 1},
	OpTileScan:   {name: "tile.scan", effect: Control, args: variable, results: variable, blocks: 1},
	OpTileDot:    {name: "tile.dot", args: 3, results: 1},
	OpMultiply:   {name: "multiply", effect: Writes, args: 3},
	OpCopyRow:    {name: "copy.row", effect: Writes, args: 2},

	OpSplat:        {name: "splat", args: 1, results: 1},
	OpIota:         {name: "iota", results: 1},
	OpSelect:       {name: "select", args: 3, results: 1},
	OpExtract:      {name: "extract", args: 1, results: 1},
	OpConcat:       {name: "concat", args: variable, results: 1},
	OpAny:          {name: "any", args: 1, results: 1},
	OpLoadRow:      {name: "load.row", effect: Reads, args: variable, results: 1},
	OpStoreRow:     {name: "store.row", effect: Writes, args: variable},
	OpLoadParts:    {name: "load.parts", effect: Reads, args: variable, results: variable},
	OpStoreParts:   {name: "store.parts", effect: Writes, args: variable},
	OpLoadStrided:  {name: "load.strided", effect: Reads, args: variable, results: 1},
	OpStoreStrided: {name: "store.strided", effect: Writes, args: variable},
	OpGather:       {name: "gather", effect: Reads, args: variable, results: 1},
	OpScatter:      {name: "scatter", effect: Writes, args: variable},
	OpAtomicLanes:  {name: "atomic.lanes", effect: Writes, args: variable, results: 1},
	OpReduce:       {name: "reduce", args: 1, results: 1},
	OpCheckLanes:   {name: "check.lanes", effect: Writes, args: variable},
	OpPanicLanes:   {name: "panic.lanes", effect: Writes, args: variable},
	OpAdvance:      {name: "advance", effect: Writes, args: 1},
	OpPrefetch:     {name: "prefetch", effect: Writes, args: 2},

	OpIf:          {name: "if", effect: Control, args: 1, results: variable, blocks: 2},
	OpLoop:        {name: "loop", effect: Control, args: variable, results: variable, blocks: 3},
	OpYield:       terminator("yield", variable),
	OpTest:        terminator("test", 1),
	OpContinue:    terminator("continue", variable),
	OpBreak:       terminator("break", variable),
	OpReturn:      terminator("return", variable),
	OpUnreachable: terminator("unreachable", 0),
	OpPanic:       terminator("panic", variable),
}

// info is the op's row. An invalid op has the first row.
func (op Op) info() *opInfo {
	if op >= numOps {
		op = OpInvalid
	}
	return &ops[op]
}

// String is the op's name as the printer writes it.
func (op Op) String() string { return op.info().name }

// Effect is what the op does apart from its results. OpCall counts as a write; [Instr.Effect] looks into the
// callee.
func (op Op) Effect() Effect { return op.info().effect }

// IsTerminator reports whether the op ends a block.
func (op Op) IsTerminator() bool { return op.info().terminator }

// IsCommutative reports whether the op's two operands may be swapped. OpMin and OpMax are not commutative:
// which NaN they return depends on the order.
func (op Op) IsCommutative() bool { return op.info().commutative }

// IsComparison reports whether the op compares two operands of one type.
func (op Op) IsComparison() bool { return op.info().shape == shapeComparison }

// IsShift reports whether the op shifts its first operand by its second.
func (op Op) IsShift() bool { return op.info().shape == shapeShift }

// IsConversion reports whether the op converts a value from one type to another.
func (op Op) IsConversion() bool { return op.info().shape == shapeConversion }

// IsOperator reports whether the op is arithmetic, a shift, a comparison or a conversion: an operation on
// numbers or bools, whose operands have one type, except for a shift's count.
func (op Op) IsOperator() bool { return op.info().shape != shapeSpecial }

// Operands is the number of operands of the op, or -1 if it depends on other fields of the instruction.
func (op Op) Operands() int { return int(op.info().args) }

// Takes reports whether the operands of an operator can have a type.
func (op Op) Takes(t Type) bool { return op.info().operands.includes(t) }

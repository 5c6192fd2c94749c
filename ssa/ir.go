package ssa

import (
	"strconv"
	"strings"
)

// A Pos is a position in Go source. File is the name that diagnostics and comments show.
type Pos struct {
	File      string
	Line, Col int
}

// A Stmt is the Go statement that instructions come from.
type Stmt struct {
	Pos  Pos
	Text string // its first source line, without indentation
	Turn string // the iteration of the unrolled loops around it, such as "i = 3", or ""
}

// At is the position of the statement, with the base name of its file: the directory differs between
// machines. In an unrolled loop it includes the iteration.
func (s *Stmt) At() string { return string(s.AppendAt(nil)) }

// AppendAt appends At to a text.
func (s *Stmt) AppendAt(text []byte) []byte {
	text = append(text, s.Pos.File[max(strings.LastIndexByte(s.Pos.File, '/'), strings.LastIndexByte(s.Pos.File, '\\'))+1:]...)
	text = append(text, ':')
	text = strconv.AppendInt(text, int64(s.Pos.Line), 10)
	if s.Turn != "" {
		text = append(append(text, ", "...), s.Turn...)
	}
	return text
}

// Same reports whether two are one statement to the reader: of one line, in one iteration of the unrolled loops
// around it. There may be no statement, nil.
func (s *Stmt) Same(as *Stmt) bool {
	return s == as || s != nil && as != nil && s.Pos.File == as.Pos.File && s.Pos.Line == as.Pos.Line && s.Turn == as.Turn
}

// A Module is a unit of compilation: kernels and the device functions that they reach.
type Module struct {
	Name    string   // the kernel's Go name, for a module of one
	Pkg     string   // import path of the package the kernels are declared in
	Funcs   []*Func  // every function, callees before callers, kernels among them
	Formats []Format // indexed by OpPrintf's Format
	Fused   bool     // x*y + z may be one operation
	Narrow  bool     // it is for small launches: see narrow.go
}

// Kernels are the module's functions that can be launched, in order.
func (m *Module) Kernels() []*Func {
	var ks []*Func
	for _, f := range m.Funcs {
		if f.Kernel {
			ks = append(ks, f)
		}
	}
	return ks
}

// A Format is one printf call's format and the types of its arguments. Devices
// record arguments, the host prints them, so Go's verbs mean what they mean in fmt.
type Format struct {
	Text string
	Args []FormatArg
}

// A FormatArg is one printf argument: its SSA type, and what Go's %T and %v need to know in addition (int is
// Int64 in SSA).
type FormatArg struct {
	Type   Type
	GoType string // "int", "float32", ...; both parts of a complex number, one after the other, have its type
}

// A Func is a kernel or a device function.
type Func struct {
	Name         string // the Go name, "saxpy" or "vec.Dot": unique in its module
	Kernel       bool
	Kind         Kind      // of a kernel: what its code describes
	Rank         int       // of a kernel: dimensions a launch must have, 0 for any
	Results      []Type    // a kernel has none
	Body         *Block    // its parameters are the function's; a kernel's first one is its Thread or BlockPlace; a Grid kernel has none for its Grid
	Decl         Stmt      // the line of the declaration
	Phased       bool      // made by Fission
	Blocked      bool      // of a kernel for threads: a launch gives it the size of a block, though its code may have no use for that
	Threads      int       // of a kernel for a block: how many threads each block has, 0 if it does for any number
	ReadsOnly    bool      // it leaves memory as it is but for its own variables: nobody can tell whether aggregates are given to it by reference
	Vector       Vector    // of a kernel, as are the next: see threads.go
	Rows         *Rows     // nil for none but those of the launch
	Interior     *Interior // nil for none
	Wide         *Wide     // nil if nobody has asked
	Rare         bool      // it is called so rarely that compilers need not spend time on it, and must not inline it
	InLine       bool      // compilers must inline it: what they know of its arguments makes it shorter
	OutOfLine    bool      // it is called at several places where compilers must not inline it: that would take them long
	Library      bool      // it belongs to a library package: its faults are reported at the user's call
	Standard     bool      // it belongs to the standard library, by its import path: the user's code begins at the call
	Gradient     *Gradient // of a device function, if it has one of its own
	Small        []Small   // of a kernel of a module for small launches: the numbers among its arguments that must be small
	Room         *Room     // of a kernel that a Grid kernel launches, if a launch of it makes memory
	Interchanged int       // of a kernel for launches in which an axis has changed places with the last one: 1 more than that axis, else 0
	Replay       *Func     // what stands for it where a backward kernel does again what the kernel does, nil for the function itself
	nextID       int
}

// Kind is what a kernel's code describes: the type of its first parameter in Go.
type Kind uint8

// The kinds of kernels.
const (
	ThreadKernel Kind = iota // one thread
	BlockKernel              // one block of cooperating threads
	GridKernel               // the whole launch: the function runs on the host, its OpFors on the device
)

// Params are the function's parameters.
func (f *Func) Params() []*Value { return f.Body.Params }

// A Block is a list of instructions. The last one, and no other, is a terminator.
type Block struct {
	Params []*Value
	Instrs []*Instr
	Func   *Func
	Owner  *Instr // the If or Loop it belongs to, nil for a function's body
}

// Terminator is the block's last instruction, or nil while it is being built.
func (b *Block) Terminator() *Instr {
	if n := len(b.Instrs); n > 0 && b.Instrs[n-1].Op.IsTerminator() {
		return b.Instrs[n-1]
	}
	return nil
}

// A Value is the result of an instruction or the parameter of a block. It is
// assigned once.
type Value struct {
	ID    int // unique in its function, ascending in the order of creation
	Type  Type
	Name  string // of the Go variable that first held it, or ""
	Def   *Instr // the instruction it is a result of, nil for a parameter
	Block *Block // the block it is a parameter of, nil for a result

	// Forward is the value by which a pass has replaced this one: see rewrite.go.
	Forward *Value
}

// Const is the value's constant, and whether it has one.
func (v *Value) Const() (Const, bool) {
	if v.Def != nil && v.Def.Op == OpConst {
		return v.Def.Const, true
	}
	return Const{}, false
}

// An Instr is one instruction. The documentation of each op says which of the fields after Results it uses.
// Modules have many instructions, so small fields are adjacent, to save memory.
type Instr struct {
	Op      Op
	Check   Check   // OpCheck, OpCheckLanes
	Bits    BitsOp  // OpBits
	Math    Math    // OpMath
	Atomic  Atomic  // OpAtomic, OpAtomicLanes, OpReduce
	Axis    int8    // OpThreadID, OpThreadDim, OpBlockIndex; OpTileReduce, OpTileScan: of three axes
	Rank    int8    // OpThreadID, OpBlockIndex: the dimensions of the ID method, 1 for the flat ID; OpLaunch: of the launch
	Storage Storage // OpShared: who shares the memory, and where it is
	Index   int32   // OpField, OpFieldAddr; OpShared in registers: the columns
	Len     int32   // OpShared; OpFor with two blocks: the lanes of the second; OpLoadParts, OpStoreParts, OpLoadStrided, OpStoreStrided, OpGather, OpScatter, OpAtomicLanes: the bytes between elements; OpMultiply: how many products are added to each element; OpCopyRow, OpPrefetch: the elements
	Format  int32   // OpPrintf

	// Scratch is the number of an instruction within one pass, or of the translation out of SSA. It has no meaning
	// otherwise.
	Scratch int32

	// What a target's stages have decided, as is Changes; see threads.go.
	Number int32  // OpCheck, OpPanic, OpCheckLanes, OpPanicLanes: what it is in fault records, from 1; 0 before it has a number
	Fit    Fit    // OpAdd, OpSub, OpMul, OpNeg, OpDiv, OpRem of integers: whether the target can compute it plainly
	Vector Vector // OpFor, in a loop over lanes: what the compiler is told of it
	Rows   bool   // OpLoad: of a matrix, row by row; OpThreadID: in rows of the kernel's own, see [Rows]
	Owned  bool   // OpAtomicLanes: no other thread sees the memory while this one runs
	Whole  bool   // OpCheckLanes, OpPanicLanes: the lanes are those of a Block kernel, whose faults are of the whole block
	Rolled bool   // OpLoop: the compiler is told not to unroll it
	Launch bool   // OpAtomic, OpAtomicLanes: no other launch uses the memory at the same time
	Once   bool   // in a Block kernel, outside parallel loops: one thread does it for all
	Spread bool   // OpFor of two sizes: each thread does what is for the elements of a matrix of these sizes that it has in registers

	// Narrow says, for OpMultiply, that the numbers of the operands have fewer bits than those of the sum. For
	// OpTileMake it says that each element is that of another tile at the same place, with the same value in more bits.
	Narrow Narrow

	// Async says of an OpFor that the threads do not wait for each other before and after it, nor for the rows that
	// they copy. With Spread, no thread sees what another one does there. Else who uses what it writes comes after an
	// OpSync with Async, which has the copies of the thread since the last one as a group, and also waits until all
	// groups have happened but the newest ones, Len of them.
	Async bool

	Args    []*Value
	Results []*Value

	Const   Const    // OpConst
	Message string   // OpCheck assert, OpPanic, and both in lanes
	Callee  *Func    // OpCall, OpRecur, OpLaunch
	Blocks  []*Block // OpIf: then, else. OpLoop: cond, body, post. OpFor, OpTileMake, OpTileReduce, OpTileScan: body.
	Target  *Instr   // OpBreak, OpContinue: the loop
	Label   string   // OpLoop: the Go label, or ""

	Changes []*Value // in a Block kernel, outside of parallel loops: the variables, by their OpLocals' results, that it may change

	Block *Block // the block that contains it
	Pos   Pos    // of the expression or statement
	Stmt  *Stmt  // the statement it comes from, shared by all of its instructions
}

// Result is the only result of an instruction.
func (in *Instr) Result() *Value {
	if len(in.Results) != 1 {
		panic("BUG: Result of " + in.Op.String())
	}
	return in.Results[0]
}

// The blocks of an OpIf and of an OpLoop, by name.
func (in *Instr) Then() *Block { return in.Blocks[0] }
func (in *Instr) Else() *Block { return in.Blocks[1] }
func (in *Instr) Cond() *Block { return in.Blocks[0] }
func (in *Instr) Do() *Block   { return in.Blocks[1] }
func (in *Instr) Post() *Block { return in.Blocks[2] }

// WideBlock is the block of an OpFor that runs several of its indices at once, nil if there is none.
func (in *Instr) WideBlock() *Block {
	if in.Op != OpFor || len(in.Blocks) < 2 {
		return nil
	}
	return in.Blocks[1]
}

// Walk calls f for every instruction in b and its nested blocks, in order, outer before inner.
func (b *Block) Walk(f func(*Instr)) {
	for _, in := range b.Instrs {
		f(in)
		for _, nested := range in.Blocks {
			nested.Walk(f)
		}
	}
}

// Place is the position of an instruction, or of its statement if it has none.
func (in *Instr) Place() Pos {
	if in.Pos.Line == 0 && in.Stmt != nil {
		return in.Stmt.Pos
	}
	return in.Pos
}

// IsConst reports whether a value is a constant.
func IsConst(v *Value) bool {
	_, ok := v.Const()
	return ok
}

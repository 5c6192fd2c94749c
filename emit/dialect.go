package emit

import (
	"github.com/qdgen/qd/emit/prelude"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
	"github.com/qdgen/qd/ssa/target/declare"
)

// A Dialect is what the printer must know of a target language.
type Dialect struct {
	Language string // as comments name it: "C++", "CUDA C++"
	Ext      string // of a file of it, with the dot
	// SignedWraps says that signed integers that overflow wrap. Where they do
	// not, arithmetic that may overflow is printed through functions of the prelude.
	SignedWraps bool
	// Device stands before what is declared for the device, ending in a space if
	// it is not empty.
	Device string
	// Rare stands before a function that is rarely called, InLine before one that must be inlined, and OutOfLine before one
	// that must not.
	Rare, InLine, OutOfLine string
	// Table stands before the declaration of a constant array, in a function, that is made once.
	Table string
	// Prelude gives the helpers that the text can call. It makes them when it is first called: most programs find their
	// kernels in the cache, and print nothing.
	Prelude func() *prelude.Library
	// OffsetOf is the piece of the prelude that gives the offset of a field, "" where the compiler has __builtin_offsetof.
	OffsetOf string
	// Recursion is the piece of the prelude that a module with recursion needs, "" for none.
	Recursion string
	// Block says how the threads of a block are spoken of.
	Block BlockWords
	// Hint is the line before a loop over threads or lanes that tells the compiler what was decided about it, "" for
	// none. It is nil where there are no such loops.
	Hint func(ssa.Vector) string
	// Rolled is the line before a loop that tells the compiler not to unroll it.
	Rolled string
	// LaneThread declares the Thread of a lane in a phased kernel; lane is its index in the block.
	LaneThread func(k *Kernel, name, lane string) []string
	// ABI is what kernels are given.
	ABI abi.Target
	// Alone is set if threads of a launch may run one after the other.
	Alone bool
	// Frame are the names that Open uses where the body of a kernel sees them.
	Frame func(k *ssa.Func) []string
	// Hidden are the names that no type may have, since Open and Close use them for something else where they
	// name types.
	Hidden []string
	// Row names what does not change in a loop over the threads of a row.
	Row RowNames
	// Open gives the lines of a kernel up to its body's first statement, Close
	// those from the brace that closes it.
	Open, Close func(k *Kernel) []string
}

// BlockWords are the words of a dialect for what the threads of a block do together.
type BlockWords struct {
	// Shared is the declaration of memory that they share, of what is declared as "T name" or "T name[n]".
	Shared func(declared string) string
	// Scratch declares memory that they share and write before they read it.
	Scratch func(declared string) string
	// Cut declares the pointer to elements that begin at a byte of the piece of memory that a launch brings to a kernel
	// which cannot declare as much: see [abi.OnePiece]. It is nil where kernels can declare any number of bytes.
	Cut func(elem, name string, at int) string
	// Zeroed is set if they make that memory zero together, at the beginning of a kernel. Else it is zero as it is
	// declared.
	Zeroed bool
	// Barrier is the statement by which they wait for each other, "" where they run one after the other.
	Barrier string
	// Loop is the header of a loop over lanes up to n, of the type index, in blocks of so many threads, 0 if that is no
	// constant. It is once where there are no more lanes than threads.
	Loop func(index, lane, n string, threads int, once bool) string
	// Width is the name of the number of lanes in loops over several lanes at once.
	Width string
	// InLanes are the headers of two loops: over so many lanes at once, whose first one has a name, and over each lane
	// that remains, which has a name of its own.
	InLanes func(first, lane, n string, at int) (wide, rest string)
	// First holds in one of them.
	First string
}

// A Kernel is what a dialect prints the frame of.
type Kernel struct {
	Symbol string // the exported name
	Func   *ssa.Func
	Place  string  // the type of its first parameter: Thread or Block
	Thread string  // the name of the variable of it, "" if nothing uses it
	Params []Param // the others
	// Rows is set if its threads run in rows of its own, and not those of the launch.
	Rows *Rows
	// Interior is set if the rows of its threads have one.
	Interior *Interior
	// Wide is how several threads run at once, nil if none do.
	Wide *Wide
	// Hint is the line before a loop over threads, "" for none: see [Dialect.Hint].
	Hint string
	// Alone is set if the function of a thread is told whether all threads of the launch run one after the other.
	Alone bool
	// Faults is set if a thread may stop at a check or a panic; see fault.go.
	Faults bool
	// Lanes is the name of a phased kernel's number of threads, "" if nothing uses it.
	Lanes string
	// Blocked is set if the kernel's argument struct has the size of a block.
	Blocked bool
	// Memory is the size in bytes of the piece of memory that a block needs at its launch, 0 for none: see
	// [BlockWords.Cut].
	Memory int
	// Shared are the statements that make shared memory zero, for a dialect that does not
	// do so where it is declared.
	Shared []string
	Narrow bool // launches are small
	parts  declare.Place
}

// A Param is a kernel's parameter after its Thread.
type Param struct {
	Field     string // in the argument struct
	Type      string
	Name      string // of the variable, "" if nothing uses it
	Const     bool   // the variable is never assigned
	Aggregate bool   // of a struct or an array
	// Empty is set for a type without size, which the argument struct does not have.
	Empty bool
}

// In is the parameter's value in an argument struct.
func (p Param) In(args string) string {
	if p.Empty {
		return p.Type + "{}"
	}
	return args + "." + p.Field
}

// Args is the name of the kernel's argument struct.
func (k *Kernel) Args() string { return k.Symbol + "_args" }

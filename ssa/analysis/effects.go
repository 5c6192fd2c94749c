package analysis

import "github.com/qdgen/qd/ssa"

// Effects is the set of possible effects of an instruction or a function, apart from its results.
type Effects uint16

// The single effects.
const (
	// ReadsMemory and WritesMemory: any memory, such as the memory of arguments. The memory of a callee and of
	// its caller are not distinguished.
	ReadsMemory Effects = 1 << iota
	WritesMemory
	// ReadsShared and WritesShared: memory that the threads of a block share, accessed by its name.
	ReadsShared
	WritesShared
	// ReadsVariable and WritesVariable: a local variable that is declared outside the instruction. A function has
	// neither effect, because its variables are its own.
	ReadsVariable
	WritesVariable
	// Prints: it records arguments of a printf.
	Prints
	// Waits: threads wait for each other, or run a parallel loop together.
	Waits
	// Launches: it launches a kernel.
	Launches
	// Checks: a check may stop the launch.
	Checks
	// Panics: a panic may stop the launch.
	Panics
	// Endless: a loop is not proven to terminate.
	Endless
	// Leaves: control may not continue after the instruction.
	Leaves
	// Hints: it tells the processor what it will need.
	Hints
	// Atomics: an atomic operation, by which a thread may wait for others.
	Atomics
)

// Sets of effects.
const (
	// ReadsAny and WritesAny: any memory except the function's own variables.
	ReadsAny  = ReadsMemory | ReadsShared | ReadsVariable
	WritesAny = WritesMemory | WritesShared | WritesVariable
	// SeenByOthers: effects that other threads see while the launch runs.
	SeenByOthers = WritesMemory | WritesShared | Prints
	// MayStop: a check or a panic may stop the launch.
	MayStop = Checks | Panics
	// Acts: what is done to memory or to the world, or waits for others, apart from what stops the launch.
	Acts = WritesAny | Prints | Waits | Launches
	// Seen: effects that are visible from outside. Instructions with such an effect must run as often as the code
	// says, in order.
	Seen = Acts | MayStop | Hints
)

// Has reports whether a set has any of the given effects.
func (e Effects) Has(any Effects) bool { return e&any != 0 }

// Level converts the set to an [ssa.Effect].
func (e Effects) Level() ssa.Effect {
	switch {
	case e.Has(Panics | Endless | Leaves):
		return ssa.Control
	case e.Has(Seen):
		return ssa.Writes
	case e.Has(ReadsAny):
		return ssa.Reads
	}
	return ssa.Pure
}

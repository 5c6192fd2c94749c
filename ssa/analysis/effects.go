package analysis

import "github.com/qdgen/qd/ssa"

// Effects is a set of what an instruction, or a function, may do beside giving its results.
type Effects uint16

// Which memory is read and written, and what else.
const (
	// ReadsMemory and WritesMemory: memory of which nothing is known, as what arguments lead to. A
	// callee's is not told from what is the caller's.
	ReadsMemory Effects = 1 << iota
	WritesMemory
	// ReadsShared and WritesShared: what the threads of a block share, by its name.
	ReadsShared
	WritesShared
	// ReadsVariable and WritesVariable: a local variable, made outside of the instruction. A
	// function has none of these: its variables are its own.
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
	// Panics: a panic may.
	Panics
	// Endless: a loop is not known to come to an end.
	Endless
	// Leaves: control may go on elsewhere than behind the instruction.
	Leaves
)

// Sets of effects.
const (
	// ReadsAny and WritesAny: any memory but variables of their own.
	ReadsAny  = ReadsMemory | ReadsShared | ReadsVariable
	WritesAny = WritesMemory | WritesShared | WritesVariable
	// SeenByOthers: what other threads see while the launch runs.
	SeenByOthers = WritesMemory | WritesShared | Prints
	// MayStop: a check or a panic may stop the launch.
	MayStop = Checks | Panics
	// Seen: what others can tell from outside. An instruction with such an effect runs as often as it
	// stands there, in order with the others.
	Seen = WritesAny | Prints | Waits | Launches | MayStop
)

// Has reports whether a set has one of some effects.
func (e Effects) Has(any Effects) bool { return e&any != 0 }

// Level is the set on the scale of [ssa.Effect].
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

package ssa

// A Room is the memory that a launch makes for a kernel: for a backward kernel, which keeps values (see package
// ssa/gradient). Only launches in the host code of a Grid kernel do so.
type Room struct {
	// Copies are the places, among the kernel's parameters, of those whose memory the kernel writes for itself: a launch
	// gives it copies. Count is given others.
	Copies []int
	// Elems are the elements of the slices that are the parameters behind those that a launch gives arguments for. A
	// launch of n threads makes slices of n*h elements, where h is the largest number that Count gives for any thread.
	Elems []Type
	// Batched says that a launch goes through its threads in batches, each of them in one dimension. The last parameters
	// are then the flat index of the first thread of the batch, and the sizes of the launch along each axis.
	Batched bool
	// Count is a kernel with the same parameters up to those of Elems, in whose place it has slices of int64 with an
	// element for each thread. It is nil if there are no Elems.
	Count *Func
}

// Params is the number of parameters that stand for what a launch makes.
func (r *Room) Params() int {
	if r.Batched {
		return len(r.Elems) + 1 + len([4]int{})
	}
	return len(r.Elems)
}

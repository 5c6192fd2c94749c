package analysis

import "github.com/qdgen/qd/ssa"

// Apart returns how many bytes an address in a slice is from the one that the next thread computes there. If that differs
// from thread to thread, it is the size of an element of the slice. It is 0 for the same address, and for one that is in
// no slice.
func Apart(ptr *ssa.Value) int {
	in := ptr.Def
	for in != nil && (in.Op == ssa.OpElemAddr || in.Op == ssa.OpFieldAddr) {
		in = in.Args[0].Def
	}
	if in == nil || in.Op != ssa.OpIndexAddr {
		return 0
	}
	size := in.Result().Type.(ssa.Pointer).Elem.Size()
	if n, ok := Stride(in.Args[1]); ok {
		return size * int(max(n, -n))
	}
	return size
}

// MaxGroup is up to how many numbers apart compilers load whole vectors and shuffle, where threads read numbers that lie
// apart. They gather the others. Operations on matrices in float32 and float64, compiled by clang, have set it (bench:
// batches of small matrices).
const MaxGroup = 8

package analysis

import "github.com/qdgen/qd/ssa"

// Distance returns how many bytes an address in a slice is from the one that the next thread computes there. If that differs
// from thread to thread, it is the size of an element of the slice. It is 0 for the same address, and for one that is in
// no slice.
func Distance(ptr *ssa.Value) int {
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

// IsFar reports whether numbers of so many bytes at an address lie so far from those that the next thread accesses that
// compilers gather them. They load whole vectors of others, and shuffle these. Operations on matrices in float32 and
// float64, compiled by clang, have set the limit (bench: batches of small matrices).
func IsFar(ptr *ssa.Value, size int) bool { return 8*size < Distance(ptr) }

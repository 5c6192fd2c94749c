package ssa

import "math/bits"

// Matrices in registers. The threads of a block are taken in warps, and the warps in a rectangle that lies over the
// matrix: each warp has so many rows and columns, which are multiples of the 16 rows and 8 columns that a warp
// multiplies at once. In each 8 x 8 elements, a thread has two that follow each other in a row. That is how mma.sync of
// NVIDIA's GPUs has the sum. Threads that no warp is full of, and warps that the rectangle leaves out, have no
// elements; nor do those have any that lie outside of the matrix.

// WarpThreads is the number of threads in a warp.
const WarpThreads = 32

// DefaultBlockDim is the number of threads in a block where nobody has asked for another.
const DefaultBlockDim = 256

// The rows and columns that a warp multiplies at once.
const (
	warpRows    = 16
	warpColumns = 8
)

// Warps is the rectangle of the warps of a block of so many threads over a matrix: how many are below each other, and
// how many side by side. Of all that give the busiest thread the fewest elements, it is the one with the fewest rows
// and columns to read for each warp.
func Warps(rows, columns, threads int) (down, across int) {
	best, bestEdge := 0, 0
	for d := 1; d <= threads/WarpThreads; d++ {
		a := threads / WarpThreads / d
		r, c := part(rows, warpRows, d), part(columns, warpColumns, a)
		if down == 0 || r*c < best || r*c == best && r+c < bestEdge {
			best, bestEdge, down, across = r*c, r+c, (rows+r-1)/r, (columns+c-1)/c
		}
	}
	return down, across
}

// PerThread is how many elements of a matrix a thread has room for.
func PerThread(rows, columns, threads int) int {
	down, across := Warps(rows, columns, threads)
	return part(rows, warpRows, down) * part(columns, warpColumns, across) / WarpThreads
}

// part is the length of each of so many equal parts, of whole steps, of a length.
func part(n, step, parts int) int { return ((n+step-1)/step + parts - 1) / parts * step }

// A Swizzle says where the elements of a matrix in shared memory are that a block multiplies: each group of 16 bytes of
// a row is exchanged with another one of the same row, so that groups of rows that follow each other are in different
// banks of the memory.
type Swizzle struct {
	Shift, Mask int // the number of the group and the number of the row, shifted and masked, are joined by an exclusive or
	Group       int // elements of a group; 0 if the elements lie row by row
}

// SwizzleOf is the swizzle of a matrix of so many columns. Rows that are no whole number of groups, or one only, are
// not swizzled.
func SwizzleOf(columns, size int) Swizzle {
	if columns*size%16 != 0 || 16%size != 0 {
		return Swizzle{}
	}
	groups := min(8, columns*size/16&-(columns*size/16))
	if groups < 2 {
		return Swizzle{}
	}
	return Swizzle{Shift: bits.TrailingZeros(uint(8 / groups)), Mask: groups - 1, Group: 16 / size}
}

// Column is where a row has an element.
func (s Swizzle) Column(row, column int) int { return column ^ (row>>s.Shift&s.Mask)*s.Group }

// Narrow says in which form numbers are kept that take fewer bits than what is computed with them. It also says in
// which order products are added: where the numbers are kept as they are, in that of their index, floats with one
// rounding for multiplication and addition. Sums of integers are the same in any order. Products of Float16 and
// BFloat16 are exact, and are added to the float32 sum in an order and with the roundings that the device has for it.
// So are those of TF32: its numbers are kept as they are, and rounded before they are multiplied.
type Narrow uint8

// The forms of numbers. A Float16 and a BFloat16 are structs of a uint16.
const (
	NotNarrow Narrow = iota
	NarrowFloat16
	NarrowBFloat16
	NarrowInt8
	NarrowTF32
)

// Wide is the type that numbers have which are kept in some form; nil for those that are kept as they are.
func (n Narrow) Wide() Type {
	return [...]Type{nil, Float32, Float32, Int32, Float32}[n]
}

// SpreadMatrix is the OpShared of a matrix in registers that a value is, nil for another value.
func (v *Value) SpreadMatrix() *Instr {
	if v.Def != nil && v.Def.Op == OpShared && v.Def.Storage == RegisterStorage {
		return v.Def
	}
	return nil
}

// spread checks who uses a matrix in registers.
func (v *verifier) spread(in *Instr) {
	for i, a := range in.Args {
		m := a.SpreadMatrix()
		if m == nil || in.Op == OpMultiply && i == 0 {
			continue
		}
		loop := in.Block.Owner
		for loop != nil && !loop.Op.OwnsLanes() {
			loop = loop.Block.Owner
		}
		if in.Op != OpIndexAddr || loop == nil || !loop.Spread || !hasSizes(loop, int64(m.Len/m.Index), int64(m.Index)) {
			v.report(in, "uses a matrix in registers elsewhere than in a loop over its elements")
		}
	}
}

// hasSizes reports whether an OpFor has two constant sizes, which are these.
func hasSizes(loop *Instr, m, n int64) bool {
	x, ok := loop.Args[0].Const()
	y, also := loop.Args[1].Const()
	return ok && also && x.Int() == m && y.Int() == n
}

// sharedRoom is how many elements a slice of memory that threads share has, at most if that cannot be seen; -1 for
// another slice.
func sharedRoom(v *Value) int64 {
	switch {
	case v.Def == nil:
		return -1
	case v.Def.Op == OpShared && v.SpreadMatrix() == nil:
		return int64(v.Def.Len)
	case v.Def.Op != OpSubslice:
		return -1
	}
	whole := v.Def.Args[0] // a part of a part may be longer than that
	for whole.Def != nil && whole.Def.Op == OpSubslice {
		whole = whole.Def.Args[0]
	}
	room, from, to := sharedRoom(whole), v.Def.Args[1], v.Def.Args[2]
	lo, ok := from.Const()
	hi, also := to.Const()
	if ok && also {
		return min(room, hi.Int()-lo.Int())
	}
	if to.Def != nil && to.Def.Op == OpAdd {
		for i, a := range to.Def.Args {
			if n, ok := to.Def.Args[1-i].Const(); ok && a == from {
				return min(room, n.Int())
			}
		}
	}
	return room
}

// multiply checks an OpMultiply.
func (v *verifier) multiply(in *Instr) {
	if in.InsideLanes() {
		v.report(in, "stands in the code of a lane")
	}
	sum := in.Args[0].SpreadMatrix()
	if sum == nil {
		v.report(in, "the sum is no matrix in registers")
		return
	}
	elem := sum.Result().Type.(Slice).Elem
	for i, x := range in.Args[1:] {
		length := sum.Len / sum.Index
		if i == 1 {
			length = sum.Index
		}
		s, ok := x.Type.(Slice)
		switch {
		case !ok || sharedRoom(x) < 0:
			v.report(in, "operand %d is no memory that threads share", i+1)
		case sharedRoom(x) < int64(length)*int64(in.Len):
			v.report(in, "operand %d has %d elements, fewer than %d x %d", i+1, sharedRoom(x), length, in.Len)
		case in.Narrow == NotNarrow && s.Elem != elem, in.Narrow == NarrowInt8 && s.Elem != Int8, in.Narrow == NarrowTF32 && s.Elem != Float32, in.Narrow != NotNarrow && elem != in.Narrow.Wide(),
			(in.Narrow == NarrowFloat16 || in.Narrow == NarrowBFloat16) && s.Elem.Size() != 2:
			v.report(in, "operand %d has elements of type %v, the sum of type %v", i+1, s.Elem, elem)
		}
	}
	if elem != Float32 && elem != Float64 && elem != Int32 {
		v.report(in, "no product of matrices of %v", elem)
	}
}

package ssa

import (
	"strconv"
	"strings"
)

// A TileType is the type of a tile: elements that the threads of a block hold together. The front end makes tiles, in
// the bodies of Block kernels, and package ssa/target/tiles replaces them by memory and loops, before any pass sees
// them.
//
// The axes are the last ones of Dims; those before them have length 1. A tile without lengths has Rank -1: it is the
// zero value of a variable that has none yet, and no operand.
type TileType struct {
	Elem Type
	Rank int
	Dims [3]int
}

// Unshaped is the type of a tile without lengths.
func Unshaped(elem Type) TileType { return TileType{Elem: elem, Rank: -1} }

// Shape is the lengths along the axes.
func (t TileType) Shape() []int { return t.Dims[3-max(t.Rank, 0):] }

// Len is the number of elements.
func (t TileType) Len() int { return t.Dims[0] * t.Dims[1] * t.Dims[2] }

func (t TileType) String() string {
	if t.Rank < 0 {
		return "tile of " + t.Elem.String()
	}
	return "tile " + t.Lengths() + " of " + t.Elem.String()
}

// Lengths is the shape in words: "64x32", or "?x32" where a length is not known.
func (t TileType) Lengths() string {
	var parts []string
	for _, n := range t.Shape() {
		if n == 0 {
			parts = append(parts, "?")
			continue
		}
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, "x")
}

// Size implements [Type].
func (t TileType) Size() int { return t.Len() * t.Elem.Size() }

// Align implements [Type].
func (t TileType) Align() int { return t.Elem.Align() }

// IsTile reports whether a type is that of a tile.
func IsTile(t Type) bool { _, ok := t.(TileType); return ok }

// MaxTileLen is the largest number of elements of a tile.
const MaxTileLen = 1 << 20

// Without is the type of what is left of a tile along the other axes than one of three.
func (t TileType) Without(axis int) TileType {
	r := TileType{Elem: t.Elem, Rank: t.Rank - 1, Dims: [3]int{1, 1, 1}}
	for a, to := 2, 2; a >= 3-t.Rank; a-- {
		if a != axis {
			r.Dims[to] = t.Dims[a]
			to--
		}
	}
	return r
}

// OwnsLanes reports whether the op's blocks are done for many indices, in parallel.
func (op Op) OwnsLanes() bool {
	return op == OpFor || op == OpTileMake || op == OpTileReduce || op == OpTileScan
}

// tile checks the operations on tiles.
func (v *verifier) tile(in *Instr) {
	if !v.fn.Kernel || v.fn.Kind != BlockKernel {
		v.report(in, "stands elsewhere than in a kernel for a block")
	}
	if in.Op != OpTileAt && in.InsideLanes() {
		v.report(in, "makes a tile in the code of a lane")
	}
	var operands []TileType
	for i, a := range in.Args {
		t, ok := a.Type.(TileType)
		if !ok && (in.Op != OpTileAt || i == 0) {
			v.report(in, "operand %d is %v, not a tile", i, a.Type)
			return
		}
		operands = append(operands, t)
	}
	switch in.Op {
	case OpTileMake:
		t, ok := in.Results[0].Type.(TileType)
		if !ok || t.Rank < 0 {
			v.report(in, "result is %v, not a tile with lengths", in.Results[0].Type)
			return
		}
		v.region(in, []Type{Int64, Int64, Int64}, []Type{t.Elem})
	case OpTileAt:
		for i := range in.Args[1:] {
			v.operand(in, i+1, Int64)
		}
		v.result(in, 0, operands[0].Elem)
	case OpTileReduce, OpTileScan:
		v.joined(in, operands)
	case OpTileDot:
		x, y, sum := operands[0], operands[1], operands[2]
		if x.Rank != 2 || y.Rank != 2 || sum.Rank != 2 || x.Dims[2] != y.Dims[1] || x.Dims[1] != sum.Dims[1] || y.Dims[2] != sum.Dims[2] || x.Elem != y.Elem || x.Elem != sum.Elem {
			v.report(in, "no product of %v and %v that could be added to %v", x, y, sum)
		}
		if x.Elem != Float32 && x.Elem != Float64 && x.Elem != Int32 {
			v.report(in, "no product of tiles of %v", x.Elem)
		}
		v.result(in, 0, sum)
	}
}

// joined checks a reduction or a scan.
func (v *verifier) joined(in *Instr, operands []TileType) {
	if len(operands) == 0 || len(in.Results) != len(operands) {
		v.report(in, "has %d operands and %d results", len(operands), len(in.Results))
		return
	}
	first := operands[0]
	if axis := int(in.Axis); first.Rank < 1 || axis < 3-first.Rank || axis > 2 {
		v.report(in, "%v has no axis %d", first, in.Axis)
		return
	}
	var elems []Type
	for i, t := range operands {
		if t.Rank != first.Rank || t.Dims != first.Dims {
			v.report(in, "operand %d is %v beside %v", i, t, first)
		}
		elems = append(elems, t.Elem)
		if in.Op == OpTileReduce {
			t = t.Without(int(in.Axis))
		}
		v.result(in, i, t)
	}
	v.region(in, append(elems[:len(elems):len(elems)], elems...), elems)
}

// region checks the parameters of an operation's block, and what it ends with.
func (v *verifier) region(in *Instr, params, yields []Type) {
	v.allTypes(in, "parameters", in.Blocks[0].Params, params)
	if t := in.Blocks[0].Terminator(); t != nil && t.Op == OpYield {
		v.allTypes(t, "operands", t.Args, yields)
	}
}

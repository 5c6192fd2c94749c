package randprog

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/qdgen/qd/internal/randprog/harness"
)

// A tileWriter writes a random kernel of a block that computes with tiles.
type tileWriter struct {
	*rand.Rand
	strings.Builder
	name                        string
	float                       string // the type of the floats
	side                        int    // the root of how many elements of each slice a block has
	smooth                      bool   // it is for gradients: no old values of atomic operations, and floats that stay small
	depth, loops, names, budget int
	vars                        []tileVariable
	shapes                      []tileShape
}

type tileVariable struct {
	name string
	tileShape
}

// A tileShape is the type and the lengths of a tile; rows is 0 with one axis.
type tileShape struct {
	elem          string
	rows, columns int
}

func (w *tileWriter) line(format string, args ...any) {
	fmt.Fprintf(w, strings.Repeat("\t", w.depth)+format+"\n", args...)
}

func (w *tileWriter) one(list ...string) string { return list[w.IntN(len(list))] }

var tileLengths = []int{1, 2, 3, 4, 5, 7, 8}

// shape is mostly one of a few, so that variables can exchange their tiles.
func (w *tileWriter) shape() tileShape {
	if len(w.shapes) == 2 && w.IntN(6) > 0 {
		return w.shapes[w.IntN(2)]
	}
	s := tileShape{elem: w.one("int32", w.float), columns: tileLengths[w.IntN(len(tileLengths))]}
	if w.IntN(2) == 0 {
		s.rows = tileLengths[w.IntN(len(tileLengths))]
	}
	if len(w.shapes) < 2 {
		w.shapes = append(w.shapes, s)
	}
	return s
}

// tileElements is how many elements of each slice a block of a tile kernel has.
const tileElements = 64

// TileKernel is a random kernel NAME(b qd.Block, n int, x []int32, y []float32), as text. Each block has tileElements
// elements of each slice.
func TileKernel(seed uint64, name string) string {
	w := &tileWriter{Rand: rand.New(rand.NewPCG(seed, 18)), name: name, float: "float32", side: 8}
	return w.kernel()
}

// TileGradientSide is the root of how many elements of each slice a block of a kernel of [TileGradient] has.
const TileGradientSide = 3

// TileGradient is a random kernel that has a gradient: NAME(b qd.Block, n int, x []int32, y, z []float64). All blocks
// add to z.
func TileGradient(seed uint64, name string) string {
	w := &tileWriter{Rand: rand.New(rand.NewPCG(seed, 19)), name: name, float: "float64", side: TileGradientSide, smooth: true}
	return w.kernel()
}

func (w *tileWriter) kernel() string {
	fmt.Fprintf(w, "func early%[1]s(n int, s, t tile.Tile[int32]) tile.Tile[int32] {\n\tif n%%2 == 0 {\n\t\treturn s\n\t}\n\treturn t.Maximum(s)\n}\n\n", w.name)
	params := "y []" + w.float
	if w.smooth {
		params = "y, z []" + w.float
	}
	fmt.Fprintf(w, "//qd:kernel\nfunc %s(b qd.Block, n int, x []int32, %s) {\n", w.name, params)
	w.depth, w.budget = 1, 14
	if w.smooth {
		w.line("n = (n + %d) & 3", w.IntN(4))
	} else {
		w.line("n &= 3")
	}
	w.line("x, y = x[b.ID()*%d:][:%d], y[b.ID()*%[1]d:][:%[1]d]", w.side*w.side, w.side*w.side)
	w.line("s, f := n, %s(n)", w.float)
	w.line("_, _ = s, f")
	w.block(6)
	for _, v := range w.vars {
		w.store(v.name, v.tileShape)
	}
	w.line("x[0] += int32(s)")
	w.line("y[0] += f")
	w.WriteString("}\n")
	return w.String()
}

// slice is the slice with elements of a type.
func (w *tileWriter) slice(elem string) string {
	if elem == "int32" {
		return "x"
	}
	return "y"
}

// view is that slice as a matrix.
func (w *tileWriter) view(elem string) string {
	return fmt.Sprintf("qd.ViewOf2(%s, %d, %d)", w.slice(elem), w.side, w.side)
}

// GenerateTiles makes the random tile program of a seed.
func GenerateTiles(seed uint64, tag string) *Program {
	p := &Program{Name: "k" + tag, Seed: seed, Tag: tag, Rank: 1, Text: TileKernel(seed, "k"+tag), Stages: int(seed % 5)}
	p.Inputs = []harness.Input{{}, {Len: tileElements, Threads: true, Elem: "int32"}, {Len: tileElements, Threads: true, Elem: "float32"}}
	return p
}

// block writes statements, whose variables are gone after it.
func (w *tileWriter) block(n int) {
	outer := len(w.vars)
	for range n {
		w.statement()
	}
	if w.depth > 1 {
		w.vars = w.vars[:outer]
	}
}

func (w *tileWriter) nested(header string, n int) {
	w.line("%s {", header)
	w.depth++
	w.block(n)
	w.depth--
}

func (w *tileWriter) statement() {
	w.budget--
	kind := w.IntN(20)
	if w.budget < 0 && kind > 12 {
		kind = w.IntN(13)
	}
	switch {
	case kind < 4 || len(w.vars) == 0:
		s := w.shape()
		e := w.expr(s, 3)
		w.names++
		v := tileVariable{fmt.Sprintf("t%d", w.names), s}
		w.line("%s := %s", v.name, e)
		w.line("_ = %s", v.name)
		w.vars = append(w.vars, v)
	case kind < 8:
		v := w.vars[w.IntN(len(w.vars))]
		w.line("%s = %s", v.name, w.expr(v.tileShape, 3))
	case kind == 8:
		v := w.vars[w.IntN(len(w.vars))]
		w.store(v.name, v.tileShape)
	case kind == 9:
		v := w.vars[w.IntN(len(w.vars))]
		if v.elem == "int32" {
			w.line("s = (s + int(%s.%s)) %% 11", v.name, w.one("Sum()", "Max()", "Min()"))
		} else {
			w.line("f = %s.%s*0.5", v.name, w.one("Sum()", "Max()", "Min()"))
		}
	case kind == 10: // several at once
		v := w.vars[w.IntN(len(w.vars))]
		for _, u := range w.vars {
			if v.tileShape == u.tileShape && v != u {
				w.line("%s, %s = %s, %s", v.name, u.name, w.one(u.name, w.expr(v.tileShape, 1)), w.one(v.name, w.expr(v.tileShape, 2)))
				break
			}
		}
	case kind == 11: // another name for a tile that is replaced
		v := w.vars[w.IntN(len(w.vars))]
		w.names++
		old := tileVariable{fmt.Sprintf("t%d", w.names), v.tileShape}
		w.line("%s := %s", old.name, v.name)
		w.line("_ = %s", old.name)
		w.line("%s = %s", v.name, w.expr(v.tileShape, 1))
		w.vars = append(w.vars, old)
		u := w.vars[w.IntN(len(w.vars))]
		if w.IntN(2) == 0 {
			u = v
		}
		if u.tileShape == v.tileShape {
			w.line("%s = %s.Sub(%s)", u.name, u.name, old.name)
		}
	case kind == 12: // a tile that is read before a store and used behind it
		v, u := w.vars[w.IntN(len(w.vars))], w.vars[w.IntN(len(w.vars))]
		w.names++
		n := fmt.Sprintf("t%d", w.names)
		if v.rows == 0 {
			w.line("%s := tile.Gather(b, %s, tile.Arange(b, %d, %d))", n, w.slice(v.elem), w.IntN(9), v.columns)
			w.store(u.name, u.tileShape)
			w.line("%s = %s.Add(%s)", v.name, v.name, n)
		}
	case kind < 17 && w.loops < 2 && w.IntN(3) == 0 && w.products():
	case kind < 17 && w.loops < 2:
		w.loops++
		w.names++
		i := fmt.Sprintf("i%d", w.names)
		w.nested(fmt.Sprintf("for %s := 0; %s < %s; %s++", i, i, w.one("n", "2", "n+1"), i), 2+w.IntN(2))
		if w.IntN(2) == 0 {
			w.depth++
			w.line("if s%%3 == %d {", w.IntN(3))
			w.line("\t%s", w.one("break", "continue"))
			w.line("}")
			w.block(1)
			w.depth--
		}
		w.line("}")
		w.loops--
	default:
		w.nested("if "+w.one("s > 3", "f > 1", "b.ID() == 0", "s%2 == 0"), 1+w.IntN(2))
		if w.IntN(2) == 0 {
			w.line("} else {")
			w.depth++
			w.block(1 + w.IntN(2))
			w.depth--
		}
		w.line("}")
	}
}

// products writes a loop over products of what is in memory, which is a pipeline on a device that has them, if there is
// a matrix for their sum. Often rows are long enough to be copied as they are.
func (w *tileWriter) products() bool {
	for _, v := range w.vars {
		if v.rows == 0 {
			continue
		}
		w.names++
		i, depth := fmt.Sprintf("i%d", w.names), 4+4*w.IntN(2)
		from := w.view(v.elem)
		w.line("for %s := 0; %s < %s; %s += %d {", i, i, w.one("8", "n*4", "s", "12"), i, depth)
		if w.IntN(3) == 0 {
			w.line("\tif %s > %s { %s }", i, w.one("s", "n", "3"), w.one("break", "continue"))
		}
		w.line("\t%s = tile.Dot(tile.Load2(b, %s, %d, %s, %d, %d), tile.Load2(b, %s, %s, %d, %d, %d), %s)", v.name, from, w.IntN(5)-1, i, v.rows, depth, from, i, w.IntN(5)-1, depth, v.columns, w.one(v.name, v.name, w.expr(v.tileShape, 1)))
		w.line("}")
		return true
	}
	return false
}

// product is an expression with a product of matrices that is added to another tile: of numbers as they are, of those
// that tensor cores multiply, or of the halves of the matrices, which are multiplied at once and added up.
func (w *tileWriter) product(s tileShape, depth int, sum string) string {
	k := tileLengths[w.IntN(len(tileLengths))]
	if w.IntN(3) == 0 {
		k = 16 << w.IntN(2) // as many as tensor cores multiply at once
	}
	x, y := w.expr(tileShape{s.elem, s.rows, k}, depth-1), w.expr(tileShape{s.elem, k, s.columns}, depth-1)
	of := func(tile string) string { return fmt.Sprintf(tile, x) + ", " + fmt.Sprintf(tile, y) }
	kind := w.IntN(7)
	switch {
	case kind == 0 && k%2 == 0:
		x = fmt.Sprintf("%s.Reshape3(%d, 2, %d).Permute(1, 0, 2)", x, s.rows, k/2)
		y = fmt.Sprintf("%s.Reshape3(2, %d, %d)", y, k/2, s.columns)
		return fmt.Sprintf("tile.Dot(%s, %s, tile.Zeros3[%s](b, 2, %d, %d)).SumAxis(0).Add(%s)", x, y, s.elem, s.rows, s.columns, sum)
	case kind == 1 && s.elem == "int32":
		return fmt.Sprintf("tile.Dot(%s, %s)", of("tile.Convert[int8](%s)"), sum)
	case kind == 1 && s.elem == "float32":
		return fmt.Sprintf("tile.DotTF32(%s, %s, %s)", x, y, sum)
	case kind == 2 && s.elem == "float32":
		return fmt.Sprintf("tile.Dot(%s, %s)", of("tile.From32["+w.one("qd.Float16", "qd.BFloat16")+"](%s)"), sum)
	}
	return fmt.Sprintf("tile.Dot(%s, %s, %s)", x, y, sum)
}

// store stores a tile where others may be read.
func (w *tileWriter) store(name string, s tileShape) {
	to := w.slice(s.elem)
	switch {
	case s.rows == 0 && w.IntN(4) == 0:
		w.line("%s.Scatter(%s, tile.Arange(b, %d, %d).MulScalar(%d))", name, to, w.IntN(20)-3, s.columns, 1+w.IntN(3))
	case w.smooth && s.rows == 0 && s.elem != "int32" && w.IntN(4) == 0: // to what nothing reads
		w.line("tile.AtomicAdd(%s, z, tile.Arange(b, %d, %d).MulScalar(%d))", name, w.IntN(12)-3, s.columns, w.IntN(3))
	case !w.smooth && s.rows == 0 && w.IntN(5) == 0: // each element once, so that the old value is known
		w.names++
		at := w.IntN(20) - 3
		w.line("t%d := tile.%s(%s, %s, tile.Arange(b, %d, %d))", w.names, w.one("AtomicAdd", "AtomicMax", "AtomicMin", "AtomicExch"), name, to, at, s.columns)
		if w.IntN(3) > 0 {
			w.line("t%d.Store(%s, %s)", w.names, to, w.offset())
		} else {
			w.line("_ = t%d", w.names)
		}
	case s.rows == 0:
		w.line("%s.Store(%s, %s)", name, to, w.offset())
	case s.elem == "int32" && w.IntN(5) == 0 && !w.smooth:
		w.line("tile.AtomicAddAt2(%s, %s, %d, %d)", name, w.view(s.elem), w.IntN(10)-3, w.IntN(10)-3)
	default:
		w.line("%s.Store2(%s, %d, %d)", name, w.view(s.elem), w.IntN(10)-3, w.IntN(10)-3)
	}
}

func (w *tileWriter) offset() string {
	return w.one(fmt.Sprint(w.IntN(70)-5), "s", "b.ID()*8+n", "n*5")
}

// expr is an expression of a shape.
func (w *tileWriter) expr(s tileShape, depth int) string {
	var same []string
	for _, v := range w.vars {
		if v.tileShape == s {
			same = append(same, v.name)
		}
	}
	if depth <= 0 || w.IntN(8) == 0 {
		if len(same) > 0 && w.IntN(3) > 0 {
			return w.one(same...)
		}
		return w.leaf(s)
	}
	if len(same) > 0 && w.IntN(4) == 0 {
		return w.one(same...)
	}
	e := func() string { return w.expr(s, depth-1) }
	switch w.IntN(16) {
	case 12:
		return w.ordered(s, depth)
	case 13:
		return w.joined(s, depth)
	case 14:
		return w.cube(s, depth)
	case 0, 1, 2:
		return fmt.Sprintf("%s.%s(%s)", e(), w.one("Add", "Sub", "Mul", "Maximum"), w.expr(w.repeated(s), depth-1))
	case 3:
		return fmt.Sprintf("%s.Map(func(v %s) %s { return %s })", e(), s.elem, s.elem, w.one("v*2", "v-1", "max(v, 3)", "-v"))
	case 4:
		return fmt.Sprintf("tile.Where(%s.%s(%s), %s, %s)", e(), w.one("Less", "Equal", "GreaterEqual"), e(), e(), e())
	case 5:
		return e() + "." + w.one("AddScalar(2)", "MulScalar(3)", "SubScalar(1)")
	case 6:
		if s.rows == 0 {
			return fmt.Sprintf("%s.Scan(func(p, q %s) %s { return %s })", e(), s.elem, s.elem, w.one("p + q", "p - q", "p*2 + q"))
		}
		return fmt.Sprintf("%s.CumSum(%d)", e(), w.IntN(2))
	case 7:
		if s.rows == 0 {
			m := tileLengths[w.IntN(len(tileLengths))]
			if w.IntN(2) == 0 {
				return fmt.Sprintf("%s.%s(1)", w.expr(tileShape{s.elem, s.columns, m}, depth-1), w.one("SumAxis", "MaxAxis", "ProdAxis"))
			}
			return fmt.Sprintf("%s.ReduceAxis(0, func(p, q %s) %s { return %s })", w.expr(tileShape{s.elem, m, s.columns}, depth-1), s.elem, s.elem, w.one("p - q", "p*2 + q"))
		}
		return w.expr(tileShape{s.elem, s.columns, s.rows}, depth-1) + ".T()"
	case 8, 9:
		if s.rows == 0 {
			return fmt.Sprintf("%s.Reshape(%d)", w.expr(tileShape{s.elem, 1, s.columns}, depth-1), s.columns)
		}
		return w.product(s, depth, e())
	case 10:
		if s.elem == "int32" {
			return fmt.Sprintf("early%s(s, %s, %s)", w.name, e(), e())
		}
		return fmt.Sprintf("tile.Map2(%s, %s, func(p %[3]s, q int32) %[3]s { return p + %[3]s(q) })", e(), w.expr(tileShape{"int32", s.rows, s.columns}, depth-1), w.float)
	}
	switch {
	case s.rows == 1:
		return w.expr(tileShape{elem: s.elem, columns: s.columns}, depth-1) + ".Row()"
	case s.columns == 1 && s.rows > 0:
		return w.expr(tileShape{elem: s.elem, columns: s.rows}, depth-1) + ".Column()"
	case s.rows > 0:
		return fmt.Sprintf("%s.Broadcast2(%d, %d)", w.expr(w.repeated(s), depth-1), s.rows, s.columns)
	}
	return e()
}

// axis is one of a shape's axes.
func (s tileShape) axis(w *tileWriter) int {
	if s.rows == 0 {
		return 0
	}
	return w.IntN(2)
}

// longer is the shape with so many more elements along an axis.
func (s tileShape) longer(axis, n int) tileShape {
	if s.rows > 0 && axis == 0 {
		s.rows += n
	} else {
		s.columns += n
	}
	return s
}

// ordered is an expression whose elements have changed places.
func (w *tileWriter) ordered(s tileShape, depth int) string {
	axis := s.axis(w)
	e := w.expr(s, depth-1)
	switch w.IntN(6) {
	case 0:
		return fmt.Sprintf("%s.Flip(%d)", e, axis)
	case 1:
		return fmt.Sprintf("%s.%s(%d)", e, w.one("Sort", "SortDescending"), axis)
	case 2:
		along := s.columns
		if s.rows > 0 && axis == 0 {
			along = s.rows
		}
		n := w.IntN(3)
		return fmt.Sprintf("%s.TopK(%d, %d)", w.expr(s.longer(axis, n), depth-1), axis, along)
	case 3:
		return fmt.Sprintf("tile.Convert[%s](%s.ArgSort(%d))", s.elem, e, axis)
	case 4:
		return fmt.Sprintf("%s.Take(%d, tile.Convert[int](%s))", w.expr(s.longer(axis, w.IntN(3)), depth-1), axis, w.expr(tileShape{"int32", s.rows, s.columns}, depth-1))
	}
	return fmt.Sprintf("%s.SortFunc(%d, func(p, q %s) bool { return p*p < q*q })", e, axis, s.elem)
}

// joined is an expression of elements of several tiles.
func (w *tileWriter) joined(s tileShape, depth int) string {
	axis := s.axis(w)
	n := s.columns
	if s.rows > 0 && axis == 0 {
		n = s.rows
	}
	if n > 1 {
		first := 1 + w.IntN(n-1)
		return fmt.Sprintf("tile.Cat(%d, %s, %s)", axis, w.expr(s.longer(axis, first-n), depth-1), w.expr(s.longer(axis, -first), depth-1))
	}
	if s.columns%2 == 0 {
		half := s
		half.columns /= 2
		return fmt.Sprintf("tile.Interleave(%s, %s)", w.expr(half, depth-1), w.expr(half, depth-1))
	}
	return fmt.Sprintf("tile.Clamp(%s, 0, 9)", w.expr(s, depth-1))
}

// cube is an expression that goes through a tile of three axes.
func (w *tileWriter) cube(s tileShape, depth int) string {
	m := tileLengths[w.IntN(len(tileLengths))]
	if s.rows == 0 {
		e := fmt.Sprintf("%s.Expand(%d).Broadcast3(%d, %d, %d)", w.expr(tileShape{s.elem, m, s.columns}, depth-1), 0, 2, m, s.columns)
		if w.IntN(2) == 0 {
			e = fmt.Sprintf("%s.Permute(1, 0, 2).%s(1)", e, w.one("MaxAxis", "SumAxis"))
		} else {
			e = fmt.Sprintf("%s.Sort(%d).SumAxis(0)", e, w.IntN(3))
		}
		return e + "." + w.one("MinAxis", "SumAxis") + "(0)"
	}
	e := fmt.Sprintf("%s.Reshape3(%d, 1, %d)", w.expr(s, depth-1), s.rows, s.columns)
	e = fmt.Sprintf("%s.Add(%s.Expand(0))", e, w.expr(tileShape{s.elem, m, s.columns}, depth-1))
	return fmt.Sprintf("%s.%s.%s(%d)", e, w.one("Flip(1)", "CumSum(0)", "CumMax(1)", "CumProd(2)"), w.one("SumAxis", "MaxAxis"), 1)
}

// repeated is a shape that is repeated to be another one, or that one.
func (w *tileWriter) repeated(s tileShape) tileShape {
	switch w.IntN(5) {
	case 0:
		s.rows = 0
	case 1:
		if s.rows > 0 {
			s.rows = 1
		}
	case 2:
		if s.rows > 0 {
			s.columns = 1
		}
	}
	return s
}

func (w *tileWriter) leaf(s tileShape) string {
	from := w.slice(s.elem)
	if s.rows == 0 {
		switch w.IntN(4) {
		case 0:
			return fmt.Sprintf("tile.Full(b, %d, %s(%s))", s.columns, s.elem, w.one("s", "f", "2", "b.ID()"))
		case 1:
			return fmt.Sprintf("tile.Convert[%s](tile.Arange(b, s, %d))", s.elem, s.columns)
		case 2:
			return fmt.Sprintf("tile.Gather(b, %s, tile.Arange(b, %d, %d).MulScalar(%d))", from, w.IntN(9), s.columns, w.IntN(12)-3)
		}
		return fmt.Sprintf("tile.LoadOr(b, %s, %s, %d, 5)", from, w.offset(), s.columns)
	}
	if w.IntN(3) == 0 {
		return fmt.Sprintf("tile.Gather(b, %s, tile.Arange(b, %d, %d).MulScalar(%d)).Reshape2(%d, %d)", from, w.IntN(9), s.rows*s.columns, w.IntN(12)-3, s.rows, s.columns)
	}
	if w.IntN(4) == 0 {
		return fmt.Sprintf("tile.Zeros2[%s](b, %d, %d)", s.elem, s.rows, s.columns)
	}
	return fmt.Sprintf("tile.Load2(b, %s, %d, %d, %d, %d)", w.view(s.elem), w.IntN(12)-3, w.IntN(12)-3, s.rows, s.columns)
}

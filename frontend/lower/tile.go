package lower

import (
	"go/ast"
	"go/types"
	"maps"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// tiles lower the operations of package tile: the functions in its intrinsic.go. Its other functions are kernel code,
// which is lowered into the kernel like any other.
type tiles struct{ b *builder }

// operation is the operation that a function of package tile is, nil if it is none.
func (t tiles) operation(name string) operation {
	one := func(f func(e *ast.CallExpr, f *eval.Func) *ssa.Value) operation {
		return func(e *ast.CallExpr, fn *eval.Func) []*ssa.Value { return []*ssa.Value{f(e, fn)} }
	}
	switch name {
	case "build":
		return one(t.build)
	case "each":
		return t.each
	case "at":
		return one(t.at)
	case "dim":
		return one(t.dim)
	case "axisOf":
		return one(t.axisOf)
	case "rank":
		return one(t.rank)
	case "match":
		return t.match
	case "reduce":
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value { return t.join(e, ssa.OpTileReduce, 1) }
	case "reduce2":
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value { return t.join(e, ssa.OpTileReduce, 2) }
	case "scan":
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value { return t.join(e, ssa.OpTileScan, 1) }
	case "dot":
		return one(t.dot)
	case "keptIn":
		return one(t.keptIn)
	}
	return nil
}

// byBlock reports whether an operation is done by the whole block, and refuses it elsewhere.
func (t tiles) byBlock(e *ast.CallExpr) bool {
	if t.b.Parallel == nil {
		return true
	}
	t.b.m.Refuse(t.b.UsersCall(e), "make the tile before, in the code of the block", "tiles are made by a whole block, and this is in the body of %s", t.b.Parallel.Method)
	return false
}

// shape are lengths that are known; those that a launch would give are 0 where a kernel is lowered to find its errors.
func (t tiles) shape(e *ast.CallExpr, list []ast.Expr) (dims [3]int, ok bool) {
	ok = true
	n := 1
	for i, arg := range list {
		v := t.b.expr(arg)
		c, known := t.b.KnownConst(v)
		switch {
		case v == eval.Poison:
			ok = false
		case !known && t.b.IsSymbolic(v):
		case !known:
			at := arg
			if t.b.InLibrary() {
				at, _ = t.b.UsersCall(e).(ast.Expr)
			}
			t.b.DemandKnown(at, v, "a length of a tile")
			ok = false
		case c.Int() < 1 || c.Int() > ssa.MaxTileLen || n*int(c.Int()) > ssa.MaxTileLen:
			t.b.m.Refuse(t.b.UsersCall(e), "the lengths are at least 1, and their product is at most 1048576", "a tile with a length of %d", c.Int())
			ok = false
		default:
			dims[i] = int(c.Int())
			n *= dims[i]
		}
	}
	return dims, ok
}

// elem is the type of elements, and whether tiles can have it.
func (t tiles) elem(e *ast.CallExpr, typ types.Type) (ssa.Type, bool) {
	s, ok := t.b.m.TypeOf(typ)
	if !ok || check.IsPlace(s) || check.HoldsPointers(s) || s.Size() == 0 || ssa.IsTile(s) {
		t.b.m.Refuse(t.b.UsersCall(e), "use numbers, bools, and structs and arrays of them", "a tile cannot have elements of type %s", t.b.m.TypeString(typ))
		return nil, false
	}
	return s, true
}

// operand evaluates a tile that has lengths.
func (t tiles) operand(e *ast.CallExpr, arg ast.Expr) (*ssa.Value, ssa.TileType, bool) {
	v := t.b.expr(arg)
	typ, ok := v.Type.(ssa.TileType)
	switch {
	case v == eval.Poison:
		return v, typ, false
	case !ok:
		t.b.NoValue("an operation on a tile that is a " + v.Type.String())
		return v, typ, false
	case typ.Rank < 0 && t.b.m.Diags.Len() > 0: // what would have given it some may be among that
		return v, typ, false
	case typ.Rank < 0 && !t.b.IsSymbolic(v):
		t.b.m.Refuse(t.b.UsersCall(e), "give it a value first, such as tile.Zeros", "%s has no lengths here", t.nameOf(v))
		return v, typ, false
	}
	return v, typ, typ.Rank >= 0
}

// nameOf names a tile in an error. Its name may be that of a parameter of package tile, which says nothing to the user.
func (t tiles) nameOf(v *ssa.Value) string {
	for held, val := range t.b.Vars { // those without a name have no package
		if val == v && v.Name != "" && held.Name() == v.Name && !check.IsLibrary(held.Pkg().Path()) {
			return "tile " + v.Name
		}
	}
	return "this tile"
}

// refused is what an operation gives that has been refused, which is checked: it must not be left out of a kernel that
// runs.
func (t tiles) refused(what string) *ssa.Value {
	if !t.b.Dead {
		t.b.m.MustHaveFailed(what + " cannot be made")
	}
	return eval.Poison
}

// build lowers build(rank, n0, n1, n2, f).
func (t tiles) build(e *ast.CallExpr, f *eval.Func) *ssa.Value {
	if len(f.Targs) == 0 || len(e.Args) != 5 || !t.byBlock(e) {
		return eval.Poison
	}
	elem, good := t.elem(e, f.Targs[0])
	rank, known := t.b.KnownConst(t.b.expr(e.Args[0]))
	dims, ok := t.shape(e, e.Args[1:4])
	if !good || !ok || !known || int(rank.Int()) > len(dims) { // more axes by an assertion before it
		return t.refused("a tile")
	}
	typ := ssa.TileType{Elem: elem, Rank: int(rank.Int()), Dims: dims}
	in := t.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpTileMake}, typ)
	t.lowerInto(in, e.Args[4], []ssa.Type{ssa.Int64, ssa.Int64, ssa.Int64}, []ssa.Type{elem})
	return t.made(in.Result())
}

// made is a new tile. It is symbolic if a length of it is.
func (t tiles) made(v *ssa.Value) *ssa.Value {
	if typ := v.Type.(ssa.TileType); typ.Rank >= 0 && typ.Len() == 0 {
		t.b.MarkSymbolic(v)
	}
	return v
}

// each lowers each(n0, n1, n2, f).
func (t tiles) each(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
	if len(e.Args) != 4 || !t.byBlock(e) {
		return nil
	}
	dims, ok := t.shape(e, e.Args[:3])
	if !ok {
		t.refused("a loop over a tile")
		return nil
	}
	in := &ssa.Instr{Op: ssa.OpFor}
	for _, n := range dims {
		in.Args = append(in.Args, t.b.Constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n))))
	}
	t.b.Emit(e.Pos(), in)
	t.lowerInto(in, e.Args[3], []ssa.Type{ssa.Int64, ssa.Int64, ssa.Int64}, nil)
	return nil
}

// lowerInto lowers a function into the block of an instruction: it is called with the block's parameters, and
// its results are yielded.
func (t tiles) lowerInto(in *ssa.Instr, fun ast.Expr, params, results []ssa.Type) {
	outer, dead, header, env, locals := t.b.Cur, t.b.Dead, t.b.Stmt, maps.Clone(t.b.Vars), maps.Clone(t.b.Locals)
	t.b.Cur = in.NewBlock()
	t.b.Parallel = &eval.Parallel{Outer: t.b.Parallel, Method: "an operation on tiles", Outside: t.b.DeclaredVars()}
	var args []*ssa.Value
	for _, p := range params {
		args = append(args, t.b.Cur.AddParam(p, ""))
	}
	vals := t.b.inliner.inlineValue(fun, args)
	t.b.Stmt = header
	if !t.b.Dead {
		if len(vals) != len(results) {
			vals = eval.Poisons(len(results))
		}
		for i, v := range vals {
			if vals[i] = t.b.Coerce(fun.Pos(), v, results[i]); vals[i] == eval.Poison {
				vals[i] = t.b.Zero(fun.Pos(), results[i]) // the function has been refused
			}
		}
		t.b.Emit(fun.Pos(), &ssa.Instr{Op: ssa.OpYield, Args: vals})
	}
	t.b.Parallel = t.b.Parallel.Outer
	t.b.Cur, t.b.Dead, t.b.Gone, t.b.Vars, t.b.Locals = outer, dead, false, env, locals
}

// at lowers at(t, i, j, k).
func (t tiles) at(e *ast.CallExpr, _ *eval.Func) *ssa.Value {
	if len(e.Args) != 4 {
		return eval.Poison
	}
	v, typ, ok := t.operand(e, e.Args[0])
	args := append([]*ssa.Value{v}, t.b.exprList(e.Args[1:])...)
	if !ok || eval.AnyPoison(args) {
		return t.refused("an element of a tile")
	}
	return t.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpTileAt, Args: args}, typ.Elem).Result()
}

// dim lowers dim(t, axis).
func (t tiles) dim(e *ast.CallExpr, _ *eval.Func) *ssa.Value {
	if len(e.Args) != 2 {
		return eval.Poison
	}
	_, typ, ok := t.operand(e, e.Args[0])
	axis, known := t.b.KnownConst(t.b.expr(e.Args[1]))
	switch {
	case !ok || !known:
		return t.refused("a length of a tile") // by axisOf
	case typ.Dims[axis.Int()] == 0:
		return t.b.Symbolic(e.Pos(), types.Typ[types.Int])
	}
	return t.b.Constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(typ.Dims[axis.Int()])))
}

// axisOf lowers axisOf(t, axis).
func (t tiles) axisOf(e *ast.CallExpr, _ *eval.Func) *ssa.Value {
	if len(e.Args) != 2 {
		return eval.Poison
	}
	_, typ, ok := t.operand(e, e.Args[0])
	axis := t.b.expr(e.Args[1])
	c, known := t.b.KnownConst(axis)
	switch {
	case !ok || !known && t.b.IsSymbolic(axis):
	case !known:
		at, _ := t.b.UsersCall(e).(ast.Expr)
		t.b.DemandKnown(at, axis, "the axis")
	case c.Int() < 0 || c.Int() >= int64(typ.Rank):
		t.b.m.Refuse(t.b.UsersCall(e), "the axes are counted from 0", "a tile of %s elements has no axis %d", typ.Lengths(), c.Int())
	default:
		return t.b.Constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(int(c.Int())+3-typ.Rank)))
	}
	return eval.Poison
}

// rank lowers rank(t).
func (t tiles) rank(e *ast.CallExpr, _ *eval.Func) *ssa.Value {
	if len(e.Args) != 1 {
		return eval.Poison
	}
	_, typ, ok := t.operand(e, e.Args[0])
	if !ok {
		return eval.Poison
	}
	return t.b.Constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(typ.Rank)))
}

// match lowers match(x, y).
func (t tiles) match(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
	if len(e.Args) != 2 {
		return nil
	}
	_, x, ok := t.operand(e, e.Args[0])
	_, y, also := t.operand(e, e.Args[1])
	for a := range x.Dims {
		m, n := x.Dims[a], y.Dims[a]
		if ok && also && m != n && m > 1 && n > 1 {
			t.b.m.Refuse(t.b.UsersCall(e), "use equal lengths, or length 1 along an axis that is to be repeated; Column makes a column of a tile of one axis",
				"tiles of %s and %s elements do not match", x.Lengths(), y.Lengths())
			break
		}
	}
	return nil
}

// join lowers reduce, reduce2 and scan, of so many tiles: the tiles, the axis, the function.
func (t tiles) join(e *ast.CallExpr, op ssa.Op, n int) []*ssa.Value {
	if len(e.Args) != n+2 || !t.byBlock(e) {
		return eval.Poisons(n)
	}
	in := &ssa.Instr{Op: op}
	var elems, results []ssa.Type
	ok := true
	for _, arg := range e.Args[:n] {
		v, typ, good := t.operand(e, arg)
		ok = ok && good
		in.Args, elems, results = append(in.Args, v), append(elems, typ.Elem), append(results, typ)
	}
	axis, known := t.b.KnownConst(t.b.expr(e.Args[n]))
	if !ok || !known {
		t.refused("a reduction") // by axisOf
		return eval.Poisons(n)
	}
	in.Axis = int8(axis.Int())
	if rank := results[0].(ssa.TileType).Rank; int(in.Axis) < 3-rank || in.Axis > 2 {
		t.refused("a reduction") // by the assertion before it
		return eval.Poisons(n)
	}
	if op == ssa.OpTileReduce {
		for i, r := range results {
			results[i] = r.(ssa.TileType).Without(int(in.Axis))
		}
	}
	t.b.Emit(e.Pos(), in, results...)
	t.lowerInto(in, e.Args[n+1], append(elems[:n:n], elems...), elems)
	for _, v := range in.Results {
		t.made(v)
	}
	return in.Results
}

// dot lowers dot(x, y, sum).
func (t tiles) dot(e *ast.CallExpr, _ *eval.Func) *ssa.Value {
	if len(e.Args) != 3 || !t.byBlock(e) {
		return eval.Poison
	}
	x, xt, ok := t.operand(e, e.Args[0])
	y, yt, good := t.operand(e, e.Args[1])
	sum, typ, also := t.operand(e, e.Args[2])
	if !ok || !good || !also {
		return t.refused("a product")
	}
	if xt.Rank != 2 || yt.Rank != 2 || typ.Rank != 2 || xt.Dims[2] != yt.Dims[1] || xt.Dims[1] != typ.Dims[1] || yt.Dims[2] != typ.Dims[2] {
		return t.refused("a product") // by the assertions before it
	}
	return t.made(t.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpTileDot, Args: []*ssa.Value{x, y, sum}}, typ).Result())
}

// keptIn lowers keptIn(form, t).
func (t tiles) keptIn(e *ast.CallExpr, _ *eval.Func) *ssa.Value {
	if len(e.Args) != 2 {
		return eval.Poison
	}
	form, known := t.b.KnownConst(t.b.expr(e.Args[0]))
	v := t.b.expr(e.Args[1])
	if known && v.Def != nil && v.Def.Op == ssa.OpTileMake {
		v.Def.Narrow = ssa.Narrow(form.Int())
	}
	return v
}

package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// known is what a value of a Go type is, and whether that is known at compile time.
func (b *Values) known(v *ssa.Value, t types.Type) (comptime.Value, bool) {
	none := comptime.Value{}
	if v == nil || v == poison || t == nil || b.m.illTyped() && v != untypedNil && b.typed(v, t) == poison {
		return none, false
	}
	out := comptime.Value{Type: typeName(t)}
	if v == untypedNil {
		v = b.zeroOf(token.NoPos, t)
		if v == nil || !isFront(v) {
			return none, false
		}
	}
	switch f := v.Type.(type) {
	case *frontValue:
		return b.knownFront(out, f, t)
	case ssa.Array, *ssa.Struct:
		return b.knownMade(out, v, t)
	}
	c, ok := b.knownConst(v)
	if !ok {
		return none, false
	}
	switch out.Bits = c.Uint(); {
	case v.Type == ssa.Bool:
		out.Kind = comptime.Bool
	case ssa.IsSigned(v.Type):
		out.Kind = comptime.Int
	case ssa.IsUnsigned(v.Type):
		out.Kind = comptime.Uint
	case v.Type == ssa.Float32:
		out.Kind = comptime.Float32
	case v.Type == ssa.Float64:
		out.Kind = comptime.Float64
	default:
		return none, false
	}
	return out, true
}

// knownFront is known of a value that only the front end has.
func (b *Values) knownFront(out comptime.Value, f *frontValue, t types.Type) (comptime.Value, bool) {
	out.Kind, out.Str = f.kind, f.str
	switch f.kind {
	case comptime.Invalid:
		return comptime.Value{}, false
	case comptime.String:
		return out, true
	case comptime.Func:
		return b.knownFunc(f.fn, out)
	case comptime.Struct, comptime.Array:
		out.Kind = comptime.Struct
		if isArray(t) {
			out.Kind = comptime.Array
		}
		return b.knownParts(out, b.partsOf(f), partTypes(t))
	case comptime.Slice:
		return b.knownParts(out, f.parts, slices.Repeat([]types.Type{elemType(f.typ)}, len(f.parts)))
	}
	elem := f.typ.Underlying().(*types.Map).Elem()
	for i, k := range f.keys {
		v, ok := b.known(f.parts[i], elem)
		if !ok {
			return comptime.Value{}, false
		}
		out.Elems = append(out.Elems, k, v)
	}
	return out, true
}

func (b *Values) knownParts(out comptime.Value, parts []*ssa.Value, ts []types.Type) (comptime.Value, bool) {
	if len(parts) != len(ts) {
		return comptime.Value{}, false // of an ill-typed program
	}
	out.Elems = make([]comptime.Value, len(parts))
	for i, part := range parts {
		v, ok := b.known(part, ts[i])
		if !ok {
			return comptime.Value{}, false
		}
		out.Elems[i] = v
	}
	return out, true
}

// knownMade is known of a struct or an array that the running kernel can have.
func (b *Values) knownMade(out comptime.Value, v *ssa.Value, t types.Type) (comptime.Value, bool) {
	out.Kind = comptime.Struct
	if isArray(t) {
		out.Kind = comptime.Array
	}
	ts := partTypes(t)
	if v.Def == nil || v.Def.Op != ssa.OpMake && v.Def.Op != ssa.OpZero {
		x, ok := b.m.computed(v)
		return b.m.withTypes(x, t), ok
	}
	if v.Def.Op == ssa.OpZero {
		out.Elems = make([]comptime.Value, len(ts))
		for i, t := range ts {
			e, ok := zeroValue(t)
			if !ok {
				return comptime.Value{}, false
			}
			out.Elems[i] = e
		}
		return out, true
	}
	out, ok := b.knownParts(out, v.Def.Args, b.m.storedTypes(t))
	if ok {
		out.Elems = b.m.grouped(out.Elems, t)
	}
	return out, ok
}

// zeroValue is the zero value of a type, false if it is none that can be known.
func zeroValue(t types.Type) (comptime.Value, bool) {
	v := comptime.Value{Type: typeName(t)}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			v.Kind = comptime.Bool
		case info&types.IsUnsigned != 0:
			v.Kind = comptime.Uint
		case info&types.IsInteger != 0:
			v.Kind = comptime.Int
		case info&types.IsFloat != 0:
			v.Kind = comptime.Float64
			if basicTypes[u.Kind()] == ssa.Float32 {
				v.Kind = comptime.Float32
			}
		default:
			return v, false
		}
		return v, true
	case *types.Array, *types.Struct:
		v.Kind = comptime.Struct
		if isArray(t) {
			v.Kind = comptime.Array
		}
		for _, part := range partTypes(t) {
			e, ok := zeroValue(part)
			if !ok {
				return v, false
			}
			v.Elems = append(v.Elems, e)
		}
		return v, true
	}
	return v, false
}

// knownFunc is a function that does not depend on where it stands.
func (b *Values) knownFunc(f *funcValue, out comptime.Value) (comptime.Value, bool) {
	out.Kind = comptime.Func
	switch {
	case f.unknown || f.recv != nil:
		return comptime.Value{}, false
	case f.lit != nil:
		if len(f.scope.targs) > 0 || len(freeVars(f)) > 0 {
			return comptime.Value{}, false
		}
		at := f.scope.file.PositionFor(f.lit.Pos(), false)
		out.Func = &load.Ref{Pkg: f.scope.src.Pkg.Path(), File: f.scope.src.File.Name, Line: at.Line, Col: at.Column}
		return out, true
	case f.obj == nil:
		return out, true
	}
	named := f
	if f.of != nil {
		if named = declaredMethod(f); named == nil {
			return comptime.Value{}, false
		}
	}
	out.Func = b.m.refOf(named)
	if b.m.refs == nil {
		b.m.refs = map[load.Ref]*funcValue{}
	}
	b.m.refs[*out.Func] = f
	return out, true
}

// declaredMethod is a method expression with the type arguments of its receiver, nil for one
// of the method of an embedded field, or of a pointer to what has the method: such a function
// has no name.
func declaredMethod(f *funcValue) *funcValue {
	found, path, _ := types.LookupFieldOrMethod(f.of, true, f.obj.Pkg(), f.obj.Name())
	obj, ok := found.(*types.Func)
	if !ok || len(path) != 1 || isPointer(f.of) != isPointer(obj.Signature().Recv().Type()) {
		return nil
	}
	named := &funcValue{obj: obj, of: f.of}
	of := types.Unalias(f.of)
	if p, ok := of.(*types.Pointer); ok {
		of = types.Unalias(p.Elem())
	}
	if n, ok := of.(*types.Named); ok {
		named.targs = slices.Collect(n.TypeArgs().Types())
	}
	return named
}

// refOf names a declared function.
func (m *Facts) refOf(f *funcValue) *load.Ref {
	ref := &load.Ref{Name: f.obj.Name()}
	if p := f.obj.Pkg(); p != nil {
		ref.Pkg = p.Path()
	}
	args := ""
	for i, t := range f.targs {
		if i > 0 {
			args += ","
		}
		args += typeName(t)
	}
	if args != "" {
		args = "[" + args + "]"
	}
	if recv := f.obj.Signature().Recv(); recv != nil {
		t, star := recv.Type(), ""
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t, star = p.Elem(), "*"
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			if ref.Name = n.Obj().Name() + args + "." + ref.Name; star != "" {
				ref.Name = "(*" + n.Obj().Name() + args + ")." + f.obj.Name()
			}
		}
	} else {
		ref.Name += args
	}
	at := m.prog.Fset.PositionFor(f.obj.Pos(), false)
	ref.File, ref.Line = at.Filename, at.Line
	return ref
}

// typeName is a type as package comptime names it: with import paths.
func typeName(t types.Type) string { return load.TypeName(t) }

// fromKnown makes a value of a Go type of one that is known; nil where the running kernel
// and the front end can have no such value.
func (b *Values) fromKnown(pos token.Pos, t types.Type, v comptime.Value) *ssa.Value {
	s, ok := b.m.typeOf(t)
	if !ok && !b.m.isFrontType(t) && v.Kind != comptime.Slice {
		return nil
	}
	switch v.Kind {
	case comptime.Bool, comptime.Int, comptime.Uint, comptime.Float32, comptime.Float64:
		return b.scalarFrom(pos, s, v)
	case comptime.String:
		if !isBasic(t, types.IsString) {
			return nil
		}
		return str(v.Str)
	case comptime.Func:
		if !isFunc(t) {
			return nil
		}
		return b.funcFrom(pos, v)
	case comptime.Slice:
		return b.listFrom(pos, t, v)
	case comptime.Map:
		return b.mapFrom(pos, t, v)
	case comptime.Array, comptime.Struct:
	default:
		return nil
	}
	ts, elems := partTypes(t), v.Elems
	if len(ts) != len(elems) {
		return nil
	}
	if ok {
		ts, elems = b.m.storedTypes(t), b.m.flattened(elems, t)
	}
	if len(ts) != len(elems) {
		return nil
	}
	parts, ok2 := b.allFrom(pos, ts, elems)
	switch {
	case !ok2:
		return nil
	case anyPoison(parts):
		return poison
	case !ok:
		return b.aggregated(pos, t, parts)
	case slices.ContainsFunc(parts, isFront):
		return nil // a list in a struct, where it would be a slice
	case len(parts) == 0:
		return b.zero(pos, s)
	}
	for i, part := range parts {
		if isA(part, comptime.Slice) && len(frontOf(part).parts) == 0 {
			t, _ := b.m.typeOf(ts[i])
			parts[i] = b.zero(pos, t)
		} else if isFront(part) {
			return nil // the running kernel has no such slice
		}
	}
	return b.op(pos, ssa.OpMake, s, parts...)
}

func (b *Values) allFrom(pos token.Pos, ts []types.Type, vals []comptime.Value) ([]*ssa.Value, bool) {
	parts := make([]*ssa.Value, len(vals))
	for i, e := range vals {
		if parts[i] = b.fromKnown(pos, ts[i], e); parts[i] == nil {
			return nil, false
		}
	}
	return parts, true
}

func (b *Values) scalarFrom(pos token.Pos, t ssa.Type, v comptime.Value) *ssa.Value {
	switch v.Kind {
	case comptime.Bool:
		if t == ssa.Bool {
			return b.constant(pos, t, ssa.BoolConst(v.Bits != 0))
		}
	case comptime.Int, comptime.Uint:
		if ssa.IsInteger(t) && ssa.IsSigned(t) == (v.Kind == comptime.Int) {
			return b.constant(pos, t, ssa.IntConst(t, v.Bits))
		}
	case comptime.Float32:
		if t == ssa.Float32 {
			return b.constant(pos, t, ssa.BitsConst(v.Bits))
		}
	case comptime.Float64:
		if t == ssa.Float64 {
			return b.constant(pos, t, ssa.BitsConst(v.Bits))
		}
	}
	return nil
}

func (b *Values) listFrom(pos token.Pos, t types.Type, v comptime.Value) *ssa.Value {
	u, ok := t.Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	ts := make([]types.Type, len(v.Elems))
	for i := range ts {
		ts[i] = u.Elem()
	}
	elems, ok := b.allFrom(pos, ts, v.Elems)
	if !ok {
		return nil
	}
	return list(t, elems)
}

func (b *Values) mapFrom(pos token.Pos, t types.Type, v comptime.Value) *ssa.Value {
	u, ok := t.Underlying().(*types.Map)
	if !ok {
		return nil
	}
	m := &frontValue{kind: comptime.Map, typ: t}
	for i := 0; i+1 < len(v.Elems); i += 2 {
		e := b.fromKnown(pos, u.Elem(), v.Elems[i+1])
		if e == nil {
			return nil
		}
		m.keys, m.parts = append(m.keys, v.Elems[i]), append(m.parts, e)
	}
	return frontly(m)
}

// funcFrom is a function that is known by its name. Of one that the check of the sources
// has not been asked for [Specialize] has a note, and lowers the kernel anew.
func (b *Values) funcFrom(pos token.Pos, v comptime.Value) *ssa.Value {
	if v.Func == nil {
		return new(funcValue).value()
	}
	if f := b.m.refs[*v.Func]; f != nil {
		return f.value()
	}
	t, ok := b.m.prog.Target(*v.Func)
	if !ok {
		b.m.missing = append(b.m.missing, *v.Func)
		b.m.refuse(&ast.BadExpr{From: pos, To: pos + 1}, "declare it in a package whose source is registered", "the source of function %s is not known", v.Func.Name)
		return poison
	}
	return (&funcValue{obj: t.Obj, targs: t.TypeArgs, of: t.Recv}).value()
}

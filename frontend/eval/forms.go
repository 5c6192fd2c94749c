package eval

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

// A compile-time value is a comptime.Value, whether it comes from a qd.C or from a literal in the code.
// It is converted from and to SSA with constants, values that only the front end has, and the memory of
// functions that run at compile time. All of these conversions are here.

// Known returns the compile-time value of a value of a Go type, and whether it is known.
func (b *Values) Known(v *ssa.Value, t types.Type) (comptime.Value, bool) {
	none := comptime.Value{}
	if v == nil || v == Poison || t == nil || b.Facts.IllTyped() && v != UntypedNil && b.Typed(v, t) == Poison {
		return none, false
	}
	out := comptime.Value{Type: typeName(t)}
	if v == UntypedNil {
		v = b.ZeroOf(token.NoPos, t)
		if v == nil || !IsFront(v) {
			return none, false
		}
	}
	switch f := v.Type.(type) {
	case *FrontValue:
		return b.knownFront(out, f, t)
	case ssa.Array, *ssa.Struct:
		return b.knownMade(out, v, t)
	}
	c, ok := b.KnownConst(v)
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

// knownFront is Known for a value that only the front end has.
func (b *Values) knownFront(out comptime.Value, f *FrontValue, t types.Type) (comptime.Value, bool) {
	out.Kind, out.Str = f.Kind, f.Str
	switch f.Kind {
	case comptime.Invalid, comptime.Pointer:
		return comptime.Value{}, false
	case comptime.Interface:
		return out, len(f.iface.may) == 1 && f.iface.may[0].Type == nil
	case comptime.String:
		return out, true
	case comptime.Func:
		return b.knownFunc(f.fn, out)
	case comptime.Struct, comptime.Array:
		out.Kind = comptime.Struct
		if check.IsArray(t) {
			out.Kind = comptime.Array
		}
		return b.knownParts(out, b.partsOf(f), check.PartTypes(t))
	case comptime.Slice:
		return b.knownParts(out, f.Parts, slices.Repeat([]types.Type{check.ElemType(f.Typ)}, len(f.Parts)))
	}
	elem := f.Typ.Underlying().(*types.Map).Elem()
	for i, k := range f.Keys {
		v, ok := b.Known(f.Parts[i], elem)
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
		v, ok := b.Known(part, ts[i])
		if !ok {
			return comptime.Value{}, false
		}
		out.Elems[i] = v
	}
	return out, true
}

// knownMade is Known for a struct or an array that the running kernel can have.
func (b *Values) knownMade(out comptime.Value, v *ssa.Value, t types.Type) (comptime.Value, bool) {
	out.Kind = comptime.Struct
	if check.IsArray(t) {
		out.Kind = comptime.Array
	}
	ts := check.PartTypes(t)
	if v.Def == nil || v.Def.Op != ssa.OpMake && v.Def.Op != ssa.OpZero {
		x, ok := b.Facts.computed(v)
		return b.Facts.withTypes(x, t), ok
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
	out, ok := b.knownParts(out, v.Def.Args, b.Facts.StoredTypes(t))
	if ok {
		out.Elems = b.Facts.grouped(out.Elems, t)
	}
	return out, ok
}

// zeroValue is the zero value of a type. It is false if the type has no compile-time values.
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
		case info&types.IsComplex != 0:
			return zeroParts(v, comptime.Struct, t)
		case info&types.IsFloat != 0:
			v.Kind = comptime.Float64
			if check.BasicTypes[u.Kind()] == ssa.Float32 {
				v.Kind = comptime.Float32
			}
		default:
			return v, false
		}
		return v, true
	case *types.Array:
		return zeroParts(v, comptime.Array, t)
	case *types.Struct:
		return zeroParts(v, comptime.Struct, t)
	}
	return v, false
}

// zeroParts makes a value one of a kind whose parts are zero values.
func zeroParts(v comptime.Value, kind comptime.Kind, t types.Type) (comptime.Value, bool) {
	v.Kind = kind
	for _, part := range check.PartTypes(t) {
		e, ok := zeroValue(part)
		if !ok {
			return v, false
		}
		v.Elems = append(v.Elems, e)
	}
	return v, true
}

// FromKnown converts a compile-time value to a value of a Go type. It returns nil if neither the running
// kernel nor the front end can have such a value.
func (b *Values) FromKnown(pos token.Pos, t types.Type, v comptime.Value) *ssa.Value {
	s, ok := b.Facts.TypeOf(t)
	if !ok && !b.Facts.IsFrontType(t) && v.Kind != comptime.Slice {
		return nil
	}
	switch v.Kind {
	case comptime.Bool, comptime.Int, comptime.Uint, comptime.Float32, comptime.Float64:
		return b.scalarFrom(pos, s, v)
	case comptime.String:
		if !check.IsBasic(t, types.IsString) {
			return nil
		}
		return Str(v.Str)
	case comptime.Func:
		if !check.IsFunc(t) {
			return nil
		}
		return b.funcFrom(pos, v)
	case comptime.Slice:
		return b.listFrom(pos, t, v)
	case comptime.Map:
		return b.mapFrom(pos, t, v)
	case comptime.Interface:
		return b.Box(pos, UntypedNil, t)
	case comptime.Array, comptime.Struct:
	default:
		return nil
	}
	ts, elems := check.PartTypes(t), v.Elems
	if len(ts) != len(elems) {
		return nil
	}
	if ok {
		ts, elems = b.Facts.StoredTypes(t), b.Facts.flattened(elems, t)
	}
	if len(ts) != len(elems) {
		return nil
	}
	parts, ok2 := b.allFrom(pos, ts, elems)
	switch {
	case !ok2:
		return nil
	case AnyPoison(parts):
		return Poison
	case !ok:
		return b.Aggregated(pos, t, parts)
	case slices.ContainsFunc(parts, IsFront):
		return nil // a list in a struct, where it would be a slice
	case len(parts) == 0:
		return b.Zero(pos, s)
	}
	for i, part := range parts {
		if IsA(part, comptime.Slice) && len(FrontOf(part).Parts) == 0 {
			t, _ := b.Facts.TypeOf(ts[i])
			parts[i] = b.Zero(pos, t)
		} else if IsFront(part) {
			return nil // the running kernel has no such slice
		}
	}
	return b.Op(pos, ssa.OpMake, s, parts...)
}

func (b *Values) allFrom(pos token.Pos, ts []types.Type, vals []comptime.Value) ([]*ssa.Value, bool) {
	parts := make([]*ssa.Value, len(vals))
	for i, e := range vals {
		if parts[i] = b.FromKnown(pos, ts[i], e); parts[i] == nil {
			return nil, false
		}
	}
	return parts, true
}

func (b *Code) scalarFrom(pos token.Pos, t ssa.Type, v comptime.Value) *ssa.Value {
	switch v.Kind {
	case comptime.Bool:
		if t == ssa.Bool {
			return b.Constant(pos, t, ssa.BoolConst(v.Bits != 0))
		}
	case comptime.Int, comptime.Uint:
		if ssa.IsInteger(t) && ssa.IsSigned(t) == (v.Kind == comptime.Int) {
			return b.Constant(pos, t, ssa.IntConst(t, v.Bits))
		}
	case comptime.Float32:
		if t == ssa.Float32 {
			return b.Constant(pos, t, ssa.BitsConst(v.Bits))
		}
	case comptime.Float64:
		if t == ssa.Float64 {
			return b.Constant(pos, t, ssa.BitsConst(v.Bits))
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
	return List(t, elems)
}

func (b *Values) mapFrom(pos token.Pos, t types.Type, v comptime.Value) *ssa.Value {
	u, ok := t.Underlying().(*types.Map)
	if !ok {
		return nil
	}
	m := &FrontValue{Kind: comptime.Map, Typ: t}
	for i := 0; i+1 < len(v.Elems); i += 2 {
		e := b.FromKnown(pos, u.Elem(), v.Elems[i+1])
		if e == nil {
			return nil
		}
		m.Keys, m.Parts = append(m.Keys, v.Elems[i]), append(m.Parts, e)
	}
	return m.Value()
}

// ValueOf is the value of a type with the given bytes. It has no type names.
func ValueOf(t ssa.Type, p []byte) comptime.Value {
	switch t := t.(type) {
	case ssa.Array:
		v := comptime.Value{Kind: comptime.Array, Elems: make([]comptime.Value, t.Len)}
		for i := range v.Elems {
			v.Elems[i] = ValueOf(t.Elem, p[i*t.Elem.Size():])
		}
		return v
	case *ssa.Struct:
		v := comptime.Value{Kind: comptime.Struct, Elems: make([]comptime.Value, len(t.Fields))}
		for i, f := range t.Fields {
			v.Elems[i] = ValueOf(f.Type, p[t.Offset(i):])
		}
		return v
	}
	return scalarValue(t, interp.ToConst(t, p))
}

// scalarValue converts a constant to a value without a type name.
func scalarValue(t ssa.Type, c ssa.Const) comptime.Value {
	v := comptime.Value{Bits: c.Uint()}
	switch {
	case t == ssa.Bool:
		v.Kind = comptime.Bool
	case ssa.IsSigned(t):
		v.Kind = comptime.Int
	case ssa.IsUnsigned(t):
		v.Kind = comptime.Uint
	case t == ssa.Float32:
		v.Kind = comptime.Float32
	case t == ssa.Float64:
		v.Kind = comptime.Float64
	}
	return v
}

// literalOf is the known part of a value: a constant, or a struct or an array, some of whose parts may
// not be known. It has no type names. It is nil if nothing is known.
func literalOf(v *ssa.Value) *comptime.Value {
	if v.Def == nil {
		return nil
	}
	switch v.Def.Op {
	case ssa.OpConst:
		if x := scalarValue(v.Type, v.Def.Const); x.Kind != comptime.Invalid {
			return &x
		}
	case ssa.OpZero:
		return zeroLiteral
	case ssa.OpMake:
		if len(v.Def.Args) > maxKnownParts {
			return nil
		}
		x := &comptime.Value{Kind: compositeKind(v.Type), Elems: make([]comptime.Value, len(v.Def.Args))}
		for i, arg := range v.Def.Args {
			if part := literalOf(arg); part != nil {
				x.Elems[i] = *part
			}
		}
		return x
	}
	return nil
}

var zeroLiteral = &comptime.Value{Kind: comptime.Zero}

// compositeKind is the kind of the values of a type that has parts.
func compositeKind(t ssa.Type) comptime.Kind {
	if _, isArray := t.(ssa.Array); isArray {
		return comptime.Array
	}
	return comptime.Struct
}

// append converts a literal of type t to code. It returns nil if a part is not known, or if it takes too
// many constants.
func (b *Code) append(pos token.Pos, x *comptime.Value, t ssa.Type, left *int) *ssa.Value {
	if *left--; x == nil || *left < 0 {
		return nil
	}
	switch x.Kind {
	case comptime.Zero:
		return b.Zero(pos, t)
	case comptime.Struct, comptime.Array:
	default:
		return b.scalarFrom(pos, t, *x)
	}
	parts := make([]*ssa.Value, len(x.Elems))
	for i := range parts {
		if parts[i] = b.append(pos, partOfContents(x, i), partType(t, i), left); parts[i] == nil {
			return nil
		}
	}
	return b.Emit(pos, &ssa.Instr{Op: ssa.OpMake, Args: parts}, t).Result()
}

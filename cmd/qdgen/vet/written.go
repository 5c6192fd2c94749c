package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// What a launch gives for a qd.Const is a constant for go/types, or the text of the package says what it is: a variable
// that nobody assigns to again has the value of its declaration, and that of a loop over a list has each of the list's.

// A written is what the text of a package says of a variable.
type written struct {
	value ast.Expr // its only value, nil if there is none
	list  ast.Expr // what a loop ranges over whose values it has, nil if there is none
}

// writtenOf looks at all that a package does with a variable.
func writtenOf(pass *analysis.Pass, v *types.Var) written {
	if v.Pkg() != pass.Pkg || v.IsField() || v.Parent() == pass.Pkg.Scope() && v.Exported() && pass.Pkg.Name() != "main" {
		return written{} // others may assign to it
	}
	w := writes{info: pass.TypesInfo, v: v}
	for _, f := range pass.Files {
		if v.Parent() != pass.Pkg.Scope() && (v.Pos() < f.FileStart || v.Pos() >= f.FileEnd) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			w.visit(n)
			return true
		})
	}
	if w.changed {
		return written{}
	}
	return w.written
}

// writes finds what gives a variable its values.
type writes struct {
	info    *types.Info
	v       *types.Var
	changed bool // it may have other values than those of its declaration
	written
}

func (w *writes) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			if id, ok := e.(*ast.Ident); !ok || w.info.Defs[id] != w.v {
				w.change(e)
			}
		}
		if n.Tok == token.DEFINE {
			w.define(n.Lhs, n.Rhs)
		}
	case *ast.ValueSpec:
		var names []ast.Expr
		for _, id := range n.Names {
			names = append(names, id)
		}
		w.define(names, n.Values)
	case *ast.IncDecStmt:
		w.change(n.X)
	case *ast.RangeStmt:
		switch {
		case n.Tok == token.ASSIGN:
			w.change(n.Key)
			if n.Value != nil {
				w.change(n.Value)
			}
		case n.Value != nil && w.is(n.Value):
			w.list = n.X
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			w.change(n.X)
		}
	case *ast.SliceExpr: // through which elements may be changed
		w.change(n.X)
	case *ast.SelectorExpr:
		if w.takesAddress(n) {
			w.change(n.X)
		}
	}
}

// is reports whether an expression is the variable.
func (w *writes) is(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && w.info.ObjectOf(id) == w.v
}

// change notes that the operand of an expression is assigned, or may be.
func (w *writes) change(e ast.Expr) { w.changed = w.changed || w.is(load.Whole(e)) }

// define notes the value with which names are declared, if the variable is among these.
func (w *writes) define(names, values []ast.Expr) {
	for i, name := range names {
		if w.is(name) && len(names) == len(values) {
			w.value = values[i]
		}
	}
}

// takesAddress reports whether a selector is a method with a pointer receiver, which may change the receiver.
func (w *writes) takesAddress(e *ast.SelectorExpr) bool {
	sel := w.info.Selections[e]
	if sel == nil || sel.Kind() != types.MethodVal {
		return false
	}
	_, ok := sel.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	return ok
}

// mostValues bounds the values of one argument.
const mostValues = mostLists

// constants are the values that an expression may have, of a type; none if that is not known.
func constants(pass *analysis.Pass, x ast.Expr, t types.Type, depth int) []comptime.Value {
	x = ast.Unparen(x)
	tv := pass.TypesInfo.Types[x]
	if v, err := ConstantValue(converted(tv), t, load.TypeName(t)); err == nil {
		return []comptime.Value{v}
	}
	if depth > maxNested || tv.Type == nil {
		return nil
	}
	switch x := x.(type) {
	case *ast.Ident:
		v, ok := pass.TypesInfo.Uses[x].(*types.Var)
		if !ok {
			return nil
		}
		switch w := writtenOf(pass, v); {
		case w.value != nil:
			return constants(pass, w.value, t, depth+1)
		case w.list != nil:
			return elements(pass, w.list, t, depth+1)
		}
	case *ast.CompositeLit:
		if types.Identical(tv.Type, t) {
			return composite(pass, x, t, depth+1)
		}
	case *ast.SelectorExpr:
		sel := pass.TypesInfo.Selections[x]
		if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) != 1 || !types.Identical(tv.Type, t) {
			return nil
		}
		if _, ok := pass.TypesInfo.TypeOf(x.X).Underlying().(*types.Struct); !ok {
			return nil
		}
		return parts(constants(pass, x.X, pass.TypesInfo.TypeOf(x.X), depth+1), sel.Index()[0])
	case *ast.IndexExpr:
		list := pass.TypesInfo.TypeOf(x.X)
		if _, ok := list.Underlying().(*types.Array); !ok || !types.Identical(tv.Type, t) {
			return nil
		}
		if i, ok := position(pass, x.Index, list); ok {
			return parts(constants(pass, x.X, list, depth+1), i)
		}
	}
	return nil
}

// parts are the same field or element of some values.
func parts(values []comptime.Value, i int) (list []comptime.Value) {
	for _, v := range values {
		list = append(list, v.Elems[i])
	}
	return list
}

// converted is a value whose type is one of Go's default ones, which launches convert, as an untyped one.
func converted(tv types.TypeAndValue) types.TypeAndValue {
	switch tv.Type {
	case types.Typ[types.Int]:
		tv.Type = types.Typ[types.UntypedInt]
	case types.Typ[types.Float64]:
		tv.Type = types.Typ[types.UntypedFloat]
	case types.Typ[types.Bool]:
		tv.Type = types.Typ[types.UntypedBool]
	case types.Typ[types.String]:
		tv.Type = types.Typ[types.UntypedString]
	}
	return tv
}

// elements are the values of the elements of a list that a loop ranges over, none if one is not known.
func elements(pass *analysis.Pass, list ast.Expr, t types.Type, depth int) (all []comptime.Value) {
	if id, ok := ast.Unparen(list).(*ast.Ident); ok {
		v, ok := pass.TypesInfo.Uses[id].(*types.Var)
		if !ok {
			return nil
		}
		list = writtenOf(pass, v).value
	}
	lit, ok := ast.Unparen(list).(*ast.CompositeLit)
	if !ok || len(lit.Elts) > mostValues {
		return nil
	}
	switch pass.TypesInfo.TypeOf(lit).Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map:
	default:
		return nil
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		values := constants(pass, e, t, depth)
		if len(values) == 0 || len(all)+len(values) > mostValues {
			return nil
		}
		all = append(all, values...)
	}
	return all
}

// composite is the value of an array or a struct.
func composite(pass *analysis.Pass, lit *ast.CompositeLit, t types.Type, depth int) []comptime.Value {
	v, ok := zero(t)
	if !ok {
		return nil
	}
	next := 0
	for _, e := range lit.Elts {
		value := e
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			value = kv.Value
			if next, ok = position(pass, kv.Key, t); !ok {
				return nil
			}
		}
		var elem types.Type
		switch u := t.Underlying().(type) {
		case *types.Struct:
			elem = u.Field(next).Type()
		case *types.Array:
			elem = u.Elem()
		}
		values := constants(pass, value, elem, depth)
		if len(values) != 1 {
			return nil
		}
		v.Elems[next] = values[0]
		next++
	}
	return []comptime.Value{v}
}

// position is the index of a field or an element that a key in a literal means.
func position(pass *analysis.Pass, key ast.Expr, t types.Type) (int, bool) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if id, ok := key.(*ast.Ident); ok && u.Field(i).Name() == id.Name {
				return i, true
			}
		}
	case *types.Array:
		if v := pass.TypesInfo.Types[key].Value; v != nil {
			i, exact := constant.Int64Val(constant.ToInt(v))
			return int(i), exact && i >= 0 && i < u.Len()
		}
	}
	return 0, false
}

// mostElements bounds arrays.
const mostElements = 1 << 12

// zero is the zero value of a type, not ok for one of which it is not known here.
func zero(t types.Type) (v comptime.Value, ok bool) {
	name := load.TypeName(t)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		v = comptime.Value{Kind: comptime.Struct, Type: name}
		for f := range u.Fields() {
			e, ok := zero(f.Type())
			if !ok {
				return v, false
			}
			v.Elems = append(v.Elems, e)
		}
		return v, true
	case *types.Array:
		v = comptime.Value{Kind: comptime.Array, Type: name}
		e, ok := zero(u.Elem())
		if !ok || u.Len() > mostElements {
			return v, false
		}
		for range u.Len() {
			v.Elems = append(v.Elems, e)
		}
		return v, true
	case *types.Basic:
		c := constant.MakeInt64(0)
		switch {
		case u.Info()&types.IsBoolean != 0:
			c = constant.MakeBool(false)
		case u.Info()&types.IsString != 0:
			c = constant.MakeString("")
		}
		v, err := ConstantValue(types.TypeAndValue{Type: t, Value: c}, t, name)
		return v, err == nil
	case *types.Signature:
		return comptime.Value{Kind: comptime.Func, Type: name}, true
	}
	return v, false
}

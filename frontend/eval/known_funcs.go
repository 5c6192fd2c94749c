package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// Functions are known by their names.

// knownFunc is a function that does not depend on where it stands.
func (b *Values) knownFunc(f *Func, out comptime.Value) (comptime.Value, bool) {
	out.Kind = comptime.Func
	switch {
	case f.Unknown:
		return comptime.Value{}, false
	case f.Lit != nil:
		lit, ok := b.knownLiteral(f)
		lit.Type = out.Type
		return lit, ok
	case f.Recv != nil:
		return b.knownBound(f, out)
	case f.Obj == nil:
		return out, true
	}
	named := f
	if f.Of != nil {
		if named = declaredMethod(f); named == nil {
			return comptime.Value{}, false
		}
	}
	out.Func = b.Facts.refOf(named)
	if b.Facts.Refs == nil {
		b.Facts.Refs = map[load.Ref]*Func{}
	}
	b.Facts.Refs[*out.Func] = f
	return out, true
}

// maxHeld is how many values a function literal may hold, with those of the literals that it captures.
const maxHeld = 1 << 12

// knownLiteral is a function literal, if what it captures is known and nobody changes that.
func (b *Values) knownLiteral(f *Func) (out comptime.Value, ok bool) {
	if known, ok := b.Facts.literals[f]; ok {
		return known.v, true
	}
	captures := map[*types.Var]*ssa.Value{}
	for _, c := range f.Captures {
		captures[c.v] = c.val
	}
	held := 0
	values := map[string]comptime.Value{}
	names := map[string]string{} // and their types
	for _, v := range freeVars(f) {
		if _, ok := values[v.Name()]; ok {
			continue
		}
		value, ok := b.Known(captures[v], b.Facts.With(f.Scope.Targs).Typ(v.Type()))
		if held += 1 + b.Facts.held(captures[v]); !ok || held > maxHeld {
			return comptime.Value{}, false
		}
		values[v.Name()], names[v.Name()] = value, value.Type
	}
	text, inOrder := load.FormatCaptures(names)
	out.Kind = comptime.Func
	for _, name := range inOrder {
		out.Elems = append(out.Elems, values[name])
	}
	at := f.Scope.File.PositionFor(f.Lit.Pos(), false)
	out.Func = &load.Ref{Pkg: f.Scope.Src.Pkg.Path(), File: f.Scope.Src.File.Name, Line: at.Line, Col: at.Column, Captures: text}
	if len(f.Scope.Targs) > 0 {
		out.Func.Params = b.paramTypes(f)
	}
	if b.Facts.literals == nil {
		b.Facts.literals = map[*Func]knownLiteral{}
	}
	b.Facts.literals[f] = knownLiteral{out, held}
	return out, true
}

// A knownLiteral is a function literal as a value, and how many values it holds.
type knownLiteral struct {
	v    comptime.Value
	held int
}

// held is how many values the function literals in a value hold. Literals share what they capture: written out, that
// can be very much.
func (m *Facts) held(v *ssa.Value) (n int) {
	f := FrontOf(v)
	if f == nil {
		return 0
	}
	if f.fn != nil {
		return m.literals[f.fn].held
	}
	for _, part := range f.Parts {
		n += m.held(part)
	}
	return n
}

// paramTypes are the types of a literal's parameters, for a [load.Ref].
func (b *Values) paramTypes(f *Func) string {
	var list []string
	if sig, ok := f.Scope.Info.TypeOf(f.Lit).(*types.Signature); ok {
		for v := range sig.Params().Variables() {
			list = append(list, typeName(b.Facts.With(f.Scope.Targs).Typ(v.Type())))
		}
	}
	return strings.Join(list, ",")
}

// knownBound is a method with its receiver, if that is known and no pointer.
func (b *Values) knownBound(f *Func, out comptime.Value) (comptime.Value, bool) {
	recv := f.Obj.Signature().Recv()
	if recv == nil || check.IsPointer(recv.Type()) {
		return comptime.Value{}, false
	}
	value, ok := b.Known(f.Recv, b.Facts.With(f.TypeArgs()).Typ(recv.Type()))
	if !ok {
		return comptime.Value{}, false
	}
	out.Func, out.Elems = b.Facts.refOf(f), []comptime.Value{value}
	return out, true
}

// declaredMethod is a method expression with the type arguments of its receiver, nil for one
// of the method of an embedded field, or of a pointer to what has the method: such a function
// has no name.
func declaredMethod(f *Func) *Func {
	found, path, _ := types.LookupFieldOrMethod(f.Of, true, f.Obj.Pkg(), f.Obj.Name())
	obj, ok := found.(*types.Func)
	if !ok || len(path) != 1 || check.IsPointer(f.Of) != check.IsPointer(obj.Signature().Recv().Type()) {
		return nil
	}
	named := &Func{Obj: obj, Of: f.Of}
	of := types.Unalias(f.Of)
	if p, ok := of.(*types.Pointer); ok {
		of = types.Unalias(p.Elem())
	}
	if n, ok := of.(*types.Named); ok {
		named.Targs = slices.Collect(n.TypeArgs().Types())
	}
	return named
}

// refOf names a declared function.
func (m *Facts) refOf(f *Func) *load.Ref {
	ref := &load.Ref{Name: f.Obj.Name()}
	if p := f.Obj.Pkg(); p != nil {
		ref.Pkg = p.Path()
	}
	args := ""
	for i, t := range f.Targs {
		if i > 0 {
			args += ","
		}
		args += typeName(t)
	}
	if args != "" {
		args = "[" + args + "]"
	}
	if recv := f.Obj.Signature().Recv(); recv != nil {
		t, star := recv.Type(), ""
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t, star = p.Elem(), "*"
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			if ref.Name = n.Obj().Name() + args + "." + ref.Name; star != "" {
				ref.Name = "(*" + n.Obj().Name() + args + ")." + f.Obj.Name()
			}
		}
	} else {
		ref.Name += args
	}
	at := m.Prog.Fset.PositionFor(f.Obj.Pos(), false)
	ref.File, ref.Line = at.Filename, at.Line
	return ref
}

// typeName is a type as package comptime names it: with import paths.
func typeName(t types.Type) string { return load.TypeName(t) }

// funcFrom is a function that is known by its name. Of one that the check of the sources
// has not been asked for there is a note, with which the kernel is loaded and lowered anew.
func (b *Values) funcFrom(pos token.Pos, v comptime.Value) *ssa.Value {
	if v.Func == nil {
		return new(Func).Value()
	}
	if f := b.Facts.Refs[*v.Func]; f != nil && len(v.Elems) == 0 {
		return f.Value()
	}
	t, ok := b.Facts.Prog.Target(*v.Func)
	if !ok && b.Facts.Prog.IsReported(*v.Func) {
		return Poison
	}
	if !ok {
		b.Facts.Missing = append(b.Facts.Missing, *v.Func)
		b.Facts.Refuse(&ast.BadExpr{From: pos, To: pos + 1}, "declare it in a package whose source is registered", "the source of function %s is not available", v.Func.Name)
		return Poison
	}
	switch {
	case t.Lit != nil:
		return b.literalFrom(pos, t, v)
	case len(v.Elems) == 1 && t.Recv != nil:
		recv := b.FromKnown(pos, t.Recv, v.Elems[0])
		if recv == nil || recv == Poison {
			return recv
		}
		return (&Func{Obj: t.Obj, Targs: t.TypeArgs, Recv: recv}).Value()
	}
	return (&Func{Obj: t.Obj, Targs: t.TypeArgs, Of: t.Recv}).Value()
}

// literalFrom is a function literal with what it captures.
func (b *Values) literalFrom(pos token.Pos, t load.Target, v comptime.Value) *ssa.Value {
	args := (&Func{Obj: t.Obj, Targs: t.TypeArgs, Outer: t.Src.Outer}).TypeArgs()
	f := &Func{Lit: t.Lit, Scope: b.Facts.ScopeOf(t.Src, args)}
	vars := map[string]*types.Var{}
	for _, v := range freeVars(f) {
		vars[v.Name()] = v
	}
	names := slices.Collect(maps.Keys(vars))
	sort.Strings(names)
	for i, name := range names {
		if i >= len(v.Elems) {
			if v.Func.Captures == "" { // else that has been reported
				b.Facts.Refuse(useOf(f, vars[name]), "name it where the function is made: qd.NewFunc(func..., qd.Capture(\""+name+"\", "+name+")), or make the function a method of a struct that holds it",
					"the function captures %s, which is declared in the function around it, without naming it", name)
			}
			return Poison
		}
		val := b.FromKnown(pos, b.Facts.With(args).Typ(vars[name].Type()), v.Elems[i])
		if val == nil || val == Poison {
			return val
		}
		f.Captures = append(f.Captures, capture{v: vars[name], val: val})
	}
	return f.Value()
}

// useOf is where a literal first names a variable.
func useOf(f *Func, v *types.Var) (use *ast.Ident) {
	ast.Inspect(f.Lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && use == nil && f.Scope.Info.Uses[id] == v {
			use = id
		}
		return use == nil
	})
	return use
}

// Unnamed reports whether a value of the running program contains a function literal whose captured variables nobody
// has named. The source may name them.
func (m *Facts) Unnamed(v comptime.Value) bool {
	if v.Kind == comptime.Func && v.Func != nil && len(v.Elems) == 0 {
		t, ok := m.Prog.Target(*v.Func)
		return ok && t.Lit != nil && len(freeVars(&Func{Lit: t.Lit, Scope: m.NewScope(t.Src, nil)})) > 0
	}
	return slices.ContainsFunc(v.Elems, m.Unnamed)
}

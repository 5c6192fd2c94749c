package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

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
	case f.Unknown || f.Recv != nil:
		return comptime.Value{}, false
	case f.Lit != nil:
		if len(f.Scope.Targs) > 0 || len(freeVars(f)) > 0 {
			return comptime.Value{}, false
		}
		at := f.Scope.File.PositionFor(f.Lit.Pos(), false)
		out.Func = &load.Ref{Pkg: f.Scope.Src.Pkg.Path(), File: f.Scope.Src.File.Name, Line: at.Line, Col: at.Column}
		return out, true
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
	if f := b.Facts.Refs[*v.Func]; f != nil {
		return f.Value()
	}
	t, ok := b.Facts.Prog.Target(*v.Func)
	if !ok {
		b.Facts.Missing = append(b.Facts.Missing, *v.Func)
		b.Facts.Refuse(&ast.BadExpr{From: pos, To: pos + 1}, "declare it in a package whose source is registered", "the source of function %s is not known", v.Func.Name)
		return Poison
	}
	return (&Func{Obj: t.Obj, Targs: t.TypeArgs, Of: t.Recv}).Value()
}

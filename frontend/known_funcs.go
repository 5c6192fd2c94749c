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

// Functions are known by their names.

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

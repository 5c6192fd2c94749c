package frontend

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// Syntax is what the source of declared functions says.
type Syntax struct {
	*Types
	holding     map[*ast.FuncDecl]bool // see holdsFuncs
	cooperating map[*types.Func]bool   // functions that cooperates knows

	assignedAgain map[*ast.FuncDecl]map[*types.Var]bool // see reassigned
	partVars      map[partKey]*types.Var                // see partVar
	originals     map[*types.Var]*types.Var             // of the variables of copies
	copies        int                                   // of functions' syntax
	copyOf        map[*types.Var]int                    // which copy of the syntax declares a variable; none for the source's own
}

// newSyntax knows nothing yet of a program, for a kernel of a package.
func newSyntax(prog *load.Program, pkg *types.Package, symbolic bool, warning func(diag.Diagnostic)) *Syntax {
	return &Syntax{Types: &Types{Large: &Large{Report: &Report{prog: prog, pkg: pkg, symbolic: symbolic, warning: warning}}}}
}

// typeArgs are what the type parameters of an instance stand for.
type typeArgs map[*types.TypeParam]types.Type

// sameType reports whether two types, which may be nil, are identical.
func sameType(t, u types.Type) bool {
	return t == nil && u == nil || t != nil && u != nil && types.Identical(t, u)
}

// sameTypes reports whether two lists of types are identical.
func sameTypes(a, b []types.Type) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !types.Identical(a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameTypeArgs(a, b typeArgs) bool {
	if len(a) != len(b) {
		return false
	}
	for p, t := range a {
		if u, ok := b[p]; !ok || !types.Identical(t, u) {
			return false
		}
	}
	return true
}

// typeOf is the SSA type of a type of a declaration.
func (b *Scope) typeOf(t types.Type) (ssa.Type, bool) { return b.m.typeOf(b.subst(t)) }

// funcName is the name of an instance: "lerp[float32]", "geom.Box[int].Area".
func (m *Syntax) funcName(obj *types.Func, targs []types.Type) string {
	name := obj.Name()
	args := ""
	if len(targs) > 0 {
		list := make([]string, len(targs))
		for i, t := range targs {
			list[i] = m.typeString(t)
		}
		args = "[" + strings.Join(list, ",") + "]"
	}
	if recv := obj.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			name = n.Obj().Name() + args + "." + name
		}
	} else {
		name += args
	}
	if obj.Pkg() != m.pkg {
		name = obj.Pkg().Name() + "." + name
	}
	return name
}

// instance is an instance of a function that has been lowered, nil if it has not.
func (m *module) instance(f *funcValue, known knownArgs) *function {
	key := known.key()
	for _, fn := range m.funcs[f.obj] {
		if fn.key == key && sameTypes(fn.targs, f.targs) {
			return fn
		}
	}
	return nil
}

// scopeOf is the scope of a declared function's syntax.
func (m *Syntax) scopeOf(src *load.Function, targs typeArgs) Scope {
	return Scope{
		m:     m,
		src:   src,
		info:  src.Info,
		file:  m.prog.Fset.File(src.Decl.Pos()),
		targs: targs,
		funcs: m.holdsFuncs(src) || m.anyFront(targs),
	}
}

// anyFront reports whether one of the types is that of front-end values, which may be or
// contain function literals.
func (m *Types) anyFront(targs typeArgs) bool {
	for _, t := range targs {
		if m.isFrontType(t) {
			return true
		}
	}
	return false
}

// containsFunc reports whether values of a type are or contain functions.
func containsFunc(t types.Type, depth int) bool {
	if t == nil || depth > maxFrontDepth {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Slice:
		return containsFunc(u.Elem(), depth+1)
	case *types.Map:
		return containsFunc(u.Elem(), depth+1)
	case *types.Array:
		return containsFunc(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if containsFunc(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// holdsFuncs reports whether function literals can be called in a function: it
// has some, or is passed some.
func (m *Syntax) holdsFuncs(src *load.Function) bool {
	decl := src.Decl
	if holds, ok := m.holding[decl]; ok {
		return holds
	}
	holds := false
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			holds = true
		case *ast.FuncType:
			holds = holds || n != decl.Type
		case *ast.Field:
			holds = holds || containsFunc(src.Info.TypeOf(n.Type), 0)
		}
		return !holds
	})
	if m.holding == nil {
		m.holding = map[*ast.FuncDecl]bool{}
	}
	m.holding[decl] = holds
	return holds
}

// declaredBody is the body of a declared function or method.
func (b inliner) declaredBody(f *funcValue) *body {
	src := b.m.prog.Function(f.obj)
	sig := f.obj.Signature()
	return &body{
		decl: src.Decl, name: f.obj.Name(), scope: b.m.scopeOf(src, f.typeArgs()),
		recv: sig.Recv(), sig: sig, typ: src.Decl.Type, stmts: src.Decl.Body,
	}
}

// typeArgs are the type arguments by the type parameters of the function or of the
// receiver's type.
func (f *funcValue) typeArgs() typeArgs {
	if len(f.targs) == 0 {
		return nil
	}
	sig := f.obj.Signature()
	params := sig.TypeParams()
	switch {
	case f.outer != nil:
		params = f.outer
	case sig.Recv() != nil:
		params = sig.RecvTypeParams()
	}
	targs := make(typeArgs, len(f.targs))
	for i, t := range f.targs {
		targs[params.At(i)] = t
	}
	return targs
}

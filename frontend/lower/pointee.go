package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// A package variable of an interface type may hold a pointer to a struct of constants and functions, as color.GrayModel
// does. A method of the struct that only reads its fields can be called in a kernel. It is given a struct with the
// same contents, made by the initial value of the variable.

// constructed is the type of the pointer that an initial value makes by a call of a constructor, which is nothing but
// return &T{...}. It is nil of any other.
func (m *Module) constructed(v *load.Var, e ast.Expr) types.Type {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	id := check.CalleeName(call.Fun)
	if id == nil {
		return nil
	}
	f, ok := v.Info.Uses[id].(*types.Func)
	if !ok || f.Signature().Recv() != nil || f.Signature().TypeParams() != nil {
		return nil
	}
	if m.Prog.Function(f) == nil && !v.Computed {
		m.uncomputed = append(m.uncomputed, load.Global{Pkg: v.Pkg.Path(), Name: v.Obj.Name()}) // and the kernel is lowered anew
	}
	src := m.Prog.Function(f)
	if src == nil || src.Decl.Body == nil || len(src.Decl.Body.List) != 1 {
		return nil
	}
	ret, ok := src.Decl.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	if u, ok := ast.Unparen(ret.Results[0]).(*ast.UnaryExpr); ok {
		return newPointer(src.Info, u)
	}
	return nil
}

// pointee is a pointer to what a package variable leads to, for a method that only reads it. It is nil if it is not
// known what that is, as where another function may write to it, or if the method may do more.
func (c caller) pointee(e ast.Node, d eval.Dynamic, method types.Object) (recv *ssa.Value, why string) {
	m := c.b.m
	v := m.Prog.Var(d.Sentinel)
	if v == nil || !m.onlyReadsFields(v, d.Type, method) {
		return nil, ""
	}
	if how := v.PointeeChanged(d.Type); how != "" {
		return nil, ": what that points to may be changed, because the variable " + how
	}
	if v.MayBeAssignedElsewhere() { // other packages can call all of its methods
		for other := range types.NewMethodSet(d.Type).Methods() {
			if !m.onlyReadsFields(v, d.Type, other.Obj()) {
				return nil, ""
			}
		}
	}
	init, _ := v.Init()
	if !m.isConstantCall(v, init) {
		return nil, ""
	}
	if m.Uncomputable(v, init) {
		m.uncomputed = append(m.uncomputed, load.Global{Pkg: v.Pkg.Path(), Name: v.Obj.Name()})
		return nil, ""
	}
	// The initial value, as the result of a function without parameters.
	at := init.Pos()
	name := &ast.Ident{NamePos: at, Name: v.Obj.Name()}
	decl := &ast.FuncDecl{
		Name: name,
		Type: &ast.FuncType{Func: at, Params: &ast.FieldList{}, Results: &ast.FieldList{List: []*ast.Field{{Type: name}}}},
		Body: &ast.BlockStmt{Lbrace: at, List: []ast.Stmt{&ast.ReturnStmt{Return: at, Results: []ast.Expr{init}}}, Rbrace: init.End() - 1},
	}
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewVar(at, v.Pkg, "", v.Obj.Type())), false)
	src := &load.Function{Obj: types.NewFunc(at, v.Pkg, v.Obj.Name(), sig), Decl: decl, Pkg: v.Pkg, File: v.File, Info: v.Info}
	made := &body{decl: decl, name: v.Obj.Name(), scope: m.ScopeOf(src, nil), sig: sig, typ: decl.Type, stmts: decl.Body}
	_, val, ok := c.b.Unbox(e, v.Obj.Name(), inliner(c).inline(e, made, nil)[0])
	if !ok || val == eval.Poison {
		return nil, ""
	}
	return val, ""
}

// isConstantCall reports whether an initial value names no package variables, nor calls anything but the constructor,
// which names none either: it has the same contents wherever it is evaluated.
func (m *Module) isConstantCall(v *load.Var, e ast.Expr) bool {
	if newPointer(v.Info, e) != nil {
		return isConstantPart(v.Info, e)
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || m.constructed(v, e) == nil {
		return false
	}
	for _, arg := range call.Args {
		if !isConstantPart(v.Info, arg) {
			return false
		}
	}
	src := m.Prog.Function(v.Info.Uses[check.CalleeName(call.Fun)].(*types.Func))
	return isConstantPart(src.Info, src.Decl.Body.List[0].(*ast.ReturnStmt).Results[0])
}

// isConstantPart reports whether an expression consists of constants, functions, parameters and composite literals.
func isConstantPart(info *types.Info, e ast.Expr) bool {
	constant := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			constant = constant && info.Types[n.Fun].IsType()
		case *ast.FuncLit:
			constant = false
		case *ast.Ident:
			v, ok := info.Uses[n].(*types.Var)
			constant = constant && !(ok && check.IsPackageVar(v))
		}
		return constant
	})
	return constant
}

// onlyReadsFields reports whether a method, with a pointer receiver, does nothing with it but read fields that hold no
// memory.
func (m *Module) onlyReadsFields(v *load.Var, t types.Type, method types.Object) bool {
	found, path, _ := types.LookupFieldOrMethod(t, true, method.Pkg(), method.Name())
	f, ok := found.(*types.Func)
	if !ok || len(path) != 1 {
		return false
	}
	src := m.Prog.Function(f.Origin())
	if src == nil || src.Decl.Body == nil || src.Decl.Recv == nil {
		return false
	}
	if len(src.Decl.Recv.List[0].Names) == 0 {
		return true
	}
	recv := src.Info.Defs[src.Decl.Recv.List[0].Names[0]]
	reads, only := map[*ast.Ident]bool{}, true
	ast.Inspect(src.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			sel := src.Info.Selections[n]
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && sel != nil && src.Info.Uses[id] == recv {
				reads[id] = sel.Kind() == types.FieldVal && len(sel.Index()) == 1 && !load.HoldsReferences(sel.Type())
			}
		case *ast.Ident:
			only = only && (src.Info.Uses[n] != recv || reads[n])
		}
		return only
	})
	return only && v.OnlyReadByMethod(f.Origin())
}

// rootIdent is the variable that an expression is or is a part of, also of what pointers in it lead to; nil of any
// other.
func rootIdent(e ast.Expr) *ast.Ident {
	whole := load.Whole(e)
	if star, ok := whole.(*ast.StarExpr); ok {
		return rootIdent(star.X)
	}
	id, _ := whole.(*ast.Ident)
	return id
}

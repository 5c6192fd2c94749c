package desugar

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// lift makes the functions, and has the function around the literals call them.
func (l *lifter) lift() (made []*Function) {
	lits := slices.SortedFunc(maps.Values(l.lits), func(a, b *heldLit) int { return cmp.Compare(a.lit.Pos(), b.lit.Pos()) })
	for _, h := range lits {
		l.declare(h)
		made = append(made, h.fn)
	}
	for _, h := range lits {
		r := &liftRewriter{l: l, params: map[*types.Var]*types.Var{}}
		for i, v := range h.captures {
			r.params[v] = h.fn.Obj.Signature().Params().At(i)
		}
		r.rewriter = rewriter{info: l.info, change: r.node}
		h.fn.Decl.Body = r.below(h.lit.Body).(*ast.BlockStmt)
	}
	r := &liftRewriter{l: l}
	r.rewriter = rewriter{info: l.info, change: r.node}
	l.f.Decl = r.below(l.f.Decl).(*ast.FuncDecl)
	return made
}

// declare makes the function of a literal, with the parameters for what it captures.
func (l *lifter) declare(h *heldLit) {
	sig := l.info.TypeOf(h.lit).(*types.Signature)
	start := h.lit.Type.Pos()
	m := syntaxMaker{info: l.info, pkg: l.f.Pkg, pos: start}
	typ := &ast.FuncType{Func: start, Params: &ast.FieldList{Opening: start, Closing: start}, Results: h.lit.Type.Results}
	var params []*types.Var
	for _, v := range h.captures {
		t := v.Type()
		if l.stored[v] {
			t = types.NewPointer(t)
		}
		p := types.NewVar(start, l.f.Pkg, v.Name(), t)
		id := &ast.Ident{NamePos: start, Name: v.Name()}
		l.info.Defs[id] = p
		params = append(params, p)
		typ.Params.List = append(typ.Params.List, &ast.Field{Names: []*ast.Ident{id}, Type: m.typeName(start, t)})
	}
	for p := range sig.Params().Variables() {
		params = append(params, p)
	}
	for _, field := range h.lit.Type.Params.List {
		if len(field.Names) == 0 { // in one list of parameters all have names
			field = &ast.Field{Names: []*ast.Ident{{NamePos: field.Pos(), Name: "_"}}, Type: field.Type}
		}
		typ.Params.List = append(typ.Params.List, field)
	}
	full := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
	h.fn = &Function{
		Obj:  types.NewFunc(h.held.Pos(), l.f.Pkg, h.held.Name(), full),
		Decl: &ast.FuncDecl{Name: &ast.Ident{NamePos: start, Name: h.held.Name()}, Type: typ},
		Pkg:  l.f.Pkg, Info: l.info,
	}
	for _, params := range [...]*types.TypeParamList{l.f.Outer, l.f.Obj.Signature().TypeParams(), l.f.Obj.Signature().RecvTypeParams()} {
		if params.Len() > 0 {
			h.fn.Outer = params
		}
	}
	l.info.Defs[h.fn.Decl.Name] = h.fn.Obj
}

// A liftRewriter rewrites a body: the calls of literals that have become functions, and in such a function the captured
// variables.
type liftRewriter struct {
	rewriter
	l      *lifter
	params map[*types.Var]*types.Var // for captured variables
}

func (r *liftRewriter) node(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, h := range r.l.lits {
			if h.assign == n {
				return &ast.EmptyStmt{Semicolon: n.Pos(), Implicit: true}
			}
		}
	case *ast.CallExpr:
		if h := r.l.called(n); h != nil {
			return r.call(n, h)
		}
	case *ast.Ident:
		if v, ok := r.info.Uses[n].(*types.Var); ok && r.params[v] != nil {
			return r.variable(n, v)
		}
	}
	return r.below(n)
}

// call calls the function of a literal.
func (r *liftRewriter) call(n *ast.CallExpr, h *heldLit) ast.Node {
	fun := &ast.Ident{NamePos: n.Fun.Pos(), Name: h.held.Name()}
	r.info.Uses[fun] = h.fn.Obj
	tv := r.info.Types[ast.Unparen(n.Fun)]
	tv.Type = h.fn.Obj.Type()
	r.info.Types[fun] = tv
	call := &ast.CallExpr{Fun: fun, Lparen: n.Lparen, Ellipsis: n.Ellipsis, Rparen: n.Rparen}
	for _, v := range h.captures {
		call.Args = append(call.Args, r.captured(n.Pos(), v))
	}
	for _, arg := range n.Args {
		call.Args = append(call.Args, r.change(arg).(ast.Expr))
	}
	r.describe(n, call)
	return call
}

// captured is the argument for a captured variable.
func (r *liftRewriter) captured(pos token.Pos, v *types.Var) ast.Expr {
	id := &ast.Ident{NamePos: pos, Name: v.Name()}
	if p := r.params[v]; p != nil {
		r.info.Uses[id], r.info.Types[id] = p, types.TypeAndValue{Type: p.Type()}
		return id
	}
	r.info.Uses[id], r.info.Types[id] = v, types.TypeAndValue{Type: v.Type()}
	if !r.l.stored[v] {
		return id
	}
	addr := &ast.UnaryExpr{OpPos: pos, Op: token.AND, X: id}
	r.info.Types[addr] = types.TypeAndValue{Type: types.NewPointer(v.Type())}
	return addr
}

// variable is what stands for a captured variable in the function.
func (r *liftRewriter) variable(n *ast.Ident, v *types.Var) ast.Expr {
	p := r.params[v]
	id := &ast.Ident{NamePos: n.NamePos, Name: n.Name}
	tv := r.info.Types[n]
	tv.Type = p.Type()
	r.info.Uses[id], r.info.Types[id] = p, tv
	if !r.l.stored[v] {
		return id
	}
	star := &ast.StarExpr{Star: n.NamePos, X: id}
	tv.Type = v.Type()
	r.info.Types[star] = tv
	paren := &ast.ParenExpr{Lparen: n.NamePos, X: star, Rparen: n.End() - 1}
	r.info.Types[paren] = tv
	return paren
}

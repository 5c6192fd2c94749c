package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/load"
)

// In Quadrants a loop at the top level of a kernel is parallel. In a Grid kernel only g.For is, and a loop with
// independent iterations is hardly meant to run in order.

// WarnSerial warns of a loop at the top level of a Grid kernel whose iterations each write elements of their own, and
// of which none needs another.
func (sc *Scope) WarnSerial(s ast.Stmt) {
	if s.Pos() < sc.Syntax.serialEnd {
		return // within one that has been warned of
	}
	loop := sc.counted(s)
	if r, ok := s.(*ast.RangeStmt); loop == nil || ok && r.Value != nil { // which g.For does not give
		return
	}
	if !sc.isIndependent(loop) {
		return
	}
	sc.Syntax.serialEnd = s.End()
	sc.Syntax.Warn(FirstToken{s}, "write "+loop.parallel()+"; or keep the order, with a loop over qd.Dynamic("+loop.text()+")",
		"the iterations of this loop are independent, but it runs once, in order: in a Grid kernel only g.For is parallel")
}

// parallel is the loop as a call of g.For.
func (l *countedLoop) parallel() string {
	name := l.counter.Name()
	if l.from == nil {
		return "g.For(" + l.text() + ", func(" + name + " int) { ... })"
	}
	from := factor(l.from)
	return "g.For(" + l.text() + "-" + from + ", func(k int) { " + name + " := k + " + from + "; ... })"
}

// text is the end of the loop in the source.
func (l *countedLoop) text() string {
	text := types.ExprString(l.to)
	if l.length {
		text = "len(" + text + ")"
	}
	return text
}

// factor is an expression in the source, in parentheses if it is a sum or the like.
func factor(e ast.Expr) string {
	text := types.ExprString(e)
	if _, ok := e.(*ast.BinaryExpr); ok {
		return "(" + text + ")"
	}
	return text
}

// An elementAccess is the use of an element of a slice or a view.
type elementAccess struct {
	indices []ast.Expr
	written bool
}

// maxAccesses bounds the pairs of accesses that are compared.
const maxAccesses = 50

// isIndependent reports whether it can be seen that the iterations of a loop write elements that no other iteration
// reads or writes, and nothing else.
func (sc *Scope) isIndependent(loop *countedLoop) bool {
	b := &bodyAccesses{
		sc: sc, body: loop.body, ok: true,
		accesses: map[*types.Var][]*elementAccess{}, at: map[ast.Expr]*elementAccess{}, uses: map[*types.Var]int{},
	}
	ast.Inspect(loop.body, b.visit)
	if !b.ok {
		return false
	}
	spread := sc.newSpread(loop)
	writes := false
	for v, list := range b.accesses {
		if !slices.ContainsFunc(list, func(a *elementAccess) bool { return a.written }) {
			continue
		}
		writes = true
		// A slice that the body makes may begin elsewhere in each iteration, and one that the kernel has made may have
		// elements of another.
		if len(list) > maxAccesses || b.within(v) || !sc.isParam(v) && len(b.accesses) > 1 || b.uses[v] > sc.lengths(loop.body, v) {
			return false
		}
		for i, x := range list {
			for _, y := range list[i:] {
				if (x.written || y.written) && !spread.apart(x.indices, y.indices) {
					return false
				}
			}
		}
	}
	return writes
}

// bodyAccesses collects the elements that the body of a loop uses.
type bodyAccesses struct {
	sc       *Scope
	body     ast.Node
	ok       bool                            // the body changes nothing but elements and its own variables, and always comes to its end
	accesses map[*types.Var][]*elementAccess // by the slice or view
	at       map[ast.Expr]*elementAccess     // by its syntax
	uses     map[*types.Var]int              // of slices and views, other than to be indexed
}

// within reports whether a variable is declared in the body.
func (b *bodyAccesses) within(v *types.Var) bool {
	return b.body.Pos() <= v.Pos() && v.Pos() < b.body.End()
}

// visit looks at one node, and reports whether it is worth while to go on.
func (b *bodyAccesses) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BranchStmt:
		b.ok = b.ok && n.Tok == token.CONTINUE && n.Label == nil
	case *ast.FuncLit, *ast.ReturnStmt:
		b.ok = false
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			b.write(e)
		}
	case *ast.IncDecStmt:
		b.write(n.X)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			b.ok = false
		}
	case *ast.UnaryExpr:
		b.ok = b.ok && n.Op != token.AND
	case *ast.IndexExpr:
		b.element(n, n.X, false, n.Index)
	case *ast.CallExpr:
		if !b.viewCall(n) {
			b.ok = b.ok && !b.sc.mayWrite(n, map[*types.Func]bool{})
		}
	case *ast.Ident:
		if v := b.sc.sequence(n); v != nil {
			b.uses[v]++
		}
	}
	return b.ok
}

// viewCall adds the element that a call of At or Set uses, and reports whether the call is one.
func (b *bodyAccesses) viewCall(call *ast.CallExpr) bool {
	sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !isSel || len(call.Args) == 0 || b.sc.sequence(sel.X) == nil {
		return false
	}
	switch sel.Sel.Name {
	case "At":
		b.element(call, sel.X, false, call.Args...)
		return true
	case "Set":
		b.element(call, sel.X, true, call.Args[:len(call.Args)-1]...)
		return true
	}
	return false
}

// element adds the access of an expression to an element of x, and reports whether x is a slice or a view.
func (b *bodyAccesses) element(e, x ast.Expr, written bool, indices ...ast.Expr) bool {
	v := b.sc.sequence(x)
	if v == nil {
		return false
	}
	if b.at[e] == nil {
		b.at[e] = &elementAccess{indices: indices}
		b.accesses[v] = append(b.accesses[v], b.at[e])
		b.uses[v]--
	}
	b.at[e].written = b.at[e].written || written
	return true
}

// write adds what an assignment to an expression writes.
func (b *bodyAccesses) write(e ast.Expr) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
			b.ok = b.ok && !IsPointer(b.sc.GoType(x.X))
			continue
		case *ast.IndexExpr:
			if b.element(x, x.X, true, x.Index) {
				return
			}
			e = x.X
			b.ok = b.ok && IsArray(b.sc.GoType(x.X))
			continue
		case *ast.Ident:
			v, _ := b.sc.Info.ObjectOf(x).(*types.Var)
			b.ok = b.ok && (x.Name == "_" || v != nil && b.within(v))
		default:
			b.ok = false
		}
		return
	}
}

// isParam reports whether a variable is a parameter of the function whose syntax this is.
func (sc *Scope) isParam(v *types.Var) bool {
	decl := sc.Src.Decl
	return decl != nil && decl.Type.Pos() <= sc.Syntax.Original(v).Pos() && sc.Syntax.Original(v).Pos() < decl.Type.End()
}

// lengths is how often a slice or view is used for its length in a loop's body, or to be ranged over for its indices.
func (sc *Scope) lengths(body *ast.BlockStmt, v *types.Var) (n int) {
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(node.Fun).(*ast.SelectorExpr); ok && sc.isSize(node) && sc.sequence(sel.X) == v ||
				!ok && sc.isSize(node) && sc.sequence(node.Args[0]) == v {
				n++
			}
		case *ast.RangeStmt:
			if node.Value == nil && sc.sequence(node.X) == v {
				n++
			}
		}
		return true
	})
	return n
}

// mayWrite reports whether a call writes to memory that others see, as far as that cannot be excluded: by what it is
// given, or because the functions that it calls write to nothing but their variables.
func (sc *Scope) mayWrite(call *ast.CallExpr, seen map[*types.Func]bool) bool {
	if tv := sc.Info.Types[ast.Unparen(call.Fun)]; tv.IsType() || tv.IsBuiltin() && CalleeName(call.Fun).Name != "copy" && CalleeName(call.Fun).Name != "clear" {
		return false
	}
	id := CalleeName(call.Fun)
	if id == nil {
		return true
	}
	f, ok := sc.Info.Uses[id].(*types.Func)
	if !ok {
		return true // a variable, with any function
	}
	if load.IsLibrary(f.Pkg()) && f.Name() == "Printf" {
		return true // lines in order
	}
	refers := false
	for _, arg := range call.Args {
		refers = refers || refersToMemory(sc.GoType(arg))
	}
	if sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr); isSel && f.Signature().Recv() != nil {
		refers = refers || refersToMemory(sc.GoType(sel.X)) || IsPointer(f.Signature().Recv().Type())
	}
	if load.IsLibrary(f.Pkg()) {
		return refers && !sc.isSize(call)
	}
	src := sc.Syntax.Prog.Funcs[f.Origin()]
	if src == nil || src.Decl.Body == nil {
		return true
	}
	if seen[f.Origin()] {
		return false
	}
	seen[f.Origin()] = true
	callee := sc.Syntax.ScopeOf(src, sc.Targs)
	writes := false
	ast.Inspect(src.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.StarExpr:
			writes = true
		case *ast.UnaryExpr:
			writes = writes || n.Op == token.AND
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				writes = writes || callee.Root(lhs) == nil && !IsBlank(lhs)
			}
		case *ast.IncDecStmt:
			writes = writes || callee.Root(n.X) == nil
		case *ast.CallExpr:
			writes = writes || callee.mayWrite(n, seen)
		}
		return !writes
	})
	return writes
}

// refersToMemory reports whether values of a type refer to memory: whether they are or have slices, views, pointers or
// functions.
func refersToMemory(t types.Type) bool {
	if t == nil {
		return true
	}
	for leaf := range load.Leaves(t) {
		if _, ok := leaf.Underlying().(*types.Basic); !ok {
			return true
		}
	}
	return false
}

// sequence is the variable that an expression names, if that is a slice or a view; else nil.
func (sc *Scope) sequence(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := sc.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() {
		return nil
	}
	if IsSlice(sc.GoType(id)) || IsView(sc.GoType(id)) {
		return v
	}
	return nil
}

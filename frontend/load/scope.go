package load

import (
	"go/ast"
	"go/token"
	"slices"
)

// A scopeWalker visits syntax and tells the names that it does not itself
// declare from those that it does, by the scopes of the Go specification: a local
// variable named like a package-level function is no use of the function.
type scopeWalker struct {
	free      func(id *ast.Ident)                // an identifier that is declared outside
	key       func(id *ast.Ident)                // the same, as a key of a composite literal: often a field's name
	qualified func(x *ast.Ident, sel *ast.Ident) // x.sel, where x is declared outside
	selected  func(sel *ast.Ident)               // the name in any other selector
	field     func(id *ast.Ident)                // the name of a field or method in a type; may be nil
	static    func(call *ast.CallExpr) bool      // whether a call is one of qd.Static; may be nil
	constant  func(c Constant)                   // a local constant, before it is declared; may be nil
	skipLits  bool                               // leave out the bodies of function literals
	inStatic  int                                // how many arguments of qd.Static are around
	lit       *ast.FuncLit                       // a literal to tell apart, or nil
	inLit     bool                               // the walker is in it

	bound    map[string]int // how many enclosing scopes declare a name
	declared []*ast.Ident   // the names where they are declared, innermost last
	leave    []int          // for each node being visited, what to cut declared to, or -1
}

// Visit implements ast.Visitor.
func (w *scopeWalker) Visit(n ast.Node) ast.Visitor {
	if n == nil {
		last := len(w.leave) - 1
		if mark := w.leave[last]; mark >= 0 {
			w.close(mark)
		}
		w.leave = w.leave[:last]
		return nil
	}
	mark := -1
	switch n := n.(type) {
	case *ast.Ident:
		if w.isFree(n) {
			w.free(n)
		}
		return nil
	case *ast.BasicLit, *ast.BranchStmt: // a branch's label is no variable
		return nil
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok && w.isFree(x) {
			w.qualified(x, n.Sel)
		} else {
			w.walk(n.X)
			w.selected(n.Sel)
		}
		return nil
	case *ast.CallExpr:
		if w.static != nil && w.static(n) {
			w.walk(n.Fun)
			w.inStatic++
			w.exprs(n.Args)
			w.inStatic--
			return nil
		}
	case *ast.CompositeLit:
		w.compositeLit(n)
		return nil
	case *ast.Field: // of a struct or an interface: its names are selected, not looked up
		if w.field != nil {
			for _, id := range n.Names {
				w.field(id)
			}
		}
		w.walk(n.Type)
		return nil
	case *ast.FuncType:
		mark := w.open()
		w.signature(n)
		w.close(mark)
		return nil
	case *ast.FuncLit:
		mark, inLit := w.open(), w.inLit
		w.inLit = inLit || n == w.lit
		w.signature(n.Type)
		if !w.skipLits {
			w.walk(n.Body)
		}
		w.inLit = inLit
		w.close(mark)
		return nil
	case *ast.LabeledStmt:
		w.walk(n.Stmt)
		return nil
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			break
		}
		w.exprs(n.Rhs)
		w.define(n.Lhs...)
		return nil
	case *ast.RangeStmt:
		w.rangeStmt(n)
		return nil
	case *ast.GenDecl:
		if n.Tok == token.CONST && w.constant != nil {
			w.constants(n)
			return nil
		}
	case *ast.ValueSpec:
		w.walk(n.Type)
		w.exprs(n.Values)
		for _, id := range n.Names {
			w.declare(id)
		}
		return nil
	case *ast.TypeSpec:
		w.declare(n.Name)
		w.typeSpec(n)
		return nil
	case *ast.BlockStmt, *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt,
		*ast.CaseClause, *ast.SelectStmt, *ast.CommClause:
		mark = w.open()
	}
	w.leave = append(w.leave, mark)
	return w
}

// constants declares local constants; those of one line do not see each other.
func (w *scopeWalker) constants(d *ast.GenDecl) {
	for _, line := range constLines(d) {
		for _, c := range line {
			w.constant(c)
		}
		for _, c := range line {
			w.declare(c.Name)
		}
	}
}

// walk visits a node, which may be nil.
func (w *scopeWalker) walk(n ast.Node) {
	switch n := n.(type) {
	case nil:
		return
	case *ast.BlockStmt: // a nil one in an interface
		if n == nil {
			return
		}
	}
	ast.Walk(w, n)
}

func (w *scopeWalker) exprs(list []ast.Expr) {
	for _, x := range list {
		w.walk(x)
	}
}

// funcDecl visits a function's signature, and its body if asked to.
func (w *scopeWalker) funcDecl(fn *ast.FuncDecl, body bool) {
	mark := w.open()
	if fn.Recv != nil {
		for _, f := range fn.Recv.List {
			// The receiver's type arguments declare the names of its type parameters.
			base, args := receiverBase(f.Type)
			for _, arg := range args {
				if id, ok := arg.(*ast.Ident); ok {
					w.declare(id)
				}
			}
			w.walk(base)
		}
	}
	w.signature(fn.Type)
	if fn.Recv != nil {
		w.declareFields(fn.Recv)
	}
	if body && fn.Body != nil {
		w.walk(fn.Body)
	}
	w.close(mark)
}

// typeSpec visits a type declaration without its name.
func (w *scopeWalker) typeSpec(spec *ast.TypeSpec) {
	mark := w.open()
	w.typeParams(spec.TypeParams)
	w.walk(spec.Type)
	w.close(mark)
}

// signature visits a function type and leaves its parameters declared. A
// parameter's scope is the body: types of other parameters do not see it.
func (w *scopeWalker) signature(t *ast.FuncType) {
	w.typeParams(t.TypeParams)
	for _, list := range []*ast.FieldList{t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			w.walk(f.Type)
		}
	}
	w.declareFields(t.Params)
	w.declareFields(t.Results)
}

// typeParams declares type parameters, then visits their constraints, which may
// name any of them.
func (w *scopeWalker) typeParams(list *ast.FieldList) {
	w.declareFields(list)
	if list == nil {
		return
	}
	for _, f := range list.List {
		w.walk(f.Type)
	}
}

func (w *scopeWalker) compositeLit(n *ast.CompositeLit) {
	w.walk(n.Type)
	for _, e := range n.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			w.walk(e)
			continue
		}
		if id, ok := kv.Key.(*ast.Ident); !ok {
			w.walk(kv.Key)
		} else if w.isFree(id) {
			w.key(id)
		}
		w.walk(kv.Value)
	}
}

func (w *scopeWalker) rangeStmt(n *ast.RangeStmt) {
	mark := w.open()
	w.walk(n.X)
	for _, x := range []ast.Expr{n.Key, n.Value} {
		switch {
		case x == nil:
		case n.Tok == token.DEFINE:
			w.define(x)
		default:
			w.walk(x)
		}
	}
	w.walk(n.Body)
	w.close(mark)
}

// define declares the left side of a short variable declaration.
func (w *scopeWalker) define(lhs ...ast.Expr) {
	for _, x := range lhs {
		if id, ok := x.(*ast.Ident); ok {
			w.declare(id)
		} else {
			w.walk(x) // an error, which go/types reports
		}
	}
}

func (w *scopeWalker) declareFields(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, id := range f.Names {
			w.declare(id)
		}
	}
}

func (w *scopeWalker) isFree(id *ast.Ident) bool { return id.Name != "_" && w.bound[id.Name] == 0 }

func (w *scopeWalker) declare(id *ast.Ident) {
	if w.bound == nil {
		w.bound = make(map[string]int)
	}
	w.bound[id.Name]++
	w.declared = append(w.declared, id)
}

// local is where the name of an identifier is declared in the scopes around, nil for what is
// declared outside.
func (w *scopeWalker) local(id *ast.Ident) *ast.Ident {
	if !w.isFree(id) {
		for _, at := range slices.Backward(w.declared) {
			if at.Name == id.Name {
				return at
			}
		}
	}
	return nil
}

// open begins a scope; close, with its result, ends it.
func (w *scopeWalker) open() int { return len(w.declared) }

func (w *scopeWalker) close(mark int) {
	for _, id := range w.declared[mark:] {
		w.bound[id.Name]--
	}
	w.declared = w.declared[:mark]
}

// receiverBase divides a receiver's type into what names its base type and the
// type arguments.
func receiverBase(t ast.Expr) (base ast.Expr, args []ast.Expr) {
	for {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			return x.X, []ast.Expr{x.Index}
		case *ast.IndexListExpr:
			return x.X, x.Indices
		default:
			return t, nil
		}
	}
}

// ReceiverName is the name of a method's receiver base type, "" for a function
// and where the syntax has none.
func ReceiverName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return ""
	}
	base, _ := receiverBase(fn.Recv.List[0].Type)
	if id, ok := base.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// topLevel visits a package-level declaration; the names that it declares count as
// declared outside.
func (w *scopeWalker) topLevel(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		w.funcDecl(d, true)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok {
				w.walk(spec.Type)
				w.exprs(spec.Values)
			}
		}
	}
}

// freeNames are the identifiers in what is walked that are declared outside of it.
// Keys of composite literals are not among them: they may be fields.
func freeNames(walk func(*scopeWalker)) map[*ast.Ident]bool {
	free := make(map[*ast.Ident]bool)
	walk(&scopeWalker{
		free:      func(id *ast.Ident) { free[id] = true },
		key:       func(*ast.Ident) {},
		qualified: func(x, _ *ast.Ident) { free[x] = true },
		selected:  func(*ast.Ident) {},
	})
	return free
}

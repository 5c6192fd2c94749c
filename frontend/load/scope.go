package load

import (
	"go/ast"
	"go/token"
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
	local     func(id, decl *ast.Ident)          // an identifier that is declared inside, and where, which may be itself; may be nil

	bound    map[string]int // one more than the place in declared of the innermost declaration of a name
	declared []*ast.Ident   // the names where they are declared, innermost last
	outer    []int          // what bound has for each of these outside of its scope
	scopes   []int          // for each scope around, what to cut declared to
	leave    []bool         // for each node being visited, whether it is a scope
}

// Visit implements ast.Visitor.
func (w *scopeWalker) Visit(n ast.Node) ast.Visitor {
	if n == nil {
		last := len(w.leave) - 1
		if w.leave[last] {
			w.close()
		}
		w.leave = w.leave[:last]
		return nil
	}
	isScope := false
	switch n := n.(type) {
	case *ast.Ident:
		if w.isFree(n) {
			w.free(n)
		} else {
			w.tell(n)
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
		w.open()
		w.signature(n)
		w.close()
		return nil
	case *ast.FuncLit:
		w.open()
		inLit := w.inLit
		w.inLit = inLit || n == w.lit
		w.signature(n.Type)
		if !w.skipLits {
			w.body(n.Body)
		}
		w.inLit = inLit
		w.close()
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
		isScope = true
		w.open()
	}
	w.leave = append(w.leave, isScope)
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
	w.open()
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
		w.body(fn.Body)
	}
	w.close()
}

// body visits the statements of a function, whose scope is that of the parameters: a short variable declaration
// there may assign to one.
func (w *scopeWalker) body(b *ast.BlockStmt) {
	for _, s := range b.List {
		w.walk(s)
	}
}

// typeSpec visits a type declaration without its name.
func (w *scopeWalker) typeSpec(spec *ast.TypeSpec) {
	w.open()
	w.typeParams(spec.TypeParams)
	w.walk(spec.Type)
	w.close()
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
		} else {
			w.tell(id)
		}
		w.walk(kv.Value)
	}
}

func (w *scopeWalker) rangeStmt(n *ast.RangeStmt) {
	w.open()
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
	w.close()
}

// define declares the left side of a short variable declaration, but for what the scope has: that is assigned to.
func (w *scopeWalker) define(lhs ...ast.Expr) {
	for _, x := range lhs {
		if id, ok := x.(*ast.Ident); !ok || w.declaredHere(id.Name) {
			w.walk(x) // what is no name is an error, which go/types reports
		} else {
			w.declare(id)
		}
	}
}

// declaredHere reports whether the innermost scope declares a name.
func (w *scopeWalker) declaredHere(name string) bool {
	return len(w.scopes) > 0 && w.bound[name] > w.scopes[len(w.scopes)-1]
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
	w.outer = append(w.outer, w.bound[id.Name])
	w.declared = append(w.declared, id)
	w.bound[id.Name] = len(w.declared)
	w.tell(id)
}

// tell calls local for an identifier that is not free.
func (w *scopeWalker) tell(id *ast.Ident) {
	if w.local != nil && id.Name != "_" {
		w.local(id, w.declaration(id))
	}
}

// declaration is where the name of an identifier is declared in the scopes around, nil for what is
// declared outside.
func (w *scopeWalker) declaration(id *ast.Ident) *ast.Ident {
	if !w.isFree(id) {
		if at := w.bound[id.Name]; at > 0 {
			return w.declared[at-1]
		}
	}
	return nil
}

// open begins a scope, which close ends.
func (w *scopeWalker) open() { w.scopes = append(w.scopes, len(w.declared)) }

func (w *scopeWalker) close() {
	last := len(w.scopes) - 1
	mark := w.scopes[last]
	for i := len(w.declared) - 1; i >= mark; i-- {
		w.bound[w.declared[i].Name] = w.outer[i]
	}
	w.declared, w.outer, w.scopes = w.declared[:mark], w.outer[:mark], w.scopes[:last]
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

// localsOf are the identifiers in a package-level declaration or a function literal that name something declared inside
// of it, and where that is declared.
func localsOf(n ast.Node) map[*ast.Ident]*ast.Ident {
	locals := make(map[*ast.Ident]*ast.Ident)
	w := &scopeWalker{
		free:      func(*ast.Ident) {},
		key:       func(*ast.Ident) {},
		qualified: func(_, _ *ast.Ident) {},
		selected:  func(*ast.Ident) {},
		local:     func(id, decl *ast.Ident) { locals[id] = decl },
	}
	if d, ok := n.(ast.Decl); ok {
		w.topLevel(d)
	} else {
		w.walk(n)
	}
	return locals
}

package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// pointersOf has what is found out once about the pointers of an instance of a function, however many calls of it are
// lowered into their callers.
type pointersOf struct {
	targs TypeArgs
	none  bool // the function makes no pointers to variables
	stay  bool // none of its pointers outlives its variable; false, too, as long as nobody has found that out
}

// pointersOf finds out about the function whose body this is.
func (sc *Scope) pointersOf(body *ast.BlockStmt) *pointersOf {
	before := sc.Syntax.pointers[body]
	for _, of := range before {
		if SameTypeArgs(of.targs, sc.Targs) {
			return of
		}
	}
	none := !sc.makesPointers(body)
	of := &pointersOf{targs: sc.Targs, none: none, stay: none}
	// Of a function that is being looked at, no caller knows yet what its results point to.
	if sc.Syntax.returning == 0 && len(before) < maxReturnedOf {
		if sc.Syntax.pointers == nil {
			sc.Syntax.pointers = map[*ast.BlockStmt][]*pointersOf{}
		}
		sc.Syntax.pointers[body] = append(before, of)
	}
	return of
}

// makesPointers reports whether a function makes pointers to variables.
func (sc *Scope) makesPointers(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND
		case *ast.SliceExpr:
			found = found || IsArray(sc.GoType(n.X))
		case *ast.SelectorExpr:
			sel := sc.Info.Selections[n]
			found = found || sc.TakesAddress(n) || sel != nil && sel.Kind() == types.MethodVal && !IsThread(sel.Recv()) // it may keep pointers
		case *ast.CallExpr:
			found = found || sc.isNew(n) || sc.variadicElem(n) != nil || sc.makesOwn(n)
		case *ast.CompositeLit: // also of pointers to what is made
			t := sc.GoType(n)
			found = found || IsPointer(t) || IsSlice(t)
		case *ast.FuncLit: // who calls it makes them, perhaps: see pointee
			found = found || sc.takesPointers(n)
		}
		return !found
	})
	return found
}

// takesPointers reports whether a parameter of a function literal is or contains a pointer.
func (sc *Scope) takesPointers(lit *ast.FuncLit) bool {
	sig, ok := sc.Info.TypeOf(lit).(*types.Signature)
	if !ok {
		return false
	}
	for v := range sig.Params().Variables() {
		if t := sc.Subst(v.Type()); !IsFunc(t) && sc.hasPointers(t) {
			return true
		}
	}
	return false
}

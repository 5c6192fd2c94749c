package load

import (
	"go/ast"
	"go/types"
	"slices"
)

// This file follows a use into functions: methods of what is used, and functions that are given a slice or a pointer
// that leads to it.

// method says what the selection of a method does, the last of above: with itself, the receiver may be the
// variable's address.
func (w *useWalk) method(above []ast.Node, m *types.Func, itself bool) string {
	recv := m.Signature().Recv()
	if recv == nil {
		return notUnderstood
	}
	how := hasAddressTaken
	if !isPointerTo(recv.Type()) || !itself {
		// The receiver is a copy, or a pointer that the variable holds.
		if !HoldsReferences(recv.Type()) {
			return ""
		}
		if how = isHandedOn; !isPointerTo(recv.Type()) {
			return how
		}
	}
	if len(above) < 2 {
		return how
	}
	if call, ok := above[len(above)-2].(*ast.CallExpr); !w.pointee && (!ok || call.Fun != above[len(above)-1]) {
		return how // a method value
	}
	if !w.methodOnlyReads(m) {
		return how
	}
	return ""
}

// methodOnlyReads is onlyReads of a method and its receiver, which is a pointer.
func (w *useWalk) methodOnlyReads(m *types.Func) bool {
	recv := m.Signature().Recv().Type()
	named, ok := recv.Underlying().(*types.Pointer).Elem().(*types.Named)
	within := w.of(m.Pkg())
	if !ok || within == nil {
		return false
	}
	var found []*ast.FuncDecl
	for _, d := range within.pkg.methods[named.Obj().Name()] {
		if d.fn.Name.Name == m.Name() {
			found = append(found, d.fn)
		}
	}
	if len(found) != 1 {
		return false
	}
	names := found[0].Recv.List[0].Names
	return len(names) == 0 || within.onlyReads(found[0], names[0], names[0].Name, recv)
}

// of is the walk in a package of the program, nil if it has no source there.
func (w *useWalk) of(pkg *types.Package) *useWalk {
	if pkg == w.types {
		return w
	}
	if pkg == nil {
		return nil
	}
	other := w.pkg.others[pkg.Path()]
	if other == nil || other.types != pkg || other.given.HostOnly {
		return nil
	}
	return &useWalk{pkg: other, types: pkg, seen: w.seen, pointee: w.pointee}
}

// maxGiven is how many parameters are looked at for one use.
const maxGiven = 1000

// onlyReads reports whether a function writes nothing through its variables of a name, of type t, and hands them to
// nobody who might. The identifier declares a parameter, and is no use.
func (w *useWalk) onlyReads(fn *ast.FuncDecl, param *ast.Ident, name string, t types.Type) bool {
	key := givenParam{fn, name, types.TypeString(t, nil)}
	if w.seen[key] || name == "_" {
		return true // what else there is, is found where it was met first
	}
	if len(w.seen) == maxGiven {
		return false
	}
	w.seen[key] = true
	if fn.Body == nil {
		return false
	}
	only := true
	var stack []ast.Node
	file := w.pkg.fileOf(fn)
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok && only && id != param && id.Name == name && !isSelected(id, stack) && !declares(id, stack) {
			only = w.use(varUse{id: id, above: stack, file: file}, t, true) == ""
		}
		stack = append(stack, n)
		return true
	})
	return only
}

// declares reports whether an identifier declares a local variable or a parameter.
func declares(id *ast.Ident, above []ast.Node) bool {
	switch n := above[len(above)-1].(type) {
	case *ast.Field:
		return slices.Contains(n.Names, id)
	case *ast.ValueSpec:
		return slices.Contains(n.Names, id)
	}
	return false
}

// isSelected reports whether an identifier names a field or a method of what stands before it.
func isSelected(id *ast.Ident, above []ast.Node) bool {
	sel, ok := above[len(above)-1].(*ast.SelectorExpr)
	return ok && sel.Sel == id
}

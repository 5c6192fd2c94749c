package load

import (
	"go/ast"
	"go/types"
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
	return len(names) == 0 || within.onlyReads(found[0], names[0], recv)
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
	return w.in(other)
}

// maxGiven is how many parameters are looked at for one use.
const maxGiven = 1000

// onlyReads reports whether a function writes nothing through a variable of it, which an identifier declares, of type
// t, and hands it to nobody who might.
func (w *useWalk) onlyReads(fn *ast.FuncDecl, decl *ast.Ident, t types.Type) bool {
	key := leadingVar{decl, types.TypeString(t, nil)}
	if w.seen[key] || decl.Name == "_" {
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
		if id, ok := n.(*ast.Ident); ok && only && id != decl && w.localIn(fn, id) == decl {
			only = w.use(varUse{id: id, above: stack, file: file}, t, true) == ""
		}
		stack = append(stack, n)
		return true
	})
	return only
}

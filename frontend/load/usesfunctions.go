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
		how = isHandedOn
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

// methodOnlyReads is onlyReads of a method and its receiver: a pointer, or a copy that may lead to the variable's
// memory.
func (w *useWalk) methodOnlyReads(m *types.Func) bool {
	within, fn := w.methodDecl(m)
	if fn == nil {
		return false
	}
	names := fn.Recv.List[0].Names
	return len(names) == 0 || within.onlyReads(fn, names[0], m.Signature().Recv().Type())
}

// methodDecl is the declaration of a method, and the walk in its package. It is nil if the program does not have it, as
// of a method of an interface.
func (w *useWalk) methodDecl(m *types.Func) (within *useWalk, fn *ast.FuncDecl) {
	recv := types.Unalias(m.Signature().Recv().Type())
	if p, ok := recv.(*types.Pointer); ok {
		recv = types.Unalias(p.Elem())
	}
	named, ok := recv.(*types.Named)
	within = w.of(m.Pkg())
	if !ok || within == nil || types.IsInterface(named) {
		return nil, nil
	}
	for _, d := range within.pkg.methods[named.Obj().Name()] {
		if d.fn.Name.Name != m.Name() {
			continue
		}
		if fn != nil {
			return nil, nil // files of different builds
		}
		fn = d.fn
	}
	return within, fn
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

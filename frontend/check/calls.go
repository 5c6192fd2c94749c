package check

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// Cooperates reports whether a function waits for the other threads of the block, or
// shares memory with them, itself or in what it calls. Calls of it are lowered into the kernel.
func (m *Syntax) Cooperates(obj *types.Func) bool {
	obj = obj.Origin()
	if memo, ok := m.cooperating[obj]; ok {
		return memo
	}
	if m.cooperating == nil {
		m.cooperating = make(map[*types.Func]bool)
	}
	src := m.Prog.Funcs[obj]
	if src == nil {
		recv := obj.Signature().Recv()
		return obj.Pkg() != nil && obj.Pkg().Path() == load.QDPath &&
			(obj.Name() == "Shared" && recv == nil || obj.Name() == "Sync" && recv != nil && IsThread(recv.Type()))
	}
	m.cooperating[obj] = false // as far as the call that leads back to it is concerned
	found := false
	ast.Inspect(src.Decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			if f, ok := m.Prog.Info.Uses[id].(*types.Func); ok {
				found = m.Cooperates(f)
			}
		}
		return !found
	})
	m.cooperating[obj] = found
	return found
}

// Cooperates reports whether code names a function that cooperates.
func (sc *Instance) Cooperates(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			f, ok := sc.Info.Uses[id].(*types.Func)
			found = ok && sc.Syntax.Cooperates(f)
		}
		return !found
	})
	return found
}

// IsBlock reports whether t is qd.Block.
func IsBlock(t types.Type) bool { return isQD(t, "Block") }

// IsTile reports whether t is tile.Tile of some elements, or is defined as one.
func IsTile(t types.Type) bool { return tileElem(t) != nil }

// tileElem is the type of the elements of a tile, nil of any other type. No other package can write the struct that a
// tile is, so that a type which is one comes from tile.Tile.
func tileElem(t types.Type) types.Type {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	s, ok := n.Underlying().(*types.Struct)
	if !ok || s.NumFields() == 0 || s.Field(0).Name() != "data" || s.Field(0).Pkg() == nil || s.Field(0).Pkg().Path() != load.TilePath {
		return nil
	}
	return ElemType(s.Field(0).Type())
}

// IsPlace reports whether a type is that of a kernel's first parameter: there is only
// one value of it.
func IsPlace(t ssa.Type) bool { return t == ssa.Thread || t == ssa.BlockPlace }

// OnBlock reports whether a function is a method of qd.Block.
func OnBlock(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && IsBlock(recv.Type())
}

// CalleeName is the identifier of the function in a called expression, nil if it is
// none that has a name.
func CalleeName(fun ast.Expr) *ast.Ident {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	case *ast.IndexListExpr:
		return CalleeName(f.X)
	case *ast.IndexExpr:
		return CalleeName(f.X)
	}
	return nil
}

// IsLibrary reports whether a package is one whose code is not the user's.
func IsLibrary(path string) bool { return load.IsOwn(path) || path == "math/bits" }

// UsesStatic reports whether a function demands that what it is given is known: it
// has a marker of package qd for that with a local variable in its argument.
func (m *Syntax) UsesStatic(f *types.Func) bool {
	src := m.Prog.Function(f)
	if src == nil || IsLibrary(src.Pkg.Path()) {
		return false
	}
	found := false
	ast.Inspect(src.Decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !found
		}
		id := CalleeName(call.Fun)
		if id == nil {
			return !found
		}
		g, ok := src.Info.Uses[id].(*types.Func)
		if !ok || g.Pkg() == nil || g.Pkg().Path() != load.QDPath || g.Signature().Recv() != nil {
			return !found
		}
		switch g.Name() {
		case "Static", "StaticAssert", "StaticPrint", "C":
			for _, arg := range call.Args {
				found = found || namesLocal(src.Info, arg)
			}
		}
		return !found
	})
	return found
}

// namesLocal reports whether an expression has the name of a local variable in it.
func namesLocal(info *types.Info, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := info.Uses[id].(*types.Var)
			found = found || ok && !v.IsField() && !IsPackageVar(v)
		}
		return !found
	})
	return found
}

// Called is the function or method that a call names, nil for a function value, and
// whether it is a call at all and no conversion or built-in.
func (sc *Calls) Called(e *ast.CallExpr) (f *types.Func, ok bool) {
	if tv := sc.Info.Types[e.Fun]; tv.IsType() || tv.IsBuiltin() {
		return nil, false
	}
	if name := CalleeName(e.Fun); name != nil {
		f, _ = sc.Info.Uses[name].(*types.Func)
	}
	return f, true
}

func IsPrintf(f *types.Func) bool {
	return f.Name() == "Printf" && f.Pkg() != nil && f.Pkg().Path() == load.QDPath
}

// OnThread reports whether a function is a method of qd.Thread.
func OnThread(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && IsThread(recv.Type())
}

// LacksFuncs reports whether there are functions in the argument of a qd.Static that are not
// among the program's.
func (sc *Calls) LacksFuncs(arg ast.Expr) (lacks bool) {
	ast.Inspect(arg, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := sc.Info.Uses[id].(*types.Func); ok && sc.Syntax.Prog.Funcs[f.Origin()] == nil && !load.IsLibrary(f.Pkg()) {
				recv := f.Signature().Recv()
				lacks = lacks || recv == nil || !types.IsInterface(recv.Type())
			}
		}
		return !lacks
	})
	return lacks
}

// NeedsMore reports whether an expression may need Go that kernels do not have: whether functions in Go are
// called in it, or types asserted.
func (sc *Calls) NeedsMore(e ast.Expr) (more bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			_, isCall := sc.Called(n)
			more = more || isCall
		case *ast.TypeAssertExpr:
			more = true
		}
		return !more
	})
	return more
}

// MarkerCall is the call of a marker of package qd, of one argument, that an expression
// is; nil if it is none.
func (sc *Calls) MarkerCall(e ast.Expr, name string) *ast.CallExpr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !sc.IsMarker(call.Fun, name) {
		return nil
	}
	return call
}

// IsMarker reports whether what is called is a function of package qd of that name.
func (sc *Calls) IsMarker(fun ast.Expr, name string) bool {
	id := CalleeName(fun)
	if id == nil {
		return false
	}
	f, ok := sc.Info.Uses[id].(*types.Func)
	return ok && f.Name() == name && f.Pkg() != nil && f.Pkg().Path() == load.QDPath && f.Signature().Recv() == nil
}

// MentionsStatic reports whether code demands that something in it be known.
func (sc *Calls) MentionsStatic(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(*ast.CallExpr); ok {
			found = found || sc.MarkerCall(e, "Static") != nil || sc.IsMarker(e.Fun, "StaticAssert") || sc.IsMarker(e.Fun, "StaticPrint") || sc.IsMarker(e.Fun, "C")
		}
		return !found
	})
	return found
}

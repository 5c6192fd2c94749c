package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
)

// mustInline reports whether calls of a declared function are lowered into the
// caller.
func (m *Module) mustInline(f *eval.Func) bool {
	s := m.With(f.TypeArgs())
	for v := range f.Obj.Signature().Params().Variables() {
		if t := s.Typ(v.Type()); check.IsGrid(t) || check.IsBlock(t) || check.IsTile(t) {
			return true
		}
		// One that applies functions, such as Vec3.Map, is nothing of its own.
		if _, ok := v.Type().Underlying().(*types.Signature); ok && check.IsLibrary(f.Obj.Pkg().Path()) {
			return true
		}
	}
	for v := range f.Obj.Signature().Results().Variables() {
		if t := s.Typ(v.Type()); m.IsFrontType(t) || check.IsTile(t) {
			return true
		}
	}
	if recv := f.Obj.Signature().Recv(); recv != nil && check.IsTile(s.Typ(recv.Type())) {
		return true
	}
	return m.Cooperates(f.Obj) || m.checks(f.Obj) || m.returning[f.Obj] || m.returnsOwn(f) || m.needsCapacities(f.Obj)
}

// mayBeInlined reports whether calls of a declared function are lowered into the caller,
// or some of them.
func (m *Module) mayBeInlined(f *eval.Func) bool {
	return m.takesFront(f) || m.mustInline(f) || m.mayWantRoom(f)
}

// takesPlace reports whether a function has a qd.Thread among its parameters, and so may cooperate with other threads.
func (m *Module) takesPlace(f *eval.Func) bool {
	s := m.With(f.TypeArgs())
	for v := range f.Obj.Signature().Params().Variables() {
		if check.IsThread(s.Typ(v.Type())) {
			return true
		}
	}
	return false
}

// takesFront reports whether a declared function has parameters, or a receiver, that only the
// front end has values of.
func (m *Module) takesFront(f *eval.Func) bool {
	s := m.With(f.TypeArgs())
	return slices.ContainsFunc(eval.ReceiverAndParams(f.Obj.Signature()), func(v *types.Var) bool { return m.IsFrontType(s.Typ(v.Type())) })
}

// givesFront reports whether a declared function has results that only the front end has values of.
func (m *Module) givesFront(f *eval.Func) bool {
	s := m.With(f.TypeArgs())
	for v := range f.Obj.Signature().Results().Variables() {
		if m.IsFrontType(s.Typ(v.Type())) {
			return true
		}
	}
	return false
}

// checks reports whether a function of this module's makes checks, or panics, or in a
// checked build one of math/bits divides. It is lowered into its callers, so that a fault
// is at the call, where the user can do something about it.
func (m *Module) checks(f *types.Func) bool {
	path := f.Pkg().Path()
	if !check.IsLibrary(path) || !load.IsOwn(path) && !m.Opts.Checked {
		return false
	}
	if found, ok := m.checking[f]; ok {
		return found
	}
	src := m.Prog.Function(f)
	found := false
	if src != nil {
		ast.Inspect(src.Decl.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				_, isCheck := ownChecks[n.Name]
				found = found || isCheck || n.Name == "Assert" || n.Name == "panic"
			case *ast.BinaryExpr:
				integers := check.IsBasic(src.Info.TypeOf(n), types.IsInteger)
				found = found || !load.IsOwn(path) && integers && (n.Op == token.QUO || n.Op == token.REM)
			}
			return !found
		})
	}
	if m.checking == nil {
		m.checking = map[*types.Func]bool{}
	}
	m.checking[f] = found
	return found
}

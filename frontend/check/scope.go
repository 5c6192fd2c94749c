package check

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
)

// An Instance is the instance of a function whose syntax is being lowered: the function itself, or
// one which is lowered into it.
type Instance struct {
	Syntax *Syntax
	Src    *load.Function // the declared function that the syntax stands in
	Info   *types.Info
	File   *token.File
	Targs  TypeArgs
	Funcs  bool // the function holds function values: see assignedByFuncs
	Copy   int  // which copy of the syntax it is, 0 for the source's own: see CloneFunc
}

// Calls says what calls in an instance are.
type Calls struct{ Instance }

// Unpacked finds the unpacked fields in an instance.
type Unpacked struct{ Calls }

// A Scope gives the meaning of the syntax of an instance, and reports the parts that kernels cannot
// contain.
type Scope struct{ Unpacked }

// NewScope is the scope of a function's syntax, with what the type checker said of it.
func (m *Syntax) NewScope(src *load.Function, file *token.File) Scope {
	var sc Scope
	sc.Instance = Instance{Syntax: m, Src: src, Info: src.Info, File: file}
	return sc
}

// IsFunc reports whether a type is a function type.
func IsFunc(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// InPost are those of a for statement's own variables whose address its post statement takes.
func (sc *Instance) InPost(s *ast.ForStmt, own []*types.Var) (list []*types.Var) {
	for _, v := range own {
		if s.Post != nil && sc.Addresses(s.Post, v) {
			list = append(list, v)
		}
	}
	return list
}

// Defined is the variable that an identifier declares, nil for none and for the
// blank one.
func (sc *Instance) Defined(e ast.Expr) *types.Var {
	if e == nil || IsBlank(e) {
		return nil
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		sc.Syntax.MustBeIllTyped("a declaration of what is no name")
		return nil
	}
	v, _ := sc.Info.Defs[id].(*types.Var)
	return v
}

// IsBlank reports whether e is the blank identifier.
func IsBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// OneVar is the local variable that an expression is, nil if it is none.
func (sc *Instance) OneVar(e ast.Expr) *types.Var {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		v, _ := sc.Info.Uses[id].(*types.Var)
		return v
	}
	return nil
}

package lower

import (
	"go/types"

	"github.com/qdgen/qd/frontend/eval"
)

// loweredAs tells what functions are lowered for, but for their type arguments: a function may be lowered for thousands
// of known arguments.
type loweredAs struct {
	obj *types.Func
	key string // of known and closed arguments
}

// instance is an instance of a function that has been lowered, nil if it has not. One of which
// all is doubtful is none where nothing is.
func (m *Module) instance(f *eval.Func, known eval.KnownArgs, closed *eval.Closed) *eval.Function {
	for _, fn := range m.funcs[loweredAs{f.Obj, instanceKey(known, closed)}] {
		if eval.SameTypes(fn.Targs, f.Targs) && (!fn.Doubtful || m.Doubt > 0) {
			return fn
		}
	}
	return nil
}

// declaredBody is the body of a declared function or method.
func (il inliner) declaredBody(f *eval.Func) *body {
	src := il.b.m.Prog.Function(f.Obj)
	sig := f.Obj.Signature()
	return &body{
		decl: src.Decl, name: f.Obj.Name(), scope: il.b.m.ScopeOf(src, f.TypeArgs()),
		recv: sig.Recv(), sig: sig, typ: src.Decl.Type, stmts: src.Decl.Body,
	}
}

package lower

import (
	"github.com/qdgen/qd/frontend/eval"
)

// instance is an instance of a function that has been lowered, nil if it has not. One of which
// all is doubtful is none where nothing is.
func (m *Module) instance(f *eval.Func, known eval.KnownArgs, closed *eval.Closed) *eval.Function {
	key := instanceKey(known, closed)
	for _, fn := range m.funcs[f.Obj] {
		if fn.Key == key && eval.SameTypes(fn.Targs, f.Targs) && (!fn.Doubtful || m.Doubt > 0) {
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

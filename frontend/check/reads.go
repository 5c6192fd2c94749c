package check

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
)

// The value of a qd.Static depends on what its argument reads of the running program: package
// variables, in the argument and in the functions that it calls. That is found out from the
// source, so that who runs the kernel need not evaluate the argument for each launch.

// Reads is what the argument of a qd.Static reads of the running program. As long as that
// is the same, the argument has the same value for the same local names.
type Reads struct {
	Vars []load.Global `json:"vars,omitempty"` // package variables that may change

	// Calls is whether functions are called: else the argument is evaluated in no time. Unseen
	// is whether those may read more than Vars, because their source is not there, or because
	// it does not show which functions they are.
	Calls  bool `json:"calls,omitempty"`
	Unseen bool `json:"unseen,omitempty"`
}

// Nothing reports whether the value of the argument cannot change.
func (r Reads) Nothing() bool { return len(r.Vars) == 0 && !r.Unseen }

// Reads is what the argument of a qd.Static reads.
func (sc *Calls) Reads(s *load.Static, arg ast.Expr) (r Reads) {
	if s.Foreign {
		return Reads{Calls: true, Unseen: true}
	}
	w := readsWalk{prog: sc.Syntax.Prog, seen: map[readsKey]bool{}}
	w.walk(arg, sc.Info)
	for _, v := range w.vars {
		if v.MayChange() {
			r.Vars = append(r.Vars, load.Global{Pkg: v.Pkg.Path(), Name: v.Obj.Name()})
		}
	}
	r.Calls, r.Unseen = w.calls, w.unseen
	return r
}

// Changing is a package variable in the argument of a qd.Static, or in what that needs, which may
// have another value than its initial one, and why; nil if there is none. All functions
// that are needed are among the program's.
func (sc *Calls) Changing(arg ast.Expr) (v *load.Var, why string) { return sc.changing(arg, false) }

// ChangingAtOnce is Changing but for what is only read in function literals of the argument and of the functions that
// give it functions. These literals may be called later. Who lowers the argument does so with all of this code, and
// sees what is read in it at once.
func (sc *Calls) ChangingAtOnce(arg ast.Expr) (v *load.Var, why string) {
	return sc.changing(arg, true)
}

func (sc *Calls) changing(arg ast.Expr, atOnce bool) (v *load.Var, why string) {
	w := readsWalk{prog: sc.Syntax.Prog, seen: map[readsKey]bool{}, atOnce: atOnce}
	w.walk(arg, sc.Info)
	w.atOnce = false
	for i := 0; i < len(w.vars); i++ { // to which some may be added
		v := w.vars[i]
		if why := v.Changed(); why != "" {
			return v, why
		}
		if init, _ := v.Init(); init != nil {
			w.walk(init, v.Info)
		}
	}
	return nil, ""
}

// A readsWalk finds the package variables in syntax, and in the functions that it names.
type readsWalk struct {
	prog   *load.Program
	seen   map[readsKey]bool
	vars   []*load.Var
	calls  bool // functions are called
	unseen bool // there is more than the source shows
	atOnce bool // function literals are left out
}

// A readsKey is a variable, or a function with the kind of walk that has seen it.
type readsKey struct {
	obj    types.Object
	atOnce bool
}

func (w *readsWalk) walk(n ast.Node, info *types.Info) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return !w.atOnce
		case *ast.Ident:
			w.name(n, info)
		case *ast.CallExpr:
			w.call(n, info)
		case *ast.RangeStmt:
			if t := info.TypeOf(n.X); t != nil {
				_, isFunc := t.Underlying().(*types.Signature)
				w.unseen = w.unseen || isFunc
			}
		}
		return true
	})
}

// name follows an identifier.
func (w *readsWalk) name(id *ast.Ident, info *types.Info) {
	obj := info.Uses[id]
	if _, declares := info.Defs[id]; obj == nil && !declares && id.Name != "_" {
		w.unseen = true // the type checker knows nothing of it
	}
	key := readsKey{obj, w.atOnce}
	if obj == nil || w.seen[key] {
		return
	}
	w.seen[key] = true
	switch obj := obj.(type) {
	case *types.Var:
		if !IsPackageVar(obj) {
			return
		}
		if v := w.prog.Var(obj); v != nil {
			w.vars = append(w.vars, v)
		} else {
			w.unseen = true
		}
	case *types.Func:
		if load.IsLibrary(obj.Pkg()) {
			return
		}
		f := w.prog.Funcs[obj.Origin()]
		if f == nil || f.Decl.Body == nil {
			w.unseen = true // a method of an interface, or one of a package without source
			return
		}
		// What gives no function may be lowered but once, for all its calls.
		atOnce := w.atOnce
		w.atOnce = atOnce && givesFunc(obj.Signature())
		w.walk(f.Decl.Body, f.Info)
		w.atOnce = atOnce
	}
}

// givesFunc reports whether a function has a function among its results.
func givesFunc(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		if IsFunc(v.Type()) {
			return true
		}
	}
	return false
}

// call notes a call, and whether it is one of a function that is not named there.
func (w *readsWalk) call(e *ast.CallExpr, info *types.Info) {
	fun := ast.Unparen(e.Fun)
	if tv := info.Types[fun]; tv.IsType() || tv.IsBuiltin() {
		return
	}
	if _, isLiteral := fun.(*ast.FuncLit); isLiteral {
		w.calls = true
		return
	}
	if id := CalleeName(fun); id != nil {
		if f, ok := info.Uses[id].(*types.Func); ok {
			w.calls = w.calls || !load.IsLibrary(f.Pkg())
			return
		}
	}
	w.calls, w.unseen = true, true
}

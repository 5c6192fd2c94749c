package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A Var is a package variable that something reached mentions.
type Var struct {
	Obj  *types.Var
	Spec *ast.ValueSpec // what declares it, with its initial value
	Pkg  *types.Package
	File *File
	Info *types.Info // what the type checker says of the initial value

	// Computed is whether the functions that the initial value needs are among the
	// program's, because the Check was asked for the variable: see [Also].
	Computed bool
	// Wrong is whether the type checker found fault with the initial value, or with what
	// it is computed with: it uses a package that is not there, perhaps.
	Wrong bool

	pkg *sourcePackage
}

// Var is a package variable, nil for those of libraries and of packages without source.
func (p *Program) Var(obj *types.Var) *Var { return p.vars[obj] }

// Init is the expression of the variable's initial value, nil where that is the zero
// value. Of a call with several results, index is which of them it is.
func (v *Var) Init() (e ast.Expr, index int) {
	i := slices.IndexFunc(v.Spec.Names, func(id *ast.Ident) bool { return id.Pos() == v.Obj.Pos() })
	switch len(v.Spec.Values) {
	case 0:
		return nil, 0
	case len(v.Spec.Names):
		return v.Spec.Values[i], 0
	}
	return v.Spec.Values[0], i
}

// listVars makes the package variables known, with what those are computed with that the
// Check was asked for. Errors there are no errors of the kernels: whether anybody needs an
// initial value is not known here.
func (w *typedWalk) listVars() {
	problems := w.problems
	for _, p := range w.order {
		for _, f := range p.files {
			for _, d := range f.decls {
				spec, ok := d.spec.(*ast.ValueSpec)
				if !ok || d.level == unreached || d.group.Tok != token.VAR {
					continue
				}
				wrong := w.wrongIn(spec) || !w.typed(spec)
				if d.computed {
					wrong = w.wrongComputing(spec) || wrong
				}
				for _, id := range spec.Names {
					if obj, ok := w.prog.Info.Defs[id].(*types.Var); ok {
						w.prog.vars[obj] = &Var{
							Obj: obj, Spec: spec, Pkg: p.types, File: f.File, Info: w.prog.Info,
							Computed: d.computed, Wrong: wrong, pkg: p,
						}
					}
				}
			}
		}
	}
	w.problems = problems
}

// wrongComputing follows an initial value, so that the functions which it calls are among
// the program's, and reports whether anything is wrong with it or with them.
func (w *typedWalk) wrongComputing(spec *ast.ValueSpec) bool {
	before, reached := w.problems.Len(), w.reached
	w.reached = nil
	w.follow(spec, true)
	w.drain()
	inside := w.reached.merge()
	wrong := w.problems.Len() > before || slices.ContainsFunc(w.errors, func(err typeError) bool { return inside.contain(err.Pos) })
	w.reached = append(reached, inside...)
	return wrong
}

package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/desugar"
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
	// Filled is whether the init functions that may change the variable, or what they read, are too.
	Filled bool
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

// listVars lists the package variables that kernels may read, and those that their initial values need if the Check was
// asked to compute these. An error in an initial value is not yet an error of a kernel: whether a kernel needs the
// value is found out later.
func (w *typedWalk) listVars() {
	for _, p := range w.order {
		listInits(w, p)
		for _, f := range p.files {
			for _, d := range f.decls {
				if spec, ok := d.spec.(*ast.ValueSpec); ok && d.level != unreached && d.group.Tok == token.VAR {
					listSpec(w, p, f, d, spec)
				}
			}
		}
	}
}

// listSpec lists the variables of one declaration.
func listSpec(w *typedWalk, p *sourcePackage, f *sourceFile, d *decl, spec *ast.ValueSpec) {
	wrong := w.wrongIn(spec) || !w.typed(spec)
	if d.computed {
		wrong = w.wrongComputing(spec) || wrong
	}
	if !wrong {
		spec = desugar.Syntax(spec, w.prog.Info, p.types)
	}
	for _, id := range spec.Names {
		obj, ok := w.prog.Info.Defs[id].(*types.Var)
		if !ok {
			continue
		}
		v := &Var{
			Obj: obj, Spec: spec, Pkg: p.types, File: f.File, Info: w.prog.Info,
			Computed: d.computed, Filled: d.filled, Wrong: wrong, pkg: p,
		}
		w.prog.vars[obj] = v
		if d.filled {
			p.inits.vars = append(p.inits.vars, v)
		}
	}
}

// wrongComputing follows an initial value, so that the functions which it calls are among
// the program's, and reports whether anything is wrong with it or with them.
func (w *typedWalk) wrongComputing(spec *ast.ValueSpec) bool {
	reached := w.reached
	w.reached = nil
	w.follow(spec, true)
	w.drain()
	w.reached = reached
	return w.wrongIn(spec) || w.quietIn(spec)
}

// foreignVar reports a variable that has its type from a package which is not there, and
// whether it is one.
func (w *typedWalk) foreignVar(spec *ast.ValueSpec) bool {
	if spec.Type != nil || w.quiet {
		return false
	}
	path := ""
	for _, e := range spec.Values {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if name, ok := w.prog.Info.Uses[id].(*types.PkgName); ok && w.missing(name.Imported().Path()) {
					path = name.Imported().Path()
				}
			}
			return path == ""
		})
	}
	if path == "" {
		return false
	}
	name := spec.Names[0]
	w.report(name.Pos(), name.End(), "declare the variable with its type, as in var "+name.Name+" int = ...",
		"the type of package variable %s is unknown: it comes from package %s, whose source is not available", name.Name, path)
	w.excused = append(w.excused, span{spec.Pos(), spec.End()})
	return true
}

// quietIn reports whether something was wrong in a piece of syntax that is no error.
func (w *typedWalk) quietIn(n ast.Node) bool {
	return slices.ContainsFunc(w.quietAt, func(pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() })
}

// dropWrong leaves the functions out of the program that are reached only by what may not be
// needed, and that something is wrong with.
func (w *typedWalk) dropWrong(loud map[*types.Func]*Function) {
	w.excused = w.excused.merge()
	counts := func(pos token.Pos, n ast.Node) bool {
		return n.Pos() <= pos && pos < n.End() && !w.excused.contain(pos) // what is in a qd.Static is not lowered
	}
	for obj, f := range w.prog.Funcs {
		if loud[obj] == nil && (slices.ContainsFunc(w.errors, func(err typeError) bool { return counts(err.Pos, f.Decl) }) ||
			slices.ContainsFunc(w.quietAt, func(pos token.Pos) bool { return counts(pos, f.Decl) })) {
			delete(w.prog.Funcs, obj)
		}
	}
}

// ConstValue is the expression that a constant is declared with, which may be that of a line above it. It is nil where
// the program does not have it.
func (p *Program) ConstValue(obj *types.Const) (value ast.Expr) {
	f := p.texts[p.Fset.File(obj.Pos())]
	if f == nil {
		return nil
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			return value == nil
		}
		var values []ast.Expr
		for _, spec := range d.Specs {
			spec := spec.(*ast.ValueSpec)
			if len(spec.Values) > 0 {
				values = spec.Values
			}
			if i := slices.IndexFunc(spec.Names, func(id *ast.Ident) bool { return id.Pos() == obj.Pos() }); i >= 0 && i < len(values) {
				value = values[i]
			}
		}
		return value == nil
	})
	return value
}

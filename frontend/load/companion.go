package load

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"
)

// A directive above a function can make it a companion of another function of its package: the one that gives the
// other's derivative, or the one that stands in for it when a backward kernel repeats what the kernel does.

// The directives of companions. The name of a function, or of a method as T.Method, stands behind them.
const (
	Gradient = "//qd:gradient"
	Replay   = "//qd:replay"
)

// A Companion is a function that a directive names another one for.
type Companion struct {
	Func *Function
	At   *ast.Comment // the directive

	// Of a Gradient: the places of the function's parameters for which it takes a gradient in memory, of the function's
	// results that it takes the gradients of, and of the parameters whose gradients are its results. A receiver is
	// parameter 0.
	Memory, Results, Params []int
}

// Companion is the companion that a function has by a directive, nil for none.
func (p *Program) Companion(f *types.Func, directive string) *Companion {
	if c := p.companions[f][directive]; c != nil || f.Pkg() == nil {
		return c
	}
	if lib := p.libs[f.Pkg().Path()]; lib != nil {
		return lib.companions[f][directive]
	}
	return nil
}

// A companionDecl is a directive and the function that it stands above.
type companionDecl struct {
	directive string
	at        *ast.Comment
	decl      *decl
}

// companionsAbove are the directives in the comment right above a place of a text, with the name that stands behind
// each, in the order of the lines from below.
func companionsAbove(src []byte, at int) (list []companionLine) {
	for at, line := range linesAbove(src, at) {
		if directive, of, ok := companionDirective(line); ok {
			list = append(list, companionLine{directive, of, at, line})
		}
	}
	return list
}

// linesAbove are the lines of the comment right above a place of a text, with where they begin, from below.
func linesAbove(src []byte, at int) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for at > 0 && src[at-1] == '\n' {
			end := at - 1
			at = bytes.LastIndexByte(src[:end], '\n') + 1
			line := strings.TrimRight(string(src[at:end]), " \t\r")
			if !strings.HasPrefix(line, "//") || !yield(at, line) {
				return
			}
		}
	}
}

type companionLine struct {
	directive, of string
	offset        int
	text          string
}

// companionDirective splits a line that begins with a companion's directive. A comment may follow the name.
func companionDirective(line string) (directive, of string, ok bool) {
	word, of, _ := strings.Cut(line, " ")
	of, _, _ = strings.Cut(of, "//")
	return word, strings.TrimSpace(of), word == Gradient || word == Replay
}

// plainRef is a name of a method without the star of its receiver.
func plainRef(name string) string { return withoutStar.Replace(name) }

var withoutStar = strings.NewReplacer("(*", "", ")", "")

// indexCompanions enters the companions of a file.
func (p *sourcePackage) indexCompanions(f *sourceFile) {
	if !bytes.Contains(f.Src, []byte(Gradient)) && !bytes.Contains(f.Src, []byte(Replay)) {
		return
	}
	for _, d := range f.decls {
		if d.fn == nil {
			continue
		}
		for _, line := range companionsAbove(f.Src, f.tok.Offset(d.fn.Type.Func)) {
			if p.companions == nil {
				p.companions = make(map[string][]companionDecl)
			}
			of := plainRef(line.of)
			at := &ast.Comment{Slash: f.tok.Pos(line.offset), Text: line.text}
			p.companions[of] = append(p.companions[of], companionDecl{line.directive, at, d})
		}
	}
}

// strayCompanions reports the directives of companions of functions that are not in their package.
func (l *loader) strayCompanions(p *sourcePackage) {
	for _, of := range slices.Sorted(maps.Keys(p.companions)) {
		for _, c := range p.companions[of] {
			switch {
			case of == "" || strings.ContainsAny(of, " \t"):
				l.report(c.at.Pos(), c.at.End(), "write "+c.directive+" and the name of the function, as in "+c.directive+" softplus or "+c.directive+" Spring.Force",
					"%s names no function", c.at.Text)
			case len(p.kernels(of)) == 0:
				l.report(c.at.Pos(), c.at.End(), "write the name of a function of this package, that of a method as T.Method", "%s: there is no function %s", c.directive, of)
			case slices.ContainsFunc(p.kernels(of), (*decl).isKernel):
				l.report(c.at.Pos(), c.at.End(), "name a function that the kernel calls", "%s: %s is a kernel, whose gradient is made from its code", c.directive, of)
			case c.decl.isKernel():
				l.report(c.at.Pos(), c.at.End(), "remove one of the directives: backward kernels call a companion as a function", "%s above kernel %s", c.directive, refName(c.decl.fn))
			}
		}
	}
}

// companionsOf are the companions of a declared function, by their directives.
func (p *sourcePackage) companionsOf(fn *ast.FuncDecl) []companionDecl {
	if len(p.companions) == 0 {
		return nil
	}
	return p.companions[plainRef(refName(fn))]
}

// visitCompanions visits the companions of a function, which are reached with it.
func visitCompanions(w *typedWalk, d *decl) {
	if d.lit != nil {
		return
	}
	for _, c := range d.file.pkg.companionsOf(d.fn) {
		if c.decl.fn.Body == nil {
			w.report(c.decl.fn.Name.Pos(), c.decl.fn.Name.End(), "write it in Go", "function %s has no body in Go", c.decl.fn.Name.Name)
			continue
		}
		w.visit(place{decl: c.decl, body: true})
		f, of := w.function(c.decl), w.function(d)
		if f.Obj == nil || of.Obj == nil {
			continue
		}
		if w.prog.companions == nil {
			w.prog.companions = make(map[*types.Func]map[string]*Companion)
		}
		if w.prog.companions[of.Obj] == nil {
			w.prog.companions[of.Obj] = make(map[string]*Companion)
		}
		if w.prog.companions[of.Obj][c.directive] != nil {
			w.report(c.at.Pos(), c.at.End(), "remove one of them", "%s has two functions with the directive %s", of.Obj.Name(), c.directive)
			continue
		}
		made := &Companion{Func: f, At: c.at}
		w.prog.companions[of.Obj][c.directive] = made
		if hint := made.fits(c.directive, of.Obj); hint != "" {
			w.report(c.at.Pos(), c.at.End(), hint, "%s does not have the signature of the %s of %s", f.Obj.Name(), c.directive[len("//qd:"):], of.Obj.Name())
		}
	}
}

// companions are the companions among the functions of a library.
func (lib *library) findCompanions(fset *token.FileSet) {
	byName := make(map[string]*Function)
	for _, f := range lib.funcs {
		byName[plainRef(refName(f.Decl))] = f
	}
	for _, f := range lib.funcs {
		src := f.File.Src
		if !bytes.Contains(src, []byte(Gradient)) {
			continue
		}
		tok := fset.File(f.Decl.Pos())
		for _, line := range companionsAbove(src, tok.Offset(f.Decl.Type.Func)) {
			of := byName[line.of]
			if of == nil {
				continue // it is not reached
			}
			c := &Companion{Func: f, At: &ast.Comment{Slash: tok.Pos(line.offset), Text: line.text}}
			if hint := c.fits(line.directive, of.Obj); hint != "" {
				panic("BUG: load: " + line.text + ": " + hint)
			}
			if lib.companions == nil {
				lib.companions = make(map[*types.Func]map[string]*Companion)
			}
			lib.companions[of.Obj] = map[string]*Companion{line.directive: c}
		}
	}
}

// fits reports, as advice, why a companion cannot be that of a function, "" if it can.
func (c *Companion) fits(directive string, of *types.Func) (hint string) {
	f := c.Func.Obj
	var params, results []types.Type // that it is to have
	recv := of.Signature().Recv()
	if recv != nil {
		params = append(params, recv.Type())
	}
	for v := range of.Signature().Params().Variables() {
		params = append(params, v.Type())
	}
	own := params
	if directive == Replay {
		for v := range of.Signature().Results().Variables() {
			results = append(results, v.Type())
		}
	} else {
		for i, t := range own {
			if leadsToFloats(t) {
				c.Memory = append(c.Memory, i)
				params = append(params[:len(params):len(params)], t)
			} else if holdsFloats(t) {
				c.Params = append(c.Params, i)
				results = append(results, t)
			}
		}
		i := 0
		for v := range of.Signature().Results().Variables() {
			if holdsFloats(v.Type()) {
				c.Results = append(c.Results, i)
				params = append(params[:len(params):len(params)], v.Type())
			}
			i++
		}
	}
	tparams := of.Signature().TypeParams()
	if recv != nil {
		tparams = of.Signature().RecvTypeParams()
	}
	want := signatureText(f, tparams, params, results)
	got := f.Signature()
	if got.Recv() != nil || of.Signature().Variadic() || got.Variadic() || got.TypeParams().Len() != tparams.Len() {
		return "declare it as " + want
	}
	if n := tparams.Len(); n > 0 {
		targs := make([]types.Type, n)
		for i := range n {
			targs[i] = tparams.At(i)
		}
		inst, err := types.Instantiate(nil, got, targs, false)
		if err != nil {
			return "declare it as " + want
		}
		got, _ = inst.(*types.Signature)
	}
	if !slices.EqualFunc(tupleTypes(got.Params()), params, types.Identical) || !slices.EqualFunc(tupleTypes(got.Results()), results, types.Identical) {
		return "declare it as " + want
	}
	return ""
}

func tupleTypes(t *types.Tuple) (list []types.Type) {
	for v := range t.Variables() {
		list = append(list, v.Type())
	}
	return list
}

// signatureText is a declaration of a function of such types.
func signatureText(f *types.Func, tparams *types.TypeParamList, params, results []types.Type) string {
	short := func(t types.Type) string {
		return types.TypeString(t, func(p *types.Package) string {
			if p == f.Pkg() {
				return ""
			}
			return p.Name()
		})
	}
	list := func(ts []types.Type) string {
		texts := make([]string, len(ts))
		for i, t := range ts {
			texts[i] = short(t)
		}
		return strings.Join(texts, ", ")
	}
	text := "func " + f.Name()
	if tparams.Len() > 0 {
		var names []string
		for t := range tparams.TypeParams() {
			names = append(names, t.Obj().Name()+" "+short(t.Constraint()))
		}
		text += "[" + strings.Join(names, ", ") + "]"
	}
	text += "(" + list(params) + ")"
	switch len(results) {
	case 0:
	case 1:
		text += " " + list(results)
	default:
		text += " (" + list(results) + ")"
	}
	return text
}

// holdsFloats reports whether values of a type hold floats, or may: those of a type parameter.
func holdsFloats(t types.Type) bool {
	for leaf := range Leaves(t) {
		if _, ok := types.Unalias(leaf).(*types.TypeParam); ok {
			return true
		}
		if u, ok := leaf.Underlying().(*types.Basic); ok && u.Info()&(types.IsFloat|types.IsComplex) != 0 {
			return true
		}
	}
	return false
}

// leadsToFloats reports whether values of a type lead to floats in memory.
func leadsToFloats(t types.Type) bool {
	for leaf := range Leaves(t) {
		switch u := leaf.Underlying().(type) {
		case *types.Slice:
			if holdsFloats(u.Elem()) {
				return true
			}
		case *types.Pointer:
			if holdsFloats(u.Elem()) {
				return true
			}
		}
	}
	return false
}

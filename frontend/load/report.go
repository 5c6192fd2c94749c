package load

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

func (l *loader) report(pos, end token.Pos, hint, format string, args ...any) {
	if l.quiet {
		l.quietAt = append(l.quietAt, pos)
		return
	}
	d := l.prog.Diagnostic(pos, end, hint, format, args...)
	if l.callsTo != nil {
		d.Calls = l.callsTo(pos)
	}
	l.problems.Add(d)
}

// reportSyntax reports a file's syntax errors, if it has any.
func (l *loader) reportSyntax(f *sourceFile) {
	for _, e := range f.errs {
		pos := f.tok.Pos(min(max(e.Pos.Offset, 0), f.tok.Size()))
		l.report(pos, token.NoPos, "", "syntax error: %s", e.Msg)
	}
}

// checkAvailable reports a selector into a package that kernels cannot use, or
// into a part of one of this module's that they cannot.
func (w *typedWalk) checkAvailable(sel *ast.SelectorExpr, pkg *types.Package) {
	path := pkg.Path()
	if w.missing(path) {
		w.unavailable = append(w.unavailable, unavailable{sel.Pos(), path})
	}
	switch lib := w.libs[path]; {
	case IsOwn(path) && lib != nil && ast.IsExported(sel.Sel.Name) && lib.types.Scope().Lookup(sel.Sel.Name) == nil:
		hint := w.nameHint(pkg.Name(), sel.Sel.Name)
		switch {
		case hint != "":
		case path != QDPath:
			hint = "package " + pkg.Name() + " does not have it"
		case sel.Sel.Name == "Array":
			hint = "make the parameter, or the field of one, a slice or a view such as qd.View2: the launch can pass an array for it"
		default:
			hint = "kernels can use these parts of package qd: Thread, Block, Grid, Shared, Local, views, Float16, the functions of package math in generic form, atomic functions, Rand, Assert and Printf"
		}
		w.report(sel.Pos(), sel.End(), hint,
			"%s is not available in kernels", types.ExprString(sel))
	case lib != nil || w.pkgs[path] != nil || path == "unsafe":
		return
	case w.failed[path] != nil:
		hint := ""
		if errors.As(w.failed[path], new(*UnprovenError)) {
			hint = Regenerate
		}
		w.report(sel.Pos(), sel.End(), hint, "package %s cannot be read: %v", path, w.failed[path])
	default:
		w.report(sel.Pos(), sel.End(), insteadOf(path), "package %s is not available in kernels", path)
	}
	w.excused = append(w.excused, span{sel.Pos(), sel.End()})
}

// missing reports whether a package is one without source.
func (l *loader) missing(path string) bool {
	return path != "unsafe" && l.libs[path] == nil && l.pkgs[path] == nil
}

// instead says what to do instead of using a package in a kernel.
var instead = map[string]string{
	"C":            "kernels can only call functions written in Go",
	"fmt":          "print with qd.Printf, which takes the same verbs",
	"iter":         "write the loop with for",
	"log":          "print with qd.Printf, which takes the verbs of package fmt",
	"math/rand":    ownNumbers,
	"math/rand/v2": ownNumbers,
	"sync":         "update shared elements with atomic functions such as qd.AtomicAdd; the threads of a block wait for each other with t.Sync()",
	"sync/atomic":  "use atomic functions such as qd.AtomicAdd: it takes a pointer to an element of a slice, and returns the old value",
	"time":         "measure around the launch",
	"sort":         "sort before or after the launch; sort compile-time values in a qd.Static(...)",
	"slices":       "write it as a loop, or do it before the launch, or at compile time in a qd.Static(...)",
	"strings":      "kernels have only strings that are known at compile time: call it in a qd.Static(...), or convert the strings to numbers before the launch",
	"strconv":      "kernels have only strings that are known at compile time: call it in a qd.Static(...), or convert the strings to numbers before the launch",
}

// ownNumbers is the advice on random numbers.
const ownNumbers = "use qd.Rand(seed, n), or qd.RandFloat32 and the like: they need no state, and each thread can have its own numbers; " +
	"or make a generator in the kernel, as in rand.New(rand.NewPCG(seed, n)) of math/rand/v2"

// Bodiless says why a function without a body in Go cannot be called, and what to do instead.
func (p *Program) Bodiless(f *types.Func) (why, hint string) {
	if path := f.Pkg().Path(); (stubs[path] == nil || path == fmtPath) && isStandard(path) && IsHostOnly(path) {
		return fmt.Sprintf("package %s is not available in kernels", path), insteadOf(path)
	}
	if path := f.Pkg().Path(); f.Signature().Recv() == nil && needsHost(path, f.Name()) {
		why = fmt.Sprintf("%s.%s is not available in kernels", f.Pkg().Name(), f.Name())
		if path != "time" {
			why += ": it uses the generator that all goroutines share"
		}
		return why, insteadOf(path)
	}
	if stubs[f.Pkg().Path()] != nil {
		return fmt.Sprintf("%s.%s is not supported in a kernel", f.Pkg().Name(), f.Name()), "write it in Go"
	}
	hint = writeIt
	for _, pkg := range p.Packages {
		if pkg.Path == f.Pkg().Path() && f.Signature().Recv() == nil {
			hint = writeItOr(pkg, f.Name())
		}
	}
	return fmt.Sprintf("function %s has no body in Go", f.Name()), hint
}

// writeIt is the advice on a function without a body.
const writeIt = "write it in Go"

// writeItOr is the advice on a function without a body, which another build of its package may have.
func writeItOr(pkg *Package, name string) string {
	for i := range pkg.Files {
		if file := &pkg.Files[i]; !included(file) && file.hasBody(name) {
			return fmt.Sprintf("%s has it in Go, for builds with %s: build the program with such a tag, or %s", baseName(file.Name), file.constraint(), writeIt)
		}
	}
	return writeIt
}

// hasBody reports whether a file has a body for a function.
func (f *File) hasBody(name string) bool {
	if !bytes.Contains(f.Src, []byte(name)) {
		return false
	}
	syntax, _ := parser.ParseFile(token.NewFileSet(), f.Name, f.Src, parseMode)
	return syntax != nil && slices.ContainsFunc(syntax.Decls, func(d ast.Decl) bool {
		decl, ok := d.(*ast.FuncDecl)
		return ok && decl.Recv == nil && decl.Name.Name == name && decl.Body != nil
	})
}

// constraint is what a file asks of a build, in its text or in its name.
func (f *File) constraint() string {
	for line := range bytes.Lines(f.Src) {
		if c, ok := bytes.CutPrefix(line, []byte("//go:build ")); ok {
			return "//go:build " + string(bytes.TrimSpace(c))
		}
	}
	return "the system or the processor in its name"
}

// insteadOf is the hint for a package that kernels cannot use.
func insteadOf(path string) string {
	if hint := instead[path]; hint != "" {
		return hint
	}
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || inModules(path) {
		return "its source is not found: " + Regenerate + "; for what was there before, run go mod download"
	}
	return "compute the result before the launch and pass it as an argument, or compute it at compile time in a qd.Static(...)"
}

// oneLine joins the lines of the type checker's errors about arguments and results.
var oneLine = strings.NewReplacer("\n\thave (", ": have (", "\n\twant (", ", want (")

// reportType reports an error of the type checker, with advice where there is some.
func (w *typedWalk) reportType(err typeError) {
	at := w.syntaxOf(err)
	if err.code == badDecl && slices.ContainsFunc(at.path, func(n ast.Node) bool {
		fn, ok := n.(*ast.FuncDecl)
		return ok && fn.Name.Pos() == err.Pos
	}) {
		return // its body was removed
	}
	if namesInvalid(err.Msg) {
		// The types of arguments and results do not help where one is unknown; nor does
		// any error about that itself, after the one that says why it is.
		err.Msg, _, _ = strings.Cut(err.Msg, "\n")
		if namesInvalid(err.Msg) && (w.problems.Len() > 0 || w.foreign) {
			return
		}
	}
	hint := w.conversionHint(at)
	if hint == "" {
		hint = w.vectorHint(at)
	}
	if hint == "" {
		hint = w.habitHint(at)
	}
	if hint == "" {
		hint = sortHint(at)
	}
	if hint == "" {
		var others []string
		for _, other := range err.related {
			if !namesInvalid(other.Msg) {
				others = append(others, other.Msg+" at "+w.prog.Fset.PositionFor(other.Pos, false).String())
			}
		}
		hint = strings.Join(others, "; ")
	}
	w.report(err.Pos, token.NoPos, hint, "%s", oneLine.Replace(err.Msg))
}

// namesInvalid reports whether the text of an error names a type that is not valid: no code says so.
func namesInvalid(text string) bool { return strings.Contains(text, "invalid type") }

// habitHint is advice on errors that habits from elsewhere bring: an index or a
// condition of any type, and a variable with the name of a package.
func (w *typedWalk) habitHint(at faulty) string {
	e := at.expr()
	switch at.code {
	case invalidIndex:
		if b, ok := at.typeOf(e).(*types.Basic); ok && b.Info()&types.IsFloat != 0 && b.Info()&types.IsUntyped == 0 {
			return "convert it: int(" + types.ExprString(e) + ")"
		}
	case truncatedFloat:
		return "an integer is needed here; to compute with floats, convert the other operand, as in float64(...)"
	case invalidCond:
		return "compare it with something, as in n != 0"
	case missingFieldOrMethod:
		sel, ok := at.up(1).(*ast.SelectorExpr)
		if !ok {
			return ""
		}
		x, ok := sel.X.(*ast.Ident)
		f := w.prog.texts[w.prog.Fset.File(sel.Pos())]
		if ok && f != nil && f.pkg != nil && w.importNamed(f, x.Name) != nil {
			return "here " + x.Name + " is not the package here: rename the local declaration of " + x.Name
		}
	}
	return ""
}

// conversionHint is advice on the errors that Go's want of implicit conversions
// brings, the most common ones in numeric code.
func (w *typedWalk) conversionHint(at faulty) string {
	switch at.code {
	case mismatchedTypes:
		o, ok := at.operation()
		if !ok || !isTypedNumber(at.typeOf(o.x)) || !isTypedNumber(at.typeOf(o.y)) {
			return ""
		}
		to := at.typeOf(o.x).(*types.Basic)
		if y := at.typeOf(o.y).(*types.Basic); y.Info()&types.IsFloat != 0 {
			to = y
		}
		return "Go has no implicit conversions: convert one side, as in " + to.Name() + "(...)"
	case incompatibleAssign:
		e, to := at.expr(), at.demand()
		from := at.typeOf(e)
		if !isTypedNumber(from) || !isTypedNumber(to.typ) {
			return ""
		}
		pkg, fn := to.method()
		if id, ok := pkg.(*ast.Ident); ok && from == types.Typ[types.Float32] {
			for _, twin := range []string{QDPath, MathPath} {
				if p, ok := at.info.Uses[id].(*types.PkgName); ok && p.Imported().Path() == "math" && w.declares(twin, fn) {
					return conventionalName(twin) + "." + fn + " takes float32 as well as float64"
				}
			}
		}
		expr := types.ExprString(e)
		if len(expr) > 24 {
			expr = "..."
		}
		return "convert it: " + to.typ.(*types.Basic).Name() + "(" + expr + ")"
	}
	return ""
}

// isTypedNumber reports whether a type is one of Go's numeric types, and not that of an untyped constant.
func isTypedNumber(t types.Type) bool {
	return isNumber(t) && t.(*types.Basic).Info()&types.IsUntyped == 0
}

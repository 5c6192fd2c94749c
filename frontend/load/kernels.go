package load

import (
	"go/ast"
	"go/parser"
	"regexp"
	"slices"
	"strings"
)

// directive marks a kernel for the tools.
const directive = "//qd:kernel"

// Kernels returns the functions of a package that carry the directive
// //qd:kernel, in source order. The error is a *[diag.Diagnostics] for syntax errors
// and for directives that make nothing a kernel, beside which the kernels are given all
// the same, or a *[NotFoundError] for a package that the sources do not have.
func Kernels(src Sources, pkg string) ([]Ref, error) {
	source, err := src.Package(pkg)
	if err != nil || source == nil {
		return nil, &NotFoundError{Kernel: Ref{Pkg: pkg}, Reason: "the source of the package is not available", Err: err}
	}
	l := newLoader(src)
	p, _ := parsePackage(source, firstBase, parseMode|parser.ParseComments, false, func(*File) bool { return false })
	var refs []Ref
	for _, f := range p.files {
		l.prog.addFile(f)
		l.reportSyntax(f)
		docs := make(map[*ast.CommentGroup]bool)
		for _, d := range f.decls {
			if d.fn == nil {
				continue
			}
			docs[d.fn.Doc] = true
			if l.hasDirective(d.fn) {
				refs = append(refs, Ref{Pkg: pkg, Name: refName(d.fn), File: f.Name, Line: f.line(d.fn.Pos())})
			}
		}
		l.strayDirectives(f, docs)
	}
	l.strayCompanions(p)
	return refs, l.problems.Err()
}

// strayDirectives reports directives that are not above a function.
func (l *loader) strayDirectives(f *sourceFile, docs map[*ast.CommentGroup]bool) {
	for _, group := range f.syntax.Comments {
		if docs[group] {
			continue
		}
		for _, c := range group.List {
			text, _, _ := strings.Cut(c.Text, " ")
			if text = strings.TrimRight(text, "\t\r"); text == directive || text == Gradient || text == Replay {
				l.report(c.Pos(), c.End(), "write it directly above the declaration of a function", "%s has no effect here", text)
			}
		}
	}
}

// misspelled matches lines that can only be meant as the directive. Go takes comments
// that begin with a space for prose; prose may mention qd:kernel, but has no line of
// it alone.
var misspelled = regexp.MustCompile(`^//\s*(?i:qd\s*:\s*kernel)\s*$|^//qd:kernel\s`)

// misspelledCompanion matches lines that can only be meant as the directive of a companion.
var misspelledCompanion = regexp.MustCompile(`^//\s*(?i:qd\s*:\s*(gradient|replay))\s+([\w.()*]+)$`)

// unknown matches the first word of other directives of ours.
var unknown = regexp.MustCompile(`^//qd:[a-z]+$`)

// hasDirective reports whether a function carries the directive. Misspelled ones are
// reported: nothing else would tell why the function is no kernel, or no companion.
func (l *loader) hasDirective(fn *ast.FuncDecl) bool {
	if fn.Doc == nil {
		return false
	}
	lines := make([]string, len(fn.Doc.List))
	for i, c := range fn.Doc.List {
		lines[i] = strings.TrimRight(c.Text, " \t\r")
	}
	is := slices.Contains(lines, directive)
	for i, c := range fn.Doc.List {
		text := lines[i]
		word, _, _ := strings.Cut(text, " ")
		companion := misspelledCompanion.FindStringSubmatch(text)
		switch {
		case text == directive:
		case word == Gradient || word == Replay: // see strayCompanions
		case word != directive && unknown.MatchString(word):
			l.report(c.Pos(), c.End(), "the directives are "+directive+", "+Gradient+" and "+Replay, "unknown directive %s", word)
		case companion != nil:
			l.report(c.Pos(), c.End(), "write //qd:"+strings.ToLower(companion[1])+" "+companion[2]+", without a space in front and in lower case",
				"%s is not the directive that makes %s a companion of %s", text, fn.Name.Name, companion[2])
		case !is && misspelled.MatchString(text): // with the directive in place the rest is prose
			l.report(c.Pos(), c.End(), "write "+directive+" alone on its line, without a space and in lower case",
				"%s is not the directive that makes %s a kernel", text, fn.Name.Name)
		}
	}
	return is
}

// isKernel reports whether a function carries the directive, also where comments have not been parsed.
func (d *decl) isKernel() bool {
	if d.fn == nil {
		return false
	}
	for _, line := range linesAbove(d.file.Src, d.file.tok.Offset(d.fn.Type.Func)) {
		if line == directive {
			return true
		}
	}
	return false
}

// refName is a function's name as package runtime writes it, without type arguments.
func refName(fn *ast.FuncDecl) string {
	recv := ReceiverName(fn)
	if recv == "" {
		return fn.Name.Name
	}
	if t := fn.Recv.List[0].Type; isPointer(t) {
		return "(*" + recv + ")." + fn.Name.Name
	}
	return recv + "." + fn.Name.Name
}

func isPointer(t ast.Expr) bool {
	_, ok := ast.Unparen(t).(*ast.StarExpr)
	return ok
}

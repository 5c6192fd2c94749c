package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/internal/gort"
)

// QDPath is the import path of package qd.
const QDPath = "github.com/qdgen/qd"

// TilePath is the import path of the package of tiles.
const TilePath = QDPath + "/tile"

// BoolsPath is the import path of the package of masks, the vectors and matrices of Booleans.
const BoolsPath = QDPath + "/bools"

// MathPath is the import path of the package of functions of package math that package qd leaves to it.
const MathPath = QDPath + "/mathx"

// OwnPaths are the import paths of this module's packages that kernels use. Each imports none but
// those before it.
var OwnPaths = []string{QDPath, BoolsPath, QDPath + "/f32", QDPath + "/f64", QDPath + "/i32", QDPath + "/u32", TilePath, MathPath}

// IsOwn reports whether a package is one of this module's that kernels use: package qd and those of
// vectors, matrices, tiles and rare functions.
func IsOwn(path string) bool { return slices.Contains(OwnPaths, path) }

// A File is one Go source file.
type File struct {
	Name string // the path shown in diagnostics and #line directives
	Src  []byte // not modified

	Chosen   bool // the build has it, whatever its build constraints seem to say
	Embedded bool // it was compiled into the program; a file on disk may not be what the program was built from
}

// A Package is the source of one package. Files that build constraints exclude
// may be among its files; they are left out when it is parsed.
type Package struct {
	Path  string // import path, as package runtime writes it: "main" for a command
	Files []File

	// Tests are the package's test files where they are no part of the program: a test
	// may assign to a variable. With Partial, files of the program may be missing too.
	Tests   []File
	Partial bool

	// Assembly are the files of assembly, for whichever builds they are, as [Assembly] keeps them.
	Assembly []File

	// Named are the names that other packages may change variables by, of a package that only those around it can import
	// and that is not on disk; nil where they are not known. See [NamedElsewhere].
	Named map[string]bool

	// Standard is a package of the standard library that the program was built with.
	Standard bool

	// HostOnly is a package of the standard library that needs the operating system or Go's runtime: its functions
	// have no bodies in a kernel.
	HostOnly bool
}

// Sources are where packages' source comes from.
type Sources interface {
	// Package returns the source of the package with the given import path,
	// or nil and no error when it is not known: the package is empty then.
	// An error means that the package is known and cannot be read.
	Package(path string) (*Package, error)
}

// A Ref names a kernel.
type Ref struct {
	Pkg  string // import path, as package runtime writes it: "main" for a command, "p_test" for external tests of p
	Name string // as package runtime writes it, without the import path: "saxpy", "T.Kernel", "(*T).Kernel", "axpy[...]"; "" for a literal
	File string // where it is declared, "" when unknown; tells declarations of one name apart, and finds literals
	Line int    // 0 when unknown
	Col  int    // of a function literal, which a running program does not know: 0

	// Params are the types of a generic kernel's parameters, as package reflect knows
	// them, with import paths and separated by commas: its type arguments follow from
	// them. A name such as "axpy[float32]" has them itself. Of neither, the first types
	// that the constraints allow are taken.
	Params string

	// Captures are the variables that a function literal captures which is a value for a kernel: see
	// [FormatCaptures].
	Captures string
}

// A Program is the type-checked source of a set of kernels and of everything
// that they reach. In one that has problems anything may lack its type: what the
// type checker did not understand is not in Info, or is there with types.Invalid.
type Program struct {
	Fset    *token.FileSet
	Info    *types.Info               // over all packages but the libraries: Types, Instances, Defs, Uses, Implicits and Selections
	Kernels []*Function               // in the order asked for; without those that Problems says have no body
	Funcs   map[*types.Func]*Function // every function reached, kernels included, by its generic form; not those of libraries: of packages qd, f32, ..., math and math/bits

	// Packages are those with something reached, libraries not among them, by import
	// path, as the Sources gave them: the program is the same for as long as the
	// Sources give the same. That is more than the files that something was reached in:
	// a new one can change what a name means, and a build constraint which files count.
	Packages []*Package

	Problems []diag.Diagnostic // what the error of Check lists

	// Incomplete is whether something has no type although there are no problems: it is, or
	// depends on, the argument of a qd.Static for which a package is missing. Statics is
	// whether the functions in such arguments were asked for: see [Also].
	Incomplete bool
	Statics    bool

	texts    map[*token.File]*sourceFile
	libs     map[string]*library
	targets  map[Ref]Target
	reported map[Ref]bool      // those that have none, for what is among the Problems
	named    map[Global]Target // functions that are neither generic nor methods of generic types
	vars     map[*types.Var]*Var

	companions map[*types.Func]map[string]*Companion // by directive
	statics    map[token.Pos]*Static
}

// Function is a function or method with a body, by its generic form: one of those
// reached, or of a library. It is nil for what has none.
func (p *Program) Function(obj *types.Func) *Function {
	if f := p.Funcs[obj]; f != nil || obj.Pkg() == nil {
		return f
	}
	if lib := p.libs[obj.Pkg().Path()]; lib != nil {
		return lib.funcs[obj]
	}
	if lib := p.stub(obj.Pkg().Path()); lib != nil {
		return lib.funcs[obj]
	}
	return nil
}

// A Function is a function or method that has a body and is reached.
type Function struct {
	Obj  *types.Func // for a generic function, the generic one; nil only if Problems has the reason
	Decl *ast.FuncDecl
	Pkg  *types.Package
	File *File
	Info *types.Info // what the type checker says of its syntax

	TypeArgs []types.Type // of a generic kernel

	// Outer are the type parameters of the function around a kernel, or around a recursive function, that is a function
	// literal: TypeArgs are theirs.
	Outer *types.TypeParamList
}

// Check parses and type-checks the kernels and what they reach. The error is a
// *[diag.Diagnostics] with everything that is wrong in it, or a
// *[NotFoundError] for a kernel that the sources do not have.
//
// Where the error is about types, and not about finding or parsing the kernels,
// there is a Program too: for looking on for what else is wrong.
//
// Check is safe for concurrent use if its Sources are.
func Check(src Sources, kernels ...Ref) (*Program, error) {
	return CheckWith(src, Also{}, kernels...)
}

// Also is what is to be checked together with kernels although they do not call it by
// name.
type Also struct {
	Funcs []Ref    // functions that are given to them as values: see [Program.Target]
	Vars  []Global // package variables that they read, for all that computes their initial values
	Inits []Global // those that init functions fill, for these functions as well

	// Statics asks for the functions in the arguments of qd.Static, and Types are the types of
	// those that need packages which are not there, as package reflect names them.
	Statics bool
	Types   map[SiteID]string

	// Captures are the types of what a kernel that is a function literal captures, by its
	// name. With Symbolic it is not known what it captures.
	Captures map[string]string
	Symbolic bool
}

// A Global names a package variable.
type Global struct{ Pkg, Name string }

// CheckWith is Check of kernels together with something else.
func CheckWith(src Sources, also Also, kernels ...Ref) (*Program, error) {
	l := newLoader(src)
	p, err := l.checkAll(also, kernels)
	if l.untypedCapture && (len(also.Captures) > 0 || slices.ContainsFunc(also.Funcs, func(r Ref) bool { return r.Captures != "" })) {
		// The type checker cannot tell the types of variables that the literal captures:
		// they have those of the values.
		l = newLoader(src)
		l.declareCaptures = true
		p, err = l.checkAll(also, kernels)
	}
	return p, err
}

func (l *loader) checkAll(also Also, kernels []Ref) (*Program, error) {
	l.also = also
	for i, k := range slices.Concat(kernels, also.Funcs) {
		if i >= len(kernels) {
			k.Pkg = StandsIn(l.src, k)
		}
		if k.File != "" {
			l.wanted[k.Pkg] = append(l.wanted[k.Pkg], baseName(k.File))
		}
	}
	l.loadOwn(QDPath)

	roots := make([]root, 0, len(kernels)+len(also.Funcs))
	for i, k := range slices.Concat(kernels, also.Funcs) {
		d, err := l.find(k, i >= len(kernels))
		if err != nil {
			return nil, err
		}
		if d != nil {
			roots = append(roots, root{d, k, i >= len(kernels)})
		}
	}
	if err := l.problems.Err(); err != nil {
		return nil, err // syntax errors: what follows them in a file is not there
	}
	l.problems.Add(l.literals.All()...)
	for _, d := range roots {
		l.reach(d.decl, called)
		l.reachTypes(d.ref)
	}
	for _, t := range also.Captures {
		l.reachTypeNames(t, "")
	}
	for _, v := range also.Vars {
		l.computes(v)
	}
	for _, v := range also.Inits {
		fills(l, v)
	}
	l.run()
	l.numberStatics()
	l.replaceStatics(also.Types)
	l.run()
	l.findCycles()
	l.limitStrings()
	if l.problems.Len() > l.literals.Len() {
		return nil, l.problems.Err()
	}
	l.checkOwn()
	l.prog.Info = newInfo(l.size)
	for _, p := range l.order {
		l.check(p)
	}
	l.prog.Statics = also.Statics
	l.finish(roots, also)
	if err := l.problems.Err(); err != nil {
		l.prog.Problems = l.problems.All()
		return l.prog, err
	}
	return l.prog, nil
}

// StandsIn is the package that a function stands in. A literal of a function that the Go compiler inlines is named
// after the function that calls that, perhaps of another package: its file tells.
func StandsIn(src Sources, k Ref) string {
	if !gort.IsInlinedLiteral(k.Name) || k.File == "" {
		return k.Pkg
	}
	if !filepath.IsAbs(k.File) { // built with -trimpath: import path and file
		if p, _ := src.Package(path.Dir(k.File)); p != nil {
			return path.Dir(k.File)
		}
		return k.Pkg
	}
	if _, p, err := Disk(k.File); err == nil {
		return p.Path
	}
	return k.Pkg
}

// addFile makes a parsed file part of the program.
func (p *Program) addFile(f *sourceFile) {
	p.Fset.AddExistingFiles(f.tok)
	p.texts[f.tok] = f
}

// Line returns the text of the source line of pos, without its line ending. It
// is "" for positions that are in none of the program's files.
func (p *Program) Line(pos token.Pos) string {
	f := p.texts[p.Fset.File(pos)]
	if f == nil {
		return ""
	}
	return string(f.lineAt(pos))
}

// Generated reports whether a position is in a file that a program wrote, as its first
// lines say in Go's convention.
func (p *Program) Generated(pos token.Pos) bool {
	f := p.texts[p.Fset.File(pos)]
	return f != nil && isGenerated(f.Src[:f.tok.Offset(f.syntax.Package)])
}

// isGenerated reports whether a comment of a generated file is in the text before a package clause.
func isGenerated(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if bytes.HasPrefix(line, []byte("// Code generated ")) && bytes.HasSuffix(line, []byte(" DO NOT EDIT.")) {
			return true
		}
	}
	return false
}

// maxLine is the longest source line that a diagnostic shows: longer ones were
// written by a program and help nobody.
const maxLine = 400

// Diagnostic makes a diagnostic for the source from pos to end, with the source
// line. An end that is not past pos means the end of the word at pos. The hint
// says what to do instead; it may be empty.
func (p *Program) Diagnostic(pos, end token.Pos, hint, format string, args ...any) diag.Diagnostic {
	d := diag.Diagnostic{Msg: fmt.Sprintf(format, args...), Hint: hint}
	f := p.texts[p.Fset.File(pos)]
	if f == nil {
		return d
	}
	if end <= pos || int(end) > f.tok.Base()+f.tok.Size() {
		end = pos + token.Pos(wordLen(f.Src[f.tok.Offset(pos):]))
	}
	// Line directives do not count: the line shown is that of the file at hand.
	d.Pos, d.End = f.tok.PositionFor(pos, false), f.tok.PositionFor(end, false)
	if line := f.lineAt(pos); len(line) <= maxLine {
		d.Line = string(line)
	}
	return d
}

// lineAt is the source line of pos, without its line ending.
func (f *sourceFile) lineAt(pos token.Pos) []byte {
	line := f.line(pos)
	from, to := f.tok.Offset(f.tok.LineStart(line)), len(f.Src)
	if line < f.tok.LineCount() {
		to = f.tok.Offset(f.tok.LineStart(line + 1))
	}
	return bytes.TrimRight(f.Src[from:to], "\r\n")
}

// line is the number of the source line of pos.
func (f *sourceFile) line(pos token.Pos) int { return f.tok.PositionFor(pos, false).Line }

// wordLen is the length of the identifier or number that src begins with, and at
// least 1 where there is anything.
func wordLen(src []byte) int {
	n := 0
	for n < len(src) {
		r, size := utf8.DecodeRune(src[n:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		n += size
	}
	return max(n, min(1, len(src)))
}

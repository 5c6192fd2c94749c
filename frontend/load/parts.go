package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"sort"
	"strings"
)

// This module's packages are large, and a program uses little of them: their declarations are found by the text
// at the beginning of lines, as gofmt writes it, and parsed when they are first reached.

// A part is a package-level declaration of a library.
type part struct {
	file       *partFile
	start, end int // offsets in the file's text
	number     int // in source order

	next *part // another declaration of the same name

	decl  ast.Decl // nil until it is parsed
	names []string // what it names, and selects
	picks []string
	of    []Global // of packages that it imports
}

// A partFile is a file of a library.
type partFile struct {
	*File
	index  *partIndex
	base   int
	parts  []part
	parsed *sourceFile // without declarations; nil until one is reached
}

// partIndex is where a library declares what.
type partIndex struct {
	pkg     *sourcePackage
	files   []*partFile
	decls   map[string]*part // by name
	methods map[string]*methods
	typeOf  map[*part][]string // the types that a declaration declares
	imports []string           // which of this module's packages its files import

	companions map[string][]*part // by the name of the function that they are companions of
}

// methods are those of one type.
type methods struct {
	parts  []*part
	byName map[string][]*part // by names in lower case, once the type is reached
}

// newPartIndex finds the declarations of a package.
func newPartIndex(src *Package, base int) *partIndex {
	x := &partIndex{
		pkg:     &sourcePackage{path: src.Path, given: src},
		decls:   make(map[string]*part),
		methods: make(map[string]*methods),
		typeOf:  make(map[*part][]string),

		companions: make(map[string][]*part),
	}
	count := 0
	for i := range src.Files {
		f := &partFile{File: &src.Files[i], index: x, base: base}
		f.scan(count)
		if !included(&File{Name: f.Name, Src: f.head()}) {
			continue
		}
		base += len(f.Src) + 1
		x.files = append(x.files, f)
		count += len(f.parts)
		for _, path := range OwnPaths {
			if path != QDPath && !slices.Contains(x.imports, path) && bytes.Contains(f.head(), []byte(`"`+path+`"`)) {
				x.imports = append(x.imports, path)
			}
		}
		hasCompanions := bytes.Contains(f.Src, []byte(Gradient))
		for i := range f.parts {
			x.enter(&f.parts[i])
			if hasCompanions {
				for _, line := range companionsAbove(f.Src, f.parts[i].start) {
					x.companions[line.of] = append(x.companions[line.of], &f.parts[i])
				}
			}
		}
	}
	if base > baseOf(src.Path)+ownRoom {
		panic("BUG: load: package " + src.Path + " is too large")
	}
	return x
}

// scan finds the declarations of a file: each reaches from a line that begins with its keyword
// to the next such line.
func (f *partFile) scan(number int) {
	f.parts = make([]part, 0, len(f.Src)/bytesPerPart)
	for at := 0; at < len(f.Src); {
		if line := f.Src[at:]; hasKeyword(line) {
			if n := len(f.parts); n > 0 {
				f.parts[n-1].end = at
			}
			f.parts = append(f.parts, part{file: f, start: at, end: len(f.Src), number: number + len(f.parts)})
		}
		end := bytes.IndexByte(f.Src[at:], '\n') + 1
		if end == 0 {
			break
		}
		at += end
	}
}

// head is what stands in front of a file's declarations.
func (f *partFile) head() []byte {
	if len(f.parts) == 0 {
		return f.Src
	}
	return f.Src[:f.parts[0].start]
}

// bytesPerPart is how long declarations are at least, on the average.
const bytesPerPart = 100

// hasKeyword reports whether a line begins a declaration.
func hasKeyword(line []byte) bool {
	keyword := ""
	switch line[0] {
	case 'f':
		keyword = "func "
	case 't':
		keyword = "type "
	case 'c':
		keyword = "const "
	case 'v':
		keyword = "var "
	}
	return keyword != "" && len(line) > len(keyword) && string(line[:len(keyword)]) == keyword
}

// enter makes a declaration known by its names, a method by its receiver's type only.
func (x *partIndex) enter(p *part) {
	text := p.file.Src[p.start:p.end]
	rest := text[bytes.IndexByte(text, ' ')+1:]
	isList := rest[0] == '('
	switch {
	case isList && text[0] == 'f':
		recv := rest[1 : 1+bytes.IndexAny(rest[1:], "[)")]
		recv = recv[bytes.LastIndexAny(recv, " *")+1:]
		of := x.methods[string(recv)]
		if of == nil {
			of = new(methods)
			x.methods[string(recv)] = of
		}
		of.parts = append(of.parts, p)
	case text[0] == 'f':
		name := word(rest)
		p.next, x.decls[name] = x.decls[name], p
	case text[0] == 't' && !isList:
		name := word(rest)
		p.next, x.decls[name] = x.decls[name], p
		x.typeOf[p] = []string{name}
	default: // lists of names
		x.parse(p)
		group, ok := p.decl.(*ast.GenDecl)
		if !ok {
			return
		}
		for _, spec := range group.Specs {
			for _, id := range specNames(spec) {
				x.decls[id.Name] = p
				if group.Tok == token.TYPE {
					x.typeOf[p] = append(x.typeOf[p], id.Name)
				}
			}
		}
	}
}

// of are a type's methods by their names in lower case, nil for a type without any.
func (x *partIndex) of(typ string) map[string][]*part {
	m := x.methods[typ]
	if m == nil {
		return nil
	}
	if m.byName == nil {
		m.byName = make(map[string][]*part, len(m.parts))
		for _, p := range m.parts {
			text := p.file.Src[p.start:p.end]
			name := strings.ToLower(word(bytes.TrimLeft(text[bytes.IndexByte(text, ')')+1:], " ")))
			m.byName[name] = append(m.byName[name], p)
		}
	}
	return m.byName
}

// word is the identifier that a text begins with.
func word(text []byte) string { return string(text[:min(wordLen(text), len(text))]) }

// parse parses a declaration, with the positions that it has in its file.
func (x *partIndex) parse(p *part) {
	if p.decl != nil {
		return
	}
	const clause = "package p;"
	text := append([]byte(clause), p.file.Src[p.start:p.end]...)
	f := &sourceFile{File: &File{Name: p.file.Name, Src: text}, own: true}
	f.parse(p.file.base+p.start-len(clause), parser.SkipObjectResolution)
	if len(f.syntax.Decls) == 0 {
		p.decl = &ast.BadDecl{}
		return
	}
	p.decl = f.syntax.Decls[0]
	ast.Inspect(p.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			p.names = append(p.names, n.Name)
		case *ast.SelectorExpr:
			p.picks = append(p.picks, n.Sel.Name)
			if id, ok := n.X.(*ast.Ident); ok {
				if path := p.file.imported(id.Name); path != "" {
					p.of = append(p.of, Global{path, n.Sel.Name})
				}
			}
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				for _, id := range m.Names {
					p.picks = append(p.picks, id.Name)
				}
			}
		}
		return true
	})
}

// header is a file without its declarations, but with the clauses of its imports.
func (f *partFile) header() *sourceFile {
	if f.parsed == nil {
		f.parsed = &sourceFile{File: f.File, pkg: f.index.pkg, own: true}
		f.parsed.parse(f.base, parser.ImportsOnly|parser.SkipObjectResolution)
		f.parsed.tok.SetLinesForContent(f.Src) // the parser has not come that far
		f.parsed.syntax.Decls = nil
	}
	return f.parsed
}

// imported is the path of the one of this module's packages that is imported under a name, "" for none.
func (f *partFile) imported(name string) string {
	for _, spec := range f.header().syntax.Imports {
		if path := importPath(spec); IsOwn(path) && conventionalName(path) == name {
			return path
		}
	}
	return ""
}

// source is a file with the imports that some of its declarations name, but without declarations.
func (f *partFile) source(parts []*part) *sourceFile {
	source := f.header()
	source.useConventional(func(name string) bool {
		return slices.ContainsFunc(parts, func(p *part) bool { return slices.Contains(p.names, name) })
	})
	return source
}

// A wish is what a program names of libraries: declarations, and methods of the types
// among them, be it in other letter cases, for the type checker's hints.
type wish struct {
	names   map[Global]bool
	methods map[string]bool
}

func newWish() wish { return wish{make(map[Global]bool), make(map[string]bool)} }

// reached are the declarations that a wish needs, with all that these need.
func (o *ownPackages) reached(w wish) map[*part]bool {
	found := make(map[*part]bool)
	picked := make(map[string]bool) // in lower case
	types := make(map[*partIndex]map[string]bool)
	var queue []*part
	reach := func(list ...*part) {
		for _, p := range list {
			if !found[p] {
				found[p] = true
				queue = append(queue, p)
			}
		}
	}
	name := func(x *partIndex, name string) {
		for p := x.decls[name]; p != nil; p = p.next {
			reach(p)
		}
	}
	named := func(g Global) {
		if x := o.indexes[g.Pkg]; x != nil {
			name(x, g.Name)
		}
	}
	pick := func(name string) {
		if name = strings.ToLower(name); picked[name] {
			return
		}
		picked[name] = true
		for x, names := range types {
			for t := range names {
				reach(x.of(t)[name]...)
			}
		}
	}
	for n := range w.methods {
		pick(n)
	}
	for g := range w.names {
		named(g)
	}
	for len(queue) > 0 {
		p := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		x := p.file.index
		x.parse(p)
		for _, n := range p.names {
			name(x, n)
		}
		if fn, ok := p.decl.(*ast.FuncDecl); ok {
			reach(x.companions[plainRef(refName(fn))]...)
		}
		for _, g := range p.of {
			named(g)
		}
		for _, n := range p.picks {
			pick(n)
		}
		for _, t := range x.typeOf[p] {
			if types[x] == nil {
				types[x] = make(map[string]bool)
			}
			types[x][t] = true
			of := x.of(t)
			for n := range picked {
				reach(of[n]...)
			}
		}
	}
	return found
}

// syntax are the files of those of some declarations that the package has, in source order, and the number of bytes of
// these.
func (x *partIndex) syntax(parts map[*part]bool) (files []*sourceFile, syntax []*ast.File, size int) {
	byFile := make(map[*partFile][]*part)
	inOrder := make([]*part, 0, len(parts))
	for p := range parts {
		if p.file.index == x {
			inOrder = append(inOrder, p)
		}
	}
	sort.Slice(inOrder, func(i, j int) bool { return inOrder[i].number < inOrder[j].number })
	for _, p := range inOrder {
		byFile[p.file] = append(byFile[p.file], p)
		size += p.end - p.start
	}
	for _, pf := range x.files {
		if len(byFile[pf]) == 0 {
			continue
		}
		f := pf.source(byFile[pf])
		trimmed := f.withImports()
		for _, p := range byFile[pf] {
			trimmed.Decls = append(trimmed.Decls, p.decl)
		}
		files = append(files, f)
		syntax = append(syntax, trimmed)
	}
	return files, syntax, size
}

package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"sync"
)

// sourcePackage is a package with its source, parsed and indexed by name.
type sourcePackage struct {
	path    string // as it was asked for
	name    string
	given   *Package // by the sources
	files   []*sourceFile
	decls   map[string][]*decl // package-level declarations; several of one name are an error, or files of different builds
	methods map[string][]*decl // by the name of the receiver's base type
	used    bool               // its text says which kernel is meant

	companions map[string][]companionDecl // by the name of the function that they are companions of

	types  *types.Package            // nil until it is checked
	others map[string]*sourcePackage // those of the program, by import path

	assemblyOnce sync.Once
	assembly     map[string]bool // names that assembly may set: see inAssembly

	scan    sync.Once
	scanned map[string][]varUse // see uses
	inits   inits
}

// decl is one package-level declaration: a function or method, a type, one line
// of a var declaration, or a whole const declaration, whose lines count (iota)
// and repeat each other.
type decl struct {
	file  *sourceFile
	fn    *ast.FuncDecl // nil, or
	group *ast.GenDecl  // the declaration
	spec  ast.Spec      // of group; nil for a const declaration
	level level         // how much of it is reached by syntax

	literal *kernelLiteral // that fn is cut out around, or nil
	lit     *ast.FuncLit   // the copy of it in fn
	local   *ast.TypeSpec  // a copy of a local type that fn is cut out around, or nil

	computed bool // of a variable: the functions that its initial value calls are reached
	filled   bool // of a variable, or of a function that computes one: so are the init functions that may change what it names
}

// specs are the lines of a declaration that is no function.
func (d *decl) specs() []ast.Spec {
	if d.spec == nil {
		return d.group.Specs
	}
	return []ast.Spec{d.spec}
}

// level is how much of a declaration is reached. A higher level includes the lower ones.
type level int

const (
	unreached level = iota
	listed          // a method's signature, because its receiver's type is reached: packages it names are not loaded for it
	declared        // all but the bodies of functions
	called          // everything
)

// parsePackage parses those files of a package that build constraints include or
// must is true for, with positions from base on. With own the syntax is nobody else's. It
// returns the base for what comes after them.
func parsePackage(src *Package, base int, mode parser.Mode, own bool, must func(*File) bool) (p *sourcePackage, next int) {
	return parseIncluded(src, base, mode, own, func(f *File) bool { return must(f) || included(f) }, must)
}

// parseIncluded is parsePackage of the files that include is true for.
func parseIncluded(src *Package, base int, mode parser.Mode, own bool, include, must func(*File) bool) (p *sourcePackage, next int) {
	p = &sourcePackage{path: src.Path, given: src, decls: make(map[string][]*decl), methods: make(map[string][]*decl)}
	var files []*sourceFile
	for i := range src.Files {
		f := &src.Files[i]
		if include(f) {
			files = append(files, &sourceFile{File: forKernels(src.Path, f), pkg: p, own: own})
		}
	}
	next = parseFiles(files, base, mode)

	// A directory may hold commands to be run by file name beside its package;
	// the file that is asked for says which package is meant.
	for _, f := range files {
		if name := f.syntax.Name.Name; name != "" && (p.name == "" || must(f.File)) {
			p.name = name
			if must(f.File) {
				break
			}
		}
	}
	for _, f := range files {
		if name := f.syntax.Name.Name; name == p.name || name == "" || must(f.File) {
			p.files = append(p.files, f)
			p.index(f)
			p.indexCompanions(f)
		}
	}
	p.resolveReceivers()
	return p, next
}

// maxAliases ends a chain of aliases, which may be a cycle: that is for the type
// checker to report.
const maxAliases = 16

// resolveReceivers enters methods that are declared through an alias of their
// receiver's type under the type itself.
func (p *sourcePackage) resolveReceivers() {
	for name, methods := range p.methods {
		base := name
		for range maxAliases {
			next, ok := p.aliased(base)
			if !ok {
				break
			}
			base = next
		}
		if base != name {
			p.methods[base] = append(p.methods[base], methods...)
		}
	}
}

// aliased is what a type declared as an alias of another of its package stands for.
func (p *sourcePackage) aliased(name string) (string, bool) {
	for _, d := range p.decls[name] {
		if spec, ok := d.spec.(*ast.TypeSpec); ok && spec.Assign.IsValid() {
			base, _ := receiverBase(spec.Type)
			if id, ok := base.(*ast.Ident); ok {
				return id.Name, true
			}
		}
	}
	return "", false
}

// reached reports whether anything of the package is.
func (p *sourcePackage) reached() bool {
	if p.used {
		return true
	}
	for _, f := range p.files {
		for _, d := range f.decls {
			if d.level != unreached {
				return true
			}
		}
	}
	return false
}

// index enters the declarations of a file. They are made in one piece: a package is indexed anew for each of its kernels.
func (p *sourcePackage) index(f *sourceFile) {
	room := make([]decl, f.declarations())
	f.decls = make([]*decl, 0, len(room))
	add := func(d decl) []*decl {
		at := len(f.decls)
		room[at] = d
		f.decls = append(f.decls, &room[at])
		return f.decls[at : at+1 : at+1]
	}
	enter := func(decls map[string][]*decl, name string, one []*decl) {
		if list := decls[name]; list != nil {
			one = append(list, one...)
		}
		decls[name] = one
	}
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			one := add(decl{file: f, fn: d})
			if d.Recv == nil {
				enter(p.decls, d.Name.Name, one)
			} else if recv := ReceiverName(d); recv != "" {
				enter(p.methods, recv, one)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			var one []*decl
			if d.Tok == token.CONST {
				one = add(decl{file: f, group: d})
			}
			for _, spec := range d.Specs {
				if d.Tok != token.CONST {
					one = add(decl{file: f, group: d, spec: spec})
				}
				for _, id := range specNames(spec) {
					enter(p.decls, id.Name, one)
				}
			}
		}
	}
}

// declarations is how many of them index makes.
func (f *sourceFile) declarations() (n int) {
	for _, d := range f.syntax.Decls {
		group, ok := d.(*ast.GenDecl)
		switch {
		case !ok, group.Tok == token.CONST:
			n++
		case group.Tok != token.IMPORT:
			n += len(group.Specs)
		}
	}
	return n
}

// specNames are the names that a type, const or var declaration declares.
func specNames(spec ast.Spec) []*ast.Ident {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{spec.Name}
	case *ast.ValueSpec:
		return spec.Names
	}
	return nil
}

// lookup finds what a name means in a file. Of several declarations those in the
// file itself are meant: the others belong to another build.
func (p *sourcePackage) lookup(from *sourceFile, name string) []*decl {
	all := p.decls[name]
	if len(all) < 2 {
		return all
	}
	var own []*decl
	for _, d := range all {
		if d.file == from {
			own = append(own, d)
		}
	}
	if len(own) > 0 {
		return own
	}
	return all
}

// broken are the files with syntax errors.
func (p *sourcePackage) broken() []*sourceFile {
	var list []*sourceFile
	for _, f := range p.files {
		if len(f.errs) > 0 {
			list = append(list, f)
		}
	}
	return list
}

// withImports is the file's syntax with the imports that are needed and nothing else. The
// original is not modified.
func (f *sourceFile) withImports() *ast.File {
	file := *f.syntax
	file.Decls, file.Imports = nil, nil
	if imports := f.usedImports(); len(imports) > 0 {
		pos := imports[0].Pos()
		file.Decls = append(file.Decls, &ast.GenDecl{TokPos: pos, Tok: token.IMPORT, Lparen: pos, Specs: imports})
	}
	return &file
}

// trimmed is the file's syntax with what is reached of it and nothing else, nil
// if that is nothing. The original is not modified.
func (f *sourceFile) trimmed() *ast.File {
	file := f.withImports()
	reached := false
	var group, original *ast.GenDecl
	for _, d := range f.decls {
		if d.level == unreached {
			continue
		}
		reached = true
		switch {
		case d.fn == nil && d.spec == nil:
			file.Decls = append(file.Decls, d.group)
		case d.fn == nil:
			if d.group != original {
				original, group = d.group, new(ast.GenDecl)
				*group = *d.group
				group.Specs = nil
				file.Decls = append(file.Decls, group)
			}
			group.Specs = append(group.Specs, d.spec)
		case d.level < called:
			signature := *d.fn
			signature.Body = nil
			file.Decls = append(file.Decls, &signature)
		default:
			file.Decls = append(file.Decls, d.fn)
		}
	}
	if !reached {
		return nil
	}
	return file
}

package load

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// importNamed finds the import that a file uses under a name, nil if there is none.
// An import that is not renamed does not say its name. It is found by what names
// usually are, so that packages nothing is needed from are not loaded for theirs.
func (l *loader) importNamed(f *sourceFile, name string) *ast.ImportSpec {
	if f.imports == nil {
		f.guessImports()
	}
	if spec := f.imports[name]; spec != nil && l.fits(spec, name) {
		return spec
	}
	if !f.allLoaded {
		f.allLoaded = true
		for _, spec := range f.syntax.Imports {
			if spec.Name != nil || l.isStandard(importPath(spec)) {
				continue
			}
			p := l.load(importPath(spec))
			if p == nil {
				continue
			}
			if guess := f.imports[p.name]; guess == nil || !l.fits(guess, p.name) {
				f.imports[p.name] = spec
			}
		}
	}
	return f.imports[name]
}

// fits reports whether an import may have a name: it is renamed to it, or the
// package says so, or is not to be had.
func (l *loader) fits(spec *ast.ImportSpec, name string) bool {
	if spec.Name != nil {
		return spec.Name.Name == name
	}
	path := importPath(spec)
	if conventionalName(path) == name && l.isStandard(path) {
		return true
	}
	p := l.load(path)
	return p == nil || p.name == name
}

// isStandard reports whether an import path is one of the standard library, whose packages have conventional names. It
// is not loaded for that.
func (l *loader) isStandard(path string) bool {
	return isStandard(path) && l.pkgs[path] == nil && inGoRoot(path)
}

// guessImports names a file's imports: as they are renamed, by convention, then by
// any resemblance, as of "go-yaml" and "yaml.v3" with yaml.
func (f *sourceFile) guessImports() {
	f.imports = make(map[string]*ast.ImportSpec)
	guess := func(names func(spec *ast.ImportSpec) []string) {
		for _, spec := range f.syntax.Imports {
			for _, name := range names(spec) {
				if f.imports[name] == nil {
					f.imports[name] = spec
				}
			}
		}
	}
	guess(func(spec *ast.ImportSpec) []string {
		if spec.Name == nil || spec.Name.Name == "." || spec.Name.Name == "_" {
			return nil
		}
		return []string{spec.Name.Name}
	})
	guess(func(spec *ast.ImportSpec) []string {
		if spec.Name != nil {
			return nil
		}
		return []string{conventionalName(importPath(spec))}
	})
	guess(func(spec *ast.ImportSpec) []string {
		if spec.Name != nil {
			return nil
		}
		return strings.FieldsFunc(conventionalName(importPath(spec)), func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
	})
}

// importPath is the path of an import, "" where it is malformed.
func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return p
}

// conventionalName is the name of the package with an import path, by convention: the
// last element that is not a major version.
func conventionalName(importPath string) string {
	base := path.Base(importPath)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(importPath))
	}
	return base
}

// useImport keeps an import, under a name, for the type checker.
func (f *sourceFile) useImport(name string, spec *ast.ImportSpec) {
	if f.used == nil {
		f.used = make(map[string]*ast.ImportSpec)
	}
	f.used[name] = spec
}

// useDot keeps a dot import.
func (f *sourceFile) useDot(spec *ast.ImportSpec) {
	if !slices.Contains(f.dots, spec) {
		f.dots = append(f.dots, spec)
	}
}

// usedImports are the imports that something reached needs, each with the name
// that it is used under: for a package that is not loaded, nothing else says it.
func (f *sourceFile) usedImports() []ast.Spec {
	names := slices.Collect(maps.Keys(f.used))
	sort.Slice(names, func(i, j int) bool {
		if at, other := f.used[names[i]].Pos(), f.used[names[j]].Pos(); at != other {
			return at < other
		}
		return names[i] < names[j]
	})
	var specs []ast.Spec
	for _, name := range names {
		spec := *f.used[name]
		if name == "C" { // which must not be renamed, not even to itself
			specs = append(specs, &spec)
			continue
		}
		spec.Name = &ast.Ident{NamePos: spec.Pos(), Name: name}
		specs = append(specs, &spec)
	}
	for _, spec := range f.dots {
		specs = append(specs, spec)
	}
	return specs
}

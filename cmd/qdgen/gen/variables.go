package gen

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"
)

// addVars adds the variables that kernels read: the package's own and those of others
// that it can name. It returns the files they are declared in.
func (p *plan) addVars(c *closure) (files []string) {
	for _, n := range sortedNames(c.vars) {
		v := c.vars[n]
		if !registrable(v.Type()) && (n.pkg == p.PkgPath || !tellable(v.Type())) {
			continue
		}
		group := runtimePath(c.l.listed[n.pkg])
		if n.pkg != p.PkgPath && (!ast.IsExported(n.name) || !importable(p.PkgPath, n.pkg)) {
			continue // its own package has it: see needs
		}
		if p.without.hasVar(group, n.name) {
			continue
		}
		for _, d := range c.l.typed[n.pkg].decls[n.name] {
			if n.pkg == p.PkgPath {
				files = append(files, d.file)
			}
		}
		if last := len(p.vars) - 1; last < 0 || p.vars[last].path != group {
			p.vars = append(p.vars, varGroup{path: group})
		}
		last := &p.vars[len(p.vars)-1]
		last.names = append(last.names, n.name)
	}
	return files
}

// addStandardVars adds the variables of the standard library that kernels read.
func (p *plan) addStandardVars(l *loader) error {
	var paths []string
	for _, r := range p.reached {
		if !r.HostOnly && !strings.HasPrefix(r.Path, "vendor/") && importable(p.PkgPath, r.Path) && slices.ContainsFunc(r.Names, ast.IsExported) {
			paths = append(paths, r.Path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	list, err := l.list(paths)
	if err != nil {
		return err
	}
	pkgs, err := list.Exported(paths...)
	if err != nil {
		return err
	}
	for _, r := range p.reached {
		pkg := pkgs[r.Path]
		if pkg == nil {
			continue
		}
		group := varGroup{path: r.Path}
		for _, id := range r.Names {
			// A value that is empty has no more to tell than its type.
			if v, ok := pkg.Scope().Lookup(id).(*types.Var); ok && v.Exported() && tellable(v.Type()) && !isEmpty(v.Type()) {
				group.names = append(group.names, id)
			}
		}
		if len(group.names) > 0 {
			p.vars = append(p.vars, group)
		}
	}
	return nil
}

// isEmpty reports whether a type is that of a struct without fields.
func isEmpty(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// importable reports whether a package may import another as far as directories named
// internal allow it.
func importable(from, to string) bool {
	parts := strings.Split(to, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] == "internal" {
			parent := path.Join(parts[:i]...)
			return from == parent || strings.HasPrefix(from, parent+"/")
		}
	}
	return true
}

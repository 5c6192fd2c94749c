package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
)

// A package variable has its initial value at every launch if nothing in the program can
// give it another one. That is concluded from the source of its package, the functions
// that no kernel reaches and the tests included, by what is done with its name.

// Changed says why a variable may have another value than its initial one: "is assigned
// at main.go:12". It is "" for one that cannot.
func (v *Var) Changed() string {
	return v.changed(func(how string, _ varUse) bool { return how != isHandedToStatic })
}

// ChangedLater is Changed after the variable's package has been initialized: what init functions do, and what only they
// call, does not count.
func (v *Var) ChangedLater() string {
	var once map[*ast.FuncDecl]bool
	return v.changed(func(how string, u varUse) bool {
		if how == isHandedToStatic {
			return false
		}
		if once == nil {
			once = v.pkg.onlyInits()
		}
		fn, ok := u.above[0].(*ast.FuncDecl)
		return !ok || !once[fn] || withinLiteral(u)
	})
}

// Assigned says where the variable's package assigns to it, or to what it leads to by its name, after its
// initialization; "" if nowhere. Others may, who have its address, or a slice or a pointer that it holds, or its name,
// if it is exported.
func (v *Var) Assigned() string {
	for _, u := range v.pkg.uses()[v.Obj.Name()] {
		fn, ok := u.above[0].(*ast.FuncDecl)
		if how := v.pkg.changes(u, v.Obj); how == isAssigned && (!ok || !v.pkg.onlyInits()[fn] || withinLiteral(u)) {
			return fmt.Sprintf("%s at %s:%d", how, u.at.Filename, u.at.Line)
		}
	}
	return ""
}

// Reassigned is Changed of a variable whose type is an interface: what that holds cannot be changed through a copy
// of it, only by another assignment. What a pointer in it leads to is not looked at.
func (v *Var) Reassigned() string {
	return v.changed(func(how string, _ varUse) bool { return how != isHandedToStatic && how != isHandedOn })
}

// PointeeChanged says where the package of a variable of an interface type may write to what the variable's pointer
// leads to, whose type is t; "" if nowhere.
func (v *Var) PointeeChanged(t types.Type) string {
	for _, u := range v.pkg.uses()[v.Obj.Name()] {
		if how := v.pkg.walkUses(v.Obj.Pkg(), true).use(u, t, false); how != "" {
			return fmt.Sprintf("%s at %s:%d", how, u.at.Filename, u.at.Line)
		}
	}
	return ""
}

// OnlyReadByMethod reports whether a method with a pointer receiver, called on what the variable leads to, writes
// nothing through the receiver, and hands it to nobody who might.
func (v *Var) OnlyReadByMethod(m *types.Func) bool {
	return v.pkg.walkUses(v.Obj.Pkg(), true).methodOnlyReads(m)
}

func (v *Var) changed(counts func(how string, u varUse) bool) string {
	name := v.Obj.Name()
	if why := v.SetOutside(); why != "" {
		return why
	}
	if v.MayBeAssignedElsewhere() && !v.IsTakenAsKept() {
		return "is exported, so any package may assign to it"
	}
	if v.IsExported() {
		if at := v.pkg.assignedElsewhere(name, HoldsReferences(v.Obj.Type())); at != "" {
			return isAssigned + " at " + at
		}
	}
	for _, u := range v.pkg.uses()[name] {
		if how := v.pkg.changes(u, v.Obj); how != "" && counts(how, u) {
			return fmt.Sprintf("%s at %s:%d", how, u.at.Filename, u.at.Line)
		}
	}
	return ""
}

// IsExported reports whether other packages can assign to the variable.
func (v *Var) IsExported() bool {
	return v.Obj.Exported() && v.pkg.name != "main" && !strings.HasSuffix(v.pkg.name, "_test")
}

// SetOutside says what may give the variable another value than its initial one that is no Go code of its package.
func (v *Var) SetOutside() string {
	name := v.Obj.Name()
	switch {
	case v.pkg.given.Partial:
		return "may be assigned in a file of its package that is not registered"
	case len(v.Spec.Values) == 0 && v.pkg.importsEmbed(v.Spec):
		return "may be initialized from an embedded file"
	case v.pkg.isLinkname(name):
		return "is a variable of another package, or set by one, as its go:linkname says"
	case v.pkg.inAssembly(name):
		return "may be set in assembly"
	case linkerSets(v.Pkg.Path(), name) && isString(v.Obj.Type()):
		return "is set by the linker"
	}
	return ""
}

// MayChange is Changed for those who run the Go code of qd.Static, which can change what slices
// and maps hold that it is given.
func (v *Var) MayChange() bool {
	return v.Changed() != "" || slices.ContainsFunc(v.pkg.uses()[v.Obj.Name()], func(u varUse) bool { return v.pkg.changes(u, v.Obj) != "" })
}

// isLinkname reports whether a variable or function has a go:linkname directive.
func (p *sourcePackage) isLinkname(name string) bool {
	directive := []byte("//go:linkname " + name)
	return slices.ContainsFunc(p.files, func(f *sourceFile) bool {
		for rest := f.Src; ; {
			_, after, found := bytes.Cut(rest, directive)
			if !found {
				return false
			}
			if len(after) == 0 || unicode.IsSpace(rune(after[0])) {
				return true
			}
			rest = after
		}
	})
}

// importsEmbed reports whether the file of a variable imports package embed, without
// which there is no //go:embed.
func (p *sourcePackage) importsEmbed(spec *ast.ValueSpec) bool {
	for _, f := range p.files {
		if spec.Pos() < f.syntax.FileStart || spec.Pos() >= f.syntax.FileEnd {
			continue
		}
		for _, im := range f.syntax.Imports {
			if importPath(im) == "embed" {
				return true
			}
		}
	}
	return false
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// linkerSets reports whether the flags of this program's linker have a string variable
// set, as -X main.version=1.2 does.
func linkerSets(pkg, name string) bool {
	return strings.Contains(linkerFlags(), pkg+"."+name+"=")
}

// A varUse is a place where something is done with a package variable: it, or a part of
// it, stands in what is above it in the syntax.
type varUse struct {
	id    *ast.Ident
	above []ast.Node // from the declaration down to the parent of id
	at    token.Position
	file  *ast.File
}

// uses are the uses of the package's variables, by their names.
func (p *sourcePackage) uses() map[string][]varUse {
	p.scan.Do(func() {
		p.scanned = p.usesOf(p.varNames())
	})
	return p.scanned
}

// usesOf are the uses of package-level names in the package and its tests.
func (p *sourcePackage) usesOf(names map[string]bool) map[string][]varUse {
	found := make(map[string][]varUse)
	for _, f := range p.files {
		scanFile(names, f.syntax, f.tok, found)
	}
	for _, t := range p.tests() {
		fset := token.NewFileSet()
		if syntax, _ := parser.ParseFile(fset, t.Name, t.Src, parseMode); syntax != nil {
			scanFile(names, syntax, fset.File(syntax.FileStart), found)
		}
	}
	return found
}

// tests are the files of the package's tests that the program may have: those of a module that somebody else has
// released are only in a program that is the test of that package.
func (p *sourcePackage) tests() []File {
	if len(p.given.Tests) > 0 && IsOthers(p.given.Tests[0].Name) && !isTestOf(p.given.Path) {
		return nil
	}
	return p.given.Tests
}

// varNames are the names of the package's variables.
func (p *sourcePackage) varNames() map[string]bool {
	vars := make(map[string]bool)
	for _, f := range p.files {
		for _, d := range f.decls {
			if d.spec == nil || d.group.Tok != token.VAR {
				continue
			}
			for _, id := range specNames(d.spec) {
				vars[id.Name] = true
			}
		}
	}
	return vars
}

func scanFile(names map[string]bool, f *ast.File, tok *token.File, found map[string][]varUse) {
	for _, d := range f.Decls {
		free := make(map[*ast.Ident]bool)
		note := func(id *ast.Ident) {
			if names[id.Name] {
				free[id] = true
			}
		}
		w := &scopeWalker{free: note, key: note, qualified: func(x, _ *ast.Ident) { note(x) }, selected: func(*ast.Ident) {}}
		w.topLevel(d)
		if len(free) == 0 {
			continue
		}
		var stack []ast.Node
		ast.Inspect(d, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			if id, ok := n.(*ast.Ident); ok && free[id] {
				found[id.Name] = append(found[id.Name],
					varUse{id, append([]ast.Node(nil), stack...), tok.PositionFor(id.Pos(), false), f})
			}
			stack = append(stack, n)
			return true
		})
	}
}

// What may be done with a variable.
const (
	isAssigned      = "is assigned"
	hasAddressTaken = "has its address taken"
	isHandedOn      = "is aliased"
	notUnderstood   = "is used in a way that qdgen cannot analyze"

	isHandedToStatic = "is aliased in a qd.Static"
)

func isPointerTo(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// throughPointer reports whether a pointer leads from a value of type t to what a
// path of embedded fields ends in.
func throughPointer(t types.Type, path []int) bool {
	if isPointerTo(t) {
		return true
	}
	for _, i := range path[:len(path)-1] {
		s, ok := t.Underlying().(*types.Struct)
		if !ok || i >= s.NumFields() {
			return false
		}
		if t = s.Field(i).Type(); isPointerTo(t) {
			return true
		}
	}
	return false
}

// elemOf is the type of a type's elements, nil where it has none.
func elemOf(t types.Type) types.Type {
	switch t := t.Underlying().(type) {
	case *types.Array:
		return t.Elem()
	case *types.Slice:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	case *types.Pointer:
		if a, ok := t.Elem().Underlying().(*types.Array); ok {
			return a.Elem()
		}
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			return types.Typ[types.Uint8]
		}
	}
	return nil
}

// HoldsReferences reports whether what a value of a type holds can be changed through a
// copy of it.
func HoldsReferences(t types.Type) bool {
	for leaf := range Leaves(t) {
		switch leaf.Underlying().(type) {
		case *types.Basic, *types.Signature:
		default:
			return true
		}
	}
	return false
}

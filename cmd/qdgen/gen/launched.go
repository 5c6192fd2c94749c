package gen

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/qdgen/qd/cmd/qdgen/vet"
	"github.com/qdgen/qd/frontend/load"
)

// A Launched is what a launch in a kernel's own package gives the kernel at compile time, as Go
// expressions that mean the same at package level of the launch's file.
type Launched struct {
	Pos      token.Position
	File     types.Object      // something that the file declares, for [Workspace.Eval]
	Receiver string            // "" of a kernel that is no method, or where only the running program has it
	Consts   map[int]string    // of [qd.Const] parameters, by index
	Types    map[string]string // the type arguments, by the names of the type parameters
}

// Launches finds the launches of a kernel in its own package.
func (w *Workspace) Launches(path string, kernel *types.Func) ([]Launched, error) {
	if err := w.l.check(path); err != nil {
		return nil, err
	}
	s := w.l.typed[path]
	if s == nil {
		return nil, nil
	}
	var list []Launched
	for _, f := range s.Syntax {
		for _, call := range vet.Calls(s.TypesInfo, []*ast.File{f}) {
			if call.Kernel != kernel {
				continue
			}
			c := closer{source: s, file: f, text: s.texts[w.l.fset.File(f.FileStart).Name()], fset: w.l.fset}
			l := Launched{Pos: w.l.fset.Position(call.Pos()), File: c.declared(), Consts: make(map[int]string)}
			if call.Receiver != nil {
				l.Receiver = c.close(call.Receiver)
			}
			for i, arg := range call.Args {
				if value := vet.ConstArg(s.TypesInfo, arg); value != nil {
					if text := c.close(value); text != "" {
						l.Consts[i+1] = text
					}
				}
			}
			for _, targs := range instancesOf(s, call.Pos(), call.TypeArgs, mostAround) {
				l.Types = make(map[string]string)
				for i, t := range targs {
					if text, ok := c.typeText(t); ok {
						l.Types[kernel.Signature().TypeParams().At(i).Obj().Name()] = text
					}
				}
				list = append(list, l)
			}
		}
	}
	return list, nil
}

// mostAround is how many generic functions may lead to a launch, each with types of the one before.
const mostAround = 4

// instancesOf are the type arguments of a launch: a list for each instance of the generic function around it that the
// package has, if they are type parameters of that function. Where there is no instance, they stay what they are.
func instancesOf(s *source, pos token.Pos, targs []types.Type, depth int) (all [][]types.Type) {
	params := paramsAround(s, pos)
	isParam := func(t types.Type) bool { _, ok := t.(*types.TypeParam); return ok }
	if depth == 0 || params == nil || !slices.ContainsFunc(targs, isParam) {
		return [][]types.Type{targs}
	}
	uses := slices.SortedFunc(maps.Keys(s.TypesInfo.Instances), func(a, b *ast.Ident) int { return int(a.Pos() - b.Pos()) })
	for _, id := range uses {
		f, ok := s.TypesInfo.Uses[id].(*types.Func)
		if !ok || f.Origin().Signature().TypeParams() != params {
			continue
		}
		list := slices.Clone(targs)
		for i, t := range list {
			for k := range params.Len() {
				if t == params.At(k) {
					list[i] = s.TypesInfo.Instances[id].TypeArgs.At(k)
				}
			}
		}
		if !slices.Equal(list, targs) { // else it calls itself
			all = append(all, instancesOf(s, id.Pos(), list, depth-1)...)
		}
	}
	if len(all) == 0 {
		return [][]types.Type{targs}
	}
	return all
}

// paramsAround are the type parameters of the function that a position is in, nil for none.
func paramsAround(s *source, pos token.Pos) *types.TypeParamList {
	for _, f := range s.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= pos && pos < fn.End() {
				if obj, ok := s.TypesInfo.Defs[fn.Name].(*types.Func); ok {
					return obj.Signature().TypeParams()
				}
			}
		}
	}
	return nil
}

// An Instance is a generic kernel with the types that a launch in another package gives it.
type Instance struct {
	Pos  token.Position
	Name string // as [load.Ref] takes it
}

// Elsewhere are the instances of a package's generic kernels that other packages of the workspace launch, by the names
// of the kernels; each instance is there once.
func (w *Workspace) Elsewhere(path string) (map[string][]Instance, error) {
	var paths []string
	for _, p := range w.roots {
		if p.Imports[load.QDPath] != nil && p.Imports[path] != nil {
			paths = append(paths, p.PkgPath)
		}
	}
	if err := w.l.check(paths...); err != nil {
		return nil, err
	}
	return w.l.elsewhere(path), nil
}

// elsewhere is Elsewhere for the packages that are type-checked.
func (l *loader) elsewhere(path string) map[string][]Instance {
	found := make(map[string][]Instance)
	for _, other := range slices.Sorted(maps.Keys(l.typed)) {
		s := l.typed[other]
		if other == path || s.TypesInfo == nil {
			continue
		}
		for _, call := range vet.Calls(s.TypesInfo, s.Syntax) {
			name := call.Kernel.Name()
			if call.Kernel.Pkg().Path() != path || len(call.TypeArgs) == 0 {
				continue
			}
			var args []string
			for _, t := range call.TypeArgs {
				if isGlobal(t) {
					args = append(args, types.TypeString(t, (*types.Package).Path))
				}
			}
			instance := Instance{l.fset.Position(call.Pos()), name + "[" + strings.Join(args, ",") + "]"}
			if len(args) == len(call.TypeArgs) && !slices.ContainsFunc(found[name], func(i Instance) bool { return i.Name == instance.Name }) {
				found[name] = append(found[name], instance)
			}
		}
	}
	return found
}

// A closer makes expressions in functions mean the same at package level.
type closer struct {
	*source
	file *ast.File
	text []byte
	fset *token.FileSet
}

// typeText is a type as the file can write it at package level. It is not ok for one that it has no name for.
func (c closer) typeText(t types.Type) (text string, ok bool) {
	ok = true
	text = types.TypeString(t, func(pkg *types.Package) string {
		if pkg == c.Types {
			return ""
		}
		for _, spec := range c.file.Imports {
			if name := c.TypesInfo.PkgNameOf(spec); name != nil && name.Imported() == pkg && name.Name() != "." && name.Name() != "_" {
				return name.Name()
			}
		}
		ok = false
		return pkg.Path()
	})
	return text, ok && isGlobal(t)
}

// isGlobal reports whether a type is made of what is declared at package level.
func isGlobal(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if !isGlobal(arg) {
				return false
			}
		}
		obj := t.Obj()
		return obj.Pkg() == nil || obj.Parent() == obj.Pkg().Scope()
	case *types.Pointer:
		return isGlobal(t.Elem())
	case *types.Slice:
		return isGlobal(t.Elem())
	case *types.Array:
		return isGlobal(t.Elem())
	case *types.Basic:
		return true
	}
	return false
}

// declared is something that the file declares.
func (c closer) declared() types.Object {
	for _, d := range c.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			return c.TypesInfo.Defs[f.Name]
		}
	}
	return nil
}

// close is the text of an expression in which a local variable that is assigned once, where it is
// declared, stands as what it is assigned. It is "" where another local is in it.
func (c closer) close(e ast.Expr) string {
	const most = 4 // variables in the values of variables
	return c.closed(e, most)
}

func (c closer) closed(e ast.Expr, depth int) string {
	offset := func(p token.Pos) int { return c.fset.Position(p).Offset }
	var b strings.Builder
	from := e.Pos()
	ok := depth > 0
	ast.Inspect(e, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit {
			ok = false // it has locals of its own
		}
		id, isIdent := n.(*ast.Ident)
		if !isIdent || !ok {
			return ok
		}
		obj := c.TypesInfo.Uses[id]
		v, isVar := obj.(*types.Var)
		if obj == nil || obj.Pkg() == nil || obj.Parent() == nil || obj.Parent() == obj.Pkg().Scope() || isVar && v.IsField() {
			return true
		}
		if _, isPkg := obj.(*types.PkgName); isPkg {
			return true
		}
		value := c.value(obj)
		if value == nil {
			ok = false
			return false
		}
		text := c.closed(value, depth-1)
		if text == "" {
			ok = false
			return false
		}
		b.Write(c.text[offset(from):offset(id.Pos())])
		if basic, ok := types.Unalias(obj.Type()).(*types.Basic); ok && basic.Info()&types.IsUntyped == 0 {
			text = basic.Name() + "(" + text + ")" // a constant in the place of a variable has its type
		} else if _, ok := value.(*ast.BinaryExpr); ok {
			text = "(" + text + ")"
		}
		b.WriteString(text)
		from = id.End()
		return false
	})
	if !ok {
		return ""
	}
	b.Write(c.text[offset(from):offset(e.End())])
	return b.String()
}

// value is what a local variable is declared with, or a local constant, if it keeps that; else nil.
func (c closer) value(obj types.Object) (value ast.Expr) {
	ast.Inspect(c.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				id, _ := left.(*ast.Ident)
				if id != nil && c.TypesInfo.Defs[id] == obj && len(n.Lhs) == len(n.Rhs) {
					value = n.Rhs[i]
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if c.TypesInfo.Defs[id] == obj && i < len(n.Values) && n.Type == nil {
					value = n.Values[i]
				}
			}
		}
		return true
	})
	switch obj.Type().Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer, *types.Interface:
		return nil // what it refers to may change
	}
	if value == nil || c.changes(obj) {
		return nil
	}
	return value
}

// changes reports whether a local variable, or a part of it, is assigned after its declaration, or may be
// by its address or by a method.
func (c closer) changes(obj types.Object) (found bool) {
	is := func(e ast.Expr) bool {
		id, ok := load.Whole(e).(*ast.Ident)
		return ok && c.TypesInfo.Uses[id] == obj
	}
	ast.Inspect(c.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				found = found || is(left)
			}
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.RangeStmt:
			found = found || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		case *ast.SliceExpr:
			found = found || is(n.X)
		case *ast.SelectorExpr:
			if sel := c.TypesInfo.Selections[n]; sel != nil && sel.Kind() == types.MethodVal {
				_, byPointer := sel.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
				found = found || byPointer && is(n.X)
			}
		}
		return !found
	})
	return found
}

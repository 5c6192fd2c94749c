package gen

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"

	"github.com/qdgen/qd/frontend/load"
)

// Some functions are none for kernels: each call of them calls what only the host can run, the operating system or Go's
// runtime. Where they are values, kernels are not launched with them. Of an if whose condition is known a kernel has
// one branch alone, so all ways through a function count.

// isHostFunction reports whether an object is a function of the standard library that only the host can run: what
// calls it is not for kernels.
func isHostFunction(obj types.Object) bool {
	_, ok := obj.(*types.Func)
	return ok && load.IsHostOnly(obj.Pkg().Path())
}

// forHost reports whether a function at the top of a listed package is one for the host alone.
func (c *closure) forHost(obj *types.Func) bool {
	n, ok := nameOf(obj)
	if !ok || n.name != obj.Name() || c.l.listed[n.pkg] == nil || c.l.check(n.pkg) != nil {
		return false
	}
	for _, d := range c.l.typed[n.pkg].decls[n.name] {
		if f, ok := d.Node.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil {
			return c.callsHost(c.l.typed[n.pkg], f.Body)
		}
	}
	return false
}

// callsHost reports whether all ways through a function of a package call what only the host can run.
func (c *closure) callsHost(s *source, body *ast.BlockStmt) bool {
	h := hostCalls{func(call *ast.CallExpr) bool {
		id := load.NameIn(call.Fun)
		if id == nil {
			return false
		}
		f, ok := s.TypesInfo.Uses[id].(*types.Func)
		if !ok || f.Pkg() == nil || c.l.listed[f.Pkg().Path()] != nil || load.IsOwn(f.Pkg().Path()) {
			return false
		}
		n, ok := nameOf(f)
		return isHostFunction(f) || ok && n.name == f.Name() && c.l.ofRuntime(n)
	}, nil}
	for _, call := range load.StaticCalls(body, s.TypesInfo) {
		h.not = append(h.not, call.Args[0]) // compiled Go evaluates it, or it is known
	}
	return h.all(body.List)
}

// ofRuntime reports whether a function of the standard library is one for the host alone, because Go's runtime has the
// body of a function that it calls, as of time.Now and time.Sleep.
func (l *loader) ofRuntime(n name) bool {
	if is, ok := l.runtime[n]; ok {
		return is
	}
	l.runtime[n] = false // also while it is being found out
	decl, ok := l.standardFuncs(n.pkg)[n.name]
	switch {
	case !ok:
	case decl.Body == nil:
		l.runtime[n] = !inAssembly(l.fset.File(decl.Pos()).Name(), n.name)
	default:
		h := hostCalls{func(call *ast.CallExpr) bool {
			id, ok := call.Fun.(*ast.Ident)
			return ok && l.ofRuntime(name{n.pkg, id.Name})
		}, nil}
		l.runtime[n] = h.all(decl.Body.List)
	}
	return l.runtime[n]
}

// standardFuncs are the functions at the top of a package of the standard library, none where it cannot be read.
func (l *loader) standardFuncs(pkg string) map[string]*ast.FuncDecl {
	if funcs, ok := l.standard[pkg]; ok {
		return funcs
	}
	funcs := make(map[string]*ast.FuncDecl)
	l.standard[pkg] = funcs
	p, err := load.Standard{}.Package(pkg)
	if err != nil || p == nil {
		return funcs
	}
	for _, f := range p.Files {
		syntax, err := parser.ParseFile(l.fset, f.Name, f.Src, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				funcs[fn.Name.Name] = fn
			}
		}
	}
	return funcs
}

// inAssembly reports whether the directory of a file has a function in assembly.
func inAssembly(file, name string) bool {
	list, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.s"))
	return slices.ContainsFunc(list, func(path string) bool {
		text, err := os.ReadFile(path)
		return err != nil || bytes.Contains(text, []byte("·"+name+"("))
	})
}

// hostCalls finds calls on all ways through statements.
type hostCalls struct {
	host func(call *ast.CallExpr) bool
	not  []ast.Expr // is not looked at
}

// all reports whether all ways through statements have such a call.
func (h *hostCalls) all(list []ast.Stmt) bool {
	for i, stmt := range list {
		switch stmt := stmt.(type) {
		case *ast.IfStmt:
			if h.in(stmt.Init) || h.in(stmt.Cond) {
				return true
			}
			rest := h.all(list[i+1:])
			way := func(s ast.Stmt) bool {
				if s == nil {
					return rest
				}
				return h.all([]ast.Stmt{s}) || !leaves(s) && rest
			}
			return way(stmt.Body) && way(stmt.Else)
		case *ast.BlockStmt:
			if h.all(stmt.List) {
				return true
			}
		case *ast.SwitchStmt:
			if h.in(stmt.Init) || h.in(stmt.Tag) {
				return true
			}
		case *ast.ForStmt:
			if h.in(stmt.Init) || h.in(stmt.Cond) {
				return true
			}
		case *ast.RangeStmt:
			if h.in(stmt.X) {
				return true
			}
		case *ast.ExprStmt, *ast.AssignStmt, *ast.DeclStmt, *ast.IncDecStmt, *ast.ReturnStmt:
			if h.in(stmt) {
				return true
			}
		}
		if leaves(stmt) {
			return false // what follows may never be seen
		}
	}
	return false
}

// in reports whether a piece of syntax, which may be nil, has such a call that is always evaluated.
func (h *hostCalls) in(n ast.Node) (found bool) {
	ast.Inspect(box(n), func(x ast.Node) bool {
		if e, ok := x.(ast.Expr); ok && slices.Contains(h.not, e) {
			return false
		}
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				found = found || h.in(x.X)
				return false
			}
		case *ast.CallExpr:
			found = found || h.host(x)
		}
		return !found
	})
	return found
}

// box is a piece of syntax in a node that is there: the parts of a statement may be nil.
func box(n ast.Node) ast.Node {
	list := &ast.BlockStmt{}
	switch n := n.(type) {
	case ast.Stmt:
		list.List = []ast.Stmt{n}
	case ast.Expr:
		list.List = []ast.Stmt{&ast.ExprStmt{X: n}}
	}
	return list
}

// leaves reports whether a statement may end its function, or go on elsewhere.
func leaves(stmt ast.Stmt) (found bool) {
	ast.Inspect(stmt, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt, *ast.LabeledStmt:
			found = true
		case *ast.CallExpr:
			if id, ok := x.Fun.(*ast.Ident); ok && id.Name == "panic" {
				found = true
			}
		}
		return !found
	})
	return found
}

package vet

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// mostLists is for how many lists of constants a kernel is looked at. Of one that is launched with more, all
// constants count as not known.
const mostLists = 16

// examined are the kernels with what the package's launches give them at compile time, each once. A kernel that the
// package does not launch, or launches by way of a handle, may be given anything.
func examined(pass *analysis.Pass, refs []load.Ref, launches []*launch) []frontend.Examined {
	g := givers{pass: pass, chained: map[*ast.CallExpr]*ast.CallExpr{}, wrappers: map[*types.Func]*launch{}}
	g.look(launches)
	given := map[load.Ref][]map[int]comptime.Value{}
	for _, l := range launches {
		if !l.own {
			continue
		}
		ref := l.identity()
		if w := g.wrapper(l); w == nil {
			given[ref] = append(given[ref], g.consts(l, g.arguments(l), nil)...)
		}
	}
	g.calls(func(l *launch, call *ast.CallExpr) {
		given[l.identity()] = append(given[l.identity()], g.consts(l, g.arguments(l), call)...)
	})
	var list []frontend.Examined
	seen := map[load.Ref]bool{}
	for _, r := range refs {
		key := identity(r)
		if seen[key] {
			continue
		}
		seen[key] = true
		list = append(list, frontend.Examined{Kernel: r, Consts: distinct(given[key])})
	}
	return list
}

// identity tells kernels of a package apart: by the name, or by the place of a literal.
func identity(r load.Ref) load.Ref {
	if r.Name != "" {
		return load.Ref{Name: r.Name}
	}
	return load.Ref{File: r.File, Line: r.Line}
}

// identity is that of the kernel, or of its instance.
func (l *launch) identity() load.Ref {
	r := l.ref
	if l.inst != "" {
		r.Name = l.inst
	}
	return identity(r)
}

// distinct are lists of constants, each once: one without any where there are none, or too many.
func distinct(lists []map[int]comptime.Value) (all []map[int]comptime.Value) {
	seen := map[string]bool{}
	for _, consts := range lists {
		key := ""
		for _, i := range slices.Sorted(maps.Keys(consts)) {
			key += fmt.Sprintf("%d %q ", i, consts[i].Append(nil))
		}
		if !seen[key] {
			seen[key] = true
			all = append(all, consts)
		}
	}
	if len(all) == 0 || len(all) > mostLists {
		return []map[int]comptime.Value{nil}
	}
	return all
}

// givers are the calls that give kernels their arguments.
type givers struct {
	pass     *analysis.Pass
	chained  map[*ast.CallExpr]*ast.CallExpr // from qd.NewKernel(k) to qd.NewKernel(k).WithBlockDim(64).Launch(...)
	wrappers map[*types.Func]*launch         // functions that qdgen gen has written
}

// look finds them.
func (g givers) look(launches []*launch) {
	made := map[*ast.CallExpr]*launch{}
	for _, l := range launches {
		if l.first < 0 {
			made[l.call] = l
		}
	}
	for _, f := range g.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if l := made[g.handle(call)]; l != nil {
					g.chained[l.call] = call
				}
			}
			return true
		})
		if filepath.Base(g.pass.Fset.Position(f.FileStart).Filename) != "qd_gen.go" {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			obj, _ := g.pass.TypesInfo.Defs[fn.Name].(*types.Func)
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && obj != nil && made[call] != nil {
					g.wrappers[obj] = made[call]
				}
				return true
			})
		}
	}
}

// handle is the qd.NewKernel(k) whose handle, or a changed copy of it, a call launches; nil for none.
func (g givers) handle(call *ast.CallExpr) *ast.CallExpr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if _, launches := launchers[lastNameOf(call)]; !ok || !launches {
		return nil
	}
	for {
		inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
		if !ok {
			return nil
		}
		if _, launches := launcherOf(g.pass.TypesInfo, inner); launches {
			return inner
		}
		sel, ok = ast.Unparen(inner.Fun).(*ast.SelectorExpr)
		if !ok || !strings.HasPrefix(sel.Sel.Name, "With") {
			return nil
		}
	}
}

func lastNameOf(call *ast.CallExpr) string {
	if id := lastName(call.Fun); id != nil {
		return id.Name
	}
	return ""
}

// wrapper is the function of a qd_gen.go that a launch is in.
func (g givers) wrapper(l *launch) *types.Func {
	for fn, w := range g.wrappers {
		if w == l {
			return fn
		}
	}
	return nil
}

// calls calls f for each call of such a function, with the launch in it.
func (g givers) calls(f func(l *launch, call *ast.CallExpr)) {
	for _, file := range g.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if fn, ok := g.pass.TypesInfo.Uses[lastName(call.Fun)].(*types.Func); ok && g.wrappers[fn.Origin()] != nil {
					f(g.wrappers[fn.Origin()], call)
				}
			}
			return true
		})
	}
}

// arguments are the arguments for a kernel's parameters after the first, nil where another call gives them.
func (g givers) arguments(l *launch) []ast.Expr {
	call, first := l.call, l.first
	if first < 0 {
		if call = g.chained[l.call]; call == nil {
			return nil
		}
		first = launchers[lastNameOf(call)].first - 1 // the kernel is not among them
	}
	if call.Ellipsis.IsValid() || len(call.Args) < first {
		return nil
	}
	return call.Args[first:]
}

// consts are the constants among arguments, by the index of the parameter: a list of them for each of the values that
// one of a loop may have. In a function that qdgen gen has written the arguments are its parameters, which a call of it
// gives.
func (g givers) consts(l *launch, args []ast.Expr, call *ast.CallExpr) []map[int]comptime.Value {
	lists := []map[int]comptime.Value{{}}
	for i, arg := range args {
		if i+1 >= l.sig.Params().Len() {
			break
		}
		elem := elemOf(l.sig.Params().At(i+1).Type(), "Const")
		x := ConstArg(g.pass.TypesInfo, arg)
		if elem == nil || x == nil || hasTypeParam(elem) {
			continue
		}
		if call != nil {
			if x = g.given(x, call); x == nil {
				continue
			}
		}
		values := constants(g.pass, x, elem, 0)
		if len(values) == 0 || len(lists)*len(values) > mostLists {
			continue
		}
		var each []map[int]comptime.Value
		for _, v := range values {
			for _, list := range lists {
				list = maps.Clone(list)
				list[i+1] = v
				each = append(each, list)
			}
		}
		lists = each
	}
	return lists
}

// given is what a call gives for a parameter of the function that it calls.
func (g givers) given(param ast.Expr, call *ast.CallExpr) ast.Expr {
	id, ok := ast.Unparen(param).(*ast.Ident)
	fn, isFunc := g.pass.TypesInfo.Uses[lastName(call.Fun)].(*types.Func)
	if !ok || !isFunc || call.Ellipsis.IsValid() {
		return nil
	}
	v := g.pass.TypesInfo.Uses[id]
	for i := range fn.Origin().Signature().Params().Len() {
		if fn.Origin().Signature().Params().At(i) == v && i < len(call.Args) {
			return call.Args[i]
		}
	}
	return nil
}

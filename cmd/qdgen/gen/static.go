package gen

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/frontend/load"
)

// static is an expression of qd.Static that only compiled Go may be able to evaluate.
type static struct {
	fn     string
	index  int
	expr   string   // as the front end asks for it
	names  string   // what names in it mean
	text   string   // marked, to be compiled
	consts []string // marked declarations of the local constants in it
	locals []*types.Var
	result string // marked type
}

// addStatics adds the expressions in what kernels reach of the package. It returns the
// files that they stand in.
func (p *plan) addStatics(c *closure) (files []string) {
	type key struct {
		fn, expr, names string
		index           int
	}
	seen := make(map[key]bool)
	for _, f := range p.Syntax {
		file := c.l.fset.File(f.FileStart).Name()
		for _, d := range f.Decls {
			calls := load.StaticCalls(d, p.TypesInfo)
			if len(calls) == 0 {
				continue
			}
			names := load.SiteNames(f, d)
			for i, call := range calls {
				if !c.within(p.source, call) || !load.NeedsGo(call.Args[0], p.TypesInfo) {
					continue
				}
				s := static{fn: load.FuncName(d), index: i, names: names[call.Pos()]}
				problem := p.static(&s, d, call, file)
				if problem != "" {
					p.notes = append(p.notes, fmt.Sprintf("%s: qd.Static(%s) is left to the compiler of kernels: %s", p.position(call), s.expr, problem))
					continue
				}
				if k := (key{s.fn, s.expr, s.names, s.index}); s.text != "" && !seen[k] && !p.without.hasStatic(s) {
					seen[k] = true
					p.statics = append(p.statics, s)
					files = append(files, file)
				}
			}
		}
	}
	return files
}

// within reports whether something reached contains a call.
func (c *closure) within(s *source, call *ast.CallExpr) bool {
	for _, n := range c.nodes[s.PkgPath] {
		if n.Pos() <= call.Pos() && call.End() <= n.End() {
			return true
		}
	}
	return false
}

// position is where something is in the source, as messages have it.
func (p *plan) position(n ast.Node) string {
	at := p.Fset.PositionFor(n.Pos(), false)
	return fmt.Sprintf("%s:%d:%d", listed.Shorter(at.Filename), at.Line, at.Column)
}

// static describes a site, of which it is given where it is, for its call in a declaration. The problem says
// why it cannot be compiled by itself. There is no text for one that compiled Go cannot be given the
// values of.
func (p *plan) static(s *static, d ast.Decl, call *ast.CallExpr, file string) (problem string) {
	arg := call.Args[0]
	s.expr, s.locals = load.SiteExpr(arg), load.SiteLocals(arg, p.TypesInfo)
	for _, v := range s.locals {
		switch {
		case atRunTime(v.Type()):
			return ""
		case !p.nameable(v.Type()):
			return fmt.Sprintf("the type of %s cannot be named outside of %s", v.Name(), s.fn)
		}
	}
	all := excerpt{Expr: arg, tok: p.Fset.File(arg.Pos()), src: p.texts[file], info: p.TypesInfo}
	text, ok := p.text(all)
	if !ok {
		return "it has types that cannot be named outside of " + s.fn
	}
	if s.consts, problem = p.constsIn(d, all, s); problem != "" {
		return problem
	}
	s.text, s.result = text, "any"
	if t := p.TypesInfo.TypeOf(call); t != nil && p.nameable(t) {
		s.result = p.typeText(t)
	}
	return ""
}

// atRunTime reports whether compiled Go cannot be given values of a type: those that are known
// when a kernel runs, and not before, and the function literals of a kernel.
func atRunTime(t types.Type) bool {
	switch qdType(t) {
	case "Thread", "Block", "Grid", "View2", "View3", "View4":
		return true
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Signature:
		return true
	}
	return false
}

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
	expr   string // as the front end asks for it
	text   string // marked, to be compiled
	locals []*types.Var
	result string // marked type
}

// addStatics adds the expressions in what kernels reach of the package. It returns the
// files that they stand in.
func (p *plan) addStatics(c *closure) (files []string) {
	type key struct {
		fn, expr string
		index    int
	}
	seen := make(map[key]bool)
	for _, f := range p.Syntax {
		file := c.l.fset.File(f.FileStart).Name()
		for _, d := range f.Decls {
			for i, call := range load.StaticCalls(d, p.TypesInfo) {
				if !c.within(p.source, call) || !load.NeedsGo(call.Args[0], p.TypesInfo) {
					continue
				}
				s, problem := p.static(call, load.FuncName(d), i, file)
				if problem != "" {
					p.notes = append(p.notes, fmt.Sprintf("%s: qd.Static(%s) is left to the compiler of kernels: %s", p.position(call), s.expr, problem))
					continue
				}
				if k := (key{s.fn, s.expr, s.index}); s.text != "" && !seen[k] {
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

// static describes a site. The problem says why it cannot be compiled by itself. There is
// no text for one that compiled Go cannot be given the values of.
func (p *plan) static(call *ast.CallExpr, fn string, index int, file string) (s static, problem string) {
	arg := call.Args[0]
	s = static{
		fn: fn, index: index, expr: load.SiteExpr(arg),
		locals: load.SiteLocals(arg, p.TypesInfo),
	}
	for _, v := range s.locals {
		switch {
		case atRunTime(v.Type()):
			return s, ""
		case !p.nameable(v.Type()):
			return s, fmt.Sprintf("the type of %s cannot be named outside of %s", v.Name(), fn)
		}
	}
	text, ok := p.text(excerpt{arg, p.Fset.File(arg.Pos()), p.texts[file], p.TypesInfo})
	if !ok {
		return s, "it has types that cannot be named outside of " + fn
	}
	s.text, s.result = text, "any"
	if t := p.TypesInfo.TypeOf(call); t != nil && p.nameable(t) {
		s.result = p.typeText(t)
	}
	return s, ""
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

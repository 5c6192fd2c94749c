package desugar

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A gotoList is a list of statements with labels that goto statements name.
type gotoList struct {
	g    *gotoRewriter
	list []ast.Stmt
	nest jumpNest
	next int // the first of the nest's regions that has not begun

	entries []ast.Stmt // to stand in front of the next statement, in the regions that begin there
}

// list rewrites a list of statements; nil is for one without labels that goto statements name, or with such that Go
// refuses.
func (g *gotoRewriter) list(list []ast.Stmt) []ast.Stmt {
	l := &gotoList{g: g, list: list}
	l.nest = jumpNest{length: len(list), declares: l.declares, outlives: l.outlives}
	if n := len(list); n > 0 && isFallthrough(list[n-1]) {
		l.nest.length-- // it stays the last statement
	}
	found := map[*types.Label]*jumpLabel{}
	for i, s := range list {
		labels, _ := ownLabels(s)
		for _, id := range labels {
			label, _ := g.info.Defs[id].(*types.Label)
			if len(g.gotos[label]) == 0 {
				continue
			}
			j := l.label(label, i)
			if j == nil {
				return nil
			}
			found[label], l.nest.labels = j, append(l.nest.labels, j)
		}
	}
	if len(found) == 0 || !l.nest.nest() {
		return nil
	}
	for label, j := range found {
		g.jumps[label] = j
	}
	for _, r := range slices.Backward(l.nest.regions) {
		if in := l.inside(r); in != nil {
			r.label = in.label // who leaves one leaves the other
		} else {
			r.label = g.label(list[r.start].Pos(), r.labels[0].name)
		}
	}
	return l.statements(0, len(list))
}

func isFallthrough(s ast.Stmt) bool {
	_, s = ownLabels(s)
	branch, ok := s.(*ast.BranchStmt)
	return ok && branch.Tok == token.FALLTHROUGH
}

// label finds the statements that go to a label; nil is for one that a goto outside the list names.
func (l *gotoList) label(label *types.Label, at int) *jumpLabel {
	j := &jumpLabel{name: label.Name(), at: at, forward: -1, back: -1}
	for _, pos := range l.g.gotos[label] {
		from := slices.IndexFunc(l.list, func(s ast.Stmt) bool { return s.Pos() <= pos && pos < s.End() })
		switch {
		case from < 0:
			return nil
		case from >= at:
			j.back = max(j.back, from)
		case j.forward < 0 || from < j.forward:
			j.forward = from
		}
	}
	return j
}

// declared calls yield for the variables that some of the statements declare for those behind.
func (l *gotoList) declared(from, to int, yield func(v *types.Var)) {
	define := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			if v, ok := l.g.info.Defs[id].(*types.Var); ok {
				yield(v)
			}
		}
	}
	for _, s := range l.list[from:to] {
		_, s = ownLabels(s)
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, e := range s.Lhs {
				define(e)
			}
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				if spec, ok := spec.(*ast.ValueSpec); ok {
					for _, id := range spec.Names {
						define(id)
					}
				}
			}
		}
	}
}

func (l *gotoList) declares(from, to int) bool {
	some := false
	l.declared(from, to, func(*types.Var) { some = true })
	return some
}

func (l *gotoList) outlives(from, to int) bool {
	vars := map[types.Object]bool{}
	l.declared(from, to, func(v *types.Var) { vars[v] = true })
	used := false
	for _, s := range l.list[to:] {
		if len(vars) == 0 || used {
			break
		}
		ast.Inspect(s, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			used = used || ok && vars[l.g.info.Uses[id]]
			return !used
		})
	}
	return used
}

// statements rewrites some of the statements, with the regions in them.
func (l *gotoList) statements(from, to int) (list []ast.Stmt) {
	for at := from; at < to; {
		if l.next == len(l.nest.regions) || l.nest.regions[l.next].start > at {
			entries := l.entries
			l.entries = nil
			list = append(append(list, entries...), l.statement(at))
			at++
			continue
		}
		r := l.nest.regions[l.next]
		l.next++
		list = append(list, l.region(r)...)
		at = r.end
	}
	return list
}

// statement rewrites a statement. A label that only goto statements name is left out.
func (l *gotoList) statement(at int) ast.Stmt {
	s := l.list[at]
	if _, of := ownLabels(s); !isLeft(of) {
		s = of
	}
	inRegion := slices.ContainsFunc(l.nest.regions, func(r *jumpRegion) bool { return r.start <= at && at < r.end })
	for _, left := range []*leftStmt{l.g.breaks, l.g.continues} {
		if left != nil && inRegion && !left.crossed {
			left.crossed = true
			defer func() { left.crossed = false }()
		}
	}
	return l.g.change(s).(ast.Stmt)
}

// inside is the region that a block has the same statements as, nil for none.
func (l *gotoList) inside(r *jumpRegion) *jumpRegion {
	i := slices.Index(l.nest.regions, r) + 1
	if r.isLoop || i == len(l.nest.regions) {
		return nil
	}
	if in := l.nest.regions[i]; in.start == r.start && in.end == r.end {
		return in
	}
	return nil
}

// region is what becomes of the statements of a region.
func (l *gotoList) region(r *jumpRegion) []ast.Stmt {
	g, first, last := l.g, l.list[r.start], l.list[r.end-1]
	pos, end := first.Pos(), last.End()-1
	g.made.pos, g.made.front = pos, pos-1
	switch {
	case l.inside(r) != nil:
		return l.statements(r.start, r.end)
	case !r.isLoop:
		body := &ast.CaseClause{Case: pos, Colon: pos, Body: l.statements(r.start, r.end)}
		leave := &ast.SwitchStmt{Switch: pos, Body: &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{body}, Rbrace: end}}
		return []ast.Stmt{g.at(r.label, leave)}
	}
	var around []ast.Stmt
	for _, label := range r.labels {
		if label.at > r.start {
			v, decl := g.made.declareBool("to" + label.name)
			label.entered, around = v, append(around, decl)
			skip := g.branchTo(pos, token.BREAK, label.block.label)
			l.entries = append(l.entries, g.made.ifSo(v, g.made.set(pos, v, false), skip))
		}
	}
	body := l.statements(r.start, r.end)
	if _, s := ownLabels(last); !leaves(s) || l.isEndReached(r) {
		body = append(body, g.branchTo(end, token.BREAK, r.label))
	}
	loop := &ast.ForStmt{For: pos, Body: &ast.BlockStmt{Lbrace: pos, List: body, Rbrace: end}}
	return append(around, g.at(r.label, loop))
}

// isEndReached reports whether a block in a loop ends where the loop does: what leaves the block is then at the loop's
// end.
func (l *gotoList) isEndReached(loop *jumpRegion) bool {
	return slices.ContainsFunc(l.nest.regions, func(r *jumpRegion) bool {
		return !r.isLoop && r.start > loop.start && r.end == loop.end
	})
}

// leaves reports whether a statement is one behind which nothing is reached.
func leaves(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

package desugar

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A goto becomes a break or a continue, once the types are known: the rest of the front end knows no other jumps. What
// goes back continues a loop around the statements from the label on, and what goes forward leaves a switch without
// cases around the statements in front of the label. Of
//
//	again:
//		if x > 9 {
//			goto done
//		}
//		x *= x
//		goto again
//	done:
//		return x
//
// this becomes
//
//	done:
//		switch {
//		default:
//		again:
//			for {
//				if x > 9 {
//					break done
//				}
//				x *= x
//				continue again
//			}
//		}
//		return x
//
// [jumpNest] says which statements these are. A loop with a second entry starts with the statements in front of it: a
// variable for each label in it says, when it is entered again, that they are left out up to the label.

// withoutGotos rewrites the goto statements in syntax. Those that Go refuses it leaves as they are.
func withoutGotos[N ast.Node](in N, info *types.Info, pkg *types.Package) N {
	g := &gotoRewriter{gotos: map[*types.Label][]token.Pos{}, names: map[string]bool{}, jumps: map[*types.Label]*jumpLabel{}}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BranchStmt:
			if label, ok := info.Uses[n.Label].(*types.Label); ok && n.Tok == token.GOTO {
				g.gotos[label] = append(g.gotos[label], n.Pos())
			}
		case *ast.LabeledStmt:
			if _, of := ownLabels(n); isLeft(of) {
				g.names[n.Label.Name] = true
			}
		}
		return true
	})
	if len(g.gotos) == 0 {
		return in
	}
	g.made = syntaxMaker{info: info, pkg: pkg, scope: types.NewScope(nil, in.Pos(), in.End(), "")}
	g.rewriter = rewriter{info: info, change: g.node}
	return g.below(in).(N)
}

// ownLabels are the labels of a statement, and the statement.
func ownLabels(s ast.Stmt) (labels []*ast.Ident, of ast.Stmt) {
	for {
		labeled, ok := s.(*ast.LabeledStmt)
		if !ok {
			return labels, s
		}
		labels, s = append(labels, labeled.Label), labeled.Stmt
	}
}

// isLeft reports whether a break without a label leaves a statement.
func isLeft(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}

type gotoRewriter struct {
	rewriter
	made  syntaxMaker
	gotos map[*types.Label][]token.Pos
	names map[string]bool // of labels that there are
	jumps map[*types.Label]*jumpLabel
	// What a break and a continue without a label leave, nil if these may stay as they are.
	breaks, continues *leftStmt
}

// A leftStmt is a statement that may get a label, so that what leaves it can name it.
type leftStmt struct {
	pos     token.Pos
	label   *regionLabel // nil for none so far
	fresh   bool         // it had none
	crossed bool         // there is a region of a jump between the statement and what is rewritten
}

func (g *gotoRewriter) node(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.FuncLit:
		breaks, continues := g.breaks, g.continues
		g.breaks, g.continues = nil, nil
		lit := g.below(n)
		g.breaks, g.continues = breaks, continues
		return lit
	case *ast.BlockStmt:
		if list := g.list(n.List); list != nil {
			return &ast.BlockStmt{Lbrace: n.Lbrace, List: list, Rbrace: n.Rbrace}
		}
	case *ast.CaseClause:
		if list := g.list(n.Body); list != nil {
			head := *n
			head.Body = nil
			fresh := *g.below(&head).(*ast.CaseClause)
			fresh.Body = list
			g.describe(n, &fresh)
			return &fresh
		}
	case *ast.LabeledStmt:
		if _, of := ownLabels(n); isLeft(of) {
			return g.left(n, of)
		}
	case *ast.BranchStmt:
		return g.branch(n)
	case ast.Stmt:
		if isLeft(n) {
			return g.left(n, n)
		}
	}
	return g.below(n)
}

// left rewrites a statement that break leaves. It gets a label if something needs one that has not had it.
func (g *gotoRewriter) left(s, of ast.Stmt) ast.Node {
	breaks, continues := g.breaks, g.continues
	defer func() { g.breaks, g.continues = breaks, continues }()
	own := &leftStmt{pos: s.Pos()}
	if labels, _ := ownLabels(s); len(labels) > 0 {
		id := labels[len(labels)-1]
		obj, _ := g.info.Defs[id].(*types.Label)
		own.label = &regionLabel{name: id.Name, obj: obj}
	}
	g.breaks = own
	switch of.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		g.continues = own
	}
	fresh := g.relabeled(s, g.below(of).(ast.Stmt))
	if own.fresh {
		return g.at(own.label, fresh)
	}
	return fresh
}

// relabeled gives what has become of a labelled statement the labels.
func (g *gotoRewriter) relabeled(s, fresh ast.Stmt) ast.Stmt {
	labeled, ok := s.(*ast.LabeledStmt)
	if !ok {
		return fresh
	}
	fresh = g.relabeled(labeled.Stmt, fresh)
	if fresh == labeled.Stmt {
		return s
	}
	return &ast.LabeledStmt{Label: labeled.Label, Colon: labeled.Colon, Stmt: fresh}
}

// branch rewrites a goto, and a break or a continue that is to go further than it would without a label.
func (g *gotoRewriter) branch(s *ast.BranchStmt) ast.Node {
	var of *leftStmt
	switch s.Tok {
	case token.GOTO:
		label, _ := g.info.Uses[s.Label].(*types.Label)
		if jump := g.jumps[label]; jump != nil {
			return g.jump(s.Pos(), jump, s.Pos() < label.Pos())
		}
		return s
	case token.BREAK:
		of = g.breaks
	case token.CONTINUE:
		of = g.continues
	}
	if s.Label != nil || of == nil || !of.crossed {
		return s
	}
	if of.label == nil {
		of.label, of.fresh = g.label(of.pos, "left"), true
	}
	return g.branchTo(s.Pos(), s.Tok, of.label)
}

// A regionLabel is a label that the rewriter makes.
type regionLabel struct {
	name string
	obj  *types.Label
}

// label makes a label that the function does not have, from one that it may have.
func (g *gotoRewriter) label(pos token.Pos, from string) *regionLabel {
	for g.names[from] {
		from += "_"
	}
	g.names[from] = true
	return &regionLabel{name: from, obj: types.NewLabel(pos, g.made.pkg, from)}
}

// at gives a statement a label.
func (g *gotoRewriter) at(l *regionLabel, s ast.Stmt) ast.Stmt {
	id := &ast.Ident{NamePos: s.Pos(), Name: l.name}
	g.info.Defs[id] = l.obj
	return &ast.LabeledStmt{Label: id, Colon: s.Pos(), Stmt: s}
}

// branchTo is a break or a continue of the statement at a label.
func (g *gotoRewriter) branchTo(pos token.Pos, tok token.Token, l *regionLabel) *ast.BranchStmt {
	id := &ast.Ident{NamePos: pos, Name: l.name}
	g.info.Uses[id] = l.obj
	return &ast.BranchStmt{TokPos: pos, Tok: tok, Label: id}
}

// jump is what a goto becomes.
func (g *gotoRewriter) jump(pos token.Pos, l *jumpLabel, forward bool) ast.Stmt {
	if forward {
		return g.branchTo(pos, token.BREAK, l.block.label)
	}
	again := g.branchTo(pos, token.CONTINUE, l.loop.label)
	if l.entered == nil {
		return again
	}
	return &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{g.made.set(pos, l.entered, true), again}, Rbrace: pos}
}

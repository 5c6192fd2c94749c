package desugar

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// A rangeLoop is a range over a function that is being rewritten.
type rangeLoop struct {
	in          *rangeDesugarer
	syntaxMaker // of what is around the call
	end         token.Pos
	label       string
	around      *ast.FuncType
	over, done  *types.Var
	vars        []ast.Stmt            // that declare them
	results     []*types.Var          // what a return in the body gives
	exits       map[string]*types.Var // what says that the body is left by a statement: by that
	after       []ast.Stmt            // that leave what is around the loop
}

// body rewrites what leaves the body: break and continue of the loop, and what leaves the statements or the function
// around it.
func (l *rangeLoop) body(b *ast.BlockStmt) ast.Stmt {
	x := &exitRewriter{l: l, breaks: true, continues: true, labels: map[string]bool{}}
	ast.Inspect(b, func(n ast.Node) bool {
		if s, ok := n.(*ast.LabeledStmt); ok {
			x.labels[s.Label.Name] = true
		}
		return true
	})
	x.rewriter = rewriter{info: l.info, change: x.change}
	return x.below(b).(ast.Stmt)
}

// An exitRewriter rewrites the statements that leave a body.
type exitRewriter struct {
	rewriter
	l                 *rangeLoop
	labels            map[string]bool // of statements in the body
	breaks, continues bool            // without a label, they are the loop's
}

func (x *exitRewriter) change(n ast.Node) ast.Node {
	breaks, continues := x.breaks, x.continues
	defer func() { x.breaks, x.continues = breaks, continues }()
	switch n := n.(type) {
	case *ast.FuncLit:
		return n // it has returns of its own
	case *ast.ForStmt, *ast.RangeStmt:
		x.breaks, x.continues = false, false
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		x.breaks = false
	case *ast.ReturnStmt:
		return x.l.returns(n)
	case *ast.BranchStmt:
		return x.branch(n)
	}
	return x.below(n)
}

// branch is what a break or a continue becomes.
func (x *exitRewriter) branch(s *ast.BranchStmt) ast.Stmt {
	l := x.l
	own := s.Label != nil && s.Label.Name == l.label
	switch {
	case s.Tok == token.CONTINUE && (own || s.Label == nil && x.continues):
		return l.yields(s.Pos(), true)
	case s.Tok == token.BREAK && (own || s.Label == nil && x.breaks):
		return l.leave(s.Pos(), nil)
	case (s.Tok == token.CONTINUE || s.Tok == token.BREAK) && s.Label != nil && !x.labels[s.Label.Name]:
		return l.leave(s.Pos(), l.exit(s.Tok.String()+" "+s.Label.Name, func() ast.Stmt { return s }))
	}
	return s
}

// returns is what a return becomes. The results wait in variables until the loop is left.
func (l *rangeLoop) returns(s *ast.ReturnStmt) ast.Stmt {
	pos := s.Pos()
	if len(s.Results) == 0 || l.around.Results == nil { // values where there are no results: an error that is told elsewhere
		return l.leave(pos, l.exit("return", func() ast.Stmt { return &ast.ReturnStmt{Return: l.pos} }))
	}
	if l.results == nil {
		l.resultVars()
	}
	assign := &ast.AssignStmt{TokPos: pos, Tok: token.ASSIGN, Rhs: s.Results}
	for _, v := range l.results {
		assign.Lhs = append(assign.Lhs, l.use(pos, v))
	}
	left := l.exit("return results", func() ast.Stmt {
		r := &ast.ReturnStmt{Return: l.pos}
		for _, v := range l.results {
			r.Results = append(r.Results, l.use(l.pos, v))
		}
		return r
	})
	return l.leave(pos, left, assign)
}

// resultVars declares the variables for the results of the function around the loop.
func (l *rangeLoop) resultVars() {
	for _, field := range l.around.Results.List {
		for range max(1, len(field.Names)) {
			name := "result"
			if n := len(l.results); n > 0 {
				name += strconv.Itoa(n)
			}
			v, s := l.syntaxMaker.declare(name, l.info.TypeOf(field.Type), field.Type)
			l.results, l.vars = append(l.results, v), append(l.vars, s)
		}
	}
}

// exit is the variable that says that the loop is left in a way, after which a statement follows.
func (l *rangeLoop) exit(way string, then func() ast.Stmt) *types.Var {
	if v := l.exits[way]; v != nil {
		return v
	}
	if l.exits == nil {
		l.exits = map[string]*types.Var{}
	}
	name := "left"
	if n := len(l.exits); n > 0 {
		name += strconv.Itoa(n)
	}
	v := l.declare(name)
	l.exits[way] = v
	l.after = append(l.after, l.ifSo(v, then()))
	return v
}

// leave leaves the body for good, in a way or, with nil, as a break does.
func (l *rangeLoop) leave(pos token.Pos, left *types.Var, first ...ast.Stmt) ast.Stmt {
	if left != nil {
		first = append(first, l.set(pos, left, true))
	}
	list := append(first, l.set(pos, l.done, true), l.yields(pos, false))
	return &ast.BlockStmt{Lbrace: pos, List: list, Rbrace: pos}
}

// yields returns from the body.
func (l *rangeLoop) yields(pos token.Pos, more bool) ast.Stmt {
	return &ast.ReturnStmt{Return: pos, Results: []ast.Expr{l.boolean(pos, more)}}
}

// misused panics where yield is called and must not be.
func (l *rangeLoop) misused(v *types.Var, msg string) ast.Stmt {
	call := &ast.CallExpr{
		Fun:    &ast.Ident{NamePos: l.pos, Name: "panic"},
		Lparen: l.pos,
		Args:   []ast.Expr{&ast.BasicLit{ValuePos: l.pos, Kind: token.STRING, Value: strconv.Quote(msg)}},
		Rparen: l.pos,
	}
	l.check(call)
	return l.ifSo(v, &ast.ExprStmt{X: call})
}

// declare declares a bool variable around the call.
func (l *rangeLoop) declare(name string) *types.Var {
	v, s := l.declareBool(name)
	l.vars = append(l.vars, s)
	return v
}

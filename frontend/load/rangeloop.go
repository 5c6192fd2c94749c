package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// A rangeLoop is a range over a function that is being rewritten.
type rangeLoop struct {
	*rangeDesugarer
	pos, end   token.Pos
	label      string
	around     *ast.FuncType
	scope      *types.Scope // of the variables around the call
	over, done *types.Var
	vars       []ast.Stmt            // that declare them
	results    []*types.Var          // what a return in the body gives
	exits      map[string]*types.Var // what says that the body is left by a statement: by that
	after      []ast.Stmt            // that leave what is around the loop
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
	if len(s.Results) == 0 {
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
			l.results = append(l.results, l.declareAs(name, l.info.TypeOf(field.Type), field.Type))
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
	v := l.declare(name, types.Typ[types.Bool])
	l.exits[way] = v
	l.after = append(l.after, l.ifSo(v, then()))
	return v
}

// leave leaves the body for good, in a way or, with nil, as a break does.
func (l *rangeLoop) leave(pos token.Pos, left *types.Var, first ...ast.Stmt) ast.Stmt {
	if left != nil {
		first = append(first, l.set(pos, left))
	}
	list := append(first, l.set(pos, l.done), l.yields(pos, false))
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

func (l *rangeLoop) ifSo(v *types.Var, then ast.Stmt) ast.Stmt {
	body := &ast.BlockStmt{Lbrace: l.pos, List: []ast.Stmt{then}, Rbrace: l.pos}
	return &ast.IfStmt{If: l.pos, Cond: l.use(l.pos, v), Body: body}
}

func (l *rangeLoop) set(pos token.Pos, v *types.Var) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{l.use(pos, v)}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{l.boolean(pos, true)}}
}

func (l *rangeLoop) boolean(pos token.Pos, value bool) ast.Expr {
	id := &ast.Ident{NamePos: pos, Name: strconv.FormatBool(value)}
	l.check(id)
	tv := l.info.Types[id]
	tv.Type = types.Typ[types.Bool]
	l.info.Types[id] = tv
	return id
}

// check has the type checker describe an expression of nothing but predeclared names.
func (l *rangeLoop) check(e ast.Expr) {
	_ = types.CheckExpr(token.NewFileSet(), nil, token.NoPos, e, l.info) // panic has no value, and is described nevertheless
}

// declare declares a variable around the call.
func (l *rangeLoop) declare(name string, t types.Type) *types.Var {
	return l.declareAs(name, t, l.typeName(l.pos, t))
}

func (l *rangeLoop) declareAs(name string, t types.Type, typ ast.Expr) *types.Var {
	v := types.NewVar(l.pos, l.pkg, name, t)
	l.scope.Insert(v)
	id := &ast.Ident{NamePos: l.pos, Name: name}
	l.info.Defs[id] = v
	spec := &ast.ValueSpec{Names: []*ast.Ident{id}, Type: typ}
	l.vars = append(l.vars, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: l.pos, Tok: token.VAR, Specs: []ast.Spec{spec}}})
	return v
}

func (l *rangeLoop) use(pos token.Pos, v *types.Var) ast.Expr {
	id := &ast.Ident{NamePos: pos, Name: v.Name()}
	l.info.Uses[id] = v
	return id
}

// typeName stands where the source would name a type.
func (d *rangeDesugarer) typeName(pos token.Pos, t types.Type) ast.Expr {
	id := &ast.Ident{NamePos: pos, Name: types.TypeString(t, types.RelativeTo(d.pkg))}
	d.info.Types[id] = types.TypeAndValue{Type: t}
	return id
}

package desugar

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// A syntaxMaker makes syntax with what the type checker would say of it: bool variables, mostly, and statements that
// assign to them and ask for them.
type syntaxMaker struct {
	info  *types.Info
	pkg   *types.Package
	pos   token.Pos
	front token.Pos    // of the variables, in front of the statements that assign to them
	scope *types.Scope // of the variables
}

// declare declares a variable. Its statement is to stand in front of all that names it.
func (m *syntaxMaker) declare(name string, t types.Type, typ ast.Expr) (*types.Var, ast.Stmt) {
	v := types.NewVar(m.front, m.pkg, name, t)
	m.scope.Insert(v)
	id := &ast.Ident{NamePos: m.pos, Name: name}
	m.info.Defs[id] = v
	spec := &ast.ValueSpec{Names: []*ast.Ident{id}, Type: typ}
	return v, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: m.pos, Tok: token.VAR, Specs: []ast.Spec{spec}}}
}

// declareBool declares a variable that is false.
func (m *syntaxMaker) declareBool(name string) (*types.Var, ast.Stmt) {
	return m.declare(name, types.Typ[types.Bool], m.typeName(m.pos, types.Typ[types.Bool]))
}

func (m *syntaxMaker) ifSo(v *types.Var, then ...ast.Stmt) ast.Stmt {
	body := &ast.BlockStmt{Lbrace: m.pos, List: then, Rbrace: m.pos}
	return &ast.IfStmt{If: m.pos, Cond: m.use(m.pos, v), Body: body}
}

func (m *syntaxMaker) set(pos token.Pos, v *types.Var, to bool) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{m.use(pos, v)}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{m.boolean(pos, to)}}
}

func (m *syntaxMaker) boolean(pos token.Pos, value bool) ast.Expr {
	id := &ast.Ident{NamePos: pos, Name: strconv.FormatBool(value)}
	m.check(id)
	tv := m.info.Types[id]
	tv.Type = types.Typ[types.Bool]
	m.info.Types[id] = tv
	return id
}

// check has the type checker describe an expression of nothing but predeclared names.
func (m *syntaxMaker) check(e ast.Expr) {
	_ = types.CheckExpr(token.NewFileSet(), nil, token.NoPos, e, m.info) // panic has no value, and is described nevertheless
}

func (m *syntaxMaker) use(pos token.Pos, v *types.Var) ast.Expr {
	id := &ast.Ident{NamePos: pos, Name: v.Name()}
	m.info.Uses[id] = v
	return id
}

// typeName stands where the source would name a type.
func (m *syntaxMaker) typeName(pos token.Pos, t types.Type) ast.Expr {
	id := &ast.Ident{NamePos: pos, Name: types.TypeString(t, types.RelativeTo(m.pkg))}
	m.info.Types[id] = types.TypeAndValue{Type: t}
	return id
}

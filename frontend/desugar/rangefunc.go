package desugar

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// A range over a function is a call of that function with the loop's body as a function literal, yield. Go's compiler
// rewrites it so, and so it is done here, once the types are known: the rest of the front end knows calls and function
// literals only. Of
//
//	for k, v := range f {
//		if k == 3 {
//			return v
//		}
//		use(k, v)
//	}
//
// this becomes
//
//	{
//		over, done, left := false, false, false
//		var result T
//		f(func(k K, v V) bool {
//			if over {
//				panic("range function continued iteration after whole loop exit")
//			}
//			if done {
//				panic("range function continued iteration after function for loop body returned false")
//			}
//			if k == 3 {
//				result = v
//				left, done = true, true
//				return false
//			}
//			use(k, v)
//			return true
//		})
//		over = true
//		if left {
//			return result
//		}
//	}

// What Go's runtime says of a function that calls yield when it must not.
const (
	calledWhenOver = "range function continued iteration after whole loop exit"
	calledWhenDone = "range function continued iteration after function for loop body returned false"
)

// withoutRangeFuncs rewrites the ranges over functions in syntax.
func withoutRangeFuncs[N ast.Node](in N, info *types.Info, pkg *types.Package) N {
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		s, ok := n.(*ast.RangeStmt)
		found = found || ok && rangedFunc(info, s) != nil
		return !found
	})
	if !found {
		return in
	}
	d := &rangeDesugarer{info: info, pkg: pkg}
	if fn, ok := ast.Node(in).(*ast.FuncDecl); ok {
		d.around = fn.Type
	}
	d.rewriter = rewriter{info: info, change: d.stmt}
	return d.below(in).(N)
}

// rangedFunc is the signature of the function that a statement ranges over, nil if it ranges over something else or is
// not right.
func rangedFunc(info *types.Info, s *ast.RangeStmt) *types.Signature {
	sig := coreSignature(info.TypeOf(s.X))
	if sig == nil || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return nil
	}
	yield := coreSignature(sig.Params().At(0).Type())
	if yield == nil || yield.Results().Len() != 1 {
		return nil
	}
	vars := 0
	for i, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil {
			vars = i + 1
		}
	}
	if vars > yield.Params().Len() || yield.Params().Len() > 2 {
		return nil
	}
	return yield
}

// coreSignature is the signature that a type is, or that all types of a type parameter are; nil if there is none.
func coreSignature(t types.Type) *types.Signature {
	switch t := t.(type) {
	case nil:
		return nil
	case *types.TypeParam:
		return coreSignature(t.Constraint())
	case *types.Union:
		if t.Len() == 0 {
			return nil
		}
		return coreSignature(t.Term(0).Type()) // the type checker wants the others to be the same
	}
	switch t := t.Underlying().(type) {
	case *types.Signature:
		return t
	case *types.Interface:
		for e := range t.EmbeddedTypes() {
			if sig := coreSignature(e); sig != nil {
				return sig
			}
		}
	}
	return nil
}

// A rangeDesugarer rewrites the ranges over functions in a function, inner ones before those around them.
type rangeDesugarer struct {
	rewriter
	info   *types.Info
	pkg    *types.Package
	around *ast.FuncType // of the function or literal that the syntax stands in
}

func (d *rangeDesugarer) stmt(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.FuncLit:
		outer := d.around
		d.around = n.Type
		lit := d.below(n)
		d.around = outer
		return lit
	case *ast.LabeledStmt:
		if s, ok := n.Stmt.(*ast.RangeStmt); ok {
			return d.rangeStmt(s, n)
		}
	case *ast.RangeStmt:
		return d.rangeStmt(n, nil)
	}
	return d.below(n)
}

// rangeStmt is what a range over a function becomes. A label of the statement is left out with it.
func (d *rangeDesugarer) rangeStmt(s *ast.RangeStmt, labeled *ast.LabeledStmt) ast.Node {
	yield := rangedFunc(d.info, s)
	if yield == nil {
		if labeled != nil {
			return d.below(labeled)
		}
		return d.below(s)
	}
	// The literal is where the body is: the functions in X are not in it.
	start, end := s.Body.Lbrace, s.Body.Rbrace
	made := syntaxMaker{info: d.info, pkg: d.pkg, pos: s.For, front: s.For, scope: types.NewScope(nil, s.For, end+1, "")}
	l := &rangeLoop{in: d, syntaxMaker: made, end: end, around: d.around}
	if labeled != nil {
		l.label = labeled.Label.Name
	}
	l.over, l.done = l.declare("over"), l.declare("done")
	lit := &ast.FuncLit{Type: &ast.FuncType{Func: start, Params: &ast.FieldList{Opening: start, Closing: start}}}
	list := []ast.Stmt{l.misused(l.over, calledWhenOver), l.misused(l.done, calledWhenDone)}
	params, assign := l.params(s, yield, lit)
	if assign != nil {
		list = append(list, assign)
	}
	own := d.below(s.Body).(*ast.BlockStmt)
	list = append(list, l.body(own), l.yields(end, true))
	lit.Body = &ast.BlockStmt{Lbrace: start, List: list, Rbrace: end}
	boolean := types.NewTuple(types.NewVar(token.NoPos, d.pkg, "", types.Typ[types.Bool]))
	lit.Type.Results = &ast.FieldList{Opening: start, List: []*ast.Field{{Type: l.typeName(start, types.Typ[types.Bool])}}, Closing: start}
	d.info.Types[lit] = types.TypeAndValue{Type: types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), boolean, false)}
	call := &ast.CallExpr{Fun: d.change(s.X).(ast.Expr), Lparen: start, Args: []ast.Expr{lit}, Rparen: end}
	d.info.Types[call] = types.TypeAndValue{Type: (*types.Tuple)(nil)}
	after := append([]ast.Stmt{&ast.ExprStmt{X: call}, l.set(s.For, l.over, true)}, l.after...)
	return &ast.BlockStmt{Lbrace: s.For, List: append(l.vars, after...), Rbrace: end}
}

// IsRangeBody reports whether a literal is what the body of a range over a function has become.
func IsRangeBody(lit *ast.FuncLit) bool { return lit.Type.Func == lit.Body.Lbrace }

// params makes the parameters of yield: the variables that the range declares, or new ones that are assigned to those
// that it names.
func (l *rangeLoop) params(s *ast.RangeStmt, yield *types.Signature, lit *ast.FuncLit) (params []*types.Var, assign *ast.AssignStmt) {
	start := lit.Pos()
	scope := types.NewScope(nil, start, l.end+1, "")
	for i, e := range []ast.Expr{s.Key, s.Value}[:yield.Params().Len()] {
		id, _ := e.(*ast.Ident)
		old, _ := l.info.Defs[id].(*types.Var)
		name := "_"
		switch {
		case e == nil || s.Tok == token.DEFINE && old == nil:
			id = &ast.Ident{NamePos: start, Name: name}
		case s.Tok == token.DEFINE:
			name = id.Name
		case id == nil || id.Name != "_":
			name = "value" + strconv.Itoa(i)
			id = &ast.Ident{NamePos: start, Name: name}
		default:
			id = &ast.Ident{NamePos: start, Name: name}
		}
		v := types.NewVar(start, l.pkg, name, yield.Params().At(i).Type())
		scope.Insert(v)
		l.info.Defs[id] = v
		if old != nil && s.Tok == token.DEFINE {
			l.in.replace(s.Body, old, v)
		}
		params = append(params, v)
		lit.Type.Params.List = append(lit.Type.Params.List, &ast.Field{Names: []*ast.Ident{id}, Type: l.typeName(start, v.Type())})
		if s.Tok == token.ASSIGN && name != "_" {
			if assign == nil {
				assign = &ast.AssignStmt{TokPos: start, Tok: token.ASSIGN}
			}
			assign.Lhs = append(assign.Lhs, e)
			assign.Rhs = append(assign.Rhs, l.use(start, v))
		}
	}
	return params, assign
}

// replace has a variable stand for another one in the body. It is declared there.
func (d *rangeDesugarer) replace(body *ast.BlockStmt, old, v *types.Var) {
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && d.info.Uses[id] == old {
			d.info.Uses[id] = v
		}
		return true
	})
}

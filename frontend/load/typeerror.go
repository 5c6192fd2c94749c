package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
)

// typeError is an error of the type checker: with its kind and the source that it is about,
// and with what it says of other places.
type typeError struct {
	types.Error
	code    errorCode
	of      span
	related []types.Error
}

// An errorCode is the kind of a type checker's error. Advice goes by these and by the syntax:
// the text of a message may be another in any release of Go.
type errorCode int

// The codes that there is advice on, as package internal/types/errors of Go's library has them.
// Their numbers are kept from release to release.
const (
	wrongAssignCount     errorCode = 17
	unassignableOperand  errorCode = 18
	incompatibleAssign   errorCode = 23
	truncatedFloat       errorCode = 43
	undefinedOp          errorCode = 45
	mismatchedTypes      errorCode = 46
	nonNumericIncDec     errorCode = 48
	nonIndexableOperand  errorCode = 51
	invalidIndex         errorCode = 52
	undeclaredImported   errorCode = 73
	undeclaredName       errorCode = 75
	missingFieldOrMethod errorCode = 76
	invalidConversion    errorCode = 96
	invalidCond          errorCode = 105
	wrongArgCount        errorCode = 126
	badDecl              errorCode = 131
	wrongTypeArgCount    errorCode = 137
	invalidTypeArg       errorCode = 139
	invalidMinMaxOperand errorCode = 150
)

// newTypeError reads what [types.Error] keeps to itself, and gives to gopls in this way. Where
// a release of Go has it no more, there is no code, and no advice.
func newTypeError(err types.Error) typeError {
	e := typeError{Error: err, of: span{err.Pos, err.Pos}}
	v := reflect.ValueOf(err)
	code, start, end := v.FieldByName("go116code"), v.FieldByName("go116start"), v.FieldByName("go116end")
	if code.IsValid() && code.CanInt() && start.IsValid() && start.CanInt() && end.IsValid() && end.CanInt() {
		e.code = errorCode(code.Int())
		e.of = span{token.Pos(start.Int()), token.Pos(end.Int())}
	}
	return e
}

// A faulty is what a type error is about: the syntax around it, from the outside in.
type faulty struct {
	info *types.Info
	code errorCode
	path []ast.Node
}

// syntaxOf finds what an error is about.
func (w *typedWalk) syntaxOf(err typeError) faulty {
	at := faulty{info: w.prog.Info, code: err.code}
	f := w.prog.texts[w.prog.Fset.File(err.Pos)]
	if f == nil {
		return at
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil || n.Pos() > err.of.pos || n.End() < err.of.end {
			return false
		}
		at.path = append(at.path, n)
		return true
	})
	return at
}

// up is the node that is n levels above the innermost, nil where there is none.
func (at faulty) up(n int) ast.Node {
	if n < len(at.path) {
		return at.path[len(at.path)-1-n]
	}
	return nil
}

// expr is the expression that the error is about, nil where it is about none.
func (at faulty) expr() ast.Expr {
	e, _ := at.up(0).(ast.Expr)
	return e
}

// typeOf is the type of an expression, nil where it has none.
func (at faulty) typeOf(e ast.Expr) types.Type {
	if e == nil {
		return nil
	}
	return at.info.TypeOf(e)
}

// An operation is an operator with its operands. Of one operand y is nil.
type operation struct {
	op   token.Token
	x, y ast.Expr
}

// operation is that which the error is about. The type checker gives no type to one that it refuses.
func (at faulty) operation() (o operation, ok bool) {
	for _, n := range slices.Backward(at.path) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if _, typed := at.info.Types[n]; !typed {
				return operation{n.Op, n.X, n.Y}, true
			}
		case *ast.UnaryExpr:
			if _, typed := at.info.Types[n]; !typed {
				return operation{n.Op, n.X, nil}, true
			}
		case *ast.IncDecStmt:
			return operation{n.Tok, n.X, nil}, true
		case *ast.AssignStmt:
			if op, ok := operatorOf[n.Tok]; ok && len(n.Lhs) == 1 && len(n.Rhs) == 1 {
				return operation{op, n.Lhs[0], n.Rhs[0]}, true
			}
		}
		if _, ok := n.(ast.Stmt); ok {
			break
		}
	}
	return operation{}, false
}

// operatorOf are the operators of assignments.
var operatorOf = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
	token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
}

// A demand is what a value is wanted as.
type demand struct {
	typ     types.Type
	call    *ast.CallExpr // whose argument it is
	element bool          // it is an element of an array's literal
}

// method is what the function is called with, and its name: m and Mul of m.Mul(x), qd and Sqrt of qd.Sqrt(x).
func (d demand) method() (of ast.Expr, name string) {
	if d.call == nil {
		return nil, ""
	}
	switch fun := ast.Unparen(d.call.Fun).(type) {
	case *ast.SelectorExpr:
		return fun.X, fun.Sel.Name
	case *ast.Ident:
		return nil, fun.Name
	}
	return nil, ""
}

// demand is what the expression is wanted as that the error is about; without a type where that cannot be seen.
func (at faulty) demand() demand {
	e, above := at.expr(), 1
	for e != nil {
		if p, ok := at.up(above).(*ast.ParenExpr); ok {
			e, above = p, above+1
			continue
		}
		break
	}
	key := e
	if kv, ok := at.up(above).(*ast.KeyValueExpr); ok && kv.Value == e {
		key, above = kv, above+1
	}
	switch n := at.up(above).(type) {
	case *ast.CallExpr:
		return at.argument(n, e)
	case *ast.AssignStmt:
		if i := slices.Index(n.Rhs, e); i >= 0 && len(n.Lhs) == len(n.Rhs) {
			return demand{typ: at.typeOf(n.Lhs[i])}
		}
	case *ast.ValueSpec:
		if n.Type != nil {
			return demand{typ: at.typeOf(n.Type)}
		}
	case *ast.ReturnStmt:
		if i := slices.Index(n.Results, e); i >= 0 {
			return demand{typ: at.result(i)}
		}
	case *ast.CompositeLit:
		return at.element(n, key)
	}
	return demand{}
}

// argument is what a call, or a conversion, wants of an argument.
func (at faulty) argument(call *ast.CallExpr, arg ast.Expr) demand {
	fun := at.info.Types[call.Fun]
	i := slices.Index(call.Args, arg)
	if fun.IsType() {
		return demand{typ: fun.Type}
	}
	sig, ok := fun.Type.(*types.Signature)
	switch {
	case !ok || i < 0:
		return demand{call: call}
	case i >= sig.Params().Len()-1 && sig.Variadic() && !call.Ellipsis.IsValid():
		if s, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice); ok {
			return demand{typ: s.Elem(), call: call}
		}
	case i < sig.Params().Len():
		return demand{typ: sig.Params().At(i).Type(), call: call}
	}
	return demand{call: call}
}

// result is the type of a result of the function around.
func (at faulty) result(i int) types.Type {
	for _, n := range slices.Backward(at.path) {
		var t types.Type
		switch n := n.(type) {
		case *ast.FuncLit:
			t = at.typeOf(n)
		case *ast.FuncDecl:
			if obj := at.info.Defs[n.Name]; obj != nil {
				t = obj.Type()
			}
		default:
			continue
		}
		if sig, ok := t.(*types.Signature); ok && i < sig.Results().Len() {
			return sig.Results().At(i).Type()
		}
		return nil
	}
	return nil
}

// element is what a composite literal wants of one of its elements.
func (at faulty) element(lit *ast.CompositeLit, e ast.Expr) demand {
	t := at.typeOf(lit)
	if t == nil {
		return demand{}
	}
	switch t := t.Underlying().(type) {
	case *types.Array:
		return demand{typ: t.Elem(), element: true}
	case *types.Slice:
		return demand{typ: t.Elem(), element: true}
	case *types.Map:
		return demand{typ: t.Elem()}
	case *types.Struct:
		i := slices.Index(lit.Elts, e)
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			name, _ := kv.Key.(*ast.Ident)
			i = slices.IndexFunc(slices.Collect(t.Fields()), func(f *types.Var) bool { return name != nil && f.Name() == name.Name })
		}
		if i >= 0 && i < t.NumFields() {
			return demand{typ: t.Field(i).Type()}
		}
	}
	return demand{}
}

// badTypeArg is a type argument that is not what its type parameter demands, and that constraint; nil where none is
// found.
func (at faulty) badTypeArg() (arg, constraint types.Type) {
	for _, n := range slices.Backward(at.path) {
		var generic ast.Expr
		switch n := n.(type) {
		case *ast.CallExpr:
			generic = n.Fun
		case *ast.IndexExpr:
			generic = n.X
		case *ast.IndexListExpr:
			generic = n.X
		case ast.Stmt:
			return nil, nil
		default:
			continue
		}
		id := NameIn(generic)
		if id == nil {
			continue
		}
		params, args := typeParams(at.info.Uses[id]), at.info.Instances[id].TypeArgs
		for i := range min(params.Len(), args.Len()) {
			if c, ok := params.At(i).Constraint().Underlying().(*types.Interface); ok && !types.Satisfies(args.At(i), c) {
				return args.At(i), params.At(i).Constraint()
			}
		}
	}
	return nil, nil
}

// typeParams are those of a generic function or type.
func typeParams(obj types.Object) *types.TypeParamList {
	if obj == nil {
		return nil
	}
	switch t := obj.Type().(type) {
	case *types.Signature:
		return t.TypeParams()
	case *types.Named:
		return t.TypeParams()
	case *types.Alias:
		return t.TypeParams()
	}
	return nil
}

// typeText is a type as the type checker writes it.
func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// isUndeclared reports whether an error is that a name has no declaration.
func (err typeError) isUndeclared() bool {
	return err.code == undeclaredName || err.code == undeclaredImported
}

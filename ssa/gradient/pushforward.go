package gradient

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// This file turns the rules of rules.go round. A rule says what an operand's adjoint gets of the adjoints a and b of
// the results. It is linear in these. So the tangent of the first result is the sum, over all operands, of the rule
// with the tangent of the operand in the place of a, and zero in that of b. The tangents of the operands x, y and z are
// dx, dy and dz.

// pushforward is the tangent of result k of an operation with such rules, nil for zero. has tells of each operand
// whether it has a tangent. steep is for a function whose derivative may be infinite: it is guarded. See [guarded] for
// intermediate.
func pushforward(rules []string, k int, has []bool, steep, intermediate bool) (sum ast.Expr) {
	for i, rule := range rules {
		if !has[i] || rule == "" {
			continue
		}
		tangent := ast.NewIdent("d" + string(rune('x'+i)))
		adjoint := string(rune('a' + k))
		e := along(parse(rule), adjoint, tangent)
		if e != nil && steep {
			e = guarded(parse(rule), adjoint, tangent, e, intermediate)
		}
		sum = plusExpr(sum, e)
	}
	return sum
}

// along is a rule with an expression in the place of one adjoint, and zero in that of the others, nil if it is zero.
func along(e ast.Expr, adjoint string, by ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.Ident:
		switch {
		case e.Name == adjoint:
			return by
		case e.Name == "a" || e.Name == "b":
			return nil
		}
	case *ast.BasicLit:
		if e.Value == "0" {
			return nil
		}
	case *ast.ParenExpr:
		return along(e.X, adjoint, by)
	case *ast.UnaryExpr:
		return minusExpr(along(e.X, adjoint, by))
	case *ast.BinaryExpr:
		x, y := along(e.X, adjoint, by), along(e.Y, adjoint, by)
		switch {
		case e.Op == token.ADD:
			return plusExpr(x, y)
		case e.Op == token.SUB && y == nil:
			return x
		case e.Op == token.SUB && x == nil:
			return minusExpr(y)
		case x == nil || y == nil: // a product or a quotient: no rule divides by zero
			return nil
		}
		return &ast.BinaryExpr{X: x, Op: e.Op, Y: y}
	case *ast.CallExpr:
		if e.Fun.(*ast.Ident).Name == "pick" {
			return pickExpr(e.Args[0], along(e.Args[1], adjoint, by), along(e.Args[2], adjoint, by))
		}
		// A function of operands and results has no adjoint among its arguments, apart from Ldexp, which is linear in
		// the first one.
		x := along(e.Args[0], adjoint, by)
		if x == nil && isAdjoint(e.Args[0]) {
			return nil
		}
		if !isAdjoint(e.Args[0]) {
			return e
		}
		return &ast.CallExpr{Fun: e.Fun, Args: append([]ast.Expr{x}, e.Args[1:]...)}
	}
	return e
}

func isAdjoint(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && (id.Name == "a" || id.Name == "b")
}

func noughtExpr() ast.Expr { return &ast.BasicLit{Kind: token.INT, Value: "0"} }

func minusExpr(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	return &ast.UnaryExpr{Op: token.SUB, X: e}
}

// pickExpr is a choice of two expressions, each of which may be nil for zero.
func pickExpr(cond, yes, no ast.Expr) ast.Expr {
	if yes == nil && no == nil {
		return nil
	}
	args := []ast.Expr{cond, yes, no}
	for i, e := range args {
		if e == nil {
			args[i] = noughtExpr()
		}
	}
	return &ast.CallExpr{Fun: ast.NewIdent("pick"), Args: args}
}

// plusExpr adds expressions, each of which may be nil for zero. Two choices on the same condition become one.
func plusExpr(x, y ast.Expr) ast.Expr {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	p, q := asPick(x), asPick(y)
	if p != nil && q != nil && types.ExprString(p.Args[0]) == types.ExprString(q.Args[0]) {
		branch := func(i int) ast.Expr { return plusExpr(orNil(p.Args[i]), orNil(q.Args[i])) }
		return pickExpr(p.Args[0], branch(1), branch(2))
	}
	if m, ok := y.(*ast.UnaryExpr); ok {
		return &ast.BinaryExpr{X: x, Op: token.SUB, Y: m.X}
	}
	return &ast.BinaryExpr{X: x, Op: token.ADD, Y: y}
}

func asPick(e ast.Expr) *ast.CallExpr {
	if c, ok := e.(*ast.CallExpr); ok && c.Fun.(*ast.Ident).Name == "pick" {
		return c
	}
	return nil
}

// orNil is an expression, nil for the literal zero.
func orNil(e ast.Expr) ast.Expr {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Value == "0" {
		return nil
	}
	return e
}

// rulesOf are the rules of an operation on floats, nil if it has none.
func rulesOf(in *ssa.Instr) []string {
	if in.Op == ssa.OpMath {
		return functions[in.Math]
	}
	return operators[in.Op]
}

// tangent appends the tangent of result k of an instruction, and gives nil for zero. See [guarded] for intermediate.
func (f *formula) tangent(k int, intermediate bool) *ssa.Value {
	rules := rulesOf(f.in)
	if len(rules) > len(f.in.Args) {
		panic(fmt.Sprintf("BUG: %d rules for %v", len(rules), f.in))
	}
	has := make([]bool, len(f.in.Args))
	for i, t := range f.tangents {
		has[i] = t != nil
	}
	e := pushforward(rules, k, has, f.in.Op == ssa.OpMath && isSteep[f.in.Math], intermediate)
	if e == nil {
		return nil
	}
	f.float = f.in.Results[k].Type
	return f.value(e, f.float)
}

package gradient

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"sync"

	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/ssa"
)

// formulas are the parsed rules.
var formulas memo.Map[string, ast.Expr]

// parse parses a rule.
func parse(rule string) ast.Expr {
	if e, ok := formulas.Load(rule); ok {
		return e
	}
	e, err := parser.ParseExpr(rule)
	if err != nil {
		panic(fmt.Sprintf("BUG: the rule %s: %v", rule, err))
	}
	e, _ = formulas.LoadOrStore(rule, e)
	return e
}

// An appender is where the code of a formula is appended.
type appender interface {
	append(in *ssa.Instr, results ...ssa.Type) *ssa.Instr
	op(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value
	constant(t ssa.Type, c ssa.Const) *ssa.Value
	primal(v *ssa.Value) *ssa.Value // a value of the kernel, there
	in(b *ssa.Block, f func())      // f appends to another block
}

// A formula is the place where a rule is evaluated: at an instruction, for the adjoints of its results, or for the
// tangents of its operands.
type formula struct {
	r        appender
	in       *ssa.Instr
	adjoints []*ssa.Value          // of the results, nil for one that has none
	tangents []*ssa.Value          // of the operands
	float    ssa.Type              // of literals
	steps    map[string]*ssa.Value // of what is computed in several steps, by their names
}

// value appends what computes an expression. want is the type that a literal has.
func (f *formula) value(e ast.Expr, want ssa.Type) *ssa.Value {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.value(e.X, want)
	case *ast.BasicLit:
		return f.literal(e.Value, want)
	case *ast.Ident:
		return f.name(e.Name)
	case *ast.UnaryExpr: // minus
		x := f.value(e.X, want)
		return f.r.op(ssa.OpNeg, x.Type, x)
	case *ast.BinaryExpr:
		return f.binary(e, want)
	case *ast.CallExpr:
		return f.call(e, want)
	}
	panic(fmt.Sprintf("BUG: %T in a rule", e))
}

func (f *formula) literal(text string, t ssa.Type) *ssa.Value {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("BUG: the number " + text + " in a rule")
	}
	c := ssa.IntConst(ssa.Int64, uint64(int64(x)))
	if ssa.IsFloat(t) {
		c = ssa.FloatConst(t, x)
	}
	return f.r.constant(t, c)
}

// name is an operand, a result, the adjoint of a result, or the tangent of an operand.
func (f *formula) name(name string) *ssa.Value {
	if v := f.steps[name]; v != nil {
		return v
	}
	switch c := name[0]; c {
	case 'd':
		return f.tangents[name[1]-'x']
	case 'x', 'y', 'z':
		return f.r.primal(f.in.Args[c-'x'])
	case 'r', 's':
		return f.r.primal(f.in.Results[c-'r'])
	default: // a, b
		if a := f.adjoints[c-'a']; a != nil {
			return a
		}
		return f.r.constant(f.float, ssa.Const{})
	}
}

var operatorsOf = map[token.Token]ssa.Op{
	token.ADD: ssa.OpAdd, token.SUB: ssa.OpSub, token.MUL: ssa.OpMul, token.QUO: ssa.OpDiv,
	token.LSS: ssa.OpLt, token.GTR: ssa.OpGt, token.EQL: ssa.OpEq, token.NEQ: ssa.OpNe, token.LAND: ssa.OpAnd,
}

func (f *formula) binary(e *ast.BinaryExpr, want ssa.Type) *ssa.Value {
	op := operatorsOf[e.Op]
	if op.IsComparison() {
		want = f.float
	}
	var x, y *ssa.Value
	if _, isLit := e.X.(*ast.BasicLit); isLit { // a literal has the type of the other operand
		y = f.value(e.Y, want)
		x = f.value(e.X, y.Type)
	} else {
		x = f.value(e.X, want)
		y = f.value(e.Y, x.Type)
	}
	if op.IsComparison() {
		return f.r.op(op, ssa.Bool, x, y)
	}
	return f.r.op(op, x.Type, x, y)
}

func (f *formula) call(e *ast.CallExpr, want ssa.Type) *ssa.Value {
	name := e.Fun.(*ast.Ident).Name
	if name == "pick" {
		return f.pick(e.Args[0], e.Args[1], e.Args[2], want)
	}
	if name == "Digamma" {
		return f.digamma(f.value(e.Args[0], want))
	}
	fn := mathNamed()[name]
	params, results := fn.Signature(f.float)
	in := &ssa.Instr{Op: ssa.OpMath, Math: fn}
	for i, a := range e.Args {
		in.Args = append(in.Args, f.value(a, params[i]))
	}
	return f.r.append(in, results...).Result()
}

// pick appends an If that yields one of two values.
func (f *formula) pick(cond, p, q ast.Expr, want ssa.Type) *ssa.Value {
	in := f.r.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{f.value(cond, ssa.Bool)}}, want)
	for _, e := range []ast.Expr{p, q} {
		f.r.in(in.NewBlock(), func() {
			f.r.append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{f.value(e, want)}})
		})
	}
	return in.Result()
}

// mathNamed are the functions by their names in package math.
var mathNamed = sync.OnceValue(func() map[string]ssa.Math {
	m := make(map[string]ssa.Math)
	for f := ssa.Math(1); f < ssa.NumMath; f++ {
		m[f.GoName()] = f
	}
	return m
})

// guarded is the value of a rule, or zero where the adjoint, or the tangent in its place, is zero: zero times an infinity
// is NaN. An intermediate result is differentiated too. There an adjoint that happens to be zero may have a derivative, which
// counts: the value is the rule's wherever that is finite.
func guarded(rule ast.Expr, adjoint string, by, value ast.Expr, intermediate bool) ast.Expr {
	none := ast.Expr(&ast.BinaryExpr{X: by, Op: token.EQL, Y: noughtExpr()})
	if intermediate {
		factor := along(rule, adjoint, &ast.BasicLit{Kind: token.INT, Value: "1"})
		isInfinite := &ast.BinaryExpr{X: &ast.BinaryExpr{X: factor, Op: token.SUB, Y: factor}, Op: token.NEQ, Y: noughtExpr()}
		none = &ast.BinaryExpr{X: none, Op: token.LAND, Y: isInfinite}
	}
	return pickExpr(none, noughtExpr(), value)
}

// hasOneFloat reports whether the first of some results is a float, and no other.
func hasOneFloat(results []*ssa.Value) bool {
	return ssa.IsFloat(results[0].Type) && !slices.ContainsFunc(results[1:], func(v *ssa.Value) bool { return ssa.IsFloat(v.Type) })
}

// differentiate adds what a rule of each active operand gives to the operand's adjoint.
func (r *sweep) differentiate(in *ssa.Instr, rules []string) {
	f := &formula{r: r, in: in}
	live := false
	for _, result := range in.Results {
		a := r.take(result)
		live = live || a != nil
		f.adjoints = append(f.adjoints, r.whole(a, result.Type))
		if ssa.IsFloat(result.Type) {
			f.float = result.Type
		}
	}
	if !live {
		return
	}
	guard := hasOneFloat(in.Results) && r.mayBeNone(f.adjoints[0])
	var none *ssa.Value
	if guard && r.intermediate {
		none = r.noneWhere(f.adjoints[0])
		f.steps = map[string]*ssa.Value{"none": none}
	}
	for i, rule := range rules {
		if v := in.Args[i]; r.isActive(v) && rule != "" && rule != "0" {
			e := parse(rule)
			if guard && !isFiniteRule(rule, in) {
				e = guarded(e, "a", ast.NewIdent("a"), e, r.intermediate)
				if none != nil {
					e = pickExpr(ast.NewIdent("none"), noughtExpr(), e)
				}
			}
			r.add(v, &adjoint{value: f.value(e, v.Type)})
		}
	}
}

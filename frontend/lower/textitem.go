package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"strings"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// An item is a value that is to be a part of a text.
type item struct {
	name string     // as the source has it
	typ  types.Type // nil of nil
	val  *ssa.Value // nil if it is not known
	err  types.Type // of an error whose text it is
	more bool       // it is a list of which nothing is known
	priv bool       // it is an unexported field, or in one: package fmt calls no methods of it
}

// unknown is the text of an item of which nothing is known but its name.
func (it item) unknown() eval.Text { return eval.Unknown(clip(it.name)) }

// isError reports whether it is an error, which %w wraps. What holds nothing is none.
func (it item) isError() bool {
	return it.err != nil || it.typ != nil && types.Implements(it.typ, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// clip shortens the source of an expression.
func clip(name string) string {
	const most = 40
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "..."
}

// of is a string as a text.
func (tx texts) of(e ast.Expr) (eval.Text, bool) {
	v := tx.b.expr(e)
	if v == eval.Poison {
		return nil, false
	}
	if t, ok := eval.TextOf(v); ok {
		return t, true
	}
	return eval.Unknown(clip(types.ExprString(e))), true
}

// items are the arguments of a function of package fmt, behind some others. What makes only texts need not be known.
func (tx texts) items(e *ast.CallExpr, from int) ([]item, bool) {
	if e.Ellipsis.IsValid() {
		list := e.Args[len(e.Args)-1]
		v := tx.b.expr(list)
		if v == eval.Poison {
			return nil, false
		}
		parts, ok := tx.b.ListParts(v)
		if !ok || len(e.Args) != from+1 {
			return []item{{name: types.ExprString(list), more: true}}, true
		}
		items := make([]item, len(parts))
		for i, part := range parts {
			name := fmt.Sprintf("%s[%d]", types.ExprString(list), i)
			items[i] = tx.dynamic(list, item{name: name, typ: anyType, val: part})
		}
		return items, true
	}
	if tuple, ok := tx.b.GoType(e.Args[min(from, len(e.Args)-1)]).(*types.Tuple); ok && len(e.Args) > from {
		return tx.results(e.Args[from], tuple)
	}
	var items []item
	args := e.Args[min(from, len(e.Args)):]
	tx.callsFirst(args)
	for _, arg := range args {
		it := item{name: types.ExprString(arg), typ: tx.b.GoType(arg)}
		if it.typ == nil || check.Invalid(it.typ) {
			tx.b.expr(arg)
			tx.b.m.MustBeIllTyped("an argument without a type")
			return nil, false
		}
		if tx.onlyText(arg) {
			it.val, _ = tx.attempt(arg)
		} else if it.val = tx.b.expr(arg); it.val == eval.Poison {
			return nil, false
		}
		items = append(items, tx.dynamic(arg, it))
	}
	return items, true
}

// callsFirst lowers the calls in arguments first, as in any statement, if that has not been done: a panic's argument
// need not be known, so its statement has not.
func (tx texts) callsFirst(args []ast.Expr) {
	var list []ast.Expr
	done := false
	for _, arg := range args {
		if tx.onlyText(arg) {
			continue
		}
		list = append(list, arg)
		ast.Inspect(arg, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				_, kept := tx.b.loweredFirst[e]
				done = done || kept
			}
			return !done
		})
	}
	if !done {
		tx.b.ordering.callsFirst(list...)
	}
}

// results are the results of a call as arguments.
func (tx texts) results(call ast.Expr, tuple *types.Tuple) ([]item, bool) {
	vals := tx.b.exprList([]ast.Expr{call})
	if eval.AnyPoison(vals) || len(vals) != tuple.Len() {
		return nil, false
	}
	items := make([]item, len(vals))
	for i, v := range vals {
		name := fmt.Sprintf("result %d of %s", i+1, types.ExprString(call))
		items[i] = tx.dynamic(call, item{name: name, typ: tx.b.Subst(tuple.At(i).Type()), val: v})
	}
	return items, true
}

var anyType = types.Universe.Lookup("any").Type()

// onlyText reports whether an expression only makes a string, so that it need not be computed where it cannot be.
func (tx texts) onlyText(e ast.Expr) bool {
	if t := tx.b.GoType(e); t == nil || !check.IsBasic(t, types.IsString) && !types.IsInterface(t) {
		return false
	}
	only := true
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || tx.b.Info.Types[call.Fun].IsType() {
			return only
		}
		f, isCall := tx.b.Called(call)
		switch {
		case !isCall: // a function that is built in
		case f == nil || f.Pkg() == nil:
			only = false
		case f.Signature().Recv() != nil:
			only = only && (f.Name() == "Error" || f.Name() == "String")
		default:
			only = only && (f.Pkg().Path() == "fmt" || f.Pkg().Path() == "strings" || f.Pkg().Path() == "strconv" || f.Pkg().Path() == "errors")
		}
		return only
	})
	return only
}

// attempt is an expression that may be refused: then nothing has happened, and it is nil.
func (tx texts) attempt(e ast.Expr) (v *ssa.Value, ok bool) {
	return tx.attemptOf(func() *ssa.Value { return tx.b.expr(e) })
}

func (tx texts) attemptOf(lower func() *ssa.Value) (v *ssa.Value, ok bool) {
	b := tx.b
	before, saved, vars, literals := b.m.mark(), *b, maps.Clone(b.Vars), maps.Clone(b.literals)
	instrs, refused, doubt := len(b.Cur.Instrs), b.Function.Refused, b.m.Doubt
	v = lower()
	if v != eval.Poison && len(b.m.Since(before.report)) == 0 {
		return v, true
	}
	b.m.takeBack(before)
	*b = saved
	b.Vars, b.literals = vars, literals
	b.Cur.Instrs = b.Cur.Instrs[:instrs]
	b.Function.Refused, b.m.Doubt = refused, doubt
	return nil, false
}

// dynamic is an item as a value of its dynamic type, if that is known.
func (tx texts) dynamic(at ast.Node, it item) item {
	if it.val == eval.UntypedNil {
		return item{name: it.name}
	}
	if it.val == nil || !types.IsInterface(it.typ) {
		return it
	}
	may, certain := eval.Dynamics(it.val)
	if len(may) != 1 || !certain {
		it.val = nil
		return it
	}
	d := may[0]
	if d.Sentinel != nil || d.Text != "" {
		it.typ, it.val, it.err = types.Typ[types.String], tx.ofMade(at, d, tx.b.Held(at.Pos(), it.val)).Value(), d.Type
		return it
	}
	it.typ = d.Type
	if d.Type != nil {
		it.val = tx.b.Held(at.Pos(), it.val)
	} else {
		it.val = nil
	}
	return it
}

// ofMade is the text of an error in a package variable, or of one that the kernel makes and that is held by a value,
// nil where that is not known.
func (tx texts) ofMade(at ast.Node, d eval.Dynamic, held *ssa.Value) eval.Text {
	if d.Sentinel != nil {
		return tx.b.m.sentinelText(d.Sentinel)
	}
	if t, ok := eval.TextOf(held); ok {
		return tx.b.Here(at.Pos(), t)
	}
	return eval.Literal(d.Text)
}

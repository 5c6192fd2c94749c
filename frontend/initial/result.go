package initial

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"math"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
)

// maxCallSteps is how many steps a call may take.
const maxCallSteps = 500_000

// Results computes the results of a call of a declared function without type parameters, whose arguments are numbers,
// bools and strings. A function that does or reads anything else than this, and one that panics, is an error. It takes
// the steps from those that are left for calls, and an error is also that these do not suffice.
func Results(m *check.Syntax, f *types.Func, args []comptime.Value, left *int) ([]comptime.Value, error) {
	return alone(m, left, func(r *machine) ([]comptime.Value, error) { return r.results(f, args) })
}

// Expr computes an expression that names no local variables, of which info knows the types, as it is before init functions
// run. Like Results, it takes no more steps than are left. What it reads may never change, not even in init functions.
func Expr(m *check.Syntax, info *types.Info, e ast.Expr, left *int) (comptime.Value, error) {
	return alone(m, left, func(r *machine) (comptime.Value, error) {
		r.constant = true
		return r.expr(info, e)
	})
}

// errWrong is the error for what may depend on source that is wrong, in which something has no type.
var errWrong = errors.New("the program does not compile")

// alone computes something that does nothing, in so many steps as are left.
func alone[T any](m *check.Syntax, left *int, compute func(*machine) (T, error)) (T, error) {
	if len(m.Prog.Problems) > 0 || m.Prog.Incomplete {
		var none T
		return none, errWrong
	}
	first := map[*types.Package][]*types.Var{}
	for {
		r := newMachine(m, first)
		r.left, r.alone = min(maxCallSteps, *left), true
		before := r.left
		result, err := compute(r)
		*left -= before - max(0, r.left)
		var late *lateError
		if !errors.As(err, &late) {
			return result, err
		}
		first[late.v.Pkg()] = append(first[late.v.Pkg()], late.v)
	}
}

func (m *machine) expr(info *types.Info, e ast.Expr) (value comptime.Value, err error) {
	defer m.recovered(&err)
	f := &frame{machine: m, info: info, vars: map[*types.Var]*block{}}
	t := types.Default(info.TypeOf(e))
	m.at = e
	var val any
	f.ordered([]operand{{e: e, t: t}}, func() { val = f.exprAs(e, t) })
	return m.known(m.copied(val), t, map[*block]bool{})
}

func (m *machine) results(f *types.Func, args []comptime.Value) (out []comptime.Value, err error) {
	defer m.recovered(&err)
	in := make([]any, len(args))
	for i, arg := range args {
		in[i] = m.given(arg)
	}
	results := f.Signature().Results()
	for i, v := range m.run(m.function(f), in) {
		value, err := m.result(v, results.At(i).Type())
		if err != nil {
			return nil, err
		}
		out = append(out, value)
	}
	return out, nil
}

// given is a number, a bool or a string.
func (m *machine) given(v comptime.Value) any {
	switch v.Kind {
	case comptime.Bool:
		return v.Bits != 0
	case comptime.Int:
		return int64(v.Bits)
	case comptime.Uint:
		return v.Bits
	case comptime.Float32:
		return float64(math.Float32frombits(uint32(v.Bits)))
	case comptime.Float64:
		return math.Float64frombits(v.Bits)
	case comptime.String:
		return v.Str
	}
	panic(m.failed("it is given a %s", v.Type))
}

// result is a result as a value. An error is only one if it is nil.
func (m *machine) result(v any, t types.Type) (comptime.Value, error) {
	if b, ok := v.(boxed); ok {
		if b.t != nil {
			return comptime.Value{}, fmt.Errorf("it gives a %s", b.t)
		}
		return comptime.Value{}, nil
	}
	return m.known(v, t, map[*block]bool{})
}

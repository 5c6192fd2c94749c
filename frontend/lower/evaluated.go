package lower

import (
	"errors"
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/initial"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// Kernels have strings that are known, but no strings of the running kernel. Functions that search and cut strings have
// loops, in which they become such. If all arguments are known, the call needs no code: the front end runs it as it
// runs what initializes packages.

// maxEvaluated is how many steps all calls take together that are evaluated for one kernel.
const maxEvaluated = 2_000_000

// evaluated are the results of a call with a known string among its arguments, all of which are known. It is not ok of
// another call, and of one that cannot be evaluated: that is lowered.
func (c caller) evaluated(e *ast.CallExpr, f *eval.Func, args []*ssa.Value) (vals []*ssa.Value, ok bool) {
	sig := f.Obj.Signature()
	params, results := sig.Params(), sig.Results()
	if sig.Recv() != nil || sig.Variadic() || len(f.Targs) > 0 || params.Len() != len(args) || results.Len() == 0 ||
		load.IsOwn(f.Obj.Pkg().Path()) || c.b.AnySymbolic(args) {
		return nil, false
	}
	hasString := false
	for v := range params.Variables() {
		if !check.IsBasic(v.Type(), types.IsConstType) {
			return nil, false
		}
		hasString = hasString || check.IsBasic(v.Type(), types.IsString)
	}
	for v := range results.Variables() {
		if !check.IsBasic(v.Type(), types.IsConstType) && !isError(v.Type()) {
			return nil, false
		}
	}
	if !hasString {
		return nil, false
	}
	known := make([]comptime.Value, len(args))
	var key []byte
	for i, arg := range args {
		if known[i], ok = c.b.Known(arg, params.At(i).Type()); !ok {
			return nil, false
		}
		key = known[i].Append(key)
	}
	values, ok := c.b.m.resultsOf(knownCall{f.Obj, string(key)}, known)
	if !ok {
		return nil, false
	}
	for i, v := range values {
		if len(v.Str) > eval.MaxString {
			c.b.m.Refuse(e, "keep strings short", "a string of more than %d bytes", eval.MaxString)
			return eval.Poisons(results.Len()), true
		}
		t := results.At(i).Type()
		val := c.b.Box(e.Pos(), eval.UntypedNil, t)
		if !isError(t) {
			val = c.b.FromKnown(e.Pos(), t, v)
		}
		if val == nil {
			return nil, false
		}
		vals = append(vals, val)
	}
	return vals, true
}

// A knownCall is a call of a function with arguments as [comptime.Value.Append] gives them. Functions that stand for
// literals may have the same name.
type knownCall struct {
	f    *types.Func
	args string
}

// resultsOf are the results of a call, which are computed once.
func (m *Module) resultsOf(call knownCall, args []comptime.Value) ([]comptime.Value, bool) {
	values, met := m.results[call]
	if !met {
		var err error
		values, err = initial.Results(m.Syntax, call.f, args, &m.callSteps)
		var lacks *initial.LacksError
		if errors.As(err, &lacks) && lacks.Var.Pkg != m.Pkg.Path() { // the kernel is lowered anew, with the variable
			m.uninitialized = append(m.uninitialized, lacks.Var)
		}
		if m.results == nil {
			m.results = map[knownCall][]comptime.Value{}
		}
		m.results[call] = values
	}
	return values, values != nil
}

// isError reports whether a type is error.
func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

package lower

import (
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa/interp"
)

// makeCall runs a function. There are neither results nor an error where it cannot be run.
func (m *Module) makeCall(c *eval.PendingCall) ([]comptime.Value, error) {
	vars := eval.ReceiverAndParams(c.F.Obj.Signature())
	s := m.With(c.F.TypeArgs())
	known := make(eval.KnownArgs, len(c.Args))
	for i, arg := range c.Args {
		v, ok := c.B.Known(arg, s.Typ(vars[i].Type()))
		if !ok {
			return nil, nil
		}
		known[i] = &v
	}
	e := m.evaluator()
	if m.IllTyped() || e.Diags.Len() > 0 || c.B.Function.Depth >= MaxDepth {
		return nil, nil // what is wrong is said where the call is lowered
	}
	fn := e.instance(c.F, known, nil)
	if fn == nil {
		fn = e.lower(c.Src, c.F.Targs, known, nil, c.B.Function, nil)
	}
	if fn.Open || fn.Bad || e.Diags.Len() > 0 {
		return nil, nil
	}
	out, err := interp.Compile(fn.Fn).Run(&interp.Env{Steps: eval.MaxSteps}, nil)
	if err != nil {
		return nil, err
	}
	var results []comptime.Value
	for i, p := range out {
		results = append(results, eval.ValueOf(fn.Fn.Results[i], p))
	}
	return results, nil
}

// evaluator is the module of the functions that are run.
func (m *Module) evaluator() *Module {
	if m.runs == nil {
		opts := m.Opts
		opts.Checked, opts.Print, opts.Warn, opts.Symbolic = true, nil, nil, false
		m.Context()
		if m.Locals == nil {
			m.Locals = map[*types.Named][]check.LocalType{}
		}
		m.runs = newModule(m.Prog, opts, m.Pkg, m.Out.Name)
		m.runs.Ctxt, m.runs.Locals = m.Ctxt, m.Locals
		m.runs.runs, m.runs.Refs = m.runs, m.Refs
	}
	return m.runs
}

package lower

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// companions are what directives name for a function: see [load.Companion].
type companions struct{ gradient, replay *load.Companion }

func (c companions) any() bool { return c.gradient != nil || c.replay != nil }

func (m *Module) companions(f *eval.Func) companions {
	return companions{m.Prog.Companion(f.Obj, load.Gradient), m.Prog.Companion(f.Obj, load.Replay)}
}

// mayHaveCompanions refuses the companions of a function whose calls are lowered into the caller: nothing is left of it
// that could be differentiated as a whole.
func (m *Module) mayHaveCompanions(f *eval.Func, has companions) bool {
	why, instead := neverAlone(m, f)
	if why == "" {
		return true
	}
	for _, c := range []*load.Companion{has.gradient, has.replay} {
		if c != nil {
			m.Refuse(c.At, instead, "%s can have no gradient or replay of its own, because %s", f.Obj.Name(), why)
		}
	}
	return false
}

// mayBeCompanion refuses a companion whose calls would be lowered into the caller.
func mayBeCompanion(m *Module, f *eval.Func, of *load.Companion) bool {
	why, instead := neverAlone(m, f)
	if why != "" {
		m.Refuse(of.At, instead, "%s can be no gradient or replay of a function, because %s", f.Obj.Name(), why)
	}
	return why == ""
}

// neverAlone says why a function cannot be compiled as one of its own, and what to do instead; "" if it can. A function
// that slices its parameters can: in a checked build the length of a slice stands for the capacity then.
func neverAlone(m *Module, f *eval.Func) (why, instead string) {
	s := m.With(f.TypeArgs())
	for _, v := range eval.ReceiverAndParams(f.Obj.Signature()) {
		switch t := s.Typ(v.Type()); {
		case m.IsFrontType(t):
			return fmt.Sprintf("the value of %s, of type %s, is known only where it is called", givenName(v), m.TypeString(t)),
				"take only values that a kernel has at run time; for a function value, write one function for each"
		case check.IsGrid(t) || check.IsBlock(t) || check.IsTile(t):
			return fmt.Sprintf("%s, of type %s, is there for all threads of a block or a grid together", givenName(v), m.TypeString(t)),
				"take only values that each thread has of its own"
		}
	}
	for v := range f.Obj.Signature().Results().Variables() {
		switch t := s.Typ(v.Type()); {
		case m.IsFrontType(t):
			return fmt.Sprintf("it returns a value of type %s, which there is only where it is called", m.TypeString(t)),
				"return numbers, structs and arrays of them; in place of an error, return a bool or a code"
		case check.IsTile(t):
			return "it returns a tile, which is there for all threads of a block together", "return only values that each thread has of its own"
		}
	}
	switch {
	case m.capacitiesFor(f.Obj) == mustNeed:
		return "it uses the capacity of a slice, with cap or append, which is known only where it is called",
			"take the capacity as one more parameter, or write to elements of the slice that there are already"
	case m.returnsOwn(f):
		return "it returns a pointer to a variable of its own, which is made where it is called", "return the value"
	case m.Cooperates(f.Obj):
		return "its threads work together with others of the block", "do in the kernel itself what threads do together"
	case m.mustInline(f) && !m.needsCapacities(f.Obj):
		return "each call of it is compiled separately", "give another function the gradient or the replay"
	}
	return "", ""
}

// givenName names a parameter in an error.
func givenName(v *types.Var) string {
	if v.Name() == "" || v.Name() == "_" {
		return "a parameter"
	}
	return "its parameter " + v.Name()
}

// lowerCompanions lowers the companions of a function that is called, once for each instance of it.
func (c caller) lowerCompanions(e *ast.CallExpr, f *eval.Func, callee *eval.Function, has companions) {
	if !has.any() || callee.Derived {
		return
	}
	callee.Derived = true
	if g := has.gradient; g != nil {
		if by := c.companion(e, g, f); by != nil {
			callee.Fn.Gradient = &ssa.Gradient{By: by, Memory: g.Memory, Results: g.Results, Params: g.Params}
		}
	}
	if r := has.replay; r != nil {
		callee.Fn.Replay = c.companion(e, r, f)
	}
}

// companion is a companion for the type arguments of a function, nil if it has been refused.
func (c caller) companion(e *ast.CallExpr, of *load.Companion, f *eval.Func) *ssa.Func {
	g := &eval.Func{Obj: of.Func.Obj, Targs: f.Targs}
	if !mayBeCompanion(c.b.m, g, of) {
		return nil
	}
	fn := c.b.m.instance(g, nil, nil)
	if fn == nil {
		fn = c.b.m.lower(of.Func, g.Targs, nil, nil, c.b.Function, e)
	}
	if fn.Bad {
		return nil
	}
	return fn.Fn
}

package ssa

import "slices"

// A Gradient is what gives the derivative of a device function in place of the one that follows from its body.
type Gradient struct {
	// By is the function. It takes the parameters of the other; then, for each of Memory, the gradient of what that
	// parameter leads to in memory; and then the gradient of each of the Results. It gives the gradient of each of Params.
	// All are places.
	By                      *Func
	Memory, Results, Params []int
}

// companions are the functions that a function needs besides those that it calls, when it is differentiated.
func (f *Func) companions() (list []*Func) {
	if f.Gradient != nil {
		list = append(list, f.Gradient.By)
	}
	if f.Replay != nil {
		list = append(list, f.Replay)
	}
	return list
}

// Companions are the module's functions that are companions of others.
func (m *Module) Companions() map[*Func]bool {
	set := make(map[*Func]bool)
	for _, f := range m.Funcs {
		for _, g := range f.companions() {
			set[g] = true
		}
	}
	return set
}

// DropCompanions removes what only the differentiation of the module's functions needs, and reports whether there was
// anything.
func (m *Module) DropCompanions() bool {
	found := false
	for _, f := range m.Funcs {
		found = found || len(f.companions()) > 0
		f.Gradient, f.Replay = nil, nil
	}
	return found && m.DropUnreached()
}

// copyCompanions has the companions of a copied function be copies too.
func (f *Func) copyCompanions(copies map[*Func]*Func) {
	if f.Gradient != nil {
		g := *f.Gradient
		g.By = copies[g.By]
		f.Gradient = &g
	}
	if f.Replay != nil {
		f.Replay = copies[f.Replay]
	}
}

// companions checks what a function says of its derivative.
func (v *verifier) companions(f *Func) {
	for _, g := range f.companions() {
		switch {
		case f.Kernel:
			v.report(nil, "a kernel with a gradient or a replay of its own")
			return
		case !slices.Contains(v.module.Funcs, g):
			v.report(nil, "its gradient or replay is not in the module")
			return
		case g == nil || g.Body == nil || g.Kernel:
			v.report(nil, "its gradient or replay is no device function")
			return
		}
	}
	params := typesOf(f.Params())
	if r := f.Replay; r != nil && (!slices.Equal(typesOf(r.Params()), params) || !slices.Equal(r.Results, f.Results)) {
		v.report(nil, "its replay has another signature")
	}
	if g := f.Gradient; g != nil {
		takes := slices.Concat(params, pick(params, g.Memory), pick(f.Results, g.Results))
		if !slices.Equal(typesOf(g.By.Params()), takes) || !slices.Equal(g.By.Results, pick(params, g.Params)) {
			v.report(nil, "its gradient has another signature")
		}
	}
}

func typesOf(vs []*Value) (list []Type) {
	for _, v := range vs {
		list = append(list, v.Type)
	}
	return list
}

// pick gives the types at some places, nil for a place that there is not.
func pick(ts []Type, places []int) (list []Type) {
	for _, i := range places {
		if i < 0 || i >= len(ts) {
			list = append(list, nil)
		} else {
			list = append(list, ts[i])
		}
	}
	return list
}

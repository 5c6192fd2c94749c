package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A version is a function for vectors as calls with arguments of one kind need it: lanes agree on a parameter, or have a
// stride in it, or each lane has its own. It is made twice at most: for all lanes, and for those of a mask, which is then
// its last parameter.
type version struct {
	calls  *calls
	code   *ssa.Func // of one thread, with one return at its end
	params []analysis.Param
	facts  *analysis.Lanes
	waits  bool     // a call is in a loop that lanes leave apart
	why    string   // there is none
	by     *version // which is called instead, nil for none

	reckoned *reckoning
	made     [2]*ssa.Func // for all lanes, with a mask
}

// widener makes this version.
func (v *version) widener() *widener {
	w := newWidener(v.calls.root.table, v.calls.summaries, v.code, v.calls)
	w.facts, w.waits, w.lanes = v.facts, v.waits, v.calls.root.lanes
	return w
}

// refused is why there is no such version.
func (v *version) refused() string {
	if end := v.code.Body.Terminator(); end.Op != ssa.OpReturn || v.calls.summaries.Of(v.code).Returns != 1 {
		return "it returns at several places"
	}
	return v.widener().accept()
}

// reckoning is what the code costs. It is found once.
func (v *version) reckoning() *reckoning {
	if v.reckoned == nil {
		v.reckoned = v.widener().reckoned()
	}
	return v.reckoned
}

// results are the values that the code returns.
func (v *version) results() []*ssa.Value { return v.code.Body.Terminator().Args }

// merge lets versions be called instead of more special ones that are not much faster.
func (c *calls) merge() {
	wanted := make(map[*ssa.Func][]*version)
	note := func(w *widener) {
		w.thread.Body.Walk(func(in *ssa.Instr) {
			if in.Op != ssa.OpCall || !c.stays(in) {
				return
			}
			if v := w.version(in); !slices.Contains(wanted[v.code], v) {
				wanted[v.code] = append(wanted[v.code], v)
			}
		})
	}
	note(c.root)
	for _, code := range slices.Backward(c.codes) {
		list := wanted[code]
		if len(list) > 1 {
			c.join(list)
		}
		var done []*version
		for _, v := range list {
			if v = v.called(); !slices.Contains(done, v) {
				done = append(done, v)
				note(v.widener())
			}
		}
	}
}

// join finds a version that is called instead of several.
func (c *calls) join(list []*version) {
	params, waits := slices.Clone(list[0].params), list[0].waits
	for _, v := range list[1:] {
		waits = waits || v.waits
		for i, p := range v.params {
			if p != params[i] {
				params[i] = analysis.Param{}
			}
		}
	}
	for i, p := range list[0].code.Params() {
		if !params[i].Same && refuseType(p.Type) != "" {
			return
		}
	}
	u := c.version(c.root.facts, list[0].code, params, waits)
	if u.why != "" {
		return
	}
	var instead []*version
	for _, v := range list {
		if v == u || v.gives(u) && 100*u.reckoning().vector <= float64(c.root.table.perGeneral)*v.reckoning().vector {
			instead = append(instead, v)
		}
	}
	if len(instead) > 1 {
		for _, v := range instead {
			if v != u {
				v.by = u
			}
		}
	}
}

// gives reports whether lanes agree on the results of another version where they agree on those of this one.
func (v *version) gives(u *version) bool {
	for _, r := range v.results() {
		if v.facts.IsUniform(r) && !u.facts.IsUniform(r) {
			return false
		}
	}
	return true
}

// called is the version that is called for this one.
func (v *version) called() *version {
	if v.by != nil {
		return v.by
	}
	return v
}

// function is the version for all lanes, or with a mask.
func (v *version) function(masked bool) *ssa.Func {
	made := &v.made[0]
	if masked {
		made = &v.made[1]
	}
	if *made == nil {
		w := v.widener()
		*made = w.function(masked)
		(*made).OutOfLine = true
		w.calls.made = append(w.calls.made, *made)
	}
	return *made
}

// call translates a call of a function that stays. Lanes are here: a call stands behind a test where none may be.
func (w *widener) call(in *ssa.Instr) {
	v := w.version(in).called()
	out := &ssa.Instr{Op: ssa.OpCall, Callee: v.function(w.env.mask != nil)}
	for i, a := range in.Args {
		switch p := v.params[i]; {
		case p.Same:
			out.Args = append(out.Args, w.same(a))
		case p.Linear:
			out.Args = append(out.Args, w.firstOf(a))
		default:
			out.Args = append(out.Args, w.vecsOf(a)...)
		}
	}
	out.Args = w.masked(out.Args...)
	w.append(out, out.Callee.Results...)
	given := out.Results
	for k, r := range in.Results {
		if v.facts.IsUniform(v.results()[k]) {
			given[0].Name = r.Name
			w.values[r.ID], given = value{same: given[0]}, given[1:]
			continue
		}
		n := len(leaves(r.Type))
		for _, g := range given[:n] {
			g.Name = r.Name
		}
		w.values[r.ID], given = value{vecs: given[:n:n]}, given[n:]
	}
}

// returned are the parts of what a function that stays returns.
func (w *widener) returned(v *ssa.Value) []*ssa.Value {
	if w.facts.IsUniform(v) {
		return []*ssa.Value{w.same(v)}
	}
	return w.vecsOf(v)
}

// returnedTypes are the types of these parts.
func (w *widener) returnedTypes(v *ssa.Value) []ssa.Type {
	if w.facts.IsUniform(v) {
		return []ssa.Type{v.Type}
	}
	return w.vecsOfLeaves(v.Type)
}

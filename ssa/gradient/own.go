package gradient

import (
	"slices"
	"strconv"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// This file is about functions that have a derivative of their own: [ssa.Gradient]. Their calls stay calls. What such a
// function does inside is nobody's business here, but for what it does to memory.

// own is what is known of functions with derivatives of their own.
type own struct {
	inside map[*ssa.Func]*ssa.Func // functions, with the bodies of all that they call
	takes  map[*ssa.Func][]use     // what a function does to the memory of each parameter
	flat   map[*ssa.Func][]bool    // by parameter: the derivative is zero

	callsOwn map[*ssa.Func]bool // derivatives that call the function that they are of
}

// isOwn reports whether an instruction is a call of a function that has a derivative of its own.
func isOwn(in *ssa.Instr) bool { return in.Op == ssa.OpCall && in.Callee.Gradient != nil }

// replay has calls call what stands in for functions, and refuses what is not told of their derivatives.
func (d *differ) replay(f *ssa.Func) {
	summaries := new(analysis.Summaries)
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpCall || in.Callee.Replay == nil || in.Callee.Gradient != nil {
			return
		}
		changes := false
		for i, u := range d.usesOf(in.Callee) {
			changes = changes || u.written && hasGradient(in.Callee.Params()[i].Type)
		}
		if changes || slices.ContainsFunc(in.Results, func(v *ssa.Value) bool { return hasFloats(v.Type) }) {
			d.refuse(in, "cannot differentiate "+in.Callee.Name+", which has a replay and makes floats, but has no gradient", "give it one with //qd:gradient")
		}
		in.Callee = in.Callee.Replay
		summaries.Changed(f)
	})
}

// whole is a function with the bodies of all that it calls.
func (d *differ) whole(f *ssa.Func) *ssa.Func {
	if g := d.inside[f]; g != nil {
		return g
	}
	g := f.Clone(f.Name)
	opt.Inline(g, new(analysis.Summaries), func(*ssa.Instr) bool { return true })
	settle(g)
	if d.inside == nil {
		d.inside, d.takes, d.flat = make(map[*ssa.Func]*ssa.Func), make(map[*ssa.Func][]use), make(map[*ssa.Func][]bool)
	}
	d.inside[f] = g
	return g
}

// usesOf is what a function does to the memory that each of its parameters leads to. Memory that cannot be followed is
// that of all.
func (d *differ) usesOf(f *ssa.Func) []use {
	g := d.whole(f)
	if u, ok := d.takes[f]; ok {
		return u
	}
	d.takes[f] = make([]use, len(g.Params()))
	open := []*ssa.Func{f} // with those whose calls stay: they call themselves
	for i := 0; i < len(open); i++ {
		d.whole(open[i]).Body.Walk(func(in *ssa.Instr) {
			if in.Op != ssa.OpCall && in.Op != ssa.OpRecur || d.takes[in.Callee] != nil {
				return
			}
			d.whole(in.Callee)
			d.takes[in.Callee] = make([]use, len(in.Callee.Params()))
			open = append(open, in.Callee)
		})
	}
	for changed := true; changed; {
		changed = false
		for _, f := range open {
			changed = d.addUses(f) || changed
		}
	}
	return d.takes[f]
}

// addUses adds what a function does to memory, as far as that is known of those that it calls. It reports whether there
// was anything to add.
func (d *differ) addUses(f *ssa.Func) (changed bool) {
	g, list := d.inside[f], d.takes[f]
	note := func(r region, ok bool, is use) {
		if ok && r.isLocal() {
			return
		}
		for i, p := range g.Params() {
			if !ok || p == r.root {
				now := use{read: list[i].read || is.read, written: list[i].written || is.written}
				changed = changed || now != list[i]
				list[i] = now
			}
		}
	}
	at := func(addr *ssa.Value, is use) {
		r, ok := regionOf(addr)
		note(r, ok, is)
	}
	g.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoad:
			at(in.Args[0], use{read: true})
		case ssa.OpStore:
			at(in.Args[0], use{written: true})
		case ssa.OpAtomic:
			at(in.Args[0], use{read: true, written: true})
		case ssa.OpCopy:
			at(in.Args[0], use{written: true})
			at(in.Args[1], use{read: true})
		case ssa.OpCall, ssa.OpRecur:
			for i, is := range slices.Clone(d.takes[in.Callee]) {
				if !is.read && !is.written {
					continue
				}
				regions, ok := regionsOf(in.Args[i])
				if !ok {
					note(region{}, false, is)
				}
				for _, r := range regions {
					note(r, ok, is)
				}
			}
		}
	})
	return changed
}

// isFlatBy reports whether the derivative of a function by a parameter is zero, whatever it is given.
func (d *differ) isFlatBy(f *ssa.Func, param int) bool {
	by := d.whole(f.Gradient.By)
	if d.flat[f] == nil {
		zero := make([]bool, len(f.Params()))
		end := by.Body.Terminator()
		for i := range zero {
			k := slices.Index(f.Gradient.Params, i)
			zero[i] = k < 0 || end.Op == ssa.OpReturn && isZero(end.Args[k])
		}
		by.Body.Walk(func(in *ssa.Instr) { // another one that is not zero
			if in.Op == ssa.OpReturn && in != end {
				for i := range zero {
					k := slices.Index(f.Gradient.Params, i)
					zero[i] = k < 0 || zero[i] && isZero(in.Args[k])
				}
			}
		})
		d.flat[f] = zero
	}
	return d.flat[f][param]
}

// isZero reports whether a value is the zero of its type.
func isZero(v *ssa.Value) bool {
	if c, ok := v.Const(); ok {
		return !ssa.IsFloat(v.Type) || c.Float(v.Type) == 0
	}
	if v.Def == nil {
		return false
	}
	return v.Def.Op == ssa.OpZero || v.Def.Op == ssa.OpMake && !slices.ContainsFunc(v.Def.Args, func(a *ssa.Value) bool { return !isZero(a) })
}

// regionsOf lists the memory that an argument leads to.
func regionsOf(v *ssa.Value) (list []region, ok bool) {
	switch t := v.Type.(type) {
	case ssa.Slice, ssa.Pointer:
		r, ok := regionOf(v)
		return []region{r}, ok
	case *ssa.Struct:
		if r, ok := hostRegion(v); ok && ssa.HoldsAddress(t) {
			return []region{r}, true
		}
		root, path := v, ""
		for root.Def != nil && root.Def.Op == ssa.OpField {
			path = "." + strconv.Itoa(int(root.Def.Index)) + path
			root = root.Def.Args[0]
		}
		ok = !ssa.HoldsAddress(t) || root.Def == nil && root.Block.Owner == nil
		for i, f := range t.Fields {
			if _, isSlice := f.Type.(ssa.Slice); isSlice {
				list = append(list, region{root, path + "." + strconv.Itoa(i)})
			} else if ssa.HoldsAddress(f.Type) {
				ok = false
			}
		}
		return list, ok
	}
	return nil, !ssa.HoldsAddress(v.Type)
}

// called notes what a call does to memory.
func (d *differ) called(in *ssa.Instr) {
	by := d.usesOf(in.Callee.Gradient.By)
	uses := slices.Clone(d.usesOf(in.Callee))
	if again := in.Callee.Replay; again != nil {
		for i, u := range d.usesOf(again) {
			uses[i].read, uses[i].written = uses[i].read || u.read, uses[i].written || u.written
		}
	}
	for i, u := range uses {
		if !u.read && !u.written && !by[i].read {
			continue
		}
		regions, ok := regionsOf(in.Args[i])
		if !ok {
			d.refuse(in, "cannot differentiate a call of "+in.Callee.Name+" with memory that a loop or other memory chooses", helpAddress)
			return
		}
		for _, r := range regions {
			if d.uses[r] == nil {
				d.uses[r] = new(use)
			}
			// What it writes, it may read: the forward sweep calls it again.
			d.uses[r].read = true
			d.uses[r].written = d.uses[r].written || u.written
		}
	}
}

// calledGradients refuses derivatives that read memory which the kernel writes: it is not any more what it was.
func (d *differ) calledGradients(in *ssa.Instr) {
	if !isOwn(in) {
		return
	}
	for i, u := range d.usesOf(in.Callee.Gradient.By)[:len(in.Args)] {
		regions, _ := regionsOf(in.Args[i])
		for _, r := range regions {
			if u.read && (r.isLocal() || d.uses[r].written) {
				writes := "that the kernel writes"
				if d.Overlap {
					writes += ", or may write, because an array is several arguments of the launch"
				}
				d.refuse(in, "cannot differentiate a call of "+in.Callee.Name+": its gradient "+in.Callee.Gradient.By.Name+" reads memory "+writes,
					"give it what it reads as a value")
			}
			if u.written {
				d.refuse(in, "cannot differentiate a call of "+in.Callee.Name+": its gradient "+in.Callee.Gradient.By.Name+" writes memory of the kernel",
					"let it write gradients only")
			}
		}
	}
}

// varyCall and useCall find what is active around a call.
func (d *differ) varyCall(in *ssa.Instr) {
	varies := false
	for i, v := range in.Args {
		if slices.Contains(in.Callee.Gradient.Params, i) {
			varies = varies || d.varies.has(v) && !d.isFlatBy(in.Callee, i)
		}
	}
	for _, i := range in.Callee.Gradient.Memory {
		regions, _ := regionsOf(in.Args[i])
		for _, r := range regions {
			varies = varies || !r.isLocal() && !d.constants.has(r.root) || d.varies.has(r.root)
		}
	}
	if !varies {
		return
	}
	for k, r := range in.Results {
		if slices.Contains(in.Callee.Gradient.Results, k) {
			d.mark(&d.varies, r)
		}
	}
	d.eachWritten(in, func(r region) {
		if r.isLocal() {
			d.mark(&d.varies, r.root)
		}
	})
}

// eachWritten calls f for the memory of floats that a call writes.
func (d *differ) eachWritten(in *ssa.Instr, f func(r region)) {
	uses := d.usesOf(in.Callee)
	for _, i := range in.Callee.Gradient.Memory {
		if !uses[i].written {
			continue
		}
		regions, _ := regionsOf(in.Args[i])
		for _, r := range regions {
			f(r)
		}
	}
}

// isUsefulCall reports whether floats in memory depend on what a call gives or writes.
func (d *differ) isUsefulCall(in *ssa.Instr) bool {
	useful := slices.ContainsFunc(in.Results, func(v *ssa.Value) bool { return d.useful.has(v) })
	d.eachWritten(in, func(r region) { useful = useful || !r.isLocal() || d.useful.has(r.root) })
	return useful
}

func (d *differ) useCall(in *ssa.Instr) {
	if !d.isUsefulCall(in) {
		return
	}
	for i, v := range in.Args {
		if slices.Contains(in.Callee.Gradient.Params, i) && !d.isFlatBy(in.Callee, i) {
			d.mark(&d.useful, v)
		}
	}
	for _, i := range in.Callee.Gradient.Memory {
		regions, _ := regionsOf(in.Args[i])
		for _, r := range regions {
			if r.isLocal() {
				d.mark(&d.useful, r.root)
			}
		}
	}
}

// isActiveCall reports whether a call has a gradient that somebody asks for.
func (d *differ) isActiveCall(in *ssa.Instr) bool {
	if !isOwn(in) {
		return false
	}
	if slices.ContainsFunc(in.Results, d.isActive) {
		return true
	}
	found := false
	d.eachWritten(in, func(r region) { found = found || !r.isLocal() || d.varies.has(r.root) && d.useful.has(r.root) })
	return found
}

// isPureCall reports whether a call does nothing but compute.
func (d *differ) isPureCall(in *ssa.Instr) bool {
	return isOwn(in) && !slices.ContainsFunc(d.usesOf(in.Callee), func(u use) bool { return u.read || u.written })
}

// callWrites reports whether a call writes memory of its caller.
func (d *differ) callWrites(in *ssa.Instr) bool {
	return slices.ContainsFunc(d.usesOf(in.Callee), func(u use) bool { return u.written })
}

// reverseCall calls the derivative of a function.
func (r *sweep) reverseCall(in *ssa.Instr) {
	g := in.Callee.Gradient
	adjoints := make([]*adjoint, len(in.Results))
	for k, v := range in.Results {
		adjoints[k] = r.take(v)
	}
	if !r.isActiveCall(in) || len(g.Memory) == 0 && !slices.ContainsFunc(adjoints, func(a *adjoint) bool { return a != nil }) {
		return
	}
	var args []*ssa.Value
	for _, v := range in.Args {
		args = append(args, r.primalOrZero(in, v))
	}
	for _, i := range g.Memory {
		args = append(args, r.shadowOrNone(in.Args[i]))
	}
	given := len(args)
	for _, k := range g.Results {
		args = append(args, r.orZero(adjoints[k], in.Results[k].Type))
	}
	r.callsOwn[g.By] = r.callsOwn[g.By] || callsDirectly(g.By, in.Callee)
	call := &ssa.Instr{Op: ssa.OpCall, Callee: g.By, Args: args}
	results := r.ifAny(args[given:], r.callWrites(in), call, g.By.Results)
	for k, i := range g.Params {
		if !r.isFlatBy(in.Callee, i) && hasFloats(in.Args[i].Type) {
			r.add(in.Args[i], &adjoint{value: results[k]})
		}
	}
}

// ifAny appends a call of a derivative, and gives its results. Where all adjoints that it is given may be those of a
// branch that does not use the results of the function, it is called only if one is not zero: see none.go.
func (r *sweep) ifAny(adjoints []*ssa.Value, always bool, call *ssa.Instr, results []ssa.Type) []*ssa.Value {
	var some *ssa.Value
	if !always {
		some = r.someOf(adjoints)
	}
	if some == nil {
		return r.append(call, results...).Results
	}
	in := r.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{some}}, results...)
	r.in(in.NewBlock(), func() {
		gives := r.append(call, results...).Results
		r.append(&ssa.Instr{Op: ssa.OpYield, Args: gives})
	})
	r.in(in.NewBlock(), func() {
		var zeros []*ssa.Value
		for _, t := range results {
			zeros = append(zeros, r.zero(t))
		}
		r.append(&ssa.Instr{Op: ssa.OpYield, Args: zeros})
	})
	return in.Results
}

// repeats reports whether an instruction calls a derivative that calls its own function again. In the kernel, the two
// calls of this function become one.
func (d *differ) repeats(call *ssa.Instr) bool { return d.callsOwn[call.Callee] }

func callsDirectly(f, callee *ssa.Func) (found bool) {
	f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpCall && in.Callee == callee })
	return found
}

// primalOrZero is an argument for a derivative. A variable of the kernel, which its derivative does not read, need not
// be there any more.
func (r *sweep) primalOrZero(in *ssa.Instr, v *ssa.Value) *ssa.Value {
	if v.Type == ssa.Thread || v.Type == ssa.BlockPlace {
		return r.fromAhead(v)
	}
	if regions, ok := regionsOf(v); ok && len(regions) > 0 {
		if regions[0].isLocal() {
			return r.shadow(v) // a place of the type
		}
		return r.primal(v)
	}
	return r.primal(v)
}

// shadowOrNone is where the gradient of what an argument leads to is.
func (r *sweep) shadowOrNone(v *ssa.Value) *ssa.Value {
	if root := v.Root(); root.IsLocal() && r.shadows[root] == nil {
		r.shadows[root] = r.local(r.zero(at(root)), gradName(root)) // nobody asks for it
	}
	return r.shadow(v)
}

// deviceFuncs lists the functions that kernels call, themselves or through others, callees before callers. What has a
// derivative of its own keeps it.
func deviceFuncs(kernels ...*ssa.Func) (list []*ssa.Func) {
	seen := make(map[*ssa.Func]bool)
	reach := func(f *ssa.Func) {
		for _, g := range append(analysis.Reached(f), f) {
			if !g.Kernel && !seen[g] {
				seen[g] = true
				list = append(list, g)
			}
		}
	}
	for _, k := range kernels {
		reach(k)
	}
	for i := 0; i < len(list); i++ {
		if g := list[i].Gradient; g != nil {
			reach(g.By)
		}
		if g := list[i].Replay; g != nil {
			reach(g)
		}
		list[i].Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpRecur { // of a copy, which nothing else calls
				reach(in.Callee)
			}
		})
	}
	return list
}

package gradient

import "github.com/qdgen/qd/ssa"

// activity is which values have a derivative that somebody asks for. A value varies if it depends on floats in the
// memory of parameters. It is useful if such floats depend on it. It is active if it is both.
//
// Integers that are made of the bits of a float vary too. They have no derivative here, so floats that are
// made of them must not be active.
type activity struct {
	varies, useful set // for a variable, by its address: what it holds
	constants      set // the parameters that lead to memory without a gradient
	changed        bool
}

// isActive reports whether a value has an adjoint.
func (a *activity) isActive(v *ssa.Value) bool {
	return a.varies.has(v) && a.useful.has(v) && hasFloats(v.Type)
}

// regionActive reports whether the floats at an address, or in a slice, have a gradient that somebody asks for.
func (a *activity) regionActive(addr *ssa.Value) bool {
	r, ok := regionOf(addr)
	if !ok || !hasFloats(at(addr)) {
		return false
	}
	return !r.isLocal() && !a.constants.has(r.root) || a.varies.has(r.root) && a.useful.has(r.root)
}

func (a *activity) mark(s *set, v *ssa.Value) {
	if s.add(v) {
		a.changed = true
	}
}

// findActive goes around until nothing more is found.
func (d *differ) findActive() {
	var constants set
	for i, p := range d.fn.Params() {
		if i > 0 && i <= 64 && d.Constants>>(i-1)&1 != 0 {
			constants.add(p)
		}
	}
	d.findVarying(constants)
	d.useful = make(set, d.fn.NumValues())
	for d.changed = true; d.changed; {
		d.changed = false
		d.fn.Body.Walk(d.use)
	}
	d.fn.Body.Walk(d.refuseBits)
}

// findVarying finds what varies with the memory of the parameters that are not constants.
func (d *differ) findVarying(constants set) {
	d.varies, d.constants = make(set, d.fn.NumValues()), constants
	for d.changed = true; d.changed; {
		d.changed = false
		d.fn.Body.Walk(d.vary)
	}
}

// edges calls f for each way on which a value of an If or a loop goes into another.
func edges(in *ssa.Instr, f func(from, to *ssa.Value)) {
	switch in.Op {
	case ssa.OpIf:
		for k, r := range in.Results {
			for _, b := range in.Blocks {
				f(b.Terminator().Args[k], r)
			}
		}
	case ssa.OpLoop:
		for k, p := range in.Cond().Params {
			f(in.Args[k], p)
			f(p, in.Results[k])
			f(in.Do().Terminator().Args[k], in.Post().Params[k])
			f(in.Post().Terminator().Args[k], p)
		}
	}
}

// vary marks what an instruction makes that varies.
func (d *differ) vary(in *ssa.Instr) {
	edges(in, func(from, to *ssa.Value) {
		if d.varies.has(from) {
			d.mark(&d.varies, to)
		}
	})
	switch in.Op {
	case ssa.OpIf, ssa.OpLoop:
	case ssa.OpCall:
		d.varyCall(in)
	case ssa.OpLoad:
		r, _ := regionOf(in.Args[0])
		t := in.Result().Type
		if r.isLocal() && d.varies.has(r.root) && mayBeBits(in) || d.hasFloatsAt(r, t) {
			d.mark(&d.varies, in.Result())
		}
	case ssa.OpCopy:
		to, _ := regionOf(in.Args[0])
		from, _ := regionOf(in.Args[1])
		if to.isLocal() && (from.isLocal() && d.varies.has(from.root) || d.hasFloatsAt(from, at(in.Args[1]))) {
			d.mark(&d.varies, to.root)
		}
	case ssa.OpStore, ssa.OpLocal:
		r, v := region{}, in.Args[0]
		if in.Op == ssa.OpLocal {
			r.root = in.Result()
		} else {
			r, _ = regionOf(in.Args[0])
			v = in.Args[1]
		}
		if r.isLocal() && d.varies.has(v) {
			d.mark(&d.varies, r.root)
		}
	default:
		if in.Op.Effect() != ssa.Pure || in.Op.IsComparison() || in.Op == ssa.OpConst {
			return
		}
		for i, v := range in.Args {
			for k, r := range in.Results {
				if d.varies.has(v) && flows(in, i, k) {
					d.mark(&d.varies, r)
				}
			}
		}
	}
}

// hasFloatsAt reports whether memory of a launch, with values of a type, has floats that somebody wants the gradient
// of.
func (a *activity) hasFloatsAt(r region, t ssa.Type) bool {
	return !r.isLocal() && !a.constants.has(r.root) && hasFloats(t)
}

// mayBeBits reports whether what is loaded from a variable that varies has floats, or may be made of the bits of some.
// An integer beside floats, in a struct, is not: to keep bits there is refused.
func mayBeBits(load *ssa.Instr) bool {
	addr := load.Args[0]
	if hasFloats(load.Result().Type) || !hasFloats(at(addr.Root())) {
		return true
	}
	return addr.Def.Op == ssa.OpFieldAddr && isHalf(at(addr.Def.Args[0]))
}

// flows reports whether a result of a pure instruction has a derivative by an operand, or has bits of it.
func flows(in *ssa.Instr, i, k int) bool {
	from, to := in.Args[i].Type, in.Results[k].Type
	switch in.Op {
	case ssa.OpMath:
		return hasFloats(from) && hasFloats(to) && !isFlat(in.Math, i)
	case ssa.OpConvert:
		return !ssa.IsFloat(from) || ssa.IsFloat(to)
	case ssa.OpField, ssa.OpElem:
		return i == 0 && (hasFloats(to) || isHalf(from))
	case ssa.OpShl, ssa.OpShr:
		return i == 0
	case ssa.OpLen, ssa.OpIsNil, ssa.OpApart, ssa.OpIndexAddr, ssa.OpFieldAddr, ssa.OpElemAddr, ssa.OpSliceOf, ssa.OpSubslice:
		return false
	}
	return to != ssa.Bool
}

// use marks what a useful value or memory is made of.
func (d *differ) use(in *ssa.Instr) {
	edges(in, func(from, to *ssa.Value) {
		if d.useful.has(to) {
			d.mark(&d.useful, from)
		}
	})
	switch in.Op {
	case ssa.OpIf, ssa.OpLoop:
	case ssa.OpCall:
		d.useCall(in)
	case ssa.OpLaunch:
		for _, v := range in.Args[in.Rank:] {
			if hasFloats(v.Type) {
				d.mark(&d.useful, v)
			}
		}
	case ssa.OpStore, ssa.OpAtomic:
		r, _ := regionOf(in.Args[0])
		if !r.isLocal() || d.useful.has(r.root) {
			d.mark(&d.useful, in.Args[1])
		}
	case ssa.OpCopy:
		to, _ := regionOf(in.Args[0])
		from, _ := regionOf(in.Args[1])
		if from.isLocal() && (!to.isLocal() || d.useful.has(to.root)) {
			d.mark(&d.useful, from.root)
		}
	case ssa.OpLocal:
		if d.useful.has(in.Result()) {
			d.mark(&d.useful, in.Args[0])
		}
	case ssa.OpLoad:
		if r, _ := regionOf(in.Args[0]); r.isLocal() && d.useful.has(in.Result()) {
			d.mark(&d.useful, r.root)
		}
	default:
		if in.Op.Effect() != ssa.Pure {
			return
		}
		for k, r := range in.Results {
			for i, v := range in.Args {
				if d.useful.has(r) && flows(in, i, k) {
					d.mark(&d.useful, v)
				}
			}
		}
	}
}

// refuseBits refuses active floats that are made of the bits of others, and active operations without a rule.
func (d *differ) refuseBits(in *ssa.Instr) {
	const help = "compute with the floats themselves"
	switch in.Op {
	case ssa.OpConvert, ssa.OpBitcast:
		if r := in.Result(); ssa.IsFloat(r.Type) && !ssa.IsFloat(in.Args[0].Type) && d.varies.has(r) && d.useful.has(r) {
			d.refuse(in, "cannot differentiate a float that is made of the bits of another", help)
		}
	case ssa.OpStore:
		if v := in.Args[1]; d.varies.has(v) && d.useful.has(v) && !hasFloats(v.Type) {
			d.refuse(in, "cannot differentiate memory that holds the bits of floats", help)
		}
	case ssa.OpMake:
		for _, v := range in.Args {
			if d.varies.has(v) && d.useful.has(in.Result()) && !hasFloats(v.Type) {
				d.refuse(in, "cannot differentiate a struct or an array that holds the bits of floats", help)
			}
		}
	case ssa.OpMath:
		for _, r := range in.Results {
			if d.isActive(r) && !hasRule(in.Math) {
				d.refuse(in, "cannot differentiate math."+in.Math.GoName(), "write it with functions that have one")
			}
		}
	case ssa.OpLoad:
		if r := in.Result(); d.isActive(r) && d.regionActive(in.Args[0]) {
			d.refuseHalf(in, r.Type)
		}
	}
}

package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file is about calls in tangent functions.

// hasOwnTangent reports whether the tangent of a function does not follow from its body.
func hasOwnTangent(f *ssa.Func) bool { return f.Gradient != nil }

// isConstantBy reports whether a function with a derivative of its own is constant by a parameter.
func (t *tangents) isConstantBy(f *ssa.Func, param int) bool { return t.isFlatBy(f, param) }

// call appends a call of a function, or of its tangent function.
func (l *linear) call(in *ssa.Instr) {
	if hasOwnTangent(in.Callee) {
		copyInstr(in, l.b, few(l.values))
		l.callOwn(in)
		return
	}
	args := l.those(in.Args)
	callee := l.tangents.varying(in.Callee, args)
	leadsOut := slices.ContainsFunc(in.Results, func(r *ssa.Value) bool { return leads(r.Type) })
	if !callee.writes && !slices.Contains(callee.gives, true) && !leadsOut {
		copyInstr(in, l.b, few(l.values))
		return
	}
	if l.summaries.Of(in.Callee).Recurs {
		l.refuse(in, "cannot find the tangents of a kernel that calls "+in.Callee.Name+", which calls itself", helpRecursion)
		copyInstr(in, l.b, few(l.values))
		return
	}
	leave := l.enter(in)
	f := l.function(in.Callee, args)
	leave()
	all := l.withTwins(in.Args, f.given)
	n := l.like(in)
	n.Callee, n.Args = f.to, all
	l.addResults(n, in.Results, f.results)
}

// launch appends a launch of the tangent kernel of a part. A float that the host gives to a part has its tangent as a
// further argument.
func (l *linear) launch(in *ssa.Instr) {
	given := in.Args[in.Rank:]
	args := append([]bool{false}, l.those(given)...)
	f := l.function(in.Callee, args)
	if len(f.given) == 0 {
		l.like(in)
		return
	}
	places := make([]int, len(f.given))
	for i, p := range f.given {
		places[i] = p - 1 // the thread is no argument
	}
	all := append(l.mapped(in.Args[:in.Rank]), l.withTwins(given, places)...)
	n := l.like(in)
	n.Callee, n.Args = f.to, all
}

// callOwn appends the tangents of the results of a call of a function with a gradient of its own. The Jacobian has the
// gradients of the results, one by one, as its rows.
func (l *linear) callOwn(in *ssa.Instr) {
	f, g := in.Callee, in.Callee.Gradient
	live := func(i int) bool { return l.twin(in.Args[i]) != nil && !l.isFlatBy(f, i) }
	if len(g.Memory) > 0 {
		l.refuse(in, "cannot find the tangents of "+f.Name+", whose gradient of its own is in memory", "call a function without a gradient of its own")
		return
	}
	if !slices.ContainsFunc(g.Params, live) {
		return
	}
	if len(in.Args) == 1 && len(in.Results) == 1 && (l.widen[in.Args[0].Type] == f || l.narrow[in.Results[0].Type] == f) {
		l.setTwin(in.Results[0], l.builder.call(f, l.twin(in.Args[0])))
		return
	}
	rows := 0
	for _, k := range g.Results {
		rows += floatsOf(in.Results[k].Type)
	}
	if rows > maxRows {
		l.refuse(in, "cannot find the tangents of "+f.Name+", which has a gradient of its own, and results of more floats than there are rows of a Jacobian here", "split the function, or call one without a gradient of its own")
		return
	}
	for _, k := range g.Results {
		if l.refusesHalves(in, in.Results[k].Type) {
			return
		}
		l.setTwin(in.Results[k], l.rows(in.Results[k].Type, func(unit func(t ssa.Type) *ssa.Value) *ssa.Value {
			args := l.mapped(in.Args)
			for _, j := range g.Results {
				if j == k {
					args = append(args, unit(in.Results[k].Type))
				} else {
					args = append(args, l.zero(in.Results[j].Type))
				}
			}
			row := l.append(&ssa.Instr{Op: ssa.OpCall, Callee: g.By, Args: args}, g.By.Results...)
			var sum *ssa.Value
			for j, i := range g.Params {
				if live(i) {
					sum = l.dot(sum, row.Results[j], l.twin(in.Args[i]))
				}
			}
			return sum
		}))
	}
}

// maxRows is how many rows of a Jacobian there may be of one call.
const maxRows = 64

// floatsOf is how many floats there are in values of a type.
func floatsOf(t ssa.Type) int {
	if isLeaf(t) {
		return 1
	}
	if a, ok := t.(ssa.Array); ok {
		return a.Len * floatsOf(a.Elem)
	}
	n := 0
	for i := range parts(t) {
		n += floatsOf(partType(t, i))
	}
	return n
}

// refusesHalves refuses floats of 16 bits that cannot be made of others.
func (l *linear) refusesHalves(in *ssa.Instr, t ssa.Type) bool {
	if isHalf(t) && !l.hasSums(t) {
		l.refuseHalf(in, t)
		return true
	}
	for i := range parts(t) {
		if !isHalf(t) && l.refusesHalves(in, partType(t, i)) {
			return true
		}
	}
	return false
}

// rows is a value of a type, each float of which is what row gives: for that float, unit makes a value that is 1 there,
// and 0 elsewhere.
func (l *linear) rows(t ssa.Type, row func(unit func(t ssa.Type) *ssa.Value) *ssa.Value) *ssa.Value {
	if isLeaf(t) {
		wide := row(func(t ssa.Type) *ssa.Value {
			if isHalf(t) {
				return l.builder.call(l.narrow[t], l.constant(ssa.Float32, ssa.FloatConst(ssa.Float32, 1)))
			}
			return l.constant(t, ssa.FloatConst(t, 1))
		})
		switch {
		case isHalf(t):
			return l.builder.call(l.narrow[t], l.as(wide, ssa.Float32))
		default:
			return l.as(wide, t)
		}
	}
	var vs []*ssa.Value
	for i := range parts(t) {
		vs = append(vs, l.rows(partType(t, i), func(unit func(t ssa.Type) *ssa.Value) *ssa.Value {
			return row(func(t ssa.Type) *ssa.Value {
				var vs []*ssa.Value
				for j := range parts(t) {
					if j == i {
						vs = append(vs, unit(partType(t, j)))
					} else {
						vs = append(vs, l.zero(partType(t, j)))
					}
				}
				return l.op(ssa.OpMake, t, vs...)
			})
		}))
	}
	if len(vs) == 0 { // no float
		return l.zero(t)
	}
	return l.op(ssa.OpMake, t, vs...)
}

// as is a float of another size.
func (l *linear) as(v *ssa.Value, t ssa.Type) *ssa.Value {
	if v.Type == t {
		return v
	}
	return l.op(ssa.OpConvert, t, v)
}

// dot adds the products of the floats of two values to a sum, which is nil at first. The sum is as wide as the widest
// of them.
func (l *linear) dot(sum, x, y *ssa.Value) *ssa.Value {
	t := x.Type
	switch {
	case isHalf(t):
		return l.dot(sum, l.builder.call(l.widen[t], x), l.builder.call(l.widen[t], y))
	case ssa.IsFloat(t):
		p := l.op(ssa.OpMul, t, x, y)
		if sum == nil {
			return p
		}
		if sum.Type != p.Type {
			sum, p = l.as(sum, ssa.Float64), l.as(p, ssa.Float64)
		}
		return l.op(ssa.OpAdd, p.Type, sum, p)
	}
	for i := range parts(t) {
		if hasFloats(partType(t, i)) {
			sum = l.dot(sum, l.part(x, i), l.part(y, i))
		}
	}
	return sum
}

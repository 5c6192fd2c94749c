package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file makes the instructions of tangent functions.

// block appends what the instructions of a block of the function do, with the tangents.
func (l *linear) block(b *ssa.Block) {
	for _, in := range b.Instrs {
		l.stmt, l.pos = in.Stmt, in.Pos
		switch {
		case in.Op.IsTerminator():
			l.terminator(in)
		case in.Op == ssa.OpIf:
			l.branch(in)
		case in.Op == ssa.OpLoop:
			l.loop(in)
		case in.Op == ssa.OpFor:
			n := l.like(in)
			for _, body := range in.Blocks {
				nb := n.NewBlock()
				for _, p := range body.Params {
					l.values[p] = nb.AddParam(p.Type, p.Name)
				}
				l.in(nb, func() { l.block(body) })
			}
		case in.Op == ssa.OpCall:
			l.call(in)
		case in.Op == ssa.OpLaunch:
			l.launch(in)
		case isExtreme(in) && l.memoryVaries(in.Args[0]) && !isUsed(l.of, in.Result()):
			l.extreme(in)
		default:
			copyInstr(in, l.b, few(l.values))
			l.instr(in)
		}
	}
}

// like appends an instruction like another one, without blocks and results.
func (l *linear) like(in *ssa.Instr) *ssa.Instr {
	n := new(ssa.Instr)
	*n = *in
	n.Args, n.Results, n.Blocks = l.mapped(in.Args), nil, nil
	return l.b.Append(n)
}

// places are those values that have a tangent, by place.
func (l *linear) places(vs []*ssa.Value) (list []int) {
	for k, v := range vs {
		if l.hasTwin(v) {
			list = append(list, k)
		}
	}
	return list
}

// addResults adds results like others, and then the tangents of those at some places.
func (l *linear) addResults(n *ssa.Instr, like []*ssa.Value, places []int) {
	for _, v := range like {
		n.AddResult(v.Type, v.Name)
	}
	for _, k := range places {
		n.AddResult(like[k].Type, tangentName(like[k]))
	}
	l.bind(like, n.Results, places)
}

func (l *linear) branch(in *ssa.Instr) {
	n := l.like(in)
	for _, b := range in.Blocks {
		l.in(n.NewBlock(), func() { l.block(b) })
	}
	l.addResults(n, in.Results, l.places(in.Results))
}

// placesOfLoop are the variables of a loop that have a tangent.
func (l *linear) placesOfLoop(in *ssa.Instr) (list []int) {
	for k := range in.Args {
		if l.hasTwin(in.Cond().Params[k]) || l.hasTwin(in.Post().Params[k]) || l.hasTwin(in.Results[k]) {
			list = append(list, k)
		}
	}
	return list
}

func (l *linear) loop(in *ssa.Instr) {
	places := l.placesOfLoop(in)
	args := l.withTwins(in.Args, places)
	n := l.like(in)
	n.Args = args
	l.loops[in] = n
	for _, b := range in.Blocks {
		nb := n.NewBlock()
		if len(b.Params) == 0 {
			continue
		}
		for _, p := range b.Params {
			nb.AddParam(p.Type, p.Name)
		}
		for _, k := range places {
			nb.AddParam(b.Params[k].Type, tangentName(b.Params[k]))
		}
		l.bind(b.Params, nb.Params, places)
	}
	for i, b := range in.Blocks {
		l.in(n.Blocks[i], func() { l.block(b) })
	}
	l.addResults(n, in.Results, places)
}

func (l *linear) terminator(in *ssa.Instr) {
	var places []int
	switch in.Op {
	case ssa.OpYield:
		switch o := in.Block.Owner; o.Op {
		case ssa.OpIf:
			places = l.places(o.Results)
		case ssa.OpLoop:
			places = l.placesOfLoop(o)
		}
	case ssa.OpContinue, ssa.OpBreak:
		places = l.placesOfLoop(in.Target)
	case ssa.OpReturn:
		places = l.results
	}
	args := l.withTwins(in.Args, places) // which may append zeros
	n := l.like(in)
	n.Args = args
	if in.Target != nil {
		n.Target = l.loops[in.Target]
	}
}

// instr appends the tangents of what an instruction without blocks has done.
func (l *linear) instr(in *ssa.Instr) {
	x := in.Args
	switch in.Op {
	case ssa.OpStore:
		l.stored(in, x[1])
		if leads(x[0].Type) && l.memoryVaries(x[0]) {
			l.store(l.twin(x[0]), l.twinOrZero(x[1]))
		}
	case ssa.OpAtomic:
		l.atomic(in)
	case ssa.OpCopy:
		if leads(x[0].Type) {
			l.append(&ssa.Instr{Op: ssa.OpCopy, Args: []*ssa.Value{l.twin(x[0]), l.twin(x[1])}}, ssa.Int64)
		}
	case ssa.OpSnapshot, ssa.OpRestore, ssa.OpPush, ssa.OpPop:
		l.refuse(in, "cannot find the tangents of a backward kernel of a grid", "take the gradient of the tangent kernel: Tangent().Gradient()")
	case ssa.OpConvert, ssa.OpBitcast:
		r := in.Result()
		if ssa.IsFloat(r.Type) && !ssa.IsFloat(x[0].Type) && l.varies(x[0]) {
			l.refuse(in, "cannot differentiate a float that is made of the bits of another", helpBits)
		}
		if t := l.twin(x[0]); t != nil && ssa.IsFloat(r.Type) {
			l.setTwin(r, l.op(ssa.OpConvert, r.Type, t))
		}
	case ssa.OpMake:
		l.made(in)
	case ssa.OpZero:
		if leads(in.Result().Type) {
			l.setTwin(in.Result(), l.zero(in.Result().Type))
		}
	case ssa.OpLocal:
		if l.memoryVaries(in.Result()) && hasTangent(x[0].Type) {
			l.setTwin(in.Result(), l.local(l.twinOrZero(x[0]), tangentName(in.Result())))
		}
	case ssa.OpShared, ssa.OpField, ssa.OpElem, ssa.OpLoad:
		l.again(in)
	default:
		switch {
		case in.Op.IsPath():
			l.again(in)
		case rulesOf(in) != nil:
			l.ruled(in)
		case in.Op == ssa.OpMath:
			for _, r := range in.Results {
				if l.hasTwin(r) {
					l.refuse(in, "cannot differentiate math."+in.Math.GoName(), "write it with functions that have one")
				}
			}
		}
	}
}

const helpBits = "compute with the floats themselves"

// again has the tangent of a result be what the same instruction makes of the tangent of its first operand.
func (l *linear) again(in *ssa.Instr) {
	r := in.Result()
	if !hasTangent(r.Type) || in.Op == ssa.OpLoad && !l.hasTwin(r) {
		return
	}
	n := new(ssa.Instr)
	*n = *in
	n.Args, n.Results = l.mapped(in.Args), nil
	if len(n.Args) > 0 {
		if n.Args[0] = l.twin(in.Args[0]); n.Args[0] == nil {
			return
		}
	}
	l.setTwin(r, l.b.Append(n, r.Type).Result())
}

// made has the tangent of a struct or an array be made of those of its parts.
func (l *linear) made(in *ssa.Instr) {
	found := leads(in.Result().Type)
	for _, v := range in.Args {
		if l.varies(v) && !hasTangent(v.Type) && v.Type != ssa.Bool {
			l.refuse(in, "cannot differentiate a struct or an array that holds the bits of floats", helpBits)
		}
		found = found || l.twin(v) != nil
	}
	if !found {
		return
	}
	var vs []*ssa.Value
	for _, v := range in.Args {
		vs = append(vs, l.twinOrZero(v))
	}
	l.setTwin(in.Result(), l.op(ssa.OpMake, in.Result().Type, vs...))
}

// ruled appends the tangents of the results of an operation on floats.
func (l *linear) ruled(in *ssa.Instr) {
	f := &formula{r: l, in: in}
	for _, v := range in.Args {
		f.tangents = append(f.tangents, l.twin(v))
	}
	for k, r := range in.Results {
		if ssa.IsFloat(r.Type) {
			l.setTwin(r, f.tangent(k, l.intermediate))
		}
	}
}

// stored refuses a store of bits that could become floats again where nobody can follow them.
func (l *linear) stored(in *ssa.Instr, v *ssa.Value) {
	if !l.varies(v) || hasTangent(v.Type) {
		return
	}
	if root := in.Args[0].Root(); !root.IsLocal() || l.escapes[root] || hasFloats(at(root)) {
		l.refuse(in, "cannot differentiate memory that holds the bits of floats", helpBits)
	}
}

// atomic appends the tangent of an atomic addition.
func (l *linear) atomic(in *ssa.Instr) {
	p, v := in.Args[0], in.Args[1]
	if !leads(p.Type) || !l.memoryVaries(p) || !hasFloats(v.Type) {
		if slices.ContainsFunc(in.Args[1:], l.varies) {
			l.refuse(in, "cannot differentiate memory that holds the bits of floats", helpBits)
		}
		return
	}
	switch {
	case isUsed(l.of, in.Result()):
		l.refuse(in, "cannot differentiate a kernel that uses the result of an atomic operation: it depends on the order of the threads", helpOrder)
	case in.Atomic != ssa.AtomicAdd:
		l.refuse(in, "cannot find the tangents of an atomic operation on floats other than an addition, a minimum or a maximum", "find the value in another kernel")
	case l.twin(v) != nil:
		l.adds = append(l.adds, in)
		l.append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{l.twin(p), l.twin(v)}}, v.Type)
	}
}

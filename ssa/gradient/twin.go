package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file finds the gradients of memory that slices of a Grid kernel lead to. The host may choose between slices. The
// usual case are two arrays that change places in each turn of a loop. So each value that leads to floats in memory has
// a twin. It is computed in the same way, and leads to their gradients.

// addTwins adds a parameter for each gradient, and the twins.
func (d *differ) addTwins() {
	d.given, d.twins = len(d.fn.Params()), make(map[*ssa.Value]*ssa.Value)
	for _, p := range d.fn.Params()[:d.given] {
		if hasGradient(p.Type) {
			d.twins[p] = d.fn.Body.AddParam(p.Type, p.Name+"Grad")
		}
	}
	d.addTwinsIn(d.fn.Body)
}

// twin is the twin of a value, which an instruction hands on.
func (d *differ) twin(v *ssa.Value, by *ssa.Instr) *ssa.Value {
	if t := d.twins[v]; t != nil {
		return t
	}
	d.refuse(by, "cannot differentiate a choice of memory of which the gradient is not known", "choose among the kernel's slices and parts of them")
	return v
}

func (d *differ) addTwinsIn(b *ssa.Block) {
	for _, in := range slices.Clone(b.Instrs) {
		switch in.Op {
		case ssa.OpIf:
			for _, nested := range in.Blocks {
				d.addTwinsIn(nested)
			}
			for k, r := range slices.Clone(in.Results) {
				if !hasGradient(r.Type) {
					continue
				}
				for _, nested := range in.Blocks {
					end := nested.Terminator()
					end.Args = append(end.Args[:len(end.Args):len(end.Args)], d.twin(end.Args[k], in))
				}
				d.twins[r] = in.AddResult(r.Type, gradName(r))
			}
		case ssa.OpLoop:
			d.addTwinsOf(in)
		case ssa.OpZero:
			if hasGradient(in.Result().Type) {
				d.twins[in.Result()] = in.Result()
			}
		case ssa.OpSubslice, ssa.OpField, ssa.OpElem, ssa.OpMake:
			d.addTwinOf(in)
		}
	}
}

// addTwinOf adds the twin of what a pure instruction gives.
func (d *differ) addTwinOf(in *ssa.Instr) {
	if !hasGradient(in.Result().Type) {
		return
	}
	args := slices.Clone(in.Args)
	for i, a := range args {
		if !hasGradient(a.Type) {
			continue
		}
		if args[i] = d.twins[a]; args[i] == nil {
			return // a part of a variable
		}
	}
	n := new(ssa.Instr)
	*n = *in
	n.Args, n.Results = args, nil
	d.twins[in.Result()] = n.AddResult(in.Result().Type, gradName(in.Result()))
	b := in.Block
	b.Instrs = slices.Insert(b.Instrs, slices.Index(b.Instrs, in)+1, n)
	b.Func.Adopt(n.Result())
}

// addTwinsOf adds the twins of a loop's variables.
func (d *differ) addTwinsOf(loop *ssa.Instr) {
	cond, do, post := loop.Cond(), loop.Do(), loop.Post()
	var places []int
	for k, v := range slices.Clone(loop.Args) {
		if !hasGradient(v.Type) {
			continue
		}
		places = append(places, k)
		loop.Args = append(loop.Args[:len(loop.Args):len(loop.Args)], d.twin(v, loop))
		name := gradName(cond.Params[k])
		d.twins[cond.Params[k]] = cond.AddParam(v.Type, name)
		d.twins[post.Params[k]] = post.AddParam(v.Type, name)
		d.twins[loop.Results[k]] = loop.AddResult(v.Type, name)
	}
	for _, b := range loop.Blocks {
		d.addTwinsIn(b)
	}
	for _, end := range []*ssa.Instr{do.Terminator(), post.Terminator()} {
		for _, k := range places {
			end.Args = append(end.Args[:len(end.Args):len(end.Args)], d.twin(end.Args[k], loop))
		}
	}
}

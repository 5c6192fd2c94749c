package opt

import "github.com/qdgen/qd/ssa"

// Fuse makes one operation of x*y + z in a function, as Go's specification allows: the product is not rounded. So it
// does with x*y - z and z - x*y. The specification also says that a conversion rounds: where the front end has been
// asked for a module to be fused, it keeps conversions of floats to their own type. They end here. Fuse reports whether
// it changed something.
//
// A product that is used elsewhere too stays: what takes an addition's place costs no more than that.
func Fuse(f *ssa.Func) bool {
	changed := fuseIn(f.Body)
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpConvert && in.Results[0].Type == in.Args[0].Type {
			in.Results[0].ForwardTo(in.Args[0].Resolved())
			changed = true
		}
	})
	if changed {
		resolveAll(f.Body)
	}
	return changed
}

// fuseIn does so in a block.
func fuseIn(b *ssa.Block) (changed bool) {
	ins := b.Instrs
	b.Instrs = make([]*ssa.Instr, 0, len(ins))
	for _, in := range ins {
		for _, nested := range in.Blocks {
			changed = fuseIn(nested) || changed
		}
		if in.Op == ssa.OpAdd || in.Op == ssa.OpSub {
			changed = fuse(b, in) || changed
		}
		b.Instrs = append(b.Instrs, in)
	}
	return changed
}

// fuse makes an addition or a subtraction one operation with a product in it. What that needs in addition it appends to
// the block.
func fuse(b *ssa.Block, in *ssa.Instr) bool {
	t := in.Args[0].Type
	if t != ssa.Type(ssa.Float32) && t != ssa.Type(ssa.Float64) {
		return false
	}
	for k, a := range in.Args {
		if a.Def == nil || a.Def.Op != ssa.OpMul {
			continue
		}
		x, y, z := a.Def.Args[0], a.Def.Args[1], in.Args[1-k]
		if in.Op == ssa.OpSub {
			negated := &z
			if k == 1 {
				negated = &x
			}
			*negated = b.Append(&ssa.Instr{Op: ssa.OpNeg, Args: []*ssa.Value{*negated}, Pos: in.Pos, Stmt: in.Stmt}, t).Result()
		}
		in.Op, in.Math, in.Args = ssa.OpMath, ssa.MulAdd, []*ssa.Value{x, y, z}
		return true
	}
	return false
}

package gradient

import "github.com/qdgen/qd/ssa"

// tellIntegers tells of memory on which the results depend by way of integers only: float32(int(255*x[i])) / 255 is
// flat wherever it has a derivative, so the gradient of x is zero, which is hardly meant. Indices, branches and numbers
// of turns are not told: there a float is seldom meant to have a gradient. Nor is x[i] - float32(int(x[i])), whose
// derivative is right.
func (d *differ) tellIntegers() {
	if d.remarks == nil {
		return
	}
	active := d.ofActiveMemory()
	d.fn.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpConvert {
			return
		}
		from, to := in.Args[0], in.Result()
		if ssa.IsFloat(from.Type) && !ssa.IsFloat(to.Type) && d.varies.has(from) && !active.has(from) && d.useful.has(to) {
			d.remarks.On(Pass, ssa.Missed, in, "no gradient goes through this conversion to %s: what follows from it is constant", to.Type)
		}
	})
}

// ofActiveMemory are the values that vary with memory whose gradient is not zero everywhere, because something active
// is loaded from it.
func (d *differ) ofActiveMemory() set {
	found := d.activity
	defer func() { d.activity = found }()
	var constants set
	for _, p := range d.fn.Params() {
		constants.add(p)
	}
	d.fn.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLoad && d.isActive(in.Result()) {
			if r, ok := regionOf(in.Args[0]); ok {
				constants.remove(r.root)
			}
		}
	})
	d.findVarying(constants)
	return d.varies
}

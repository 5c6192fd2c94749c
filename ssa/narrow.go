package ssa

// SmallLimit is what in a small launch is less than that: the number of its threads, which is the product of its sizes, and so
// each size; the number of its blocks; the length of each slice among its arguments; and the size, as an absolute value,
// of the numbers among its arguments that [Func].Small names. As it is half of what int32 holds, the sum of two indices fits
// too.
const SmallLimit = 1 << 30

// A Small is an integer of 64 bits among the arguments of a kernel: a parameter, or a part of one.
type Small struct {
	Param  int // among the function's parameters
	Offset int // in the parameter's bytes
}

// small checks which arguments of a kernel must be small.
func (v *verifier) small(f *Func) {
	if len(f.Small) > 0 && (!f.Kernel || !v.module.Narrow) {
		v.report(nil, "small arguments of what no small launch calls")
	}
	for _, s := range f.Small {
		if s.Param < 1 || s.Param >= len(f.Params()) || s.Offset < 0 || s.Offset+8 > f.Params()[s.Param].Type.Size() {
			v.report(nil, "small is %d of argument %d, where no integer of 64 bits is", s.Offset, s.Param)
		}
	}
}

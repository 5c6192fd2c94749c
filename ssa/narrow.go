package ssa

// SmallLimit is the bound of a small launch. Each of these is less: the number of threads, and so each size; the number
// of blocks; the length of each slice among the arguments; and the absolute value of the numbers among the arguments
// that [Func].Small names. It is half of the range of int32, so the sum of two indices fits too.
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

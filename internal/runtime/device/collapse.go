package device

import "github.com/qdgen/qd/internal/runtime/dims"

// Where the numbers of a launch over short rows lie next to each other from row to row, as those of an image by height, width
// and 3 channels, several axes can run as one (target.Collapse). The kernel is the same: it is only told other sizes.

// manyLanes is how many vectors a row has at least that is as good as a longer one.
const manyLanes = 8

// mayCollapse reports whether there are launches in which axes are one.
func (p *cpuProgram) mayCollapse() bool {
	return p.abi.Collapse != nil || p.abi.Hoisted != nil && p.abi.Hoisted.Collapse != nil
}

// collapsed is the size of a launch over short rows, packed in buf, whose last axes are one. It is that of the launch if there
// are none. Hoisted says that the kernel with fewer checks runs.
func (p *cpuProgram) collapsed(l *Launch, buf []byte, hoisted bool) (size dims.Dims, ok bool) {
	size = l.Dim
	tests := p.abi.Collapse
	if hoisted {
		tests = p.abi.Hoisted.Collapse
	}
	last := size.Rank - 1
	if len(tests) == 0 || size.N[last] >= manyLanes*p.abi.Lanes || AlwaysInterchange {
		return size, false
	}
	for by := range p.abi.Collapsed(tests, l.size(), buf) {
		axis := last - 1 - by
		if int64(size.N[axis]) > dims.Max/int64(size.N[last]) {
			break
		}
		size.N[last] *= size.N[axis]
		size.N[axis], ok = 1, true
	}
	return size, ok
}

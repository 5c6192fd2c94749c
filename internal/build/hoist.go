package build

import "github.com/qdgen/qd/ssa/target"

// Hoisted is a copy of a kernel without those checks that the launch can decide for all threads.
type Hoisted struct {
	Symbol string             // of the entry point, which takes the same arguments
	When   *target.LaunchTest // the launches that may run it

	// Collapse is for this kernel what the ABI's is for the kernel with all checks. It has more: a check of the index along
	// one axis keeps that axis from being one with others.
	Collapse []*target.LaunchTest `json:",omitempty"`
}

// Holds reports whether a launch of a size, with the arguments that are packed in buf, may run the hoisted kernel.
func (a *ABI) Holds(size target.LaunchSize, buf []byte) bool {
	if a.Hoisted == nil {
		return false
	}
	return a.Hoisted.When.Holds(size, a.arguments(buf))
}

// Collapsed is how many axes run as one with the last axis in a launch. The tests are the ABI's or those of Hoisted. The
// launch's arguments are packed in buf.
func (a *ABI) Collapsed(tests []*target.LaunchTest, size target.LaunchSize, buf []byte) (axes int) {
	args := a.arguments(buf)
	for axes < len(tests) && tests[axes].Holds(size, args) {
		axes++
	}
	return axes
}

// arguments are those that are packed in buf, each as its bytes.
func (a *ABI) arguments(buf []byte) [][]byte {
	args := make([][]byte, len(a.Params))
	for i, p := range a.Params {
		args[i] = buf[p.Offset : p.Offset+p.Size]
	}
	return args
}

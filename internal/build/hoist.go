package build

import "github.com/qdgen/qd/ssa/target"

// Hoisted is a copy of a kernel without those checks that the launch can decide for all threads.
type Hoisted struct {
	Symbol string             // of the entry point, which takes the same arguments
	When   *target.LaunchTest // the launches that may run it
}

// Holds reports whether a launch of a size, with the arguments that are packed in buf, may run the hoisted kernel.
func (a *ABI) Holds(size target.LaunchSize, buf []byte) bool {
	if a.Hoisted == nil {
		return false
	}
	args := make([][]byte, len(a.Params))
	for i, p := range a.Params {
		args[i] = buf[p.Offset : p.Offset+p.Size]
	}
	return a.Hoisted.When.Holds(size, args)
}

package build

import "github.com/qdgen/qd/ssa/target"

// Hoisted is a kernel once more, without checks that a launch answers for all of
// its threads.
type Hoisted struct {
	Symbol string             // of the entry point, which takes the same arguments
	When   *target.LaunchTest // for which launches it stands in
}

// Holds reports whether the hoisted kernel stands in for a launch over dims with
// the arguments that are packed in buf.
func (a *ABI) Holds(dims []int64, buf []byte) bool {
	if a.Hoisted == nil {
		return false
	}
	args := make([][]byte, len(a.Params))
	for i, p := range a.Params {
		args[i] = buf[p.Offset : p.Offset+p.Size]
	}
	return a.Hoisted.When.Holds(dims, args)
}

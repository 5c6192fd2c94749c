package qd_test

import (
	"errors"
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func allocates(t qd.Thread, x []int) {
	x[t.ID()] = len(make([]int, len(x)))
}

// What a kernel cannot say is reported before anything runs: all errors at once, each with its
// position and what to do instead.
func ExampleDiagnostics() {
	err := qd.Launch(allocates, qd.Dim(3), make([]int, 3))
	if found := (*qd.Diagnostics)(nil); errors.As(err, &found) {
		for _, d := range found.List {
			fmt.Printf("line %d: %s\n", d.Pos.Line, d.Msg)
		}
	}
	// Output: line 12: a kernel cannot allocate memory: the capacity len(x) is not known at compile time
}

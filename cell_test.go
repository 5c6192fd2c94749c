//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

// A branch has a list of branches, each of which leads back to it.
type branch struct {
	kids   []*branch
	parent *branch
	val    int
}

func sumOfBranches(list []*branch) (sum int) {
	for _, b := range list {
		sum = sum*10 + b.val
	}
	return sum
}

// listsBranches comes to the list of branches before it comes to a branch.
//
//qd:kernel
func listsBranches(t qd.Thread, out []int) {
	i := t.ID()
	root := &branch{val: i, kids: []*branch{{val: 1}, {val: i}}}
	out[i] = sumOfBranches(root.kids) + root.kids[1].val
}

// leadsBack has pointers that lead to themselves where paths meet.
//
//qd:kernel
func leadsBack(t qd.Thread, out []int) {
	i := t.ID()
	root := &branch{val: i}
	kid := &branch{val: 3, parent: root}
	root.kids = []*branch{kid, {val: 4, parent: root}}
	add := func(k int) int { return k + kid.parent.val }
	if i > 3 {
		root.val = add(root.kids[0].val)
	}
	out[i] = root.kids[0].parent.kids[1].val + root.val*10
}

// TestCells runs kernels with pointers to structs that are known at compile time.
func TestCells(t *testing.T) {
	for _, kernel := range []func(t qd.Thread, out []int){listsBranches, leadsBack} {
		sameOnCPU(t, func(d *qd.Device) []int {
			out := make([]int, 9)
			if err := d.Launch(kernel, qd.Dim(len(out)), out); err != nil {
				t.Fatal(err)
			}
			return out
		})
	}
}

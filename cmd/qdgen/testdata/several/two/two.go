// Package two has a kernel that is refused and one that is not.
package two

import "github.com/qdgen/qd"

//qd:kernel
func good(t qd.Thread, x []int) { x[t.ID()] = 1 }

//qd:kernel
func bad(t qd.Thread, x []int) { x[0] = len(append(x, 1)) }

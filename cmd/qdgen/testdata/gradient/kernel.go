// Package gradient has the kernel of docs/language.md's section on gradients.
package gradient

import "github.com/qdgen/qd"

//qd:kernel
func powers(t qd.Thread, n int, x, y []float32) {
	i := t.ID()
	p := float32(1)
	for k := 0; k < n; k++ {
		p *= x[i]
		if p > 100 {
			break
		}
	}
	y[i] = p
}

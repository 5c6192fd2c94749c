package refused

import "github.com/qdgen/qd"

var gain float32 = 2

//qd:kernel
func smooth(t qd.Thread, x, y []float32) {
	i := t.ID()
	window := make([]float32, len(x))
	gain = window[0] * x[i]
	y[i] = gain
}

package anywhere

import "github.com/qdgen/qd"

// follow goes on until a lane finds its end: lanes that have not found it read and write what lies anywhere.
//
//qd:kernel
func follow(t qd.Thread, next []int32, weights []float64, end []bool, seen []float32) {
	at, sum := next[t.ID()], 0.0
	var count [8]float32
	for !end[at] {
		w := weights[at]
		for range 8 { // enough to compute for vectors
			sum = (sum*w+1)*(sum-w) + w*w*w
		}
		if w > 1 {
			count[at%8]++
		}
		at = next[at]
	}
	for _, c := range count {
		seen[t.ID()] += c * float32(sum)
	}
}

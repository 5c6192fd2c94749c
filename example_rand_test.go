package qd_test

import (
	"fmt"
	"log"
	"math"

	"github.com/qdgen/qd"
)

// inside counts the random points of each thread that lie in the quarter of a circle.
//
//qd:kernel
func inside(t qd.Thread, seed int, points int, hits []int64) {
	n := int64(0)
	for k := range points {
		at := 2 * (t.ID()*points + k)
		if math.Hypot(qd.RandFloat64(seed, at), qd.RandFloat64(seed, at+1)) < 1 {
			n++
		}
	}
	qd.AtomicAdd(&hits[0], n)
}

// Random numbers have no state: the nth of a seed is the same on every device and in every thread.
func ExampleRandFloat64() {
	const threads, points = 100, 1000
	hits := make([]int64, 1)
	if err := qd.Launch(inside, qd.Dim(threads), 1, points, hits); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f\n", 4*float64(hits[0])/(threads*points))
	// Output: 3.1
}

package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
)

// towards moves points towards a place: vectors of any precision and length.
//
//qd:kernel
func towards[V qd.Vector[V, T], T qd.Float](t qd.Thread, place V, by T, points []V) {
	i := t.ID()
	points[i] = points[i].Lerp(place, by)
}

// A kernel for vectors of any precision and length has a type parameter with the constraint Vector.
func ExampleVector() {
	plane, space := []f32.Vec2{{0, 0}, {4, 2}}, []f64.Vec3{{1, 2, 3}}
	if err := qd.Launch(towards[f32.Vec2, float32], qd.Dim(2), f32.Vec2{2, 2}, 0.5, plane); err != nil {
		log.Fatal(err)
	}
	if err := qd.Launch(towards[f64.Vec3, float64], qd.Dim(1), f64.Vec3{1, 0, -1}, 0.25, space); err != nil {
		log.Fatal(err)
	}
	fmt.Println(plane, space)
	// Output: [[1 1] [3 2]] [[1 1.5 2]]
}

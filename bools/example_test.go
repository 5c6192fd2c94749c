package bools_test

import (
	"fmt"

	"github.com/qdgen/qd/bools"
	"github.com/qdgen/qd/f32"
)

// A comparison gives a mask, which chooses elements.
func Example() {
	v, w := f32.Vec3{1, 5, 3}, f32.Vec3{2, 2, 4}
	less := v.Less(w)
	fmt.Println(less, less.Any(), less.All(), less.Count())
	fmt.Println(v.Where(less, w))
	fmt.Println(less.And(bools.Vec3{true, true, false}))
	// Output:
	// [true false true] true false 2
	// [1 2 3]
	// [true false false]
}

package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// window adds up 2*radius+1 elements. Of the if only the branch that is taken is compiled.
//
//qd:kernel
func window(t qd.Thread, radius qd.Const[int], wrap qd.Const[bool], x, y []int) {
	i, n := t.ID(), len(x)
	for d := range qd.Static(2*radius.V + 1) {
		j := i + d - radius.V
		if qd.Static(wrap.V) {
			j = (j + n) % n
		} else {
			j = min(max(j, 0), n-1)
		}
		y[i] += x[j]
	}
}

// Static demands that something be known when the kernel is compiled.
func ExampleStatic() {
	x := []int{1, 2, 3, 4}
	for _, wrap := range []bool{false, true} {
		y := make([]int, len(x))
		if err := qd.Launch(window, qd.Dim(len(x)), qd.C(1), qd.C(wrap), x, y); err != nil {
			log.Fatal(err)
		}
		fmt.Println(y)
	}
	// Output:
	// [4 6 9 11]
	// [7 6 9 8]
}

package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// A perThread says how many elements each thread doubles.
type perThread struct{ Each int }

//qd:kernel
func doubleEach(t qd.Thread, c qd.Const[perThread], x []int) {
	for k := range qd.Static(c.V.Each) {
		if i := t.ID()*c.V.Each + k; i < len(x) {
			x[i] *= 2
		}
	}
}

// The first run measures the configurations on its arguments. Later runs take the fastest one.
func ExampleTune() {
	double := qd.Tune(doubleEach, []perThread{{1}, {2}, {4}},
		qd.TuneKey("x"),
		qd.TuneGrid(func(c perThread, a qd.Args) qd.Dims { return qd.Dim(qd.CeilDiv(a.Len("x"), c.Each)) }))
	x := []int{1, 2, 3, 4, 5}
	if err := double.Run(x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [2 4 6 8 10]
}

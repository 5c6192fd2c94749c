package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// Build compiles many specializations at the same time, before the first launch.
func ExampleBuild() {
	if err := qd.Build(qd.Spec(power, qd.C(2)), qd.Spec(power, qd.C(3)), increment); err != nil {
		log.Fatal(err)
	}
	x := []float64{5}
	if err := qd.Launch(power, qd.Dim(1), qd.C(2), x); err != nil { // compiles nothing
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [25]
}

// Seeds runs counterparts, in Go, of the code samples of four Python projects'
// documents: Warp, Quadrants, the CuTe DSL and Triton. README.md sets
// them side by side. For statements of the documents that have no sample there are cases,
// which docs/seeds.md lists.
//
//	go run ./examples/seeds                       # lists the samples and cases
//	go run ./examples/seeds warp/static/math ...  # runs some
//
// QD_DEVICE says on which device.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"

	casecute "github.com/qdgen/qd/examples/seeds/cases/cute"
	casequadrants "github.com/qdgen/qd/examples/seeds/cases/quadrants"
	casetriton "github.com/qdgen/qd/examples/seeds/cases/triton"
	casewarp "github.com/qdgen/qd/examples/seeds/cases/warp"
	"github.com/qdgen/qd/examples/seeds/cute"
	"github.com/qdgen/qd/examples/seeds/internal/sample"
	"github.com/qdgen/qd/examples/seeds/quadrants"
	"github.com/qdgen/qd/examples/seeds/triton"
	"github.com/qdgen/qd/examples/seeds/warp"
)

//go:generate go run github.com/qdgen/qd/cmd/qdgen gen --standard=false ./...

// samples are all of them, by document, and after them the cases.
var samples = slices.Concat(
	warp.Samples, quadrants.Samples, cute.Samples, triton.Samples,
	casewarp.Cases, casequadrants.Cases, casecute.Cases, casetriton.Cases)

func main() {
	flag.Parse()
	if flag.NArg() == 0 {
		for _, s := range samples {
			fmt.Println(s.Name)
		}
		return
	}
	for _, name := range flag.Args() {
		i := slices.IndexFunc(samples, func(s sample.Sample) bool { return s.Name == name })
		if i < 0 {
			fmt.Fprintf(os.Stderr, "there is no sample %s; without arguments they are listed\n", name)
			os.Exit(2)
		}
		samples[i].Run()
	}
}

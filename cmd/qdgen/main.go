// Qdgen shows what kernels written in Go become, and looks after what qd keeps on
// a machine.
//
// Programs that launch kernels need neither this command nor anything that it
// makes: see the package github.com/qdgen/qd. Run "qdgen help" for the commands.
package main

import (
	"os"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/qdgen/qd/cmd/qdgen/vet"
	"github.com/qdgen/qd/frontend/load"

	// The sources of what kernels call.
	_ "github.com/qdgen/qd/f32"
	_ "github.com/qdgen/qd/f64"
	_ "github.com/qdgen/qd/i32"
	_ "github.com/qdgen/qd/mathx"
	_ "github.com/qdgen/qd/tile"
	_ "github.com/qdgen/qd/u32"
)

func main() {
	if isCopy(os.Args[1:]) {
		os.Exit(runCopy(os.Stderr, os.Args[1:]))
	}
	load.AsGoCommand()
	if isVetTool(os.Args[1:]) {
		unitchecker.Main(vet.Analyzer) // exits
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

package main

import (
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/testenv"
)

// TestGeneratedKeepsClosures runs a program with closures in package variables that nobody changes. The generated file, which
// returns such a variable to tell its value, changes it as little.
func TestGeneratedKeepsClosures(t *testing.T) {
	t.Parallel()
	if _, err := clang.Find(); err != nil {
		testenv.Missing(t, err)
	}
	dir := newModule(t, []byte(closureProgram))
	for _, generated := range []bool{false, true} {
		if generated {
			qdgen(t, dir, inModule, "gen").want(t, 0, nil, nil)
		}
		const want = "go [224] <nil>\ncpu [224] <nil>\n"
		if out := goTool(t, dir, "run", "."); out != want {
			t.Errorf("with the generated file: %t\n%s, want\n%s", generated, out, want)
		}
	}
}

const closureProgram = `-- main.go --
package main

import (
	"fmt"

	"github.com/qdgen/qd"
)

func double(x int) int { return 2 * x }

func digit(c int) func(int) int { return func(x int) int { return x*10 + c } }

var steps = []func(int) int{digit(1), digit(2), double}

//qd:kernel
func inTurn(t qd.Thread, x []int) {
	for _, f := range qd.Static(steps) {
		x[0] = f(x[0])
	}
}

func main() {
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		if err != nil {
			panic(err)
		}
		x := []int{1}
		err = dev.Launch(inTurn, qd.Dim(1), x)
		fmt.Println(name, x, err)
	}
}
`

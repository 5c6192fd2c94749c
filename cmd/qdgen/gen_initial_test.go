package main

import (
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/testenv"
)

// TestInitialValues runs a program whose variables change: in an init function, and before a literal is made. What a
// qd.Static is bound to is older than both.
func TestInitialValues(t *testing.T) {
	t.Parallel()
	if _, err := clang.Find(); err != nil {
		testenv.Missing(t, err)
	}
	dir := newModule(t, []byte(initialProgram))
	qdgen(t, dir, inModule, "gen").want(t, 0, nil, nil)
	const want = "declared [2 3 20]\nliteral [2 5 20]\nlater [2 7 20]\n"
	if out := goTool(t, dir, "run", "."); out != "go\n"+want+"cpu\n"+want {
		t.Errorf("%s, want on each device\n%s", out, want)
	}
}

const initialProgram = `-- main.go --
package main

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/qdgen/qd"
)

var gain = 2.0

func init() { gain = 3 }

func scaled() float64 { return 10 * gain }

//qd:kernel
func declared(t qd.Thread, x []float64) {
	x[0] = qd.Static(gain)
	x[1] = gain
	x[2] = qd.Static(scaled())
}

func literal() *qd.Kernel {
	return qd.NewKernel(func(t qd.Thread, x []float64) {
		x[0] = qd.Static(gain)
		x[1] = gain
		x[2] = qd.Static(scaled())
	})
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		if err != nil {
			panic(err)
		}
		fmt.Println(name)
		show := func(what string, kernel any) {
			x := make([]float64, 3)
			if err := dev.Launch(kernel, qd.Dim(1), x); err != nil {
				panic(err)
			}
			fmt.Println(what, x)
		}
		gain = 3
		show("declared", declared)
		gain = 5
		k := literal()
		show("literal", k)
		gain = 7
		show("later", k)
	}
}
`

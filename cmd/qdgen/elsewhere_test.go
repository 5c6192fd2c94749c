package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestElsewhere prints and generates generic kernels with the types that other packages of the command launch them with.
func TestElsewhere(t *testing.T) {
	dir := newModule(t, []byte(`-- lib/lib.go --
package lib

import "github.com/qdgen/qd"

type Stepper interface {
	~struct{ X, V float32 } | ~struct{ X, V float64 }
	Step() int
}

//qd:kernel
func Walk[S Stepper](t qd.Thread, s []S, n []int) { n[t.ID()] += s[t.ID()].Step() }

//qd:kernel
func Rest[S Stepper](t qd.Thread, s []S, n []int) { n[t.ID()] -= s[t.ID()].Step() }

// No number will do.
//
//qd:kernel
func Length[S any](t qd.Thread, s []S, n []int) {
	switch v := any(s[t.ID()]).(type) {
	case [3]int:
		n[t.ID()] = len(v)
	default:
		qd.StaticAssert(false, "no length")
	}
}
-- app/main.go --
package main

import (
	"example.com/app/lib"
	"github.com/qdgen/qd"
)

type body struct{ X, V float32 }

func (b body) Step() int { return int(b.X + b.V) }

type exact struct{ X, V float64 }

func (b exact) Step() int { return 2 }

func main() {
	n := []int{1}
	_ = qd.Launch(lib.Walk[body], qd.Dim(1), []body{{2, 3}}, n)
	_ = qd.Launch(lib.Walk[body], qd.Dim(1), []body{{4, 3}}, n)
	_ = qd.Launch(lib.Rest[body], qd.Dim(1), []body{{2, 3}}, n)
	_ = qd.Launch(lib.Rest[exact], qd.Dim(1), []exact{{2, 3}}, n)
	_ = qd.Launch(lib.Length[[3]int], qd.Dim(1), [][3]int{{}}, n)
}
`))
	enter(t, dir, inModule)
	qdgen(t, ".", nil, "emit", "./...", "--target", "cpp", "--kernel", "Walk").want(t, 0, []string{"int(b.X + b.V)"},
		[]string{"kernel Walk is printed with the types of the launch at app/main.go:18: Walk[example.com/app/app.body]\n"})
	qdgen(t, ".", nil, "emit", "./lib", "--kernel", "Walk").want(t, 1, nil, []string{"kernel Walk is generic; give it --type S=..., a lib.Stepper\n"})
	qdgen(t, ".", nil, "emit", "./...", "--kernel", "Rest").want(t, 1, nil, []string{
		"; other packages launch Rest[example.com/app/app.body] (app/main.go:20), and Rest[example.com/app/app.exact] (app/main.go:21)\n"})
	qdgen(t, ".", nil, "gen", "./...").want(t, 0, nil, nil)
	if _, err := os.Stat(filepath.Join(dir, "lib", "qd_gen.go")); err != nil {
		t.Error(err)
	}
}

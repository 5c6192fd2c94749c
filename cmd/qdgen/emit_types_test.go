package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A generic kernel is shown with the types that the launches of its own package have, and not with some that its
// constraints allow.
func TestEmitLaunchedTypes(t *testing.T) {
	dir := newModule(t, []byte(`-- main.go --
package main

import "github.com/qdgen/qd"

type number interface{ ~float32 | ~float64 }

//qd:kernel
func scale[T number](t qd.Thread, a T, x []T) { x[t.ID()] *= a }

//qd:kernel
func fill[T number](t qd.Thread, c qd.Const[int], x []T) { x[t.ID()] = T(c.V) }

type op interface{ apply(x float64) float64 }

type (
	bad   struct{}
	neg   struct{}
	twice struct{}
)

func (bad) apply(x float64) float64   { return map[int]float64{1: x}[1] }
func (neg) apply(x float64) float64   { return -x }
func (twice) apply(x float64) float64 { return 2 * x }

//qd:kernel
func apply[O op](t qd.Thread, o O, x []float64) { x[t.ID()] = o.apply(x[t.ID()]) }

//qd:kernel
func around[O op](t qd.Thread, o O, x []float64) { x[t.ID()] = o.apply(o.apply(x[t.ID()])) }

//qd:kernel
func alone[T number](t qd.Thread, x []T) { x[t.ID()] = 1 }

//qd:kernel
func uncalled[T number](t qd.Thread, x []T) { x[t.ID()] = 2 }

func inner[O op](o O, x []float64) error { return qd.Launch(around[O], qd.Dim(len(x)), o, x) }

func outer[P op](p P, x []float64) error { return inner(p, x) }

func nobody[T number](x []T) error { return qd.Launch(uncalled[T], qd.Dim(len(x)), x) }

func main() {
	x := []float64{1, 2}
	_ = qd.Launch(scale[float64], qd.Dim(2), 2, x)
	_ = qd.Launch(fill[float64], qd.Dim(2), qd.C(3), x)
	_ = qd.Launch(apply[neg], qd.Dim(2), neg{}, x)
	_ = qd.Launch(apply[twice], qd.Dim(2), twice{}, x)
	_ = outer(neg{}, x)
}
`))
	enter(t, dir, inModule)
	for _, tt := range []struct {
		kernel, flag string
		exit         int
		stdout       []string
		stderr       []string
	}{
		{"scale", "", 0, []string{"kernel scale[float64]"}, []string{"kernel scale is printed with the values of the launch at main.go:45: --type T=float64\n"}},
		{"fill", "", 0, []string{"kernel fill[float64]", "const 3"}, []string{"kernel fill is printed with the values of the launch at main.go:46: --type T=float64 --const c=3\n"}},
		{"fill", "--const=c=5", 0, []string{"kernel fill[float64]", "const 5"}, []string{"the launch at main.go:46: --type T=float64\n"}},
		{"fill", "--type=T=float32", 0, []string{"kernel fill[float32]", "const 3"}, []string{"the launch at main.go:46: --const c=3\n"}},
		{"apply", "", 1, nil, []string{"qdgen: kernel apply is generic; give it --type O=..., a main.op; " +
			"the package launches it with --type O=neg (main.go:47), and with --type O=twice (main.go:48)\n"}},
		{"apply", "--type=O=twice", 0, []string{"kernel apply[twice]"}, nil},
		{"apply[main.neg]", "", 0, []string{"kernel apply[neg]"}, nil},
		{"around", "", 0, []string{"kernel around[neg]"}, []string{"the launch at main.go:37: --type O=neg\n"}},
		{"alone", "", 0, []string{"kernel alone[float32]"}, nil},
		{"uncalled", "", 0, []string{"kernel uncalled[float32]"}, nil},
	} {
		t.Run(tt.kernel+tt.flag, func(t *testing.T) {
			args := []string{"emit", "--target", "ssa", "--kernel", tt.kernel}
			if tt.flag != "" {
				args = append(args, tt.flag)
			}
			qdgen(t, ".", nil, args...).want(t, tt.exit, tt.stdout, tt.stderr)
		})
	}
	page := filepath.Join(dir, "page.html")
	qdgen(t, ".", nil, "explain", "--kernel", "scale", "-o", page).want(t, 0, nil, []string{"--type T=float64\n"})
	if !strings.Contains(read(t, page), "scale[float64]") {
		t.Error("the page is not about scale[float64]")
	}
}

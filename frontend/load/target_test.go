package load

import (
	"go/types"
	"strings"
	"testing"
)

// TestTargets finds functions by the names that package runtime has for them.
func TestTargets(t *testing.T) {
	src := sources(map[string]string{
		"main/k.go": saxpyMain,
		"main/f.go": `package main

import (
	"math"

	"x.org/ops"
)

func square(x float32) float32 { return helper(x) }

func helper(x float32) float32 { return x * x }

func sq[T float](x T) T { return x * x }

type float interface{ ~float32 | ~float64 }

type scale struct{ by float32 }

func (s scale) apply(x float32) float32 { return s.by * x }

func (s *scale) set(x float32) { s.by = x }

type pair[T float] struct{ a, b T }

func (p pair[T]) sum(x T) T { return p.a + p.b + x }

var table = map[string]func(float32) float32{
	"half": func(x float32) float32 { return x / 2 },
	"both": func(x float32) float32 { return x }, "same": func(x float32) float32 { return x },
}

func f(c float32) {
	g := func(x float32) float32 { return c * x }
	use(func(x float64) float64 { return math.Sqrt(x) + ops.Twice(x) })
	_ = g
}
`,
		"x.org/ops/ops.go": "package ops; func Twice(x float64) float64 { return 2*x }",
	})
	kernel := Ref{Pkg: "main", Name: "saxpy"}
	tests := []struct {
		ref  Ref
		want string // obj, type arguments, receiver; or a part of the error
	}{
		{Ref{Pkg: "main", Name: "square"}, "main.square"},
		{Ref{Pkg: "main", Name: "sq[...]", Params: "float32"}, "main.sq [float32]"},
		{Ref{Pkg: "main", Name: "sq[float64]"}, "main.sq [float64]"},
		{Ref{Pkg: "main", Name: "sq[...]", Params: "int"}, "!cannot be instantiated"},
		{Ref{Pkg: "main", Name: "scale.apply"}, "(main.scale).apply of main.scale"},
		{Ref{Pkg: "main", Name: "(*scale).set"}, "(*main.scale).set of *main.scale"},
		{Ref{Pkg: "main", Name: "pair[...].sum", Params: "main.pair[float32],float32"}, "(main.pair[T]).sum [float32] of main.pair[float32]"},
		{Ref{Pkg: "main", Name: "pair[float64].sum"}, "(main.pair[T]).sum [float64] of main.pair[float64]"},
		{Ref{Pkg: "main", Name: "glob..func1", File: "main/f.go", Line: 28}, "main.table_func1"},
		{Ref{Pkg: "main", Name: "init.func1", File: "main/f.go", Line: 28}, "main.table_func1"},
		{Ref{Pkg: "main", Name: "glob..func2", File: "main/f.go", Line: 29}, "!two function literals on one line"},
		{Ref{Pkg: "main", Name: "f.func1", File: "main/f.go", Line: 33}, "main.f_func1"}, // which is refused where it is used
		{Ref{Pkg: "main", Name: "f.func1", File: "main/f.go", Line: 33, Captures: "c float32"}, `!whether qd.Capture("c") gives the value of c cannot be seen`},
		{Ref{Pkg: "main", Name: "f.func1", File: "main/f.go", Line: 33, Captures: "d float32"}, "!the function captures c"},
		{Ref{Pkg: "main", Name: "f.func1", File: "main/f.go", Line: 33, Captures: "c int"}, "!the function captures c as a value of type int"},
		{Ref{Pkg: "main", Name: "f.func2", File: "main/f.go", Line: 34}, "main.f_func2"},
		{Ref{Pkg: "x.org/ops", Name: "Twice"}, "x.org/ops.Twice"},
		{Ref{Pkg: "math", Name: "Sqrt"}, "math.Sqrt"},
		{Ref{Pkg: QDPath, Name: "Sqrt[...]", Params: "float32"}, QDPath + ".Sqrt [float32]"},
		{Ref{Pkg: "main", Name: "missing"}, "!source of function missing in package main is not found: none of main/f.go, main/k.go declares it"},
	}
	for _, test := range tests {
		p, err := CheckWith(src, Also{Funcs: []Ref{test.ref}}, kernel)
		if want, ok := strings.CutPrefix(test.want, "!"); ok {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: error %v, want %s", test.ref, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", test.ref, err)
			continue
		}
		target, ok := p.Target(test.ref)
		if !ok {
			t.Errorf("%v is not there", test.ref)
			continue
		}
		got := target.Obj.FullName()
		if len(target.TypeArgs) > 0 {
			got += " ["
			for i, arg := range target.TypeArgs {
				if i > 0 {
					got += ","
				}
				got += arg.String()
			}
			got += "]"
		}
		if target.Recv != nil {
			got += " of " + types.TypeString(target.Recv, nil)
		}
		if got != test.want {
			t.Errorf("%v is %s, want %s", test.ref, got, test.want)
		}
		if !isLibrary(test.ref.Pkg) && p.Function(target.Obj) == nil {
			t.Errorf("%v is not among the functions", test.ref)
		}
		if len(p.Kernels) != 1 || p.Kernels[0].Obj.Name() != "saxpy" {
			t.Errorf("%v: kernels %v", test.ref, p.Kernels)
		}
	}
}

const saxpyMain = `package main

import "github.com/qdgen/qd"

//qd:kernel
func saxpy(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	y[i] += a * x[i]
}
`

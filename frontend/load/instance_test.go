package load

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// TestGenericKernels finds the type arguments of generic kernels.
func TestGenericKernels(t *testing.T) {
	src := sources(map[string]string{
		"main/k.go": `package main

import (
	"example.com/geom"
	"github.com/qdgen/qd"
)

type Real float64

type pair[A, B any] struct { a A; b B }

type Const[T any] struct { V T }

type float interface{ ~float32 | ~float64 }

func one[T float](t qd.Thread, a T, x []T) {}
func two[A, B any](t qd.Thread, x []pair[A, []B]) {}
func core[S ~[]E, E any](t qd.Thread, x S) {}
func array[T any](t qd.Thread, x *[4]T) {}
func other[T any](t qd.Thread, b geom.Box[T]) {}
func hidden[T any](t qd.Thread) {}
func applies[T any](t qd.Thread, f Const[func(a, b T) (T, bool)], g Const[func(T)], x []T) {}
func given[F any](t qd.Thread, f Const[F], n int) {}
func methods[T interface{ M() }](t qd.Thread, x T) {}
func pointed[T any, P interface{ *T }](t qd.Thread, x []T) {}
func sized[T interface{ ~int8; M() }](t qd.Thread, x T) {}
`,
		"example.com/geom/g.go": "package geom\n\ntype Box[T any] struct{ v T }\n\ntype Point struct{ x int }\n\nfunc (Point) M() {}\n",
	})
	tests := []struct{ name, params, want string }{
		{"one", "github.com/qdgen/qd.Thread,float32,[]float32", "float32"},
		{"one", "github.com/qdgen/qd.Thread,main.Real,[]main.Real", "main.Real"},
		{"one", "", "float32"},
		{"one[float64]", "", "float64"},
		{"one[Real]", "", "main.Real"},
		{"one[...]", "github.com/qdgen/qd.Thread,float64,[]float64", "float64"},
		{"one[int]", "", "int does not satisfy main.float"},
		{"one[string,int]", "", "it has 1 type parameters, not 2"},
		{"one[lost]", "", "type lost is not known here"},
		{"one[x y]", "", "is not a type that a kernel can have"},
		{"one[[float32]", "", "is not a type that a kernel can have"},
		{"one[" + strings.Repeat("*", 200) + "int]", "", "is not a type that a kernel can have"},
		{"two", "github.com/qdgen/qd.Thread,[]main.pair[int32,[]example.com/geom.Box[main.Real]]", "int32 example.com/geom.Box[main.Real]"},
		{"two", "", "int int"},
		{"core", "github.com/qdgen/qd.Thread,[]uint8", "[]uint8 uint8"},
		{"core", "", "[]int int"},
		{"core[[]bool, bool]", "", "[]bool bool"},
		{"array", "github.com/qdgen/qd.Thread,*[4][]int", "[]int"},
		{"other", "github.com/qdgen/qd.Thread,example.com/geom.Box[[3]float32]", "[3]float32"},
		{"other[example.com/geom.Point]", "", "example.com/geom.Point"},
		{"applies", "github.com/qdgen/qd.Thread,main.Const[func(main.Real, main.Real) (main.Real, bool)],main.Const[func(main.Real)],[]main.Real", "main.Real"},
		{"given", "github.com/qdgen/qd.Thread,main.Const[func(func() int, []int32) func(int)],int", "func(func() int, []int32) func(int)"},
		{"given[func(Real) bool]", "", "func(main.Real) bool"},
		{"given[func(int]", "", "is not a type that a kernel can have"},
		{"given[func(int))]", "", "is not a type that a kernel can have"},
		{"hidden", "github.com/qdgen/qd.Thread", "do not determine type parameter T"},
		{"hidden", "github.com/qdgen/qd.Thread", "help: use the type parameter in the type of a parameter, or make the kernel a method"},
		{"methods", "github.com/qdgen/qd.Thread,example.com/geom.Point", "example.com/geom.Point"},
		{"methods", "", "do not determine type parameter T"},
		{"methods[example.com/geom.Point]", "", "example.com/geom.Point"},
		{"sized", "", "int8 does not satisfy"},
		{"pointed", "github.com/qdgen/qd.Thread,[]main.Real", "main.Real *main.Real"},
		{"one", "github.com/qdgen/qd.Thread,example.com/lost.T,[]example.com/lost.T", "the source of package example.com/lost, which declares type T, is not found"},
		{"one", "github.com/qdgen/qd.Thread,example.com/geom.Lost,[]example.com/geom.Lost", "type example.com/geom.Lost is not known here"},
		{"core", "github.com/qdgen/qd.Thread,[]struct { A int }", "a struct type without a name"},
	}
	for _, test := range tests {
		p, err := Check(src, Ref{Pkg: "main", Name: test.name, Params: test.params})
		var got []string
		if err != nil {
			got = append(got, err.Error())
		} else {
			for _, arg := range p.Kernels[0].TypeArgs {
				got = append(got, types.TypeString(arg, nil))
			}
		}
		if g := strings.Join(got, " "); err == nil && g != test.want || !strings.Contains(g, test.want) {
			t.Errorf("%s (%s): %s, want %s", test.name, test.params, g, test.want)
		}
	}
}

// TestMethodKernels finds kernels that are methods, with the type arguments of their
// receivers.
func TestMethodKernels(t *testing.T) {
	src := sources(map[string]string{
		"main/k.go": `package main

import (
	"example.com/geom"
	"github.com/qdgen/qd"
)

type float interface{ ~float32 | ~float64 }

type Unary[T float] interface{ Apply(T) T }

type ScaleBy struct{ S float32 }

func (s ScaleBy) Apply(x float32) float32 { return s.S * x }

type Map[T float, F Unary[T]] struct{ F F }

//qd:kernel
func (k Map[T, F]) Kernel(t qd.Thread, a []T) { i := t.ID(); a[i] = k.F.Apply(a[i]) }

type Fill struct{ V int }

//qd:kernel
func (f Fill) Run(t qd.Thread, a []int) { a[t.ID()] = f.V }

type Grid[T float] struct{ n int }

//qd:kernel
func (g Grid[T]) Kernel(t qd.Thread, a []T) { geom.Set(a, t.ID()) }
`,
		"example.com/geom/g.go": "package geom\n\ntype Half struct{}\n\nfunc (Half) Apply(x float64) float64 { return x / 2 }\nfunc Set[T any](a []T, i int) {}\n",
	})
	for _, test := range []struct{ name, want string }{
		{"Map[float32,main.ScaleBy].Kernel", "Kernel[float32 main.ScaleBy]"},
		{"Map[float64,example.com/geom.Half].Kernel", "Kernel[float64 example.com/geom.Half]"},
		{"Map[float64,main.ScaleBy].Kernel", "!main.ScaleBy does not satisfy main.Unary[float64]"},
		{"Map[float32].Kernel", "!it has 2 type parameters, not 1"},
		{"Map[float32,main.Lost].Kernel", "!type main.Lost is not known here"},
		{"Fill.Run", "Run[]"},
		{"Grid[float64].Kernel", "Kernel[float64]"},
		{"Grid.Kernel", "Kernel[float32]"},
		{"Map.Kernel", "!help: name it with its type arguments, as in Map[float32].Kernel"},
		{"Fill.Walk", "!none of main/k.go declares it"},
	} {
		p, err := Check(src, Ref{Pkg: "main", Name: test.name})
		if want, ok := strings.CutPrefix(test.want, "!"); ok || err != nil {
			if err == nil || !ok || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", test.name, err, test.want)
			}
			continue
		}
		k := p.Kernels[0]
		if got := fmt.Sprintf("%s%v", k.Obj.Name(), k.TypeArgs); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	refs, err := Kernels(src, "main")
	var names []string
	for _, r := range refs {
		names = append(names, r.Name)
	}
	if got := strings.Join(names, " "); err != nil || got != "Map.Kernel Fill.Run Grid.Kernel" {
		t.Errorf("kernels %s, %v", got, err)
	}
}

// TestInstancesInGenericFunctions finds the kernel behind what the Go compiler makes of an
// instance whose type arguments are those of a generic function: a function literal.
func TestInstancesInGenericFunctions(t *testing.T) {
	src := sources(map[string]string{
		"main/k.go": `package main

import (
	"example.com/geom"
	"github.com/qdgen/qd"
)

func own[T any](t qd.Thread, x []T) {}
func start[T any](x []T) {
	launch(own[T], x)
	launch(geom.Far[T, int], x)
	launch(own[T], geom.Far[T, int])
	launch(x)
	launch(func(t qd.Thread, x []T) {}, own[T], x)
	launch(func(t qd.Thread) {})
	launch(func(t qd.Thread) { var x T; _ = x })
	launch(own[T], geom.Near[T])
	launch(own[T], made[T](3))
	launched[T](own[T], 1)
}
func launched[T any](kernel any, n int) {}
func launch(...any) {}
func made[T any](n int) []T { return nil }
`,
		"example.com/geom/g.go": "package geom\n\nimport \"github.com/qdgen/qd\"\n\nfunc Far[T, U any](t qd.Thread, x []T, y U) {}\n\nfunc Near[T any](t qd.Thread, x []T) {}\n",
	})
	for _, test := range []struct {
		line         int
		params, want string
	}{
		{10, "github.com/qdgen/qd.Thread,[]int8", "own[int8]"},
		{11, "github.com/qdgen/qd.Thread,[]int8,bool", "Far[int8 bool]"},
		{12, "github.com/qdgen/qd.Thread,[]int8", "own[int8]"},
		{13, "github.com/qdgen/qd.Thread,[]int8", "neither a function literal nor a generic kernel at k.go:13"},
		{14, "github.com/qdgen/qd.Thread,[]int8", "start_func1[int8]"},
		{15, "github.com/qdgen/qd.Thread", "start_func2[int]"},
		{17, "github.com/qdgen/qd.Thread,[]int8", "two generic kernels on one line, in a generic function, cannot be distinguished"},
		{18, "github.com/qdgen/qd.Thread,[]int8", "own[int8]"},
		{19, "github.com/qdgen/qd.Thread,[]int8", "own[int8]"},
		{16, "github.com/qdgen/qd.Thread", "do not determine type parameter T of the function around the kernel"},
	} {
		p, err := Check(src, Ref{Pkg: "main", Name: "start[...].func1", File: "k.go", Line: test.line, Params: test.params})
		if err != nil {
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("line %d: %v, want %s", test.line, err, test.want)
			}
			continue
		}
		k := p.Kernels[0]
		if got := fmt.Sprintf("%s%v", k.Obj.Name(), k.TypeArgs); got != test.want {
			t.Errorf("line %d: %s, want %s", test.line, got, test.want)
		}
		// An edit of that line may mean another kernel.
		if !slices.ContainsFunc(p.Packages, func(p *Package) bool { return p.Path == "main" }) {
			t.Errorf("line %d: package main is none of those that count", test.line)
		}
	}
}

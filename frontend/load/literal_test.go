package load

import (
	"fmt"
	"strings"
	"testing"
)

// A function literal is found by the line that it begins on, and is a kernel if it
// captures nothing.
func TestLiterals(t *testing.T) {
	src := sources(map[string]string{"a/a.go": `package a

import "github.com/qdgen/qd"

const scale = 3

type pair struct{ scale, width int }

var global = func(t qd.Thread, x []int) { x[0] = scale * twice(x[1]) }

func twice(x int) int { return 2 * x }

func main_func6() {}

func main(by int, pairs []pair) {
	width := 4
	launch(func(t qd.Thread, x []int) {
		width := x[0]
		x[1] = width * pair{scale: 1, width: 2}.width
	})
	launch(func(t qd.Thread, x []int) {
		x[1] = width +
			by
	})
	launch(func(t qd.Thread) {}, func(t qd.Thread) {})
	launch(func() {}, func(t qd.Thread, x []int) { x[t.ID()] = 1 })
	type local int
	launch(func(t qd.Thread, x []local) {
		const width = 2
		x[0] = width
	})
}

func launch(...any) {}
`})
	for _, test := range []struct {
		name string
		line int
		want string // the kernel's name, or what the error contains
	}{
		{"glob..func1", 9, "global_func1"},
		{"main.func1", 17, "main_func1"},
		{"", 17, "main_func1"}, // whatever its runtime name
		{"main.func2", 21, "a/a.go:22:10: the kernel captures width, which is declared in the function around it, without naming it"},
		{"main.func2", 21, "a/a.go:23:4: the kernel captures by, "},
		{"main.func3", 25, "a/a.go:25:31: two kernels on one line"},
		{"main.func6", 26, "main_func6_2"},
		{"main.func7", 28, "main_func7"},
		{"main.func8", 18, "no function literal at a.go:18"},
	} {
		p, err := Check(src, Ref{Pkg: "a", Name: test.name, File: "a.go", Line: test.line})
		switch {
		case err != nil && !strings.Contains(err.Error(), test.want):
			t.Errorf("line %d: %v, want %s", test.line, err, test.want)
		case err == nil && p.Kernels[0].Obj.Name() != test.want:
			t.Errorf("line %d: %s, want %s", test.line, p.Kernels[0].Obj.Name(), test.want)
		}
	}
}

// TestCaptures is about what kernel literals name of the functions around them.
func TestCaptures(t *testing.T) {
	const head = `package main

import (
	"flag"

	"github.com/qdgen/qd"
	quad "github.com/qdgen/qd"
)

type op struct{ n int }

func (o *op) set() { o.n = 1 }

func square(x float32) float32 { return x * x }

func show() {}; var scale = 3

`
	for _, test := range []struct {
		name, code string
		captures   map[string]string
		want       string // what the error contains
	}{
		{"none", "LIT(func(t qd.Thread, x []int) { x[0] = 1 })", nil, ""},
		{"one", "c := 2; LIT(func(t qd.Thread, x []int) { x[0] = c })", map[string]string{"c": "int"}, ""},
		{"missing", "c := 2; LIT(func(t qd.Thread, x []int) { x[0] = c })", nil, `the kernel captures c, which is declared in the function around it, without naming it`},
		{"misnamed", "c := 2; LIT(func(t qd.Thread, x []int) { x[0] = c })", map[string]string{"d": "int"}, `qd.Capture("d") names no variable that the kernel captures`},
		{"superfluous", "c, d := 2, 3; LIT(func(t qd.Thread, x []int) { x[0] = c }); _ = d", map[string]string{"c": "int", "d": "int"}, `qd.Capture("d") names no variable that the kernel captures`},
		{"package variable", "LIT(func(t qd.Thread, x []int) { x[0] = scale })", map[string]string{"scale": "int"}, `qd.Capture("scale") names no variable that the kernel captures: it is a package variable, which kernels read by themselves`},
		{"wrong type", "c := 2; LIT(func(t qd.Thread, x []int) { x[0] = c })", map[string]string{"c": "float32"}, "the kernel captures c as a value of type float32, but it has type int"},
		{"assigned", "c := 2; LIT(func(t qd.Thread, x []int) { x[0] = c }); c = 3", map[string]string{"c": "int"}, "the kernel captures c, which is assigned at main/k.go:20 after its declaration"},
		{"assigned by :=", "c := 2; c, d := 3, 4; LIT(func(t qd.Thread, x []int) { x[0] = c }); _ = d", map[string]string{"c": "int"}, "which is assigned at"},
		{"assigned in the kernel", "c := 2; LIT(func(t qd.Thread, x []int) { c++; x[0] = c })", map[string]string{"c": "int"}, ""}, // lowering says so
		{"address taken", "c := 2; p := &c; LIT(func(t qd.Thread, x []int) { x[0] = c }); *p = 3", map[string]string{"c": "int"}, "which is assigned at"},
		{"address given away", "c := 2; p := &c; LIT(func(t qd.Thread, x []int) { x[0] = c }); print(p)", map[string]string{"c": "int"}, "which is assigned at"},
		{"address taken to read", "c := 2; p := &c; LIT(func(t qd.Thread, x []int) { x[0] = c }); _ = *p", map[string]string{"c": "int"}, ""},
		{"pointer method", "c := op{}; c.set(); LIT(func(t qd.Thread, x []int) { x[0] = c.n })", map[string]string{"c": "main.op"}, "which is assigned at"},
		{"shadowed assignment", "c := 2; { c := 3; c = 4; _ = c }; func() { c := 1; c++ }(); LIT(func(t qd.Thread, x []int) { x[0] = c })", map[string]string{"c": "int"}, ""},
		{"loop variable", "for i := 0; i < 3; i++ { LIT(func(t qd.Thread, x []int) { x[0] = i }) }", map[string]string{"i": "int"}, ""},
		{"loop variable that is assigned", "for i := 0; i < 3; i++ { LIT(func(t qd.Thread, x []int) { x[0] = i }); i++ }", map[string]string{"i": "int"}, "which is assigned at"},
		{"range", "for i, v := range []float32{1, 2} { LIT(func(t qd.Thread, x []float32) { x[i] = v }) }", map[string]string{"i": "int", "v": "float32"}, ""},
		{"range of another loop's", "var i int; for i = range 3 { LIT(func(t qd.Thread, x []int) { x[0] = i }) }", map[string]string{"i": "int"}, "which is assigned at"},
		{"if and switch", "if c := 2; c > 1 { switch d := c; d { case 2: e := d; LIT(func(t qd.Thread, x []int) { x[c] = d + e }) } }", map[string]string{"c": "int", "d": "int", "e": "int"}, ""},
		{"type switch", "var a any = 1; switch v := a.(type) { case int: LIT(func(t qd.Thread, x []int) { x[0] = v }) }", map[string]string{"v": "int"}, ""},
		{"function", "f := square; LIT(func(t qd.Thread, x []float32) { x[0] = f(x[0]) })", map[string]string{"f": "func(float32) float32"}, ""},
		{"struct", "o := op{2}; LIT(func(t qd.Thread, x []int) { x[0] = o.n })", map[string]string{"o": "main.op"}, ""},
		{"bytes", "c := byte(2); d := [2]rune{1, 2}; LIT(func(t qd.Thread, x []int) { x[0] = int(c) + int(d[1]) })", map[string]string{"c": "uint8", "d": "[2]int32"}, ""},
		{"constants and types", "const c = 2; type local int; LIT(func(t qd.Thread, x []int) { var l local = c; x[0] = int(l) })", nil, ""},
		{"in a literal", "func(c int) { d := c; LIT(func(t qd.Thread, x []int) { x[0] = c + d }) }(3)", map[string]string{"c": "int", "d": "int"}, ""},
		{"from a missing package", "n := flag.Int(\"n\", 1, \"\"); c := *n; d := flag.NArg(); show(); LIT(func(t qd.Thread, x []int) { x[0] = c + d })", map[string]string{"c": "int", "d": "int"}, ""},
		{"from a missing package, of another type", "c := flag.NArg(); LIT(func(t qd.Thread, x []int) { x[0] = c })", map[string]string{"c": "float32"}, "cannot use c (variable of type float32) as int value"},
		{"fields and keys", "n := 1; LIT(func(t qd.Thread, x []int) { x[0] = op{n: 2}.n }); _ = n", nil, ""},
		{"the rest is none of its business", "x := undefined; c := 2; LIT(func(t qd.Thread, x []int) { x[0] = c }); undefined(x)", map[string]string{"c": "int"}, ""},
	} {
		before, kernel, _ := strings.Cut(test.code, "LIT(")
		kernel, after, _ := strings.Cut(kernel, "})")
		kernel += "}"
		for name := range test.captures {
			kernel += fmt.Sprintf(", qd.Capture(%q, %s)", name, name)
		}
		text := head + "func main() {\n" + before + "qd.NewKernel(\n" + kernel + ")" + after + "\n}\n"
		line := 1 + strings.Count(text[:strings.LastIndex(text, "func(t qd.Thread")], "\n")
		src := sources(map[string]string{"main/k.go": text})
		p, err := CheckWith(src, Also{Captures: test.captures}, Ref{Pkg: "main", Name: "main.func1", File: "main/k.go", Line: line})
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		case err == nil && p.Function(p.Kernels[0].Obj) != p.Kernels[0]:
			t.Errorf("%s: the kernel is not among the functions", test.name)
		}
	}
	const unseen = `whether qd.Capture("c") gives the value of c cannot be seen`
	for code, want := range map[string]string{
		"qd.Launch(func(t qd.Thread, x []int) { x[0] = c })":                                           "the kernel captures c, ",
		"qd.NewKernel(func(t qd.Thread, x []int) { x[0] = c })":                                        "the kernel captures c, ",
		"qd.NewKernel(func(t qd.Thread, x []int) { x[0] = c }, qd.Capture(\"c\", c))":                  "",
		"qd.NewKernel((func(t qd.Thread, x []int) { x[0] = c }), (qd.Capture(\"c\", (c))))":            "",
		"qd.NewKernel(func(t qd.Thread, x []int) { x[0] = c }, options...)":                            unseen,
		"qd.NewKernel(func(t qd.Thread, x []int) { x[0] = c }, qd.Capture(\"c\", c+1))":                "does not capture c",
		"k := func(t qd.Thread, x []int) { x[0] = c }; qd.NewKernel(k, qd.Capture(\"c\", c))":          unseen,
		"s := T{func(t qd.Thread, x []int) { x[0] = c }}; qd.NewKernel(s.f, qd.Capture(\"c\", c))":     unseen,
		"return func(t qd.Thread, x []int) { x[0] = c }":                                               unseen,
		"other.NewKernel(func(t qd.Thread, x []int) { x[0] = c }, qd.Capture(\"c\", c))":               unseen,
		"NewKernel(func(t qd.Thread, x []int) { x[0] = c }, qd.Capture(\"c\", c))":                     unseen,
		"qd.NewKernel(k, func(t qd.Thread, x []int) { x[0] = c }, qd.Capture(\"c\", c))":               unseen,
		"qd.NewFunc(func(t qd.Thread, x []int) { x[0] = c }, qd.Capture(\"c\", c))":                    unseen,
		"qd := other{}; qd.NewKernel(func(t quad.Thread, x []int) { x[0] = c }, qd.Capture(\"c\", c))": unseen,
		"quad.NewKernel(func(t quad.Thread, x []int) { x[0] = c }, quad.Capture(\"c\", c))":            "",
		"qd.NewKernel(func(t qd.Thread, x []int) { x[0] = c }, qd.Capture(\"d\", c), 1)":               unseen,
	} {
		src := sources(map[string]string{"main/k.go": head + "func main() {\n\tc := 2\n" + code + "\n}\n"})
		_, err := CheckWith(src, Also{Symbolic: true}, Ref{Pkg: "main", File: "main/k.go", Line: 20})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", code, err, want)
		}
	}
	mistaken := head + "func main() {\n\tc, d := 1, 2\n\tqd.NewKernel(\n\t\tfunc(t qd.Thread, x []int) { x[0] = c },\n\t\tqd.Capture(\"c\", d))\n}\n"
	_, err := CheckWith(sources(map[string]string{"main/k.go": mistaken}), Also{Captures: map[string]string{"c": "int"}}, Ref{Pkg: "main", File: "main/k.go", Line: 21})
	if want := `qd.Capture("c", d) does not capture c`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

package load

import (
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

func main_func9() {}

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
		{"glob..func1", 9, "glob__func1"},
		{"main.func1", 17, "main_func1"},
		{"main.func9", 17, "main_func9_2"},
		{"", 17, "literal"},
		{"main.func2", 21, "a/a.go:22:10: the kernel captures width, which is declared in the function around it"},
		{"main.func2", 21, "a/a.go:23:4: the kernel captures by, "},
		{"main.func3", 25, "a/a.go:25:31: two kernels on one line"},
		{"main.func6", 26, "main_func6"},
		{"main.func7", 28, "a/a.go:28:31: the kernel captures local, "},
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

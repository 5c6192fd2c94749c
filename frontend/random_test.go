package frontend

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

// TestRandomPrograms compares what random functions compute when Go runs them
// with what their SSA computes: nested control flow of every kind, left in every
// way, over variables of several types and a slice.
func TestRandomPrograms(t *testing.T) {
	count := 200
	if testing.Short() {
		count = 30
	}
	var funcs strings.Builder
	for i := range count {
		g := generator{rand: rand.New(rand.NewPCG(uint64(i), 7))}
		g.function(&funcs, fmt.Sprintf("f%d", i))
	}

	// By Go.
	program := "package main\n\nimport \"fmt\"\n\n" + funcs.String() + `
func main() {
	for _, f := range []func([]int, int, uint8) int{`
	for i := range count {
		program += fmt.Sprintf("f%d, ", i)
	}
	program += `} {
		for a := range 4 {
			x := []int{5, -3, 0, 8}
			r := f(x, a*7-5, uint8(a*90))
			fmt.Println(r, x)
		}
	}
}
`
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", file)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, stderr.String(), numbered(program))
	}
	want := strings.Split(string(out), "\n")

	// By SSA.
	for i := range count {
		name := fmt.Sprintf("f%d", i)
		kernel := "package random\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread, x []int, a int, b uint8) { x[0] = " + name + "(x, a, b) }\n\n"
		m := mustLower(t, sources(t, onePackage("random", "random.go", kernel+textOf(funcs.String(), name))), load.Ref{Pkg: "random", Name: "k"})
		p := interp.Compile(m.Funcs[0])
		number := func(t ssa.Type, x int) []byte { return interp.Scalar(t, ssa.IntConst(t, uint64(x))) }
		for a := range 4 {
			var memory interp.Buffers
			x := slices.Concat(number(ssa.Int64, 5), number(ssa.Int64, -3), number(ssa.Int64, 0), number(ssa.Int64, 8))
			r, err := p.Run(&interp.Env{Memory: &memory, Steps: 1 << 20},
				[][]byte{interp.SliceArg(memory.Add(x), 4), number(ssa.Int64, a*7-5), number(ssa.Uint8, a*90)})
			if err != nil {
				t.Fatalf("%s(%d): %v\n%s", name, a, err, m)
			}
			left := make([]int64, 4)
			for j := range left {
				left[j] = interp.ToConst(ssa.Int64, x[j*8:]).Int()
			}
			if got := fmt.Sprint(interp.ToConst(ssa.Int64, r[0]).Int(), " ", left); got != want[i*4+a] {
				t.Fatalf("%s(%d): SSA gives %s, Go %s\n%s\n%s", name, a, got, want[i*4+a], m, textOf(funcs.String(), name))
			}
		}
	}
}

func numbered(s string) string {
	var out strings.Builder
	for i, line := range strings.Split(s, "\n") {
		fmt.Fprintf(&out, "%4d %s\n", i+1, line)
	}
	return out.String()
}

// textOf is the text of a function among others.
func textOf(all, name string) string {
	_, text, _ := strings.Cut(all, "func "+name+"(")
	text, _, _ = strings.Cut(text, "\n}\n")
	return "func " + name + "(" + text + "\n}\n"
}

// A generator writes a random function. All of its loops end: each has its own
// fuel.
type generator struct {
	rand   *rand.Rand
	out    *strings.Builder
	depth  int
	vars   []string // ints in scope that can be assigned
	labels []string // of the enclosing loops and switches, "s" first for the latter
	next   int
	budget int
}

func (g *generator) function(out *strings.Builder, name string) {
	g.out, g.depth, g.vars, g.budget = out, 1, []string{"a", "c", "r"}, 25
	fmt.Fprintf(out, "func %s(x []int, a int, b uint8) (r int) {\n\tc := int(b)\n\tfuel := 60\n\t_ = fuel\n", name)
	g.block(3)
	g.line("return r*3 + a + c + x[1] + int(b)")
	out.WriteString("}\n\n")
}

func (g *generator) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("\t", g.depth))
	fmt.Fprintf(g.out, format+"\n", args...)
}

func (g *generator) block(nesting int) {
	vars := len(g.vars)
	g.depth++
	for range 1 + g.rand.IntN(4) {
		if g.budget--; g.budget < 0 {
			break
		}
		g.statement(nesting)
	}
	g.depth--
	g.vars = g.vars[:vars]
}

func (g *generator) variable() string { return g.vars[g.rand.IntN(len(g.vars))] }

func (g *generator) statement(nesting int) {
	n := g.rand.IntN(20)
	if nesting == 0 {
		n %= 11
	}
	switch n {
	case 0, 1:
		g.line("%s = %s", g.variable(), g.expr(2))
	case 2:
		g.line("%s %s= %s", g.variable(), []string{"+", "-", "*", "^", "&^"}[g.rand.IntN(5)], g.expr(1))
	case 3:
		g.line("%s, %s = %s, %s", g.variable(), "x["+g.index()+"]", g.expr(1), g.expr(1))
	case 4:
		g.line("x[%s], x[%s] = x[%s], %s", g.index(), g.index(), g.index(), g.variable())
	case 5:
		g.line("x[%s] += %s", g.index(), g.expr(1))
	case 6:
		g.next++
		v := "v" + strconv.Itoa(g.next)
		g.line("%s := %s", v, g.expr(1))
		g.line("_ = %s", v)
		g.vars = append(g.vars, v)
	case 7:
		g.line("b += uint8(fuel + %s)", g.expr(1))
	case 8, 9, 10:
		g.jump()
	case 11, 12, 13:
		g.ifChain(nesting)
	case 14, 15, 16, 17:
		g.loop(nesting)
	default:
		g.switchOver(nesting)
	}
}

// jump leaves something, under a condition, so that what follows lives.
func (g *generator) jump() {
	g.line("if %s {", g.cond(1))
	defer g.line("}")
	g.depth++
	defer func() { g.depth-- }()
	if len(g.labels) == 0 || g.rand.IntN(8) == 0 {
		g.line([]string{"return", "return " + g.variable()}[g.rand.IntN(2)])
		return
	}
	label := g.labels[g.rand.IntN(len(g.labels))]
	word := "break"
	if label[0] != 's' && g.rand.IntN(2) == 0 {
		word = "continue"
	}
	if label == g.labels[len(g.labels)-1] && g.rand.IntN(2) == 0 {
		label = ""
	}
	g.line("%s %s", word, label)
}

func (g *generator) ifChain(nesting int) {
	g.line("if %s {", g.cond(2))
	g.block(nesting - 1)
	if g.rand.IntN(3) == 0 {
		g.line("} else if q := %s; q > 2 {", g.expr(1))
		g.block(nesting - 1)
	}
	if g.rand.IntN(2) == 0 {
		g.line("} else {")
		g.block(nesting - 1)
	}
	g.line("}")
}

// label opens a labelled statement; every label is used once, to please Go.
func (g *generator) label(kind string, head string, args ...any) {
	g.next++
	name := kind + strconv.Itoa(g.next)
	g.line("%s:", name)
	g.line(head, args...)
	g.labels = append(g.labels, name)
	g.depth++
	g.line("if fuel--; fuel < 0 {")
	g.line("\tbreak %s", name)
	g.line("}")
	g.depth--
}

func (g *generator) loop(nesting int) {
	vars := len(g.vars)
	switch g.next++; g.rand.IntN(7) {
	case 0:
		g.label("l", "for {")
	case 1:
		g.label("l", "for %s {", g.cond(1))
	case 2:
		v := "i" + strconv.Itoa(g.next)
		g.vars = append(g.vars, v)
		g.label("l", "for %s := 0; %s < %d; %s++ {", v, v, 1+g.rand.IntN(6), v)
	case 3:
		v := "i" + strconv.Itoa(g.next)
		g.label("l", "for %s := range %s & 7 {", v, g.expr(1))
		g.line("_ = %s", v)
		g.vars = append(g.vars, v)
	case 4:
		g.label("l", "for %s = range %s & 7 {", g.variable(), g.expr(1))
	case 5:
		i, v := "i"+strconv.Itoa(g.next), "e"+strconv.Itoa(g.next)
		g.label("l", "for %s, %s := range x[%s:] {", i, v, g.index())
		g.line("_, _ = %s, %s", i, v)
		g.vars = append(g.vars, i, v)
	case 6:
		g.label("l", "for %s, x[%s] = range x {", g.variable(), g.index())
	}
	g.block(nesting - 1)
	g.line("}")
	g.labels = g.labels[:len(g.labels)-1]
	g.vars = g.vars[:vars]
}

func (g *generator) switchOver(nesting int) {
	head, cases := "switch {", []string{g.cond(1), g.cond(1) + ", " + g.cond(1)}
	if g.rand.IntN(2) == 0 {
		head, cases = fmt.Sprintf("switch %s & 3 {", g.expr(1)), []string{"0", "1, 2"}
	}
	g.next++
	name := "s" + strconv.Itoa(g.next)
	g.line("%s:", name)
	g.line(head)
	g.labels = append(g.labels, name)
	g.line("case %s:", cases[0])
	g.line("\tif fuel--; fuel < 0 {")
	g.line("\t\tbreak %s", name)
	g.line("\t}")
	g.block(nesting - 1)
	if g.rand.IntN(2) == 0 {
		g.line("default:")
		g.block(nesting - 1)
	}
	g.line("case %s:", cases[1])
	g.block(nesting - 1)
	g.line("}")
	g.labels = g.labels[:len(g.labels)-1]
}

// index is an index into x that is never out of range.
func (g *generator) index() string {
	if g.rand.IntN(2) == 0 {
		return strconv.Itoa(g.rand.IntN(4))
	}
	return g.variable() + "&3"
}

func (g *generator) expr(depth int) string {
	if depth == 0 {
		switch g.rand.IntN(4) {
		case 0:
			return strconv.Itoa(g.rand.IntN(9) - 4)
		case 1:
			return "int(b)"
		}
		return g.variable()
	}
	switch g.rand.IntN(7) {
	case 0:
		return "x[" + g.index() + "]"
	case 1:
		return fmt.Sprintf("min(%s, %s, 50)", g.expr(depth-1), g.expr(depth-1))
	case 2:
		return fmt.Sprintf("(%s / (%s | 1))", g.expr(depth-1), g.expr(depth-1))
	case 3:
		return fmt.Sprintf("(%s << (b & 67))", g.expr(depth-1))
	}
	return fmt.Sprintf("(%s %s %s)", g.expr(depth-1), []string{"+", "-", "*", "&", "|", "^"}[g.rand.IntN(6)], g.expr(depth-1))
}

func (g *generator) cond(depth int) string {
	if depth == 0 || g.rand.IntN(3) == 0 {
		return fmt.Sprintf("%s %s %s", g.expr(1), []string{"<", ">=", "==", "!="}[g.rand.IntN(4)], g.expr(1))
	}
	switch g.rand.IntN(4) {
	case 0:
		return fmt.Sprintf("!(%s)", g.cond(depth-1))
	case 1:
		return fmt.Sprintf("(%s && x[%s] > %s)", g.cond(depth-1), g.index(), g.expr(0))
	case 2:
		return fmt.Sprintf("(%s || %s)", g.cond(depth-1), g.cond(depth-1))
	}
	return fmt.Sprintf("(%s && %s)", g.cond(depth-1), g.cond(depth-1))
}

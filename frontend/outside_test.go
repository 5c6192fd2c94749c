package frontend

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// outsideHead is what the literals of TestMutatedOutside find around them.
const outsideHead = `package p

import (
	"math"
	"os"
	"strings"

	"github.com/qdgen/qd"
)

func add(x, y int) int { return x + y }

type op struct { n int; f func(int, int) int }

func (o *op) set() { o.n = 1 }

func (o op) get() int { return o.n }

var v, w = 3, add

var tab = [3]op{{1, add}, {2, nil}}

var m = map[string]int{"a": v}

var lst = []int{1, 2, v}

func slow(n int) int { return len(os.Args) + n }

func init() { v = 2 }

func f() {
`

// TestMutatedOutside compiles mutations of literals that use what is around them: variables,
// captures, qd.Static with all that may be in one.
func TestMutatedOutside(t *testing.T) {
	qd := sources(t)[load.QDPath]
	count := uint64(30)
	if testing.Short() {
		count = 5
	}
	function := comptime.Value{Kind: comptime.Func, Type: "func(int, int) int", Func: &load.Ref{Pkg: "p", Name: "add"}}
	for _, body := range []string{
		"c := 2; d, e := add, op{c, add}; qd.NewKernel(\nfunc(t qd.Thread, x []int) { x[0] = c + d(1, e.n); for i := range qd.Static(c) { x[i] = e.get() } }, qd.Capture(\"c\", c))",
		"for i, y := range []int{1} { switch z := any(y).(type) { case int: qd.NewKernel(\nfunc(t qd.Thread, x []int) { x[i] = z }, qd.Capture(\"i\", i)) } }",
		"const k = 3; type l int; if q := 2; q > k { qd.Launch(\nfunc(t qd.Thread, x []int) { var y l = k; x[0] = int(y) + q + tab[x[0]].n + w(1, 2) }) }",
		"qd.Launch(\nfunc(t qd.Thread, x []int) { s := qd.Static(strings.ToUpper(\"a\")); x[0] = len(s) + qd.Static(m[\"a\"]) + qd.Static(lst[1]) + qd.Static(slow(3)) + int(qd.Static(math.Hypot(3, 4))) })",
		"qd.Launch(\nfunc(t qd.Thread, x []int) { if qd.Static(strings.Contains(\"a\", \"b\")) { x[0] = 1 }; g := qd.Static(w); x[1] = g(1, 2) + tab[1].n + qd.Static(tab[0].f)(1, 2); for i := range qd.Static(lst) { x[i] = qd.Static(add(i, 1)) } })",
	} {
		for seed := range count {
			text := outsideHead + mutate(body, seed) + "\n}\n"
			if seed%3 == 0 {
				text = mutate(outsideHead+body+"\n}\n", seed)
			}
			src := load.Map{load.QDPath: qd, "p": onePackage("p", "k.go", text)}
			line := 1 + strings.Count(text[:max(0, strings.LastIndex(text, "func(t"))], "\n")
			ref := load.Ref{Pkg: "p", Name: "f.func1", File: "k.go", Line: line, Params: "github.com/qdgen/qd.Thread,[]int"}
			for _, opts := range []Options{
				{Symbolic: true},
				{Captured: map[string]comptime.Value{
					"c": intValue(3), "d": function, "e": {Kind: comptime.Struct, Type: "p.op", Elems: []comptime.Value{intValue(1), function}},
				}},
				{
					Captured: map[string]comptime.Value{"i": intValue(3), "z": intValue(1), "q": intValue(2)},
					Env:      &thunks{types: map[string]string{"p.f#0": "string", "p.f#1": "bool"}},
				},
			} {
				// A broken invariant panics.
				if _, err := Specialize(opts, src, ref); err != nil && err.Error() == "" {
					t.Errorf("an error without a word:\n%s", text)
				}
			}
		}
	}
}

// Package scale makes kernels with very long functions, like those of unrolled loops, and with many
// functions that call each other. Tests count how the steps of compiling one grow.
package scale

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/frontend/load"
)

// A Shape is a kind of large kernel: of a long function what each turn of a loop leaves of
// itself where the loop is unrolled, else what each function adds.
type Shape struct {
	Name    string
	Checked bool
	Dense   bool               // so many values are live at once that the words of the sets of them are more
	Turns   []int              // the sizes to compare, nil for those of long functions
	takes   string             // what the kernel has for qd.Thread, "" for that
	before  string             // the first statements
	turn    func(i int) string // one turn
	between string             // statements after the turns
	again   func(i int) string // what each turn adds behind these
	after   string             // the last statements
	decls   string             // what else the package declares
	decl    func(i int) string // of each turn
}

// Sources are those of a package "long" with the kernel "long", of so many turns.
func (s Shape) Sources(turns int) load.Map {
	var b strings.Builder
	names := strings.NewReplacer("LAST", strconv.Itoa(turns-1), "TURNS", strconv.Itoa(turns))
	takes, index := "t qd.Thread", "t.ID()"
	if s.takes != "" {
		takes, index = s.takes, "n"
	}
	fmt.Fprintf(&b, "package long\n\nimport (\n\t\"math\"\n\n\t\"github.com/qdgen/qd\"\n)\n\nvar _ = math.Pi\n%s\n//qd:kernel\nfunc long(%s, n int, a float32, x, y []float32, ints []int32) {\n\ti := %s\n%s\n", names.Replace(s.decls), takes, index, s.before)
	add := func(turn func(i int) string) {
		for i := range turns {
			if turn != nil {
				b.WriteString(turn(i) + "\n")
			}
		}
	}
	add(s.turn)
	b.WriteString(s.between + "\n")
	add(s.again)
	fmt.Fprintf(&b, "%s\n\t_ = i\n}\n", names.Replace(s.after))
	if s.decl != nil {
		for i := range turns {
			b.WriteString("\n" + s.decl(i) + "\n")
		}
	}
	return load.Map{"long": {Path: "long", Files: []load.File{{Name: "long.go", Src: []byte(b.String())}}}}
}

func each(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

// Long are the kinds of long functions.
var Long = []Shape{
	{Name: "chain", before: "sum := a", turn: each("\tsum = sum*a + float32(%[1]d)"), after: "\ty[i] = sum"},
	{Name: "accumulate", before: "var sum float32", turn: each("\tsum += a * x[i*7+%[1]d]"), after: "\ty[i] = sum"},
	{Name: "stores", turn: each("\ty[%[1]d] = x[%[1]d] * a")},
	{Name: "stores to one", turn: each("\ty[i] += x[%[1]d] * a")},
	{Name: "int stores", turn: each("\tints[%[1]d] += ints[%[1]d+1] ^ int32(n)")},
	{Name: "values", turn: each("\tv%[1]d := a * x[%[1]d]\n\ty[%[1]d] = v%[1]d * v%[1]d")},
	{Name: "ifs", before: "sum := a", turn: each("\tif x[%[1]d] > sum {\n\t\tsum = x[%[1]d]\n\t}"), after: "\ty[i] = sum"},
	{Name: "else ifs", before: "sum, max := a, a", turn: each("\tif x[%[1]d] > sum {\n\t\tsum = x[%[1]d]\n\t} else if sum > a {\n\t\tmax = sum\n\t}"), after: "\ty[i] = sum*max"},
	{Name: "nested ifs", before: "sum := a", turn: each("\tif sum > 1 {\n\t\tif sum < 5 {\n\t\t\tsum += float32(n)\n\t\t}\n\t\tsum *= float32(%[1]d)\n\t}"), after: "\ty[i] = sum"},
	{Name: "logical", before: "sum := a", turn: each("\tif sum > 1 && n < %[1]d || x[%[1]d] > 2 {\n\t\tsum += float32(n)\n\t}"), after: "\ty[i] = sum"},
	{Name: "returns", before: "sum := a", turn: each("\tif x[%[1]d] > sum {\n\t\ty[i] = sum\n\t\treturn\n\t}\n\tsum += 2"), after: "\ty[i] = sum"},
	{Name: "calls", before: "sum := a", turn: each("\tsum = f(sum, x[%[1]d])"), after: "\ty[i] = sum", decls: "func f(x, y float32) float32 {\n\tif x > y {\n\t\treturn x\n\t}\n\treturn y*2\n}"},
	{Name: "inlined calls", before: "sum := a\n\tg := func(x float32) float32 { return x * a }", turn: func(int) string { return "\tsum = f(sum, g)" }, after: "\ty[i] = sum", decls: "func f(x float32, g func(float32) float32) float32 {\n\tif x > 0 {\n\t\treturn g(x)\n\t}\n\treturn x*2\n}"},
	{Name: "literal calls", before: "sum := a\n\tadd := func(v float32) { sum += v }", turn: each("\tadd(x[%[1]d])"), after: "\ty[i] = sum"},
	{Name: "local array", before: "var m [16]float32", turn: each("\tm[%[1]d%%16] += x[%[1]d]"), after: "\tfor k := range m {\n\t\ty[k] = m[k]\n\t}"},
	{Name: "array value", before: "var m [4]float32", turn: each("\tm = [4]float32{m[1], m[2], m[3], x[%[1]d]}"), after: "\ty[i] = m[0] + m[1]"},
	{Name: "local arrays", before: "var sum float32", turn: each("\tvar m%[1]d [4]float32\n\tm%[1]d[n&3] = a\n\tsum += m%[1]d[i&3]"), after: "\ty[i] = sum"},
	{Name: "structs", before: "var p, q pt", turn: each("\tp, q = pt{q.x + x[%[1]d], p.y}, pt{p.x, q.y*a}"), after: "\ty[i] = p.x + q.y", decls: "type pt struct{ x, y float32 }"},
	{Name: "loops", before: "sum := a", turn: each("\tfor k := range n {\n\t\tsum += x[k+%[1]d]\n\t}"), after: "\ty[i] = sum"},
	{Name: "loops with breaks", before: "sum := a", turn: each("\tfor {\n\t\tif sum > x[%[1]d] {\n\t\t\tbreak\n\t\t}\n\t\tsum += x[%[1]d+1]\n\t\tbreak\n\t}"), after: "\ty[i] = sum"},
	{Name: "one loop with breaks", before: "sum := a\n\tfor {", turn: each("\t\tif sum > x[%[1]d] {\n\t\t\tbreak\n\t\t}\n\t\tsum += x[%[1]d+1]"), after: "\t\tbreak\n\t}\n\ty[i] = sum"},
	{Name: "in a loop", before: "sum := a\n\tfor k := range n {", turn: each("\t\tsum = sum*a + x[k*8+%[1]d]"), after: "\t}\n\ty[i] = sum"},
	{Name: "in a loop, many variables", before: "var v [40]float32\n\tv0, v1, v2, v3, v4, v5, v6, v7 := a, a, a, a, a, a, a, a\n\tfor k := range n {", turn: each("\t\tv0, v1, v2, v3, v4, v5, v6, v7 = v1, v2, v3, v4, v5, v6, v7, v0*a + x[k*8+%[1]d]"), after: "\t}\n\tv[0] = v0\n\ty[i] = v0+v1+v2+v3+v4+v5+v6+v7+v[i]"},
	{Name: "switches", before: "sum := a", turn: each("\tswitch n + %[1]d {\n\tcase 1:\n\t\tsum++\n\tcase 2, 3:\n\t\tsum = x[%[1]d]\n\tdefault:\n\t\tsum -= 2\n\t}"), after: "\ty[i] = sum"},
	{Name: "atomics", turn: each("\tqd.AtomicAdd(&y[%[1]d], a)")},
	{Name: "math", before: "sum := a", turn: each("\tsum = qd.Sin(sum) + float32(math.Sqrt(float64(sum)))*float32(%[1]d)"), after: "\ty[i] = sum"},
	{Name: "printf", turn: each("\tqd.Printf(\"turn %[1]d: %%v\\n\", a)")},
	{Name: "pointers", before: "p := &y[0]", turn: each("\tp = &y[%[1]d]\n\t*p += a")},
	{Name: "subslices", before: "s := x", turn: each("\ts = s[1:]\n\ty[%[1]d] = s[0]")},
	{Name: "neighbours", before: "w := n", turn: each("\ty[i*w+%[1]d] = x[i*w+max(%[1]d-1, 0)] + x[i*w+min(%[1]d+1, w-1)]")},
	{Name: "division", before: "k := n", turn: each("\tk = k/(n+%[1]d) + k%%7"), after: "\tints[i] = int32(k)"},
	{Name: "checked stores", Checked: true, turn: each("\ty[%[1]d] = x[%[1]d] * a")},
	{Name: "checked accumulate", Checked: true, before: "var sum float32", turn: each("\tsum += a * x[i*7+%[1]d]"), after: "\ty[i] = sum"},
	{Name: "checked ifs", Checked: true, before: "sum := a", turn: each("\tif x[%[1]d] > sum {\n\t\tsum = x[%[1]d]\n\t}"), after: "\ty[i] = sum"},
	{Name: "checked guards", Checked: true, before: "sum := a", turn: each("\tif i+%[1]d < len(x) {\n\t\tsum += x[i+%[1]d]\n\t}"), after: "\ty[i] = sum"},
	{Name: "checked local array", Checked: true, before: "var m [16]float32", turn: each("\tm[(n+%[1]d)%%16] += x[%[1]d]"), after: "\tfor k := range m {\n\t\ty[k] = m[k]\n\t}"},
	{Name: "checked loops", Checked: true, before: "sum := a", turn: each("\tfor k := range n {\n\t\tsum += x[k+%[1]d]\n\t}"), after: "\ty[i] = sum"},
	{Name: "checked returns", Checked: true, before: "sum := a", turn: each("\tif %[1]d >= len(x) {\n\t\treturn\n\t}\n\tsum += x[%[1]d]"), after: "\ty[i] = sum"},
	{Name: "checked division", Checked: true, before: "k := n", turn: each("\tk = k/(n+%[1]d) + k%%7"), after: "\tints[i] = int32(k)"},
	{Name: "checked assert", Checked: true, before: "k := n", turn: each("\tqd.Assert(n > %[1]d, \"n\")\n\tk += n"), after: "\tints[i] = int32(k)"},
	{Name: "checked continues", Checked: true, before: "sum := a\n\tfor k := range n {", turn: each("\t\tif x[k] > float32(%[1]d) {\n\t\t\tcontinue\n\t\t}\n\t\tsum += x[k+%[1]d]"), after: "\t}\n\ty[i] = sum"},
}

// Shapes are all kinds.
func Shapes() []Shape { return slices.Concat(Long, Calls, Fors, Deep) }

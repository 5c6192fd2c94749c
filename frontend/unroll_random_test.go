package frontend

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/opt"
)

// Random programs of nested loops of all kinds, with breaks, continues and returns under
// conditions that are known and such that are not. Each is built as a tree, which is
// run as it stands and written as Go, which is lowered and run by package interp.

// A flowStmt is a statement of such a program. What is run is run on the state.
type flowStmt interface {
	Write(w *strings.Builder, indent string)
	Run(st *state) exitTo
}

// A state is what the statements work on: variables by name.
type state struct {
	vars  map[string]int
	steps int
}

// An exitTo is how a statement ends: by its end, or by leaving something.
type exitTo struct {
	kind  string // "", "break", "continue", "return"
	label string
}

type assign struct{ to, a, b, op string }

func (s *assign) Write(w *strings.Builder, indent string) {
	fmt.Fprintf(w, "%s%s = %s %s %s\n", indent, s.to, s.a, s.op, s.b)
}

func (s *assign) Run(st *state) exitTo {
	x, y := st.value(s.a), st.value(s.b)
	switch s.op {
	case "+":
		x += y
	case "-":
		x -= y
	case "*":
		x *= y
	case "^":
		x ^= y
	}
	st.vars[s.to] = x
	return exitTo{}
}

// value is that of a variable or a number.
func (st *state) value(s string) int {
	if s == "*p" {
		s = "a[1]"
	}
	if v, ok := st.vars[s]; ok {
		return v
	}
	n := 0
	if _, err := fmt.Sscan(s, &n); err != nil {
		panic("value of " + s)
	}
	return n
}

// A memWrite assigns to an element of the array a, at a known index or another, to the
// struct s, or through a pointer to one of them.
type memWrite struct {
	to, from string // "a[1]", "s.x", "*p"; a variable or a number
	index    string // of a[...] where it is not known
}

func (s *memWrite) Write(w *strings.Builder, indent string) {
	if s.index != "" {
		fmt.Fprintf(w, "%sa[%s&1] = %s\n", indent, s.index, s.from)
		return
	}
	fmt.Fprintf(w, "%s%s = %s\n", indent, s.to, s.from)
}

func (s *memWrite) Run(st *state) exitTo {
	to := s.to
	if s.index != "" {
		to = fmt.Sprintf("a[%d]", st.value(s.index)&1)
	}
	if to == "*p" {
		to = "a[1]"
	}
	st.vars[to] = st.value(s.from)
	return exitTo{}
}

// A jump leaves something.
type jump struct{ exitTo }

func (s *jump) Write(w *strings.Builder, indent string) {
	fmt.Fprintln(w, strings.TrimRight(indent+s.kind+" "+s.label, " "))
}

func (s *jump) Run(*state) exitTo { return s.exitTo }

// A cond is "(a + b) & mask == 0"; on runtime variables or on known ones.
type cond struct {
	a, b string
	mask int
}

func (c *cond) String() string { return fmt.Sprintf("(%s+%s)&%d == 0", c.a, c.b, c.mask) }

func (c *cond) holds(st *state) bool { return (st.value(c.a)+st.value(c.b))&c.mask == 0 }

type branching struct {
	cond      *cond
	then, els []flowStmt
}

func (s *branching) Write(w *strings.Builder, indent string) {
	fmt.Fprintf(w, "%sif %v {\n", indent, s.cond)
	writeAll(w, s.then, indent)
	if s.els != nil {
		fmt.Fprintf(w, "%s} else {\n", indent)
		writeAll(w, s.els, indent)
	}
	fmt.Fprintf(w, "%s}\n", indent)
}

func (s *branching) Run(st *state) exitTo {
	if s.cond.holds(st) {
		return runAll(s.then, st)
	}
	return runAll(s.els, st)
}

func writeAll(w *strings.Builder, list []flowStmt, indent string) {
	for _, s := range list {
		s.Write(w, indent+"\t")
	}
}

func runAll(list []flowStmt, st *state) exitTo {
	for _, s := range list {
		if x := s.Run(st); x.kind != "" {
			return x
		}
	}
	return exitTo{}
}

// A looping is a loop: form is what stands between "for" and the brace, with %s for
// the variable.
type looping struct {
	label, v, form string
	turns          func(st *state) int
	body           []flowStmt
}

func (s *looping) Write(w *strings.Builder, indent string) {
	if s.label != "" {
		fmt.Fprintf(w, "%s:\n", s.label)
	}
	fmt.Fprintf(w, "%sfor %s {\n", indent, strings.ReplaceAll(s.form, "%s", s.v))
	fmt.Fprintf(w, "%s\t_ = %s\n", indent, s.v)
	writeAll(w, s.body, indent)
	fmt.Fprintf(w, "%s}\n", indent)
}

func (s *looping) Run(st *state) exitTo {
	for i := range s.turns(st) {
		if st.steps++; st.steps > 100000 {
			panic("too many steps")
		}
		st.vars[s.v] = i
		x := runAll(s.body, st)
		if x.kind == "" || x.kind != "return" && (x.label == "" || x.label == s.label) {
			if x.kind == "break" {
				return exitTo{}
			}
			continue
		}
		return x
	}
	return exitTo{}
}

// A choosing is a switch.
type choosing struct {
	label, tag string
	clauses    [][]flowStmt // the last is the default
	falls      []bool
}

func (s *choosing) Write(w *strings.Builder, indent string) {
	if s.label != "" {
		fmt.Fprintf(w, "%s:\n", s.label)
	}
	fmt.Fprintf(w, "%sswitch %s & 3 {\n", indent, s.tag)
	for i, body := range s.clauses {
		if i == len(s.clauses)-1 {
			fmt.Fprintf(w, "%sdefault:\n", indent)
		} else {
			fmt.Fprintf(w, "%scase %d:\n", indent, i)
		}
		writeAll(w, body, indent)
		if s.falls[i] {
			fmt.Fprintf(w, "%s\tfallthrough\n", indent)
		}
	}
	fmt.Fprintf(w, "%s}\n", indent)
}

func (s *choosing) Run(st *state) exitTo {
	for i := min(st.value(s.tag)&3, len(s.clauses)-1); ; i++ {
		x := runAll(s.clauses[i], st)
		if x.kind == "break" && (x.label == "" || x.label == s.label) {
			return exitTo{}
		}
		if x.kind != "" || !s.falls[i] {
			return x
		}
	}
}

// A calling is a call of a function literal, whose returns leave it only.
type calling struct {
	to   string
	body []flowStmt
}

func (s *calling) Write(w *strings.Builder, indent string) {
	fmt.Fprintf(w, "%s%s = func() int {\n", indent, s.to)
	var body strings.Builder
	writeAll(&body, s.body, indent)
	w.WriteString(strings.ReplaceAll(body.String(), "return\n", "return r1\n"))
	fmt.Fprintf(w, "%s\treturn r0\n%s}()\n", indent, indent)
}

func (s *calling) Run(st *state) exitTo {
	v := "r0"
	if runAll(s.body, st).kind == "return" {
		v = "r1"
	}
	st.vars[s.to] = st.vars[v]
	return exitTo{}
}

// A flowGen makes them.
type flowGen struct {
	*rand.Rand
	names  int
	known  []string // variables that are known, perhaps
	inside []exitTo // what may be done here
	budget int

	pointer bool // there is a p, which is &a[1]
}

func (g *flowGen) pick(list ...string) string { return list[g.IntN(len(list))] }

// variable is one to read.
func (g *flowGen) variable() string {
	switch g.IntN(5) {
	case 0, 1:
		return g.pick(g.known...)
	case 2:
		if g.pointer && g.IntN(3) == 0 {
			return "*p"
		}
		return g.pick("a[0]", "a[1]", "s.x", "s.y")
	}
	return g.pick("r0", "r1", "n")
}

func (g *flowGen) list(depth int) []flowStmt {
	var list []flowStmt
	for range 1 + g.IntN(4) {
		list = append(list, g.stmt(depth))
	}
	if len(g.inside) > 0 && g.IntN(6) == 0 {
		list = append(list, &jump{g.inside[g.IntN(len(g.inside))]})
	}
	return list
}

func (g *flowGen) stmt(depth int) flowStmt {
	g.budget--
	k := g.IntN(12)
	if depth > 4 || g.budget < 0 {
		k = g.IntN(4)
	}
	switch {
	case k == 0:
		s := &memWrite{to: g.pick("a[0]", "a[1]", "s.x", "s.y"), from: g.pick(g.variable(), "0", "1", "2")}
		if g.pointer && g.IntN(3) == 0 {
			s.to = "*p"
		}
		if g.IntN(6) == 0 {
			s.index = g.variable()
		}
		return s
	case k < 3:
		return &assign{to: g.pick("r0", "r1", "k0", "k1"), a: g.variable(), b: g.pick(g.variable(), "3", "7"), op: g.pick("+", "-", "*", "^")}
	case k < 6:
		s := &branching{cond: &cond{a: g.pick(append([]string{"a[0]", "s.x"}, g.known...)...), b: g.pick("1", "0", "2"), mask: 1 + g.IntN(3)}}
		if g.IntN(2) == 0 {
			s.cond.a = g.pick("r0", "r1", "n")
		}
		if len(g.inside) > 0 && g.IntN(2) == 0 {
			s.then = []flowStmt{&jump{g.inside[g.IntN(len(g.inside))]}}
		} else {
			s.then = g.list(depth + 1)
		}
		if g.IntN(3) == 0 {
			s.els = g.list(depth + 1)
		}
		return s
	case k < 10:
		return g.loop(depth)
	case k == 10:
		return g.choice(depth)
	}
	return g.call(depth)
}

func (g *flowGen) name(prefix string) string {
	g.names++
	return fmt.Sprint(prefix, g.names)
}

func (g *flowGen) loop(depth int) flowStmt {
	s := &looping{v: g.name("i"), label: g.name("L")}
	n := g.IntN(4)
	fixed := func(*state) int { return n }
	s.turns = fixed
	switch g.IntN(6) {
	case 0, 1:
		s.form = fmt.Sprintf("%%s := range %d", n)
	case 2:
		s.form = fmt.Sprintf("%%s := range qd.Static(%d)", n)
	case 3:
		s.form = fmt.Sprintf("%%s := 0; qd.Static(%%s < %d); %%s++", n)
	case 4:
		s.form = "%s := range n&3"
		s.turns = func(st *state) int { return st.vars["n"] & 3 }
	case 5:
		s.form = fmt.Sprintf("%%s := 0; %%s < %d; %%s++", n)
	}
	known, inside := g.known, g.inside
	g.known = append(known[:len(known):len(known)], s.v)
	used := false
	label := func() string { used = true; return s.label }
	g.inside = nil
	for _, x := range inside {
		if x.label != "" || x.kind == "return" {
			g.inside = append(g.inside, x)
		}
	}
	g.inside = append(g.inside, exitTo{kind: "break"}, exitTo{kind: "continue"})
	if g.IntN(2) == 0 {
		g.inside = append(g.inside, exitTo{"break", label()}, exitTo{"continue", label()})
	}
	s.body = g.list(depth + 1)
	g.known, g.inside = known, inside
	if !used || !mentions(s.body, s.label) {
		s.label = ""
	}
	return s
}

// mentions reports whether a label is used.
func mentions(list []flowStmt, label string) bool {
	var w strings.Builder
	writeAll(&w, list, "")
	for line := range strings.Lines(w.String()) {
		if strings.HasSuffix(strings.TrimSpace(line), " "+label) {
			return true
		}
	}
	return false
}

func (g *flowGen) choice(depth int) flowStmt {
	s := &choosing{tag: g.variable()}
	inside := g.inside
	g.inside = nil
	for _, x := range inside {
		if x.label != "" || x.kind != "break" {
			g.inside = append(g.inside, x)
		}
	}
	g.inside = append(g.inside, exitTo{kind: "break"})
	for i := range 3 {
		s.clauses = append(s.clauses, g.list(depth+1))
		s.falls = append(s.falls, i < 2 && g.IntN(3) == 0)
	}
	g.inside = inside
	return s
}

func (g *flowGen) call(depth int) flowStmt {
	inside := g.inside
	g.inside = []exitTo{{kind: "return"}}
	s := &calling{to: g.pick("r0", "r1", "k0"), body: g.list(depth + 1)}
	g.inside = inside
	return s
}

// TestRandomFlow compares random programs with what they mean.
func TestRandomFlow(t *testing.T) {
	seeds := uint64(400)
	if testing.Short() {
		seeds = 50
	}
	exits := 0
	for seed := range seeds {
		g := &flowGen{Rand: rand.New(rand.NewPCG(seed, 4)), known: []string{"k0", "k1"}, budget: 40}
		g.inside = []exitTo{{kind: "return"}}
		g.pointer = seed%2 == 1
		list := g.list(0)
		var body strings.Builder
		body.WriteString("\tk0, k1, r0, r1 := 1, 2, x[0], x[1]\n\tvar a [2]int\n\tvar s struct{ x, y int }\n\ts.x = 3\n\ta[1] = s.x + 1\n")
		if g.pointer {
			body.WriteString("\tp := &a[1]\n\t_ = p\n")
		}
		body.WriteString("\tfunc() {\n")
		writeAll(&body, list, "\t")
		body.WriteString("\t}()\n\tx[0], x[1], x[2], x[3] = r0, r1, k0, k1\n\tx[4], x[5], x[6], x[7] = a[0], a[1], s.x, s.y")
		text := kernelOf(body.String(), "")
		src := sources(t, onePackage("p", "p.go", text))
		_, modules, err := Compile(src, load.Ref{Pkg: "p", Name: "k"})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		m := modules[0]
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, text, m)
		}
		exits += strings.Count(text, "break") + strings.Count(text, "continue")
		for n := range 4 {
			st := &state{vars: map[string]int{"k0": 1, "k1": 2, "r0": 5 * n, "r1": n - 2, "n": n, "a[0]": 0, "a[1]": 4, "s.x": 3, "s.y": 0}}
			runAll(list, st)
			var vars []int
			for _, v := range []string{"r0", "r1", "k0", "k1", "a[0]", "a[1]", "s.x", "s.y"} {
				vars = append(vars, st.vars[v])
			}
			want := fmt.Sprint(vars)
			if got := runFlow(t, m, n); got != want {
				t.Fatalf("seed %d, n = %d: %s, want %s\n%s\n%s", seed, n, got, want, text, m)
			}
		}
		opt.Optimize(m, nil)
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d, optimized: %v\n%s", seed, err, text)
		}
	}
	if exits < int(seeds) {
		t.Errorf("only %d breaks and continues", exits)
	}
}

// runFlow runs the kernel of a random program.
func runFlow(t *testing.T, m *ssa.Module, n int) string {
	t.Helper()
	var memory interp.Buffers
	var x bytes.Buffer
	if err := binary.Write(&x, binary.LittleEndian, []int64{int64(5 * n), int64(n - 2), 0, 0, 0, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	data := x.Bytes()
	k := m.Kernels()[0]
	args := [][]byte{interp.SliceArg(memory.Add(data), 8), interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n))), {0}}
	env := &interp.Env{Memory: &memory, Steps: 1 << 20, Place: interp.Place{Dim: [4]int64{1, 1, 1, 1}}}
	if _, err := interp.Compile(k).Run(env, args); err != nil {
		t.Fatal(err)
	}
	var out [8]int64
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, &out); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(out[:])
}

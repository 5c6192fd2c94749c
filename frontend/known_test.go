package frontend

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// skeleton is what is left of a block, in one line: stores with what they store, a
// constant or "?", and the control flow: if(then|else), loop(body), for(body), break,
// continue, return, panic and calls.
func skeleton(b *ssa.Block) string {
	var parts []string
	for _, in := range b.Instrs {
		switch in.Op {
		case ssa.OpStore:
			if c, ok := in.Args[1].Const(); ok {
				parts = append(parts, c.Format(in.Args[1].Type))
			} else {
				parts = append(parts, "?")
			}
		case ssa.OpIf:
			parts = append(parts, "if("+skeleton(in.Then())+"|"+skeleton(in.Else())+")")
		case ssa.OpLoop:
			parts = append(parts, "loop("+skeleton(in.Do())+")")
		case ssa.OpFor:
			parts = append(parts, "for("+skeleton(in.Blocks[0])+")")
		case ssa.OpBreak, ssa.OpReturn, ssa.OpPanic, ssa.OpPrintf:
			parts = append(parts, in.Op.String())
		case ssa.OpContinue:
			if in.Block != in.Target.Do() { // not the end of the body
				parts = append(parts, "continue")
			}
		case ssa.OpCall:
			parts = append(parts, "call "+in.Callee.Name)
		}
	}
	return strings.Join(parts, " ")
}

// kernelOf is a package with a kernel of that body: x is what it writes, n and c are
// runtime parameters.
func kernelOf(body, rest string) string {
	return `package p

import (
	"math"

	"github.com/qdgen/qd"; "github.com/qdgen/qd/f32"; "github.com/qdgen/qd/i32"
)

const _ = math.Pi; var _ f32.Vec3; var _ i32.Vec3

type pair struct{ a, b int }

//qd:kernel
func k(t qd.Thread, x []int, n int, c bool) {
` + body + `
}

` + rest
}

// TestKnown compares what is left of statements whose values are known.
func TestKnown(t *testing.T) {
	for _, tt := range []struct{ name, body, rest, want string }{
		{name: "arithmetic", body: "m := 8; m /= 2; x[0] = m + 1", want: "5 return"},
		{name: "conversions", body: "f := float32(3); x[0] = int(f * 1.5)", want: "4 return"},
		{name: "wraps", body: "v := uint8(200); v += 100; x[0] = int(v)", want: "44 return"},
		{name: "math", body: "v := 9.0; x[0] = int(math.Sqrt(v))", want: "3 return"},
		{name: "field", body: "p := pair{3, n}; x[0] = p.a; x[1] = p.b", want: "3 ? return"},
		{name: "element", body: "a := [3]int{1, 2, 3}; i := 1; x[0] = a[i+1]", want: "3 return"},
		{name: "zero divisor", body: "z := 0; x[0] = 1 / z", want: "? return"},
		{name: "if", body: "m := 3; if m > 2 { x[0] = 1 } else { x[0] = 2 }", want: "1 return"},
		{name: "else", body: "m := 3; if m > 3 { x[0] = 1 } else if m == 3 { x[0] = 2 } else { x[0] = 3 }", want: "2 return"},
		{name: "and", body: "m := 3; if m == 2 && x[1] > 0 { x[0] = 1 }", want: "return"},
		{name: "and with what is not known", body: "m := 3; if c && m == 2 { x[0] = 1 }", want: "return"},
		{name: "or", body: "m := 3; if m == 3 || x[1] > 0 { x[0] = 1 }", want: "1 return"},
		{name: "call and false", body: "m := 3; if x[1] > x[2] && m == 2 { x[0] = 1 }", want: "return"},
		{name: "rest after return", body: "m := 3; if m == 3 { x[0] = 1; return }; x[0] = 2", want: "1 return"},
		{name: "rest after nested return", body: "m := 3; { if m == 3 { return } }; x[0] = 2", want: "return"},
		{name: "rest after break", body: "m := 3; for i := range n { if m == 3 { break }; x[i] = 2 }", want: "loop(break) return"},
		{name: "merge keeps equal constants", body: "m := 1; if c { m = 2 } else { m = 2 }; if m == 2 { x[0] = 1 } else { x[0] = 2 }", want: "if(|) 1 return"},
		{name: "merge of different constants", body: "m := 1; if c { m = 2 }; x[0] = m", want: "if(|) ? return"},
		{name: "merge of one end", body: "m := 1; if c { m = 2 } else { return }; x[0] = m", want: "if(|return) 2 return"},
		{name: "merge keeps structs", body: "p := pair{}; if c { p = pair{1, 2} } else { p = pair{1, 2} }; x[0] = p.b", want: "if(|) 2 return"},
		{name: "loop forgets", body: "m := 1; for range n { m += 0 }; x[0] = m", want: "loop() ? return"},
		{name: "loop keeps others", body: "m := 1; for range n { x[0]++ }; x[1] = m", want: "loop(?) 1 return"},
		{name: "switch", body: "switch m := 2; m { case 1: x[0] = 1; case 2, 3: x[0] = 2; default: x[0] = 3 }", want: "2 return"},
		{name: "switch default", body: "switch m := 5; m { case 1: x[0] = 1; case 2, 3: x[0] = 2; default: x[0] = 3 }", want: "3 return"},
		{name: "switch none", body: "switch m := 5; m { case 1: x[0] = 1 }", want: "return"},
		{name: "switch without tag", body: "m := 2; switch { case n == 1: x[0] = 1; case m == 2: x[0] = 2; default: x[0] = 3 }", want: "if(1|2) return"},
		{name: "fallthrough", body: "switch m := 2; m { case 1: x[0] = 1; fallthrough; case 2: x[0] = 2; fallthrough; case 3: x[0] = 3; default: x[0] = 4 }", want: "2 3 return"},
		{name: "fallthrough after return", body: "switch m := 1; m { case 1: if m == 1 { return }; fallthrough; case 2: x[0] = 2 }", want: "return"},
		{name: "unrolled", body: "for i := range 3 { x[i] = i }", want: "0 1 2 return"},
		{name: "over a known variable", body: "m := 2; m++; for i := range m { x[i] = i }", want: "0 1 2 return"},
		{name: "over nothing", body: "m := 0; for i := range m { x[i] = i }", want: "return"},
		{name: "without a variable", body: "for range 2 { x[0] = 7 }", want: "7 7 return"},
		{name: "typed", body: "for i := range uint8(2) { x[i] = int(i) }", want: "0 1 return"},
		{name: "16", body: "for range 16 { x[0] = 1 }", want: strings.Repeat("1 ", 16) + "return"},
		{name: "17", body: "for range 17 { x[0] = 1 }", want: "loop(1) return"},
		{name: "17 static", body: "for range qd.Static(17) { x[0] = 1 }", want: strings.Repeat("1 ", 17) + "return"},
		{name: "dynamic", body: "for i := range qd.Dynamic(3) { x[i] = i }", want: "loop(?) return"},
		{name: "if dynamic", body: "if qd.Dynamic(true) { x[0] = 1 }", want: "if(1|) return"},
		{name: "three clauses", body: "for i := 0; i < 3; i++ { x[i] = i }", want: "loop(?) return"},
		{name: "array", body: "for i, v := range [3]int{1, 2, 3} { x[i] = v }", want: "loop(?) return"},
		{name: "static array", body: "for i, v := range qd.Static([3]int{4, 5, 6}) { x[i] = v }", want: "4 5 6 return"},
		{name: "assigned variables", body: "s := 0; var i int; for i = range 4 { s += i }; x[0] = s; x[1] = i", want: "6 3 return"},
		{name: "nested", body: "for i := range 2 { for j := range i + 1 { x[0] = 10*i + j } }", want: "0 10 11 return"},
		{name: "too large", body: "for range 16 { for range 16 { for range 16 { for range 16 { x[0] = 1 } } } }", want: "loop(loop(" + strings.Repeat("1 ", 255) + "1)) return"},
		{name: "known break", body: "for i := range 4 { if i == 2 { break }; x[0] = i }; x[0] = 9", want: "0 1 9 return"},
		{name: "known continue", body: "for i := range 4 { if i == 2 { continue }; x[0] = i }; x[0] = 9", want: "0 1 3 9 return"},
		{name: "known return", body: "for i := range 4 { if i == 2 { return }; x[0] = i }; x[0] = 9", want: "0 1 return"},
		{name: "break", body: "for i := range 2 { if c { break }; x[0] = i }; x[0] = 9", want: "loop(if(break|) 0 if(break|) 1 break) 9 return"},
		{name: "continue", body: "for i := range 2 { if c { continue }; x[0] = i }; x[0] = 9", want: "loop(if(break|) 0 break) loop(if(break|) 1 break) 9 return"},
		{name: "return", body: "for i := range 2 { if c { return }; x[0] = i }; x[0] = 9", want: "if(return|) 0 if(return|) 1 9 return"},
		{name: "values after a break", body: "m, k := 1, 1; for i := range 2 { k = 5; if c { break }; m += i }; x[0] = m; x[1] = k", want: "loop(if(break|) if(break|) break) ? 5 return"},
		{name: "break in a switch", body: "for i := range 3 { switch i { case 1: if i == 1 { break }; x[0] = 8; default: x[0] = i } }", want: "0 2 return"},
		{name: "labelled break", body: "out: for i := range 3 { for j := range 3 { if i == 1 && j == 1 { break out }; x[0] = 10*i + j } }", want: "0 1 2 10 return"},
		{name: "labelled continue", body: "out: for i := range 2 { for j := range 3 { if j == 1 { continue out }; x[0] = 10*i + j } }", want: "0 10 return"},
		{name: "labelled break at run time", body: "out: for i := range 2 { for j := range 2 { if c { break out }; x[0] = 10*i + j } }", want: "loop(if(break|) 0 if(break|) 1 if(break|) 10 if(break|) 11 break) return"},
		{name: "unrolled in a loop", body: "for k := range n { for i := range 3 { if i == 1 { break }; x[k] = i }; x[k] = 7 }", want: "loop(0 7) return"},
		{name: "runtime break unrolled in a loop", body: "for k := range n { for i := range 2 { if x[k] > i { break } }; x[k] = 7 }", want: "loop(loop(if(break|) if(break|) break) 7) return"},
		{name: "loop in an unrolled one", body: "out: for i := range 2 { for k := range n { if k > i { break out }; if k == 5 { continue out }; x[0] = i }; x[0] = 5 }", want: "loop(loop(loop(if(break|) if(break|) 0) 5 break) loop(loop(if(break|) if(break|) 1) 5 break) break) return"},
		{name: "while", body: "m := 5; for qd.Static(m > 1) { x[0] = m; m /= 2 }; x[0] = m", want: "5 2 1 return"},
		{name: "three clauses static", body: "for i := 0; qd.Static(i < 3); i++ { if i == 1 { continue }; x[0] = i }", want: "0 2 return"},
		{name: "inlined early return", body: "f := func(m int) int { if m > 2 { return 1 }; return 2 }; x[0] = f(3); x[0] = f(1)", want: "1 2 return"},
		{name: "inlined runtime return", body: "f := func(m int) (int, int) { if c { return 1, 5 }; return m, 5 }; a, b := f(3); x[0] = a; x[1] = b", want: "loop(if(break|) break) ? 5 return"},
		{name: "return from an unrolled loop of a literal", body: "f := func(m int) int { for i := range 8 { if i*i >= m { return i } }; return -1 }; x[0] = f(10)", want: "4 return"},
		{name: "fields one by one", body: "var p pair; p.a = 3; p.b = p.a + 1; if p.b == 4 { x[0] = 1 }", want: "3 4 1 return"},
		{name: "elements one by one", body: "var a [3]int; for i := range 3 { a[i] = i * i }; x[0] = a[2]; x[1] = qd.Static(a[1])", want: "0 1 4 4 1 return"},
		{name: "element that is not known", body: "a := [2]int{5, 6}; a[n&1] = 7; x[0] = a[0]", want: "7 ? return"},
		{name: "other element", body: "a := [2]int{5, 6}; a[1] = n; x[0] = a[0]; x[1] = a[1]", want: "? 5 ? return"},
		{name: "through a pointer", body: "m := 1; p := &m; *p = 2; x[0] = m; m = 3; x[1] = *p", want: "2 2 3 3 return"},
		{name: "pointer given away", body: "m := 1; set(&m); x[0] = m", rest: "func set(p *int) { *p = 2 }", want: "call set ? return"},
		{name: "sliced", body: "a := [2]int{1, 2}; s := a[:]; s[0] = 5; x[0] = a[0]", want: "5 ? return"},
		{name: "memory in an if", body: "m := 1; p := &m; if c { *p = 2 } else { m = 2 }; x[0] = m", want: "if(2|2) 2 return"},
		{name: "memory in one end of an if", body: "m := 1; p := &m; if c { *p = 2 }; x[0] = m", want: "if(2|) ? return"},
		{name: "memory after a return", body: "m := 1; p := &m; if c { *p = 2; return }; x[0] = m", want: "if(2 return|) 1 return"},
		{name: "memory in a loop", body: "m := 1; p := &m; for range n { x[0] = m; *p = 2 }; x[1] = m", want: "loop(? 2) ? return"},
		{name: "memory that a loop leaves alone", body: "var a [2]int; a[0] = 1; for range n { x[0] = a[0] }; x[1] = a[1]", want: "1 loop(1) 0 return"},
		{name: "memory that a literal changes", body: "var a [2]int; f := func() { a[0]++ }; for range n { x[0] = a[0]; f() }; x[1] = a[1]", want: "loop(? ?) ? return"},
		{name: "memory after a break", body: "var a [2]int; for i := range 2 { if c { break }; a[i] = 1 }; x[0] = a[0]", want: "loop(if(break|) 1 if(break|) 1 break) ? return"},
		{name: "memory hidden", body: "a := qd.Dynamic([2]int{1, 2}); x[0] = a[0]", want: "? return"},
		{name: "pointer to each turn's own", body: "for i := range 3 { j := i; p := &j; *p += 1; x[0] = j }", want: "1 1 2 2 3 3 return"},
		{name: "prints and asserts", body: "qd.StaticAssert(math.Pi > 3, `pi`); qd.StaticPrint(1, `a`, true); x[0] = 1", want: "1 return"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := mustLower(t, sources(t, onePackage("p", "p.go", kernelOf(tt.body, tt.rest))), load.Ref{Pkg: "p", Name: "k"})
			k := m.Funcs[len(m.Funcs)-1]
			if got := skeleton(k.Body); got != tt.want {
				t.Errorf("%s\nis     %s\nshould %s\n%s", tt.body, got, tt.want, k)
			}
		})
	}
}

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

	"github.com/qdgen/qd"
)

const _ = math.Pi

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

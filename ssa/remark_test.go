package ssa_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
)

// A listing is the printed module, with a place for each line.
func TestListing(t *testing.T) {
	at := func(line int) *ssa.Stmt { return &ssa.Stmt{Pos: ssa.Pos{File: "k.go", Line: line, Col: 2}, Text: "x"} }
	f := ssa.NewFunc("k")
	f.Decl = *at(1)
	c := f.Body.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.BoolConst(true), Stmt: at(2)}, ssa.Bool)
	in := f.Body.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{c.Result()}, Stmt: at(3)})
	in.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield, Stmt: at(4)})
	in.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield, Stmt: at(5)})
	f.Body.Append(&ssa.Instr{Op: ssa.OpReturn, Pos: ssa.Pos{File: "k.go", Line: 6}})
	m := &ssa.Module{Name: "k", Funcs: []*ssa.Func{f}}
	text, lines := m.Listing()
	if text != m.String() {
		t.Errorf("the listing is another text:\n%s", text)
	}
	if n := strings.Count(text, "\n"); n != len(lines) {
		t.Fatalf("%d lines, %d places:\n%s", n, len(lines), text)
	}
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		want := map[string]int{"module": 0, "func": 1, "const": 2, "= const": 2, "if": 3, "return": 6}
		for word, n := range want {
			if strings.Contains(line, word) && !strings.Contains(line, "//") && lines[i].Line != n {
				t.Errorf("%q comes from line %d, want %d", line, lines[i].Line, n)
			}
		}
		if strings.TrimSpace(line) == "yield" && lines[i].Line != 4 && lines[i].Line != 5 {
			t.Errorf("%q comes from line %d", line, lines[i].Line)
		}
	}
}

// What nobody listens to is not even made.
func TestNoRemarks(t *testing.T) {
	var none ssa.Remarks
	f := ssa.NewFunc("k")
	in := f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	if n := testing.AllocsPerRun(10, func() { none.On("p", ssa.Note, in, "x"); none.OnFunc("p", ssa.Note, f, "x") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	for _, k := range []ssa.RemarkKind{ssa.Note, ssa.Done, ssa.Missed} {
		text, err := k.MarshalText()
		var back ssa.RemarkKind
		if err != nil || back.UnmarshalText(text) != nil || back != k {
			t.Errorf("%v becomes %v, %v", k, back, err)
		}
	}
}

// A value is written as people write it.
func TestExpr(t *testing.T) {
	f := ssa.NewFunc("k")
	x := f.Body.AddParam(ssa.Slice{Elem: ssa.Float32}, "x")
	i := f.Body.AddParam(ssa.Int64, "i")
	one := f.Body.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, 1)}, ssa.Int64).Result()
	sum := f.Body.Append(&ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{i, one}}, ssa.Int64).Result()
	twice := f.Body.Append(&ssa.Instr{Op: ssa.OpMul, Args: []*ssa.Value{sum, i}}, ssa.Int64).Result()
	at := f.Body.Append(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{x, sum}}, ssa.Pointer{Elem: ssa.Float32}).Result()
	for v, want := range map[*ssa.Value]string{i: "i", sum: "i + 1", twice: "(i + 1) * i", at: "x[i + 1]"} {
		if got := v.Expr(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	twice.Name = "n"
	if twice.Expr() != "n" || twice.Computed() != "(i + 1) * i" {
		t.Errorf("%s is %s", twice.Expr(), twice.Computed())
	}
}

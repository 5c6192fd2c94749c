package ssa

import (
	"strings"
	"testing"
)

// libraryFuncs are a library's function pick, with a check of an index below 4, one, div, that
// calls it and has a check of its own, and one, safe, that calls it with what is in range.
func libraryFuncs(name string) (pick, div, safe *Func) {
	at := func(line int) Pos { return Pos{File: "lib/lib.go", Line: line, Col: 1} }
	number := func(b *Block, n uint64) *Value {
		return b.Append(&Instr{Op: OpConst, Const: IntConst(Int64, n)}, Int64).Result()
	}
	function := func(name string, body func(b *Block, i *Value) *Value) *Func {
		f := NewFunc(name)
		f.Library, f.Results = true, []Type{Int64}
		f.Body.Append(&Instr{Op: OpReturn, Args: []*Value{body(f.Body, f.Body.AddParam(Int64, "i"))}})
		return f
	}
	call := func(b *Block, f *Func, i *Value) *Value {
		return b.Append(&Instr{Op: OpCall, Callee: f, Args: []*Value{i}, Pos: at(9)}, Int64).Result()
	}
	pick = function(name+"pick", func(b *Block, i *Value) *Value {
		b.Append(&Instr{Op: OpCheck, Check: CheckIndex, Args: []*Value{i, number(b, 4)}, Pos: at(1)})
		return op(b, OpMul, Int64, i, i)
	})
	div = function(name+"div", func(b *Block, i *Value) *Value {
		b.Append(&Instr{Op: OpCheck, Check: CheckDivide, Args: []*Value{i}, Pos: at(2)})
		return op(b, OpDiv, Int64, call(b, pick, i), i)
	})
	safe = function(name+"safe", func(b *Block, i *Value) *Value {
		return op(b, OpAdd, Int64, call(b, pick, number(b, 3)), i)
	})
	return pick, div, safe
}

// TestBlame has a kernel, and a function of the user's, call a library: each place has
// copies of what may fail there, with its own position.
func TestBlame(t *testing.T) {
	pick, div, safe := libraryFuncs("qd.")
	at := func(line int) Pos { return Pos{File: "dir/user.go", Line: line, Col: 5} }
	call := func(b *Block, line int, f *Func, i *Value) *Value {
		return b.Append(&Instr{Op: OpCall, Callee: f, Args: []*Value{i}, Pos: at(line)}, f.Results...).Result()
	}
	mine := NewFunc("mine")
	mine.Results = []Type{Int64}
	i := mine.Body.AddParam(Int64, "i")
	mine.Body.Append(&Instr{Op: OpReturn, Args: []*Value{op(mine.Body, OpAdd, Int64, call(mine.Body, 20, pick, i), call(mine.Body, 21, safe, i))}})

	k := NewFunc("k")
	k.Kernel = true
	thread, x := k.Body.AddParam(Thread, "t"), k.Body.AddParam(Slice{Int64}, "x")
	id := k.Body.Append(&Instr{Op: OpThreadID, Rank: 1, Args: []*Value{thread}}, Int64).Result()
	sum := call(k.Body, 10, div, id)
	for _, f := range []*Func{div, mine, safe} {
		sum = op(k.Body, OpAdd, Int64, sum, call(k.Body, 11, f, id))
	}
	for range 2 { // the turns of an unrolled loop
		sum = op(k.Body, OpAdd, Int64, sum, call(k.Body, 12, pick, id))
	}
	store(k.Body, op(k.Body, OpIndexAddr, Pointer{Int64}, x, id), sum)
	k.Body.Append(&Instr{Op: OpReturn})

	m := &Module{Name: "k", Funcs: []*Func{pick, div, safe, mine, k}}
	if !blame(m) {
		t.Fatal("nothing is blamed")
	}
	if err := Verify(m); err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	// pick itself is what safe calls, which never fails; nothing calls div itself.
	want := map[string][]int{
		"qd.pick": {1}, "qd.pick_2": {20}, "qd.pick_3": {10}, "qd.pick_4": {11}, "qd.pick_5": {12},
		"qd.div": {10}, "qd.div_3": {11}, "qd.safe": nil, "mine": nil, "k": nil,
	}
	for _, f := range m.Funcs {
		lines, ok := want[f.Name]
		delete(want, f.Name)
		if !ok {
			t.Errorf("there is a function %s", f.Name)
		}
		f.Body.Walk(func(in *Instr) {
			if in.Op != OpCheck {
				return
			}
			if len(lines) == 0 || in.Pos.Line != lines[0] {
				t.Errorf("%s: a check of line %d, want %v", f.Name, in.Pos.Line, lines)
			} else if copied := lines[0] >= 10; copied != (in.Pos == at(lines[0])) || copied != strings.Contains(f.Decl.Text, "// called at user.go:") {
				t.Errorf("%s: check at %v, declared as %q", f.Name, in.Pos, f.Decl.Text)
			}
		})
	}
	for name := range want {
		t.Errorf("there is no function %s", name)
	}
	if once := m.String(); blame(m) || m.String() != once {
		t.Errorf("blamed twice:\n%s\nwas\n%s", m, once)
	}
}

// TestBlameNobody has calls that cannot fail: the module stays as it is.
func TestBlameNobody(t *testing.T) {
	pick, _, safe := libraryFuncs("")
	k := NewFunc("k")
	k.Kernel = true
	thread, x := k.Body.AddParam(Thread, "t"), k.Body.AddParam(Slice{Int64}, "x")
	id := k.Body.Append(&Instr{Op: OpThreadID, Rank: 1, Args: []*Value{thread}}, Int64).Result()
	v := k.Body.Append(&Instr{Op: OpCall, Callee: safe, Args: []*Value{id}}, Int64).Result()
	store(k.Body, op(k.Body, OpIndexAddr, Pointer{Int64}, x, id), v)
	k.Body.Append(&Instr{Op: OpReturn})
	m := &Module{Name: "k", Funcs: []*Func{pick, safe, k}}
	before := m.String()
	if blame(m) || m.String() != before {
		t.Errorf("%s\nwas\n%s", m, before)
	}
}

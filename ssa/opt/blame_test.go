package opt

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// libraryFuncs are a library's function pick, with a check of an index below 4, one, div, that
// calls it and has a check of its own, and one, safe, that calls it with what is in range.
func libraryFuncs(name string) (pick, div, safe *ssa.Func) {
	at := func(line int) ssa.Pos { return ssa.Pos{File: "lib/lib.go", Line: line, Col: 1} }
	number := func(b *ssa.Block, n uint64) *ssa.Value {
		return b.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, n)}, ssa.Int64).Result()
	}
	function := func(name string, body func(b *ssa.Block, i *ssa.Value) *ssa.Value) *ssa.Func {
		f := ssa.NewFunc(name)
		f.Library, f.Results = true, []ssa.Type{ssa.Int64}
		f.Body.Append(&ssa.Instr{Op: ssa.OpReturn, Args: []*ssa.Value{body(f.Body, f.Body.AddParam(ssa.Int64, "i"))}})
		return f
	}
	call := func(b *ssa.Block, f *ssa.Func, i *ssa.Value) *ssa.Value {
		return b.Append(&ssa.Instr{Op: ssa.OpCall, Callee: f, Args: []*ssa.Value{i}, Pos: at(9)}, ssa.Int64).Result()
	}
	pick = function(name+"pick", func(b *ssa.Block, i *ssa.Value) *ssa.Value {
		b.Append(&ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckIndex, Args: []*ssa.Value{i, number(b, 4)}, Pos: at(1)})
		return ssatest.Emit(b, ssa.OpMul, ssa.Int64, i, i)
	})
	div = function(name+"div", func(b *ssa.Block, i *ssa.Value) *ssa.Value {
		b.Append(&ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckDivide, Args: []*ssa.Value{i}, Pos: at(2)})
		return ssatest.Emit(b, ssa.OpDiv, ssa.Int64, call(b, pick, i), i)
	})
	safe = function(name+"safe", func(b *ssa.Block, i *ssa.Value) *ssa.Value {
		return ssatest.Emit(b, ssa.OpAdd, ssa.Int64, call(b, pick, number(b, 3)), i)
	})
	return pick, div, safe
}

// TestBlame has a kernel, and a function of the user's, call a library: each place has
// copies of what may fail there, with its own position.
func TestBlame(t *testing.T) {
	pick, div, safe := libraryFuncs("qd.")
	at := func(line int) ssa.Pos { return ssa.Pos{File: "dir/user.go", Line: line, Col: 5} }
	call := func(b *ssa.Block, line int, f *ssa.Func, i *ssa.Value) *ssa.Value {
		return b.Append(&ssa.Instr{Op: ssa.OpCall, Callee: f, Args: []*ssa.Value{i}, Pos: at(line)}, f.Results...).Result()
	}
	mine := ssa.NewFunc("mine")
	mine.Results = []ssa.Type{ssa.Int64}
	i := mine.Body.AddParam(ssa.Int64, "i")
	mine.Body.Append(&ssa.Instr{Op: ssa.OpReturn, Args: []*ssa.Value{ssatest.Emit(mine.Body, ssa.OpAdd, ssa.Int64, call(mine.Body, 20, pick, i), call(mine.Body, 21, safe, i))}})

	k := ssa.NewFunc("k")
	k.Kernel = true
	thread, x := k.Body.AddParam(ssa.Thread, "t"), k.Body.AddParam(ssa.Slice{Elem: ssa.Int64}, "x")
	id := k.Body.Append(&ssa.Instr{Op: ssa.OpThreadID, Rank: 1, Args: []*ssa.Value{thread}}, ssa.Int64).Result()
	sum := call(k.Body, 10, div, id)
	for _, f := range []*ssa.Func{div, mine, safe} {
		sum = ssatest.Emit(k.Body, ssa.OpAdd, ssa.Int64, sum, call(k.Body, 11, f, id))
	}
	for range 2 { // the iterations of an unrolled loop
		sum = ssatest.Emit(k.Body, ssa.OpAdd, ssa.Int64, sum, call(k.Body, 12, pick, id))
	}
	ssatest.EmitStore(k.Body, ssatest.Emit(k.Body, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Int64}, x, id), sum)
	k.Body.Append(&ssa.Instr{Op: ssa.OpReturn})

	m := &ssa.Module{Name: "k", Funcs: []*ssa.Func{pick, div, safe, mine, k}}
	if !Blame(m) {
		t.Fatal("nothing is blamed")
	}
	if err := ssa.Verify(m); err != nil {
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
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op != ssa.OpCheck {
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
	if once := m.String(); Blame(m) || m.String() != once {
		t.Errorf("blamed twice:\n%s\nwas\n%s", m, once)
	}
}

// TestBlameNobody has calls that cannot fail: the module stays as it is.
func TestBlameNobody(t *testing.T) {
	pick, _, safe := libraryFuncs("")
	k := ssa.NewFunc("k")
	k.Kernel = true
	thread, x := k.Body.AddParam(ssa.Thread, "t"), k.Body.AddParam(ssa.Slice{Elem: ssa.Int64}, "x")
	id := k.Body.Append(&ssa.Instr{Op: ssa.OpThreadID, Rank: 1, Args: []*ssa.Value{thread}}, ssa.Int64).Result()
	v := k.Body.Append(&ssa.Instr{Op: ssa.OpCall, Callee: safe, Args: []*ssa.Value{id}}, ssa.Int64).Result()
	ssatest.EmitStore(k.Body, ssatest.Emit(k.Body, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Int64}, x, id), v)
	k.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	m := &ssa.Module{Name: "k", Funcs: []*ssa.Func{pick, safe, k}}
	before := m.String()
	if Blame(m) || m.String() != before {
		t.Errorf("%s\nwas\n%s", m, before)
	}
}

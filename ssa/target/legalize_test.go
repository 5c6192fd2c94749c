package target_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target"
)

// What needs no care is marked as far as the machine's own operation differs from Go's.
func TestLegalize(t *testing.T) {
	args := []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s"), ssatest.Arg(ssa.Int64, "x"), ssatest.Arg(ssa.Uint32, "u")}
	names := []string{"id + 1", "x + 1", "-id", "-x", "id / 3", "x / 3", "x / id", "x / (id + 1)", "id / len", "x % -1", "u / u", "u + u"}
	var marked []*ssa.Value
	m := &ssa.Module{Name: "k"}
	writes := ssatest.AddFunc(m, "writes", false, args[1:2], nil, func(b ssatest.Builder, p []*ssa.Value) { b.Set(p[0], 0, b.Int(ssa.Int64, 1)); b.Return() })
	reads := ssatest.AddFunc(m, "reads", false, args[1:2], []ssa.Type{ssa.Int64}, func(b ssatest.Builder, p []*ssa.Value) { b.Return(b.Op(ssa.OpLen, p[0])) })
	k := ssatest.AddFunc(m, "k", true, args, nil, func(b ssatest.Builder, p []*ssa.Value) {
		id := b.Append(&ssa.Instr{Op: ssa.OpThreadID, Rank: 2, Args: p[:1]}, ssa.Int64).Result()
		x, u, one, three := p[2], p[3], b.Int(ssa.Int64, 1), b.Int(ssa.Int64, 3)
		next := b.Op(ssa.OpAdd, id, one)
		dim := b.Append(&ssa.Instr{Op: ssa.OpThreadDim, Args: p[:1]}, ssa.Int64).Result()
		marked = []*ssa.Value{next, b.Op(ssa.OpAdd, x, one), b.Op(ssa.OpNeg, id), b.Op(ssa.OpNeg, x), b.Op(ssa.OpDiv, id, three), b.Op(ssa.OpDiv, x, three),
			b.Op(ssa.OpDiv, x, id), b.Op(ssa.OpDiv, x, next), b.Op(ssa.OpDiv, id, dim), b.Op(ssa.OpRem, x, b.Int(ssa.Int64, -1)), b.Op(ssa.OpDiv, u, u), b.Op(ssa.OpAdd, u, u)}
		b.Call(writes, p[1])
		b.Call(reads, p[1])
		b.Return()
	})
	k.Rank = 2
	const none, exact, short = ssa.FitUnknown, ssa.FitExact, ssa.FitShort
	for _, tt := range []struct {
		machine target.Machine
		want    []ssa.Fit
	}{
		{target.CPU, []ssa.Fit{none, none, none, none, exact, exact, none, exact, exact, none, none, none}},
		{target.GPU, []ssa.Fit{exact, none, exact, none, short, exact, none, exact, short, none, none, none}},
	} {
		target.Legalize(m, tt.machine, new(analysis.Summaries))
		if err := ssa.Hold(m, ssa.WellFormed, ssa.Legal); err != nil {
			t.Errorf("%+v: %v\n%v", tt.machine, err, m)
		}
		for i, v := range marked {
			if v.Def.Fit != tt.want[i] {
				t.Errorf("%+v: %s fits as %d, want %d", tt.machine, names[i], v.Def.Fit, tt.want[i])
			}
		}
		if !reads.ReadsOnly || writes.ReadsOnly || k.ReadsOnly {
			t.Errorf("%+v: reads only: %v, %v and the kernel %v", tt.machine, reads.ReadsOnly, writes.ReadsOnly, k.ReadsOnly)
		}
	}
}

// What has no size is moved by nothing, a copy of it is a number, and comparisons that have one result are constants.
func TestWeightless(t *testing.T) {
	nothing := ssa.StructOf("nothing")
	holder := ssa.StructOf("holder", ssa.Field{Name: "n", Type: ssa.Int64}, ssa.Field{Name: "e", Type: nothing})
	m := &ssa.Module{Name: "k"}
	args := []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(ssa.Slice{Elem: nothing}, "s"), ssatest.Arg(holder, "h"), ssatest.Arg(ssa.Slice{Elem: ssa.Bool}, "out")}
	k := ssatest.AddFunc(m, "k", true, args, nil, func(b ssatest.Builder, p []*ssa.Value) {
		ptr := b.Op(ssa.OpIndexAddr, p[1], b.Int(ssa.Int64, 0))
		loaded := b.Op(ssa.OpLoad, ptr)
		b.Store(ptr, b.Field(p[2], 1))
		b.Set(p[3], 0, b.Op(ssa.OpEq, loaded, b.Field(p[2], 1)))
		b.Set(p[3], 1, b.Op(ssa.OpNe, loaded, loaded))
		null := b.Zero(ptr.Type)
		b.Set(p[3], 2, b.Op(ssa.OpEq, ptr, null))
		b.Set(p[3], 3, b.Op(ssa.OpNe, null, ptr))
		b.Set(p[3], 4, b.Op(ssa.OpEq, b.Field(p[2], 0), b.Int(ssa.Int64, 0)))
		b.Set(p[3], 5, b.Op(ssa.OpEq, b.Op(ssa.OpCopy, p[1], p[1]), b.Int(ssa.Int64, 0)))
		b.Return()
	})
	summaries := new(analysis.Summaries)
	summaries.Users(k)
	if err := ssa.Hold(m, ssa.Legal); err == nil {
		t.Error("moves of what has no size are legal")
	}
	target.Legalize(m, target.CPU, summaries)
	if err := ssa.Hold(m, ssa.WellFormed, ssa.Legal); err != nil {
		t.Errorf("%v\n%v", err, m)
	}
	if err := summaries.UpToDate(m); err != nil {
		t.Error(err)
	}
	var stored []string
	for _, in := range k.Body.Instrs {
		if in.Op == ssa.OpStore {
			c, ok := in.Args[1].Const()
			stored = append(stored, fmt.Sprint(ok && c.Bool(), ok))
		}
	}
	if got, want := strings.Join(stored, ", "), "true true, false true, false true, true true, false false, false false"; got != want {
		t.Errorf("stored are %s, want %s\n%v", got, want, m)
	}
}

package outofssa

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// translated gives the translation of a kernel of an int64 and slices, which is right.
func translated(t *testing.T, params []*ssa.Value, body func(b ssatest.Builder, p []*ssa.Value)) *Func {
	t.Helper()
	m := ssatest.KernelOf("k", params, body)
	if err := ssa.Hold(m, ssa.WellFormed); err != nil {
		t.Fatal(err)
	}
	summaries := new(analysis.Summaries)
	f := Translate(m.Funcs[0], summaries)
	if err := f.Check(summaries); err != nil {
		t.Fatalf("%v\n%v", err, m)
	}
	return f
}

// What is assigned twice in a loop's post part, and nowhere else, is declared there, so that the part does not fit into
// the header.
func TestDeclaredInPost(t *testing.T) {
	var loop *ssa.Instr
	f := translated(t, []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
		loop = b.Loop([]*ssa.Value{p[1]}, func(c ssatest.Builder, v []*ssa.Value) *ssa.Value { return c.Op(ssa.OpLt, v[0], p[1]) },
			func(d ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { d.Next(loop, v[0]) },
			func(post ssatest.Builder, v []*ssa.Value) []*ssa.Value {
				y := post.Named("y", post.Op(ssa.OpAdd, v[0], p[1]))
				return []*ssa.Value{post.Named("y", post.Op(ssa.OpMul, y, y))}
			})
		b.Set(p[2], 0, loop.Result())
		b.Return()
	})
	if f.PostFits(loop) {
		t.Error("the post part fits into the header")
	}
}

// The blocks of nested Ifs that are not && are decided a few times each, and not twice as often as those around.
func TestNestedIfs(t *testing.T) {
	const depth = 60
	f := translated(t, []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
		var nest func(b ssatest.Builder, depth int) *ssa.Value
		nest = func(b ssatest.Builder, depth int) *ssa.Value {
			if depth == 0 {
				b.Set(p[2], 0, p[1])
				return b.Bool(true)
			}
			return b.IfElse(b.Op(ssa.OpLt, p[1], b.Int(ssa.Int64, int64(depth))), []ssa.Type{ssa.Bool},
				func(b ssatest.Builder) { b.Yield(nest(b, depth-1)) },
				func(b ssatest.Builder) { b.Yield(b.Bool(false)) }).Result()
		}
		b.IfElse(nest(b, depth), nil, func(b ssatest.Builder) { b.Set(p[2], 1, p[1]); b.Yield() }, func(b ssatest.Builder) { b.Yield() })
		b.Return()
	})
	if strings.Contains(fmt.Sprint(f.logical), "true") {
		t.Error("an If with a store inside is an expression")
	}
}

// What is live in the block for several lanes of a parallel loop shares no variable there either.
func TestWideBlock(t *testing.T) {
	m := new(ssa.Module)
	k := ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.BlockPlace, "b"), ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
		body := func(b ssatest.Builder, i []*ssa.Value) {
			a := b.Op(ssa.OpAdd, i[0], i[0])
			r := b.IfElse(b.Op(ssa.OpLt, a, p[1]), []ssa.Type{ssa.Int64}, func(b ssatest.Builder) { b.Yield(a) }, func(b ssatest.Builder) { b.Yield(p[1]) })
			b.Set(p[2], 0, r.Result())
			b.Set(p[2], 1, a)
			b.Yield()
		}
		in := b.Parallel([]*ssa.Value{p[1]}, body)
		wide := in.NewBlock()
		in.Len = 4
		body(ssatest.Builder{Block: wide}, []*ssa.Value{wide.AddParam(ssa.Int64, "i")})
		b.Return()
	})
	k.Kind = ssa.BlockKernel
	if err := ssa.Hold(m, ssa.WellFormed); err != nil {
		t.Fatal(err)
	}
	summaries := new(analysis.Summaries)
	if err := Translate(k, summaries).Check(summaries); err != nil {
		t.Errorf("%v\n%v", err, m)
	}
}

package narrow_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target/narrow"
)

// What a function is given follows from the calls in kernels, unless it calls itself, or the host's part of a Grid
// kernel calls it.
func TestCalls(t *testing.T) {
	for _, tt := range []struct {
		name            string
		recursive, host bool
	}{{name: "kernel"}, {"recursive", true, false}, {"host", false, true}} {
		t.Run(tt.name, func(t *testing.T) {
			m := &ssa.Module{Name: "k"}
			callee := ssatest.AddFunc(m, "f", false, []*ssa.Value{ssatest.Arg(ssa.Int64, "n")}, []ssa.Type{ssa.Int64}, func(b ssatest.Builder, p []*ssa.Value) {
				r := b.Op(ssa.OpRem, p[0], b.Int(ssa.Int64, 1009))
				if tt.recursive {
					again := &ssa.Instr{Op: ssa.OpRecur, Callee: b.Func, Args: []*ssa.Value{b.Op(ssa.OpMul, p[0], b.Int(ssa.Int64, 1<<40))}}
					r = b.Op(ssa.OpAdd, r, b.Append(again, ssa.Int64).Result())
				}
				b.Return(r)
			})
			ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "out")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
				b.Set(p[1], 0, b.Call(callee, b.Int(ssa.Int64, 5))[0])
				b.Return()
			})
			if tt.host {
				ssatest.AddFunc(m, "g", true, []*ssa.Value{ssatest.Arg(ssa.Int64, "large")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
					b.Call(callee, p[0])
					b.Return()
				}).Kind = ssa.GridKernel
			}
			wide := tt.recursive || tt.host
			if changed := slices.Contains(narrow.Narrow(m), callee); changed == wide {
				t.Errorf("the function is narrow: %v\n%s", changed, m)
			}
		})
	}
}

// A number that stands at the place of a field without a size is no part of that field.
func TestFieldWithoutSize(t *testing.T) {
	m := &ssa.Module{Name: "k"}
	none := ssa.StructOf("none")
	pair := ssa.StructOf("pair", ssa.Field{Name: "e", Type: none}, ssa.Field{Name: "n", Type: ssa.Int64})
	out := ssa.Slice{Elem: ssa.Int64}
	callee := ssatest.AddFunc(m, "f", false, []*ssa.Value{ssatest.Arg(pair, "p"), ssatest.Arg(out, "out")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
		b.Store(b.Op(ssa.OpIndexAddr, p[1], b.Field(p[0], 1)), b.Int(ssa.Int64, 1))
		b.Return()
	})
	k := ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(out, "out"), ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(none, "e")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
		b.Call(callee, b.Make(pair, p[3], p[2]), p[1])
		b.Return()
	})
	narrow.Narrow(m)
	if want := []ssa.Small{{Param: 2}}; !slices.Equal(k.Small, want) {
		t.Errorf("small are %v, not %v", k.Small, want)
	}
}

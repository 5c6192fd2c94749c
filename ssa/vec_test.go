package ssa_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// What there is not of vectors, the verifier tells.
func TestVerifyVectors(t *testing.T) {
	four := func(elem ssa.Basic) ssa.Vec { return ssa.Vec{Elem: elem, Lanes: 4} }
	emit := ssatest.Emit
	for _, c := range []struct {
		want  string
		build func(b ssatest.Builder, n, s *ssa.Value)
	}{
		{"has not the 4 lanes of operand 0", func(b ssatest.Builder, n, _ *ssa.Value) {
			v := splat(b, n)
			emit(b.Block, ssa.OpAdd, v.Type, v, n)
		}},
		{"the operation on one lane is none", func(b ssatest.Builder, n, _ *ssa.Value) {
			v := splat(b, n)
			emit(b.Block, ssa.OpNot, v.Type, v)
		}},
		{"result is float32x4, no vector of int64", func(b ssatest.Builder, n, _ *ssa.Value) {
			emit(b.Block, ssa.OpSplat, four(ssa.Float32), n)
		}},
		{"result is float32x4, no vector of integers", func(b ssatest.Builder, _, _ *ssa.Value) {
			emit(b.Block, ssa.OpIota, four(ssa.Float32))
		}},
		{"operand 0 is int64x4, not boolx4", func(b ssatest.Builder, n, _ *ssa.Value) {
			v := splat(b, n)
			emit(b.Block, ssa.OpSelect, v.Type, v, v, v)
		}},
		{"int64x2 from lane 3 of int64x4", func(b ssatest.Builder, n, _ *ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpExtract, Index: 3, Args: []*ssa.Value{splat(b, n)}}, ssa.Vec{Elem: ssa.Int64, Lanes: 2})
		}},
		{"int32x2 from lane 0 of int64x4", func(b ssatest.Builder, n, _ *ssa.Value) {
			emit(b.Block, ssa.OpExtract, ssa.Vec{Elem: ssa.Int32, Lanes: 2}, splat(b, n))
		}},
		{"int64 from lane 0 of int64", func(b ssatest.Builder, n, _ *ssa.Value) { emit(b.Block, ssa.OpExtract, ssa.Int64, n) }},
		{"result is int64x4, no vector of 8 lanes", func(b ssatest.Builder, n, _ *ssa.Value) {
			v := splat(b, n)
			emit(b.Block, ssa.OpConcat, v.Type, v, v)
		}},
		{"int64 in int64x8", func(b ssatest.Builder, n, _ *ssa.Value) {
			emit(b.Block, ssa.OpConcat, ssa.Vec{Elem: ssa.Int64, Lanes: 8}, splat(b, n), n)
		}},
		{"operand 0 is int64, not boolx1", func(b ssatest.Builder, n, _ *ssa.Value) { emit(b.Block, ssa.OpAny, ssa.Bool, n) }},
		{"operand 0 is no pointer to float32", func(b ssatest.Builder, n, s *ssa.Value) {
			emit(b.Block, ssa.OpLoadRow, four(ssa.Float32), b.Op(ssa.OpIndexAddr, s, n))
		}},
		{"has 1 operands, not 2 or 3", func(b ssatest.Builder, n, s *ssa.Value) {
			emit(b.Block, ssa.OpGather, four(ssa.Int64), b.Op(ssa.OpIndexAddr, s, n))
		}},
		{"operand 2 is int64x4, not boolx4", func(b ssatest.Builder, n, s *ssa.Value) {
			v := splat(b, n)
			emit(b.Block, ssa.OpGather, v.Type, b.Op(ssa.OpIndexAddr, s, n), v, v)
		}},
		{"stores nothing", func(b ssatest.Builder, n, s *ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpStoreRow, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, s, n)}})
		}},
		{"stores nothing", func(b ssatest.Builder, n, s *ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpStoreParts, Len: 8, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, s, n)}})
		}},
		{"or not of the type of the first one", func(b ssatest.Builder, n, s *ssa.Value) {
			v, w := splat(b, n), splat(b, b.Float(ssa.Float64, 1))
			b.Append(&ssa.Instr{Op: ssa.OpStoreParts, Len: 16, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, s, n), v, w}})
		}},
		{"operand 1 is int64x4, not int64", func(b ssatest.Builder, n, s *ssa.Value) {
			v := splat(b, n)
			b.Append(&ssa.Instr{Op: ssa.OpLoadStrided, Len: 8, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, s, n), v}}, v.Type)
		}},
		{"int64 every 4 bytes times the stride", func(b ssatest.Builder, n, s *ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpStoreStrided, Len: 4, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, s, n), n, splat(b, n)}})
		}},
		{"stores nothing", func(b ssatest.Builder, n, s *ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpStoreStrided, Len: 8, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, s, n), n}})
		}},
		{"elements of 2 numbers lie 8 bytes from each other", func(b ssatest.Builder, n, s *ssa.Value) {
			t := four(ssa.Int64)
			b.Append(&ssa.Instr{Op: ssa.OpLoadParts, Len: 8, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, s, n)}}, t, t)
		}},
		{"operand 0 is no pointer to float32", func(b ssatest.Builder, n, s *ssa.Value) {
			t := four(ssa.Float32)
			b.Append(&ssa.Instr{Op: ssa.OpLoadParts, Len: 8, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, s, n)}}, t, t)
		}},
		{"has a type that no value has", func(b ssatest.Builder, n, _ *ssa.Value) {
			emit(b.Block, ssa.OpSplat, ssa.Vec{Elem: ssa.Int64, Lanes: ssa.MaxVecLanes + 1}, n)
		}},
		{"has a type that no value has", func(b ssatest.Builder, n, _ *ssa.Value) {
			b.Op(ssa.OpLocal, splat(b, n)) // vectors are not in memory
		}},
	} {
		m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
			c.build(b, p[1], p[2])
			b.Return()
		})
		if err := ssa.Verify(m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, have %v\n%v", c.want, err, m)
		}
	}
}

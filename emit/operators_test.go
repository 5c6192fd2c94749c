package emit_test

import (
	"fmt"
	"testing"

	"github.com/qdgen/qd/ssa"
)

// A mapCase is a kernel made by mapKernel, with what it must compute.
type mapCase struct {
	kernel  *ssa.Func
	in, out []ssa.Type
	inputs  [][]uint64
	want    func(in []uint64) []uint64
	// near, if given, judges a result that is not the same.
	near func(t ssa.Type, got, want uint64) bool
}

// check runs a case and compares all results.
func (c *mapCase) check(t *testing.T, b *built) {
	t.Helper()
	n := len(c.inputs[0])
	var args []any
	var outs []*array
	for k, ty := range c.in {
		a := newArray(ty.Size(), n)
		for i, bits := range c.inputs[k] {
			a.set(i, bits)
		}
		args = append(args, a)
	}
	for _, ty := range c.out {
		a := newArray(ty.Size(), n)
		outs = append(outs, a)
		args = append(args, a)
	}
	b.run(t, c.kernel, []int{n}, args...)
	errors := 0
	for i := range n {
		var in []uint64
		for k := range c.in {
			in = append(in, c.inputs[k][i])
		}
		for k, want := range c.want(in) {
			ty, got := c.out[k], outs[k].get(i)
			if same(ty, got, want) || c.near != nil && c.near(ty, got, want) {
				continue
			}
			if errors++; errors > 5 {
				return
			}
			var shown []any
			for k, v := range in {
				shown = append(shown, format(c.in[k], v))
			}
			t.Errorf("%s %s%v: result %d is %v, want %v", b.target.name, c.kernel.Name, shown, k, format(ty, got), format(ty, want))
		}
	}
}

func checkAll(t *testing.T, m *ssa.Module, cases []*mapCase) {
	t.Helper()
	m.Name, m.Pkg = "operators", "example.com/operators"
	verify(t, m)
	forTargets(t, func(t *testing.T, to target) {
		b := build(t, to, m, "-O0") // thousands of kernels; the sanitizer sees what an optimizer could exploit
		for _, c := range cases {
			c.check(t, b)
		}
	})
}

// binary adds a case for a binary operation with both operands variable, and
// one for each special value as a constant on either side.
func binary(m *ssa.Module, o ssa.Op, operand, result ssa.Type) (cases []*mapCase) {
	name := fmt.Sprintf("%v_%v", o, operand)
	cases = append(cases, &mapCase{
		kernel: mapKernel(m, name, []ssa.Type{operand, operand}, []ssa.Type{result}, func(b *ssa.Block, in []*ssa.Value) []*ssa.Value {
			return []*ssa.Value{op(b, o, result, in...)}
		}),
		in: []ssa.Type{operand, operand}, out: []ssa.Type{result},
		inputs: cross(operand, operand),
		want:   func(in []uint64) []uint64 { return []uint64{goOp(o, operand, in[0], in[1])} },
	})
	constants := special(operand)
	if !ssa.IsInteger(operand) {
		constants = constants[:min(len(constants), 8)]
	}
	outs := make([]ssa.Type, 2*len(constants))
	for i := range outs {
		outs[i] = result
	}
	return append(cases, &mapCase{
		kernel: mapKernel(m, name+"_const", []ssa.Type{operand}, outs, func(b *ssa.Block, in []*ssa.Value) (rs []*ssa.Value) {
			for _, c := range constants {
				rs = append(rs, op(b, o, result, in[0], constant(b, operand, c)), op(b, o, result, constant(b, operand, c), in[0]))
			}
			return rs
		}),
		in: []ssa.Type{operand}, out: outs,
		inputs: cross(operand),
		want: func(in []uint64) (rs []uint64) {
			for _, c := range constants {
				rs = append(rs, goOp(o, operand, in[0], c), goOp(o, operand, c, in[0]))
			}
			return rs
		},
	})
}

func TestArithmetic(t *testing.T) {
	m := new(ssa.Module)
	var cases []*mapCase
	for _, ty := range numericTypes {
		ops := []ssa.Op{ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpMin, ssa.OpMax}
		if ssa.IsInteger(ty) {
			ops = append(ops, ssa.OpRem, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpAndNot)
		}
		for _, o := range ops {
			cases = append(cases, binary(m, o, ty, ty)...)
		}
	}
	for _, o := range []ssa.Op{ssa.OpAnd, ssa.OpOr, ssa.OpXor} {
		cases = append(cases, binary(m, o, ssa.Bool, ssa.Bool)...)
	}
	checkAll(t, m, cases)
}

func TestComparisons(t *testing.T) {
	m := new(ssa.Module)
	var cases []*mapCase
	for _, ty := range numericTypes {
		for o := ssa.OpEq; o <= ssa.OpGe; o++ {
			cases = append(cases, binary(m, o, ty, ssa.Bool)...)
		}
	}
	cases = append(cases, binary(m, ssa.OpEq, ssa.Bool, ssa.Bool)...)
	cases = append(cases, binary(m, ssa.OpNe, ssa.Bool, ssa.Bool)...)
	checkAll(t, m, cases)
}

func TestUnary(t *testing.T) {
	m := new(ssa.Module)
	var cases []*mapCase
	add := func(o ssa.Op, ty ssa.Type) {
		cases = append(cases, &mapCase{
			kernel: mapKernel(m, fmt.Sprintf("%v_%v", o, ty), []ssa.Type{ty}, []ssa.Type{ty}, func(b *ssa.Block, in []*ssa.Value) []*ssa.Value {
				return []*ssa.Value{op(b, o, ty, in...)}
			}),
			in: []ssa.Type{ty}, out: []ssa.Type{ty}, inputs: cross(ty),
			want: func(in []uint64) []uint64 { return []uint64{goOp(o, ty, in[0], 0)} },
		})
	}
	for _, ty := range numericTypes {
		add(ssa.OpNeg, ty)
		if ssa.IsInteger(ty) {
			add(ssa.OpCom, ty)
		}
	}
	add(ssa.OpNot, ssa.Bool)
	checkAll(t, m, cases)
}

// Counts of every type, negative ones too, and constant ones.
func TestShifts(t *testing.T) {
	m := new(ssa.Module)
	var cases []*mapCase
	for _, ty := range integerTypes {
		for _, o := range []ssa.Op{ssa.OpShl, ssa.OpShr} {
			for _, count := range integerTypes {
				in := []ssa.Type{ty, count}
				cases = append(cases, &mapCase{
					kernel: mapKernel(m, fmt.Sprintf("%v_%v_%v", o, ty, count), in, in[:1], func(b *ssa.Block, in []*ssa.Value) []*ssa.Value {
						return []*ssa.Value{op(b, o, ty, in...)}
					}),
					in: in, out: in[:1], inputs: cross(in...),
					want: func(in []uint64) []uint64 { return []uint64{goShift(o, ty, in[0], extend(count, in[1]))} },
				})
			}
			counts := []uint64{0, 1, 5, 7, 8, 15, 16, 31, 32, 63, 64, 1 << 40}
			outs := make([]ssa.Type, 2*len(counts))
			for i := range outs {
				outs[i] = ty
			}
			cases = append(cases, &mapCase{
				kernel: mapKernel(m, fmt.Sprintf("%v_%v_const", o, ty), []ssa.Type{ty}, outs, func(b *ssa.Block, in []*ssa.Value) (rs []*ssa.Value) {
					for _, c := range counts {
						count := op(b, ssa.OpConvert, ssa.Uint64, in[0])
						rs = append(rs, op(b, o, ty, in[0], constant(b, ssa.Uint64, c)), op(b, o, ty, constant(b, ty, c+77), count))
					}
					return rs
				}),
				in: []ssa.Type{ty}, out: outs, inputs: cross(ty),
				want: func(in []uint64) (rs []uint64) {
					for _, c := range counts {
						rs = append(rs, goShift(o, ty, in[0], c), goShift(o, ty, ssa.IntConst(ty, c+77).Uint(), extend(ty, in[0])))
					}
					return rs
				},
			})
		}
	}
	checkAll(t, m, cases)
}

func TestConversions(t *testing.T) {
	m := new(ssa.Module)
	var cases []*mapCase
	for _, from := range numericTypes {
		for _, to := range numericTypes {
			cases = append(cases, &mapCase{
				kernel: mapKernel(m, fmt.Sprintf("convert_%v_%v", from, to), []ssa.Type{from}, []ssa.Type{to}, func(b *ssa.Block, in []*ssa.Value) []*ssa.Value {
					return []*ssa.Value{op(b, ssa.OpConvert, to, in...)}
				}),
				in: []ssa.Type{from}, out: []ssa.Type{to}, inputs: cross(from),
				want: func(in []uint64) []uint64 { return []uint64{goConvert(to, from, in[0])} },
			})
		}
	}
	for _, pair := range [][2]ssa.Type{{ssa.Float32, ssa.Uint32}, {ssa.Uint32, ssa.Float32}, {ssa.Float64, ssa.Uint64}, {ssa.Uint64, ssa.Float64}} {
		cases = append(cases, &mapCase{
			kernel: mapKernel(m, fmt.Sprintf("bitcast_%v_%v", pair[0], pair[1]), pair[:1], pair[1:], func(b *ssa.Block, in []*ssa.Value) []*ssa.Value {
				return []*ssa.Value{op(b, ssa.OpBitcast, pair[1], in...)}
			}),
			in: pair[:1], out: pair[1:], inputs: cross(pair[0]),
			want: func(in []uint64) []uint64 { return in },
		})
	}
	checkAll(t, m, cases)
}

// Constants of every kind come out with the same bits.
func TestConstants(t *testing.T) {
	m := new(ssa.Module)
	var cases []*mapCase
	for _, ty := range append(numericTypes, ssa.Bool) {
		values := special(ty)
		if ty == ssa.Float32 {
			values = append(values, 0x7fc00123, 0xffc00000, 0x7fc00000, 0x3f800001, 0x00000003)
		}
		if ty == ssa.Float64 {
			values = append(values, 0x7ff8000000000123, 0xfff8000000000000, 0x7ff8000000000001, 0x3ff0000000000001)
		}
		outs := make([]ssa.Type, len(values))
		for i := range outs {
			outs[i] = ty
		}
		cases = append(cases, &mapCase{
			kernel: mapKernel(m, fmt.Sprintf("const_%v", ty), []ssa.Type{ssa.Bool}, outs, func(b *ssa.Block, in []*ssa.Value) (rs []*ssa.Value) {
				for _, v := range values {
					rs = append(rs, constant(b, ty, v))
				}
				return rs
			}),
			in: []ssa.Type{ssa.Bool}, out: outs, inputs: [][]uint64{{0}},
			want: func([]uint64) []uint64 { return values },
		})
	}
	checkAll(t, m, cases)
	// A NaN keeps its payload, which the comparison above forgives.
	c := cases[len(cases)-2]
	forTargets(t, func(t *testing.T, to target) {
		b := build(t, to, m)
		args := []any{newArray(1, 1)}
		var outs []*array
		for range c.out {
			outs = append(outs, newArray(8, 1))
			args = append(args, outs[len(outs)-1])
		}
		b.run(t, c.kernel, []int{1}, args...)
		for i, want := range c.want(nil) {
			if got := outs[i].get(0); got != want {
				t.Errorf("%s: float64 constant %#x came out as %#x", to.name, want, got)
			}
		}
	})
}

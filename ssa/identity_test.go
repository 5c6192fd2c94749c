package ssa

import (
	"math"
	"strings"
	"testing"
)

// TestIdentities folds one instruction on the parameter v and constants, and
// compares what is returned.
func TestIdentities(t *testing.T) {
	const v = "v.v0"
	for _, c := range []struct {
		op          Op
		typ         Type
		left, right any // "v", or a constant
		want        string
	}{
		{OpAdd, Int32, "v", 0, v}, {OpAdd, Int32, 0, "v", v},
		{OpAdd, Int32, "v", 1, "add"}, {OpAdd, Int32, "v", "v", "add"},
		{OpSub, Int32, "v", 0, v}, {OpSub, Int32, 0, "v", "neg v.v0"}, {OpSub, Int32, "v", "v", "const 0"},
		{OpMul, Int32, "v", 1, v}, {OpMul, Int32, 1, "v", v}, {OpMul, Int32, "v", 0, "const 0"}, {OpMul, Int32, 0, "v", "const 0"},
		{OpMul, Int32, "v", -1, "mul"},
		{OpDiv, Int32, "v", 1, v}, {OpDiv, Int32, "v", 0, "const 0"}, {OpDiv, Int32, 0, "v", "const 0"},
		{OpDiv, Int32, "v", "v", "div"}, {OpDiv, Int32, 1, "v", "div"}, {OpDiv, Int32, "v", -1, "div"},
		{OpRem, Int32, "v", 1, "const 0"}, {OpRem, Int32, "v", -1, "const 0"}, {OpRem, Uint32, "v", -1, "rem"},
		{OpRem, Int32, "v", 0, "const 0"}, {OpRem, Int32, "v", "v", "const 0"}, {OpRem, Int32, 1, "v", "rem"},
		{OpAnd, Uint8, "v", 0, "const 0"}, {OpAnd, Uint8, "v", 255, v}, {OpAnd, Uint8, 255, "v", v}, {OpAnd, Uint8, "v", "v", v},
		{OpAnd, Uint8, "v", 1, "and"}, {OpAnd, Int64, "v", -1, v},
		{OpOr, Int64, "v", 0, v}, {OpOr, Int64, "v", -1, "const -1"}, {OpOr, Int64, "v", "v", v},
		{OpXor, Int64, "v", 0, v}, {OpXor, Int64, "v", "v", "const 0"}, {OpXor, Int64, "v", -1, "xor"},
		{OpAndNot, Int64, "v", 0, v}, {OpAndNot, Int64, "v", -1, "const 0"}, {OpAndNot, Int64, "v", "v", "const 0"},
		{OpAndNot, Int64, 0, "v", "const 0"}, {OpAndNot, Int64, -1, "v", "andnot"},
		{OpShl, Int8, "v", 0, v}, {OpShl, Int8, "v", 8, "const 0"}, {OpShl, Int8, "v", -1, "const 0"}, {OpShl, Int8, "v", 7, "shl"},
		{OpShl, Int8, 0, "v", "const 0"}, {OpShr, Uint8, "v", 8, "const 0"}, {OpShr, Int8, "v", 8, "shr"},
		{OpShr, Int8, -1, "v", "const -1"}, {OpShr, Uint8, -1, "v", "shr"}, {OpShr, Int8, "v", "v", "shr"}, {OpShl, Uint8, 1, "v", "shl"},
		{OpEq, Int64, "v", "v", "const true"}, {OpNe, Int64, "v", "v", "const false"},
		{OpLt, Int64, "v", "v", "const false"}, {OpLe, Int64, "v", "v", "const true"},
		{OpGt, Int64, "v", "v", "const false"}, {OpGe, Int64, "v", "v", "const true"},
		{OpLt, Uint64, "v", 0, "const false"}, {OpGe, Uint64, "v", 0, "const true"}, {OpLt, Int64, "v", 0, "lt"},
		{OpGt, Uint64, 0, "v", "const false"}, {OpLe, Uint64, 0, "v", "const true"}, {OpGt, Uint64, "v", 0, "gt"},
		{OpMin, Int64, "v", "v", v}, {OpMax, Int64, "v", "v", v}, {OpMin, Int64, "v", 0, "min"},

		{OpAnd, Bool, "v", true, v}, {OpAnd, Bool, false, "v", "const false"}, {OpAnd, Bool, "v", "v", v},
		{OpOr, Bool, "v", false, v}, {OpOr, Bool, true, "v", "const true"}, {OpOr, Bool, "v", "v", v},
		{OpXor, Bool, "v", false, v}, {OpXor, Bool, "v", true, "not v.v0"}, {OpXor, Bool, "v", "v", "const false"},
		{OpEq, Bool, "v", true, v}, {OpEq, Bool, false, "v", "not v.v0"}, {OpEq, Bool, "v", "v", "const true"},
		{OpNe, Bool, "v", false, v}, {OpNe, Bool, true, "v", "not v.v0"}, {OpNe, Bool, "v", "v", "const false"},

		// Of floats, one is exact for all bits: a number is never less than itself.
		{OpLt, Float64, "v", "v", "const false"}, {OpGt, Float64, "v", "v", "const false"},
		{OpAdd, Float64, "v", 0.0, "add"}, {OpAdd, Float64, "v", math.Copysign(0, -1), "add"}, {OpSub, Float64, "v", 0.0, "sub"},
		{OpSub, Float64, "v", "v", "sub"}, {OpMul, Float64, "v", 1.0, "mul"}, {OpMul, Float64, "v", 0.0, "mul"},
		{OpDiv, Float64, "v", 1.0, "div"}, {OpDiv, Float64, "v", "v", "div"}, {OpDiv, Float64, 0.0, "v", "div"},
		{OpMin, Float64, "v", "v", "min"}, {OpMax, Float64, "v", "v", "max"},
		{OpEq, Float64, "v", "v", "eq"}, {OpNe, Float64, "v", "v", "ne"}, {OpLe, Float64, "v", "v", "le"}, {OpGe, Float64, "v", "v", "ge"},
	} {
		result := c.typ
		if ops[c.op].shape == shapeComparison {
			result = Bool
		}
		m := &Module{}
		f := addFunc(m, "f", false, []*Value{arg(c.typ, "v")}, []Type{result}, func(b builder, p []*Value) {
			operand := func(x any) *Value {
				switch x := x.(type) {
				case int:
					return b.int(c.typ, int64(x))
				case float64:
					return b.float(c.typ, x)
				case bool:
					return b.bool(x)
				}
				return p[0]
			}
			b.ret(b.op(c.op, operand(c.left), operand(c.right)))
		})
		fold(f)
		if err := Verify(m); err != nil {
			t.Error(err)
		}
		got := f.Body.Terminator().Args[0].String()
		if d := f.Body.Terminator().Args[0].Def; d != nil {
			got = d.String()[strings.Index(d.String(), "= ")+2:]
		}
		if got != c.want && !strings.HasPrefix(got, c.want+" ") {
			t.Errorf("%v of %v %v and %v becomes %s, want %s", c.op, c.typ, c.left, c.right, got, c.want)
		}
	}
}

// TestUnaryIdentities folds two conversions, or two of the other operations of
// one operand.
func TestUnaryIdentities(t *testing.T) {
	type step struct {
		op Op
		to Type
	}
	for _, c := range []struct {
		typ   Type
		steps []step
		same  bool
	}{
		{Bool, []step{{OpNot, Bool}, {OpNot, Bool}}, true},
		{Int64, []step{{OpCom, Int64}, {OpCom, Int64}}, true},
		{Int64, []step{{OpNeg, Int64}, {OpNeg, Int64}}, true},
		{Float32, []step{{OpNeg, Float32}, {OpNeg, Float32}}, true},
		{Int64, []step{{OpNeg, Int64}, {OpCom, Int64}}, false},
		{Float32, []step{{OpBitcast, Uint32}, {OpBitcast, Float32}}, true},
		{Int64, []step{{OpConvert, Int64}}, true},
		{Int32, []step{{OpConvert, Int64}, {OpConvert, Int32}}, true},
		{Int32, []step{{OpConvert, Uint32}, {OpConvert, Int32}}, true},
		{Int32, []step{{OpConvert, Int16}, {OpConvert, Int32}}, false},
		{Int32, []step{{OpConvert, Float64}, {OpConvert, Int32}}, true},
		{Int64, []step{{OpConvert, Float64}, {OpConvert, Int64}}, false},
		{Int32, []step{{OpConvert, Float32}, {OpConvert, Int32}}, false},
		{Uint16, []step{{OpConvert, Float32}, {OpConvert, Uint16}}, true},
		{Float32, []step{{OpConvert, Float64}, {OpConvert, Float32}}, false}, // quiets a signalling NaN
		{Float64, []step{{OpConvert, Int64}, {OpConvert, Float64}}, false},
	} {
		m := &Module{}
		f := addFunc(m, "f", false, []*Value{arg(c.typ, "v")}, []Type{c.typ}, func(b builder, p []*Value) {
			v := p[0]
			for _, s := range c.steps {
				v = b.Append(&Instr{Op: s.op, Args: []*Value{v}}, s.to).Result()
			}
			b.ret(v)
		})
		before := f.String()
		fold(f)
		if same := f.Body.Terminator().Args[0] == f.Params()[0]; same != c.same {
			t.Errorf("folded to the parameter: %v, want %v:\n%s", same, c.same, before)
		}
	}
}

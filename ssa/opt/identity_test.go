package opt

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// TestIdentities folds one instruction on the parameter v and constants, and
// compares what is returned.
func TestIdentities(t *testing.T) {
	const v = "v.v0"
	for _, c := range []struct {
		op          ssa.Op
		typ         ssa.Type
		left, right any // "v", or a constant
		want        string
	}{
		{ssa.OpAdd, ssa.Int32, "v", 0, v}, {ssa.OpAdd, ssa.Int32, 0, "v", v},
		{ssa.OpAdd, ssa.Int32, "v", 1, "add"}, {ssa.OpAdd, ssa.Int32, "v", "v", "add"},
		{ssa.OpSub, ssa.Int32, "v", 0, v}, {ssa.OpSub, ssa.Int32, 0, "v", "neg v.v0"}, {ssa.OpSub, ssa.Int32, "v", "v", "const 0"},
		{ssa.OpMul, ssa.Int32, "v", 1, v}, {ssa.OpMul, ssa.Int32, 1, "v", v}, {ssa.OpMul, ssa.Int32, "v", 0, "const 0"}, {ssa.OpMul, ssa.Int32, 0, "v", "const 0"},
		{ssa.OpMul, ssa.Int32, "v", -1, "mul"},
		{ssa.OpDiv, ssa.Int32, "v", 1, v}, {ssa.OpDiv, ssa.Int32, "v", 0, "const 0"}, {ssa.OpDiv, ssa.Int32, 0, "v", "const 0"},
		{ssa.OpDiv, ssa.Int32, "v", "v", "div"}, {ssa.OpDiv, ssa.Int32, 1, "v", "div"}, {ssa.OpDiv, ssa.Int32, "v", -1, "div"},
		{ssa.OpRem, ssa.Int32, "v", 1, "const 0"}, {ssa.OpRem, ssa.Int32, "v", -1, "const 0"}, {ssa.OpRem, ssa.Uint32, "v", -1, "rem"},
		{ssa.OpRem, ssa.Int32, "v", 0, "const 0"}, {ssa.OpRem, ssa.Int32, "v", "v", "const 0"}, {ssa.OpRem, ssa.Int32, 1, "v", "rem"},
		{ssa.OpAnd, ssa.Uint8, "v", 0, "const 0"}, {ssa.OpAnd, ssa.Uint8, "v", 255, v}, {ssa.OpAnd, ssa.Uint8, 255, "v", v}, {ssa.OpAnd, ssa.Uint8, "v", "v", v},
		{ssa.OpAnd, ssa.Uint8, "v", 1, "and"}, {ssa.OpAnd, ssa.Int64, "v", -1, v},
		{ssa.OpOr, ssa.Int64, "v", 0, v}, {ssa.OpOr, ssa.Int64, "v", -1, "const -1"}, {ssa.OpOr, ssa.Int64, "v", "v", v},
		{ssa.OpXor, ssa.Int64, "v", 0, v}, {ssa.OpXor, ssa.Int64, "v", "v", "const 0"}, {ssa.OpXor, ssa.Int64, "v", -1, "xor"},
		{ssa.OpAndNot, ssa.Int64, "v", 0, v}, {ssa.OpAndNot, ssa.Int64, "v", -1, "const 0"}, {ssa.OpAndNot, ssa.Int64, "v", "v", "const 0"},
		{ssa.OpAndNot, ssa.Int64, 0, "v", "const 0"}, {ssa.OpAndNot, ssa.Int64, -1, "v", "andnot"},
		{ssa.OpShl, ssa.Int8, "v", 0, v}, {ssa.OpShl, ssa.Int8, "v", 8, "const 0"}, {ssa.OpShl, ssa.Int8, "v", -1, "const 0"}, {ssa.OpShl, ssa.Int8, "v", 7, "shl"},
		{ssa.OpShl, ssa.Int8, 0, "v", "const 0"}, {ssa.OpShr, ssa.Uint8, "v", 8, "const 0"}, {ssa.OpShr, ssa.Int8, "v", 8, "shr"},
		{ssa.OpShr, ssa.Int8, -1, "v", "const -1"}, {ssa.OpShr, ssa.Uint8, -1, "v", "shr"}, {ssa.OpShr, ssa.Int8, "v", "v", "shr"}, {ssa.OpShl, ssa.Uint8, 1, "v", "shl"},
		{ssa.OpEq, ssa.Int64, "v", "v", "const true"}, {ssa.OpNe, ssa.Int64, "v", "v", "const false"},
		{ssa.OpLt, ssa.Int64, "v", "v", "const false"}, {ssa.OpLe, ssa.Int64, "v", "v", "const true"},
		{ssa.OpGt, ssa.Int64, "v", "v", "const false"}, {ssa.OpGe, ssa.Int64, "v", "v", "const true"},
		{ssa.OpLt, ssa.Uint64, "v", 0, "const false"}, {ssa.OpGe, ssa.Uint64, "v", 0, "const true"}, {ssa.OpLt, ssa.Int64, "v", 0, "lt"},
		{ssa.OpGt, ssa.Uint64, 0, "v", "const false"}, {ssa.OpLe, ssa.Uint64, 0, "v", "const true"}, {ssa.OpGt, ssa.Uint64, "v", 0, "gt"},
		{ssa.OpMin, ssa.Int64, "v", "v", v}, {ssa.OpMax, ssa.Int64, "v", "v", v}, {ssa.OpMin, ssa.Int64, "v", 0, "min"},

		{ssa.OpAnd, ssa.Bool, "v", true, v}, {ssa.OpAnd, ssa.Bool, false, "v", "const false"}, {ssa.OpAnd, ssa.Bool, "v", "v", v},
		{ssa.OpOr, ssa.Bool, "v", false, v}, {ssa.OpOr, ssa.Bool, true, "v", "const true"}, {ssa.OpOr, ssa.Bool, "v", "v", v},
		{ssa.OpXor, ssa.Bool, "v", false, v}, {ssa.OpXor, ssa.Bool, "v", true, "not v.v0"}, {ssa.OpXor, ssa.Bool, "v", "v", "const false"},
		{ssa.OpEq, ssa.Bool, "v", true, v}, {ssa.OpEq, ssa.Bool, false, "v", "not v.v0"}, {ssa.OpEq, ssa.Bool, "v", "v", "const true"},
		{ssa.OpNe, ssa.Bool, "v", false, v}, {ssa.OpNe, ssa.Bool, true, "v", "not v.v0"}, {ssa.OpNe, ssa.Bool, "v", "v", "const false"},

		// Of floats, one is exact for all bits: a number is never less than itself.
		{ssa.OpLt, ssa.Float64, "v", "v", "const false"}, {ssa.OpGt, ssa.Float64, "v", "v", "const false"},
		{ssa.OpAdd, ssa.Float64, "v", 0.0, "add"}, {ssa.OpAdd, ssa.Float64, "v", math.Copysign(0, -1), "add"}, {ssa.OpSub, ssa.Float64, "v", 0.0, "sub"},
		{ssa.OpSub, ssa.Float64, "v", "v", "sub"}, {ssa.OpMul, ssa.Float64, "v", 1.0, "mul"}, {ssa.OpMul, ssa.Float64, "v", 0.0, "mul"},
		{ssa.OpDiv, ssa.Float64, "v", 1.0, "div"}, {ssa.OpDiv, ssa.Float64, "v", "v", "div"}, {ssa.OpDiv, ssa.Float64, 0.0, "v", "div"},
		{ssa.OpMin, ssa.Float64, "v", "v", "min"}, {ssa.OpMax, ssa.Float64, "v", "v", "max"},
		{ssa.OpEq, ssa.Float64, "v", "v", "eq"}, {ssa.OpNe, ssa.Float64, "v", "v", "ne"}, {ssa.OpLe, ssa.Float64, "v", "v", "le"}, {ssa.OpGe, ssa.Float64, "v", "v", "ge"},
	} {
		result := c.typ
		if c.op.IsComparison() {
			result = ssa.Bool
		}
		m := &ssa.Module{}
		f := ssatest.AddFunc(m, "f", false, []*ssa.Value{ssatest.Arg(c.typ, "v")}, []ssa.Type{result}, func(b ssatest.Builder, p []*ssa.Value) {
			operand := func(x any) *ssa.Value {
				switch x := x.(type) {
				case int:
					return b.Int(c.typ, int64(x))
				case float64:
					return b.Float(c.typ, x)
				case bool:
					return b.Bool(x)
				}
				return p[0]
			}
			b.Return(b.Op(c.op, operand(c.left), operand(c.right)))
		})
		fold(f, new(analysis.Summaries))
		if err := ssa.Verify(m); err != nil {
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

// TestDifferences folds an operation on sums and differences of the parameters v and w.
func TestDifferences(t *testing.T) {
	for _, typ := range []ssa.Type{ssa.Int64, ssa.Uint8, ssa.Float64} {
		m := &ssa.Module{}
		results := append(slices.Repeat([]ssa.Type{typ}, 15), ssa.Bool, ssa.Bool, ssa.Bool)
		f := ssatest.AddFunc(m, "f", false, []*ssa.Value{ssatest.Arg(typ, "v"), ssatest.Arg(typ, "w")}, results, func(b ssatest.Builder, p []*ssa.Value) {
			v, w := p[0], p[1]
			add := func(x, y *ssa.Value) *ssa.Value { return b.Op(ssa.OpAdd, x, y) }
			mul := func(x, y *ssa.Value) *ssa.Value { return b.Op(ssa.OpMul, x, y) }
			sub := func(x, y *ssa.Value) *ssa.Value { return b.Op(ssa.OpSub, x, y) }
			c := func(n int64) *ssa.Value {
				if typ == ssa.Type(ssa.Float64) {
					return b.Float(typ, float64(n))
				}
				return b.Int(typ, n)
			}
			b.Return(sub(add(v, w), v), sub(add(w, v), v), sub(v, add(v, w)), sub(v, add(w, v)), add(sub(v, w), w), add(w, sub(v, w)),
				sub(add(v, c(100)), add(v, c(103))), sub(v, add(v, c(7))), sub(sub(v, w), w), add(sub(w, v), w), sub(sub(v, c(5)), add(v, c(1))),
				sub(mul(add(v, c(1)), w), mul(v, w)), sub(mul(w, sub(v, c(3))), mul(sub(v, c(4)), w)), sub(mul(mul(add(v, c(1)), c(8)), c(9)), mul(mul(v, c(8)), c(9))),
				sub(mul(add(v, c(2)), w), mul(v, w)),
				b.Op(ssa.OpEq, sub(v, c(1)), v), b.Op(ssa.OpNe, add(v, c(3)), sub(v, c(2))), b.Op(ssa.OpEq, add(v, c(128)), sub(v, c(128))))
		})
		before := f.String()
		fold(f, new(analysis.Summaries))
		if err := ssa.Verify(m); err != nil {
			t.Error(err)
		}
		var got []string
		for _, v := range f.Body.Terminator().Args {
			text := v.String()
			if v.Def != nil {
				text = v.Def.String()[strings.Index(v.Def.String(), "= ")+2:]
			}
			got = append(got, text)
		}
		want := map[ssa.Type][]string{
			ssa.Int64:   {"w.v1", "w.v1", "neg w.v1", "neg w.v1", "v.v0", "v.v0", "const -3", "const -7", "sub", "add", "const -6", "w.v1", "w.v1", "const 72", "sub", "const false", "const true", "const false"},
			ssa.Uint8:   {"w.v1", "w.v1", "neg w.v1", "neg w.v1", "v.v0", "v.v0", "const 253", "const 249", "sub", "add", "const 250", "w.v1", "w.v1", "const 72", "sub", "const false", "const true", "const true"},
			ssa.Float64: {"sub", "sub", "sub", "sub", "add", "add", "sub", "sub", "sub", "add", "sub", "sub", "sub", "sub", "sub", "eq", "ne", "eq"}, // which round
		}[typ]
		for i, text := range got {
			if text != want[i] && !strings.HasPrefix(text, want[i]+" ") {
				t.Errorf("result %d of %v is %s, want %s:\n%s", i, typ, text, want[i], before)
			}
		}
	}
}

// TestUnaryIdentities folds two conversions, or two of the other operations of
// one operand.
func TestUnaryIdentities(t *testing.T) {
	type step struct {
		op ssa.Op
		to ssa.Type
	}
	for _, c := range []struct {
		typ   ssa.Type
		steps []step
		same  bool
	}{
		{ssa.Bool, []step{{ssa.OpNot, ssa.Bool}, {ssa.OpNot, ssa.Bool}}, true},
		{ssa.Int64, []step{{ssa.OpCom, ssa.Int64}, {ssa.OpCom, ssa.Int64}}, true},
		{ssa.Int64, []step{{ssa.OpNeg, ssa.Int64}, {ssa.OpNeg, ssa.Int64}}, true},
		{ssa.Float32, []step{{ssa.OpNeg, ssa.Float32}, {ssa.OpNeg, ssa.Float32}}, true},
		{ssa.Int64, []step{{ssa.OpNeg, ssa.Int64}, {ssa.OpCom, ssa.Int64}}, false},
		{ssa.Float32, []step{{ssa.OpBitcast, ssa.Uint32}, {ssa.OpBitcast, ssa.Float32}}, true},
		{ssa.Int64, []step{{ssa.OpConvert, ssa.Int64}}, true},
		{ssa.Int32, []step{{ssa.OpConvert, ssa.Int64}, {ssa.OpConvert, ssa.Int32}}, true},
		{ssa.Int32, []step{{ssa.OpConvert, ssa.Uint32}, {ssa.OpConvert, ssa.Int32}}, true},
		{ssa.Int32, []step{{ssa.OpConvert, ssa.Int16}, {ssa.OpConvert, ssa.Int32}}, false},
		{ssa.Int32, []step{{ssa.OpConvert, ssa.Float64}, {ssa.OpConvert, ssa.Int32}}, true},
		{ssa.Int64, []step{{ssa.OpConvert, ssa.Float64}, {ssa.OpConvert, ssa.Int64}}, false},
		{ssa.Int32, []step{{ssa.OpConvert, ssa.Float32}, {ssa.OpConvert, ssa.Int32}}, false},
		{ssa.Uint16, []step{{ssa.OpConvert, ssa.Float32}, {ssa.OpConvert, ssa.Uint16}}, true},
		{ssa.Float32, []step{{ssa.OpConvert, ssa.Float64}, {ssa.OpConvert, ssa.Float32}}, false}, // quiets a signalling NaN
		{ssa.Float64, []step{{ssa.OpConvert, ssa.Int64}, {ssa.OpConvert, ssa.Float64}}, false},
	} {
		m := &ssa.Module{}
		f := ssatest.AddFunc(m, "f", false, []*ssa.Value{ssatest.Arg(c.typ, "v")}, []ssa.Type{c.typ}, func(b ssatest.Builder, p []*ssa.Value) {
			v := p[0]
			for _, s := range c.steps {
				v = b.Append(&ssa.Instr{Op: s.op, Args: []*ssa.Value{v}}, s.to).Result()
			}
			b.Return(v)
		})
		before := f.String()
		fold(f, new(analysis.Summaries))
		if same := f.Body.Terminator().Args[0] == f.Params()[0]; same != c.same {
			t.Errorf("folded to the parameter: %v, want %v:\n%s", same, c.same, before)
		}
	}
}

// TestDivided adds the remainder of a division to the quotient times the divisor, which is what was divided.
func TestDivided(t *testing.T) {
	for _, c := range []struct {
		typ           ssa.Basic
		div, mul, rem int64
		want          bool
	}{
		{ssa.Int64, 16, 16, 16, true}, {ssa.Int8, -1, -1, -1, true}, {ssa.Int8, -128, -128, -128, true}, {ssa.Uint8, 255, 255, 255, true}, {ssa.Int32, 1, 1, 1, true},
		{ssa.Int64, 0, 0, 0, false}, // a division by 0 gives 0, and leaves 0
		{ssa.Int64, 16, 8, 16, false}, {ssa.Int64, 8, 16, 16, false}, {ssa.Int64, 16, 16, 8, false}, {ssa.Int64, 16, -16, 16, false},
	} {
		for order := range 4 {
			f := ssa.NewFunc("f")
			b := ssatest.Builder{Block: f.Body}
			x, y := f.Body.AddParam(c.typ, "x"), f.Body.AddParam(c.typ, "y")
			sum := func(of *ssa.Value) *ssa.Instr {
				factors := []*ssa.Value{b.Op(ssa.OpDiv, x, b.Int(c.typ, c.div)), b.Int(c.typ, c.mul)}
				if order%2 == 1 {
					slices.Reverse(factors)
				}
				terms := []*ssa.Value{b.Op(ssa.OpMul, factors...), b.Op(ssa.OpRem, of, b.Int(c.typ, c.rem))}
				if order/2 == 1 {
					slices.Reverse(terms)
				}
				return b.Op(ssa.OpAdd, terms...).Def
			}
			if same, _ := simplify(sum(x)); (same == x) != c.want {
				t.Errorf("%+v: %v", c, same)
			}
			if same, _ := simplify(sum(y)); same != nil {
				t.Errorf("%+v, and what another number leaves: %v", c, same)
			}
		}
	}
}

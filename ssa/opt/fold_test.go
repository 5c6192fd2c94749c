package opt

import (
	"math"
	"math/big"
	"math/bits"
	"runtime"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// checkFolds folds one instruction on constants and compares the bits of its
// results with what Go gives. Where that is a NaN made by the processor, the
// instruction must stay.
func checkFolds(t *testing.T, in *ssa.Instr, args []ssa.Const, want ...uint64) {
	t.Helper()
	f := ssa.NewFunc("f")
	var results []ssa.Type
	for _, r := range in.Results {
		f.Results = append(f.Results, r.Type)
		results = append(results, r.Type)
	}
	b := ssatest.Builder{Block: f.Body}
	made := &ssa.Instr{Op: in.Op, Math: in.Math}
	for i, a := range in.Args {
		made.Args = append(made.Args, b.Constant(a.Type, args[i]))
	}
	b.Append(made, results...)
	b.Return(made.Results...)

	nan := false
	for i := range want {
		nan = nan || ssatest.IsNaNBits(results[i], want[i])
	}
	exactNaN := in.Op == ssa.OpNeg || in.Op == ssa.OpMath && (in.Math == ssa.Abs || in.Math == ssa.Copysign) || in.Op == ssa.OpBitcast ||
		in.Op == ssa.OpConvert && results[0] == in.Args[0].Type
	fold(f, new(analysis.Summaries))
	for i, v := range f.Body.Terminator().Args {
		c, ok := v.Const()
		switch {
		case nan && !exactNaN:
			if ok {
				t.Errorf("folded to a NaN: %s", describe(in, args))
			}
		case !ok:
			t.Errorf("not folded: %s, want %#x", describe(in, args), want[i])
		case c.Uint() != want[i]:
			t.Errorf("%s: result %d is %#x, Go gives %#x", describe(in, args), i, c.Uint(), want[i])
		}
	}
}

// describe is an instruction with constants for operands.
func describe(in *ssa.Instr, args []ssa.Const) string {
	s := in.Op.String()
	if in.Op == ssa.OpMath {
		s += " " + in.Math.String()
	}
	for i, a := range args {
		s += " " + in.Args[i].Type.String() + "(" + a.Format(in.Args[i].Type) + ")"
	}
	return s
}

// instrOf is an unplaced instruction with operands and a result of the types.
func instrOf(op ssa.Op, result ssa.Type, operands ...ssa.Type) *ssa.Instr {
	in := &ssa.Instr{Op: op, Results: []*ssa.Value{{Type: result}}}
	for _, t := range operands {
		in.Args = append(in.Args, &ssa.Value{Type: t})
	}
	return in
}

// Products and divisions of 128 bits are folded: both results.
func TestFoldWide(t *testing.T) {
	wide := func(op ssa.Op, operands ...ssa.Type) *ssa.Instr {
		in := instrOf(op, ssa.Uint64, operands...)
		in.Results = append(in.Results, &ssa.Value{Type: ssa.Uint64})
		return in
	}
	product, division := wide(ssa.OpMulWide, ssa.Uint64, ssa.Uint64), wide(ssa.OpDivWide, ssa.Uint64, ssa.Uint64, ssa.Uint64)
	of := func(x uint64) ssa.Const { return ssa.IntConst(ssa.Uint64, x) }
	numbers := []uint64{0, 1, 3, 1 << 32, 1<<32 - 1, 1 << 63, 1<<64 - 1, 0x123456789abcdef}
	for _, x := range numbers {
		for _, y := range numbers {
			hi, lo := bits.Mul64(x, y)
			checkFolds(t, product, []ssa.Const{of(x), of(y)}, hi, lo)
			for _, z := range numbers {
				var quo, rem uint64
				if z > x {
					quo, rem = bits.Div64(x, y, z)
				}
				checkFolds(t, division, []ssa.Const{of(x), of(y), of(z)}, quo, rem)
			}
		}
	}
}

func TestFoldOperations(t *testing.T) {
	for op := ssa.OpAdd; op <= ssa.OpMax; op++ {
		for _, typ := range append([]ssa.Type{ssa.Bool}, ssatest.NumericTypes...) {
			if !op.Takes(typ) {
				continue
			}
			result := typ
			if op.IsComparison() {
				result = ssa.Bool
			}
			for _, a := range ssatest.Interesting(typ) {
				switch {
				case op.Operands() == 1:
					checkFolds(t, instrOf(op, result, typ), []ssa.Const{a}, goOp(op, typ, a.Uint(), 0))
				case op.IsShift():
					for _, count := range []ssa.Type{ssa.Int8, ssa.Int64, ssa.Uint8, ssa.Uint32, ssa.Uint64} {
						for _, b := range ssatest.Interesting(count) {
							checkFolds(t, instrOf(op, result, typ, count), []ssa.Const{a, b}, goOp(op, typ, a.Uint(), b.Uint()))
						}
					}
				default:
					for _, b := range ssatest.Interesting(typ) {
						checkFolds(t, instrOf(op, result, typ, typ), []ssa.Const{a, b}, goOp(op, typ, a.Uint(), b.Uint()))
					}
				}
			}
		}
	}
}

func TestFoldConversions(t *testing.T) {
	for _, from := range ssatest.NumericTypes {
		for _, to := range ssatest.NumericTypes {
			for _, x := range ssatest.Interesting(from) {
				if ssa.IsFloat(from) && ssa.IsInteger(to) && runtime.GOARCH != "amd64" && !fits(to, x.Float(from)) {
					continue // what does not fit is amd64's everywhere; Go here may differ
				}
				checkFolds(t, instrOf(ssa.OpConvert, to, from), []ssa.Const{x}, goConvert(to, from, x.Uint()))
			}
		}
	}
	for _, c := range [][2]ssa.Type{{ssa.Float32, ssa.Uint32}, {ssa.Uint32, ssa.Float32}, {ssa.Float64, ssa.Uint64}, {ssa.Uint64, ssa.Float64}} {
		for _, x := range ssatest.Interesting(c[0]) {
			checkFolds(t, instrOf(ssa.OpBitcast, c[1], c[0]), []ssa.Const{x}, x.Uint())
		}
	}
}

// fits reports whether an integer type holds a float, truncated.
func fits(t ssa.Type, f float64) bool {
	lowest, limit := 0.0, math.Ldexp(1, ssa.Bits(t))
	if ssa.IsSigned(t) {
		limit /= 2
		lowest = -limit
	}
	f = math.Trunc(f)
	return f >= lowest && f < limit
}

func TestFoldMath(t *testing.T) {
	ints := []int64{0, 1, -1, 3, -30, 130, -200, 1100, -1100}
	for m := ssa.Math(1); m < ssa.NumMath; m++ {
		for _, typ := range []ssa.Type{ssa.Float32, ssa.Float64} {
			params, results := m.Signature(typ)
			var try func(args []ssa.Const, f []float64, i int64)
			try = func(args []ssa.Const, f []float64, i int64) {
				if len(args) < len(params) {
					if params[len(args)] == ssa.Int64 {
						for _, i := range ints {
							try(append(args[:len(args):len(args)], ssa.IntConst(ssa.Int64, uint64(i))), f, i)
						}
						return
					}
					floats := ssatest.Interesting(typ)
					if m == ssa.FMA { // three operands: a third of the values
						floats = floats[len(args)*3 : len(args)*3+30]
					}
					for _, c := range floats {
						try(append(args[:len(args):len(args)], c), append(f[:len(f):len(f)], c.Float(typ)), i)
					}
					return
				}
				in := &ssa.Instr{Op: ssa.OpMath, Math: m}
				for _, p := range params {
					in.Args = append(in.Args, &ssa.Value{Type: p})
				}
				for _, r := range results {
					in.Results = append(in.Results, &ssa.Value{Type: r})
				}
				if m == ssa.FMA && typ == ssa.Float32 {
					return // TestFoldFMA32
				}
				checkFolds(t, in, args, goMath(m, typ, f, i)...)
			}
			if m.Exact() {
				try(nil, nil, 0)
			}
		}
	}
}

// TestFoldFMA32 compares with exact arithmetic: rounding twice, by way of
// float64, would be wrong for some of these.
func TestFoldFMA32(t *testing.T) {
	values := []float32{0, 1, -1, 0.5, 3, 1 + 0x1p-23, 1 - 0x1p-24, 1 + 0x1p-12, 0x1p-60, 0x1p-126, 0x1p-149, 0x1p60, 0x1.fffffep127, 0x1.000002p-100, -0x1.8p-30}
	for _, x := range values {
		for _, y := range values {
			for _, z := range values {
				exact := new(big.Float).SetPrec(2000).SetFloat64(float64(x))
				exact.Mul(exact, big.NewFloat(float64(y)))
				exact.Add(exact, big.NewFloat(float64(z)))
				want, _ := exact.Float32()
				if exact.Sign() == 0 {
					want = x*y + z // nothing is rounded here, and zeros have signs
				}
				in := instrOf(ssa.OpMath, ssa.Float32, ssa.Float32, ssa.Float32, ssa.Float32)
				in.Math = ssa.FMA
				checkFolds(t, in, []ssa.Const{ssa.Float32Const(x), ssa.Float32Const(y), ssa.Float32Const(z)}, toBits(want))
			}
		}
	}
}

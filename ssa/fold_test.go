package ssa

import (
	"math"
	"math/big"
	"runtime"
	"testing"
)

var numericTypes = []Type{Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Float32, Float64}

// interesting are constants of a type at which operations differ.
func interesting(t Type) []Const {
	if cs, ok := interestingOf[t]; ok {
		return cs
	}
	interestingOf[t] = interestingConsts(t)
	return interestingOf[t]
}

var interestingOf = make(map[Type][]Const)

func interestingConsts(t Type) []Const {
	var cs []Const
	switch {
	case t == Bool:
		return []Const{BoolConst(false), BoolConst(true)}
	case IsFloat(t):
		for _, f := range []float64{0, 1, 0.5, 1.5, 2.5, 3, 0.1, 1e-3, 7, 100.7, 127, 128, 200.5, 255, 256, 300.25, 32767, 32768, 65535.5, 65536,
			1<<24 + 1, 1<<31 - 1, 1<<31 - 0.5, 1 << 31, 1<<32 - 1, 1 << 32, 1<<40 + 3, 1 << 53, 1<<62 + 4096, 1 << 63, 1<<63 + 4096, 1<<64 - 4096, 1 << 64, 1e30, 1e-30, 1e-40, 1e-310,
			math.MaxFloat32, math.SmallestNonzeroFloat32, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.NaN()} {
			cs = append(cs, FloatConst(t, f), FloatConst(t, math.Copysign(f, -1)))
		}
		return cs
	}
	seen := make(map[Const]bool)
	for _, x := range []int64{0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255, 256, 1<<15 - 1, 1 << 15, 1<<16 - 1, 1 << 24, 1<<24 + 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 53, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64, math.MinInt64} {
		for _, y := range []int64{x, -x, ^x} {
			if c := IntConst(t, uint64(y)); !seen[c] {
				seen[c] = true
				cs = append(cs, c)
			}
		}
	}
	return cs
}

// isNaNBits reports whether bits are a NaN of a float type.
func isNaNBits(t Type, bits uint64) bool {
	return IsFloat(t) && math.IsNaN(Const{bits: bits}.Float(t))
}

// checkFolds folds one instruction on constants and compares the bits of its
// results with what Go gives. Where that is a NaN made by the processor, the
// instruction must stay.
func checkFolds(t *testing.T, in *Instr, args []Const, want ...uint64) {
	t.Helper()
	f := NewFunc("f")
	var results []Type
	for _, r := range in.Results {
		f.Results = append(f.Results, r.Type)
		results = append(results, r.Type)
	}
	b := builder{f.Body}
	made := &Instr{Op: in.Op, Math: in.Math}
	for i, a := range in.Args {
		made.Args = append(made.Args, b.constant(a.Type, args[i]))
	}
	b.Append(made, results...)
	b.ret(made.Results...)

	nan := false
	for i := range want {
		nan = nan || isNaNBits(results[i], want[i])
	}
	exactNaN := in.Op == OpNeg || in.Op == OpMath && (in.Math == Abs || in.Math == Copysign) || in.Op == OpBitcast ||
		in.Op == OpConvert && results[0] == in.Args[0].Type
	fold(f)
	for i, v := range f.Body.Terminator().Args {
		c, ok := v.Const()
		switch {
		case nan && !exactNaN:
			if ok {
				t.Errorf("folded to a NaN: %s", describe(in, args))
			}
		case !ok:
			t.Errorf("not folded: %s, want %#x", describe(in, args), want[i])
		case c.bits != want[i]:
			t.Errorf("%s: result %d is %#x, Go gives %#x", describe(in, args), i, c.bits, want[i])
		}
	}
}

// describe is an instruction with constants for operands.
func describe(in *Instr, args []Const) string {
	s := in.Op.String()
	if in.Op == OpMath {
		s += " " + in.Math.String()
	}
	for i, a := range args {
		s += " " + in.Args[i].Type.String() + "(" + a.Format(in.Args[i].Type) + ")"
	}
	return s
}

// instrOf is an unplaced instruction with operands and a result of the types.
func instrOf(op Op, result Type, operands ...Type) *Instr {
	in := &Instr{Op: op, Results: []*Value{{Type: result}}}
	for _, t := range operands {
		in.Args = append(in.Args, &Value{Type: t})
	}
	return in
}

func TestFoldOperations(t *testing.T) {
	for op := OpAdd; op <= OpMax; op++ {
		info := ops[op]
		for _, typ := range append([]Type{Bool}, numericTypes...) {
			if !info.operands.includes(typ) {
				continue
			}
			result := typ
			if info.shape == shapeComparison {
				result = Bool
			}
			for _, a := range interesting(typ) {
				switch info.shape {
				case shapeUnary:
					checkFolds(t, instrOf(op, result, typ), []Const{a}, goOp(op, typ, a.bits, 0))
				case shapeShift:
					for _, count := range []Type{Int8, Int64, Uint8, Uint32, Uint64} {
						for _, b := range interesting(count) {
							checkFolds(t, instrOf(op, result, typ, count), []Const{a, b}, goOp(op, typ, a.bits, b.bits))
						}
					}
				default:
					for _, b := range interesting(typ) {
						checkFolds(t, instrOf(op, result, typ, typ), []Const{a, b}, goOp(op, typ, a.bits, b.bits))
					}
				}
			}
		}
	}
}

func TestFoldConversions(t *testing.T) {
	for _, from := range numericTypes {
		for _, to := range numericTypes {
			for _, x := range interesting(from) {
				if IsFloat(from) && IsInteger(to) && runtime.GOARCH != "amd64" && !holds(to, x.Float(from)) {
					continue // what does not fit is amd64's everywhere; Go here may differ
				}
				checkFolds(t, instrOf(OpConvert, to, from), []Const{x}, goConvert(to, from, x.bits))
			}
		}
	}
	for _, c := range [][2]Type{{Float32, Uint32}, {Uint32, Float32}, {Float64, Uint64}, {Uint64, Float64}} {
		for _, x := range interesting(c[0]) {
			checkFolds(t, instrOf(OpBitcast, c[1], c[0]), []Const{x}, x.bits)
		}
	}
}

// holds reports whether an integer type holds a float, truncated.
func holds(t Type, f float64) bool {
	lowest, limit := 0.0, math.Ldexp(1, Bits(t))
	if IsSigned(t) {
		limit /= 2
		lowest = -limit
	}
	f = math.Trunc(f)
	return f >= lowest && f < limit
}

func TestFoldMath(t *testing.T) {
	ints := []int64{0, 1, -1, 3, -30, 130, -200, 1100, -1100}
	for m := mathInvalid + 1; m < numMath; m++ {
		for _, typ := range []Type{Float32, Float64} {
			params, results := m.Signature(typ)
			var try func(args []Const, f []float64, i int64)
			try = func(args []Const, f []float64, i int64) {
				if len(args) < len(params) {
					if params[len(args)] == Int64 {
						for _, i := range ints {
							try(append(args[:len(args):len(args)], IntConst(Int64, uint64(i))), f, i)
						}
						return
					}
					floats := interesting(typ)
					if m == FMA { // three operands: a third of the values
						floats = floats[len(args)*3 : len(args)*3+30]
					}
					for _, c := range floats {
						try(append(args[:len(args):len(args)], c), append(f[:len(f):len(f)], c.Float(typ)), i)
					}
					return
				}
				in := &Instr{Op: OpMath, Math: m}
				for _, p := range params {
					in.Args = append(in.Args, &Value{Type: p})
				}
				for _, r := range results {
					in.Results = append(in.Results, &Value{Type: r})
				}
				if m == FMA && typ == Float32 {
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
				in := instrOf(OpMath, Float32, Float32, Float32, Float32)
				in.Math = FMA
				checkFolds(t, in, []Const{Float32Const(x), Float32Const(y), Float32Const(z)}, toBits(want))
			}
		}
	}
}

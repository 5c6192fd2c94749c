package lower

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"strings"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// mathFuncs are the functions of package math that are operations, by their Go
// names. Packages qd and mathx have generic twins of all but Dim.
var mathFuncs = map[string]ssa.Math{
	"Abs": ssa.Abs, "Acos": ssa.Acos, "Acosh": ssa.Acosh, "Asin": ssa.Asin, "Asinh": ssa.Asinh,
	"Atan": ssa.Atan, "Atan2": ssa.Atan2, "Atanh": ssa.Atanh,
	"Cbrt": ssa.Cbrt, "Ceil": ssa.Ceil, "Copysign": ssa.Copysign, "Cos": ssa.Cos, "Cosh": ssa.Cosh,
	"Dim": ssa.Dim,
	"Erf": ssa.Erf, "Erfc": ssa.Erfc, "Erfcinv": ssa.Erfcinv, "Erfinv": ssa.Erfinv,
	"Exp": ssa.Exp, "Exp2": ssa.Exp2, "Expm1": ssa.Expm1,
	"FMA": ssa.FMA, "Floor": ssa.Floor, "Frexp": ssa.Frexp, "Gamma": ssa.Gamma, "Hypot": ssa.Hypot,
	"Ilogb": ssa.Ilogb, "Inf": ssa.Inf, "IsInf": ssa.IsInf, "IsNaN": ssa.IsNaN,
	"J0": ssa.J0, "J1": ssa.J1, "Jn": ssa.Jn, "Ldexp": ssa.Ldexp, "Lgamma": ssa.Lgamma,
	"Log": ssa.Log, "Log10": ssa.Log10, "Log1p": ssa.Log1p, "Log2": ssa.Log2, "Logb": ssa.Logb,
	"Max": ssa.MathMax, "Min": ssa.MathMin, "Mod": ssa.Mod, "Modf": ssa.Modf,
	"Nextafter": ssa.Nextafter, "Nextafter32": ssa.Nextafter,
	"Pow": ssa.Pow, "Pow10": ssa.Pow10, "Remainder": ssa.Remainder,
	"Round": ssa.Round, "RoundToEven": ssa.RoundToEven, "Signbit": ssa.Signbit,
	"Sin": ssa.Sin, "Sincos": ssa.Sincos, "Sinh": ssa.Sinh, "Sqrt": ssa.Sqrt,
	"Tan": ssa.Tan, "Tanh": ssa.Tanh, "Trunc": ssa.Trunc,
	"Y0": ssa.Y0, "Y1": ssa.Y1, "Yn": ssa.Yn,
}

// An operation lowers the call of a function that devices have.
type operation func(e *ast.CallExpr, f *eval.Func) []*ssa.Value

// intrinsics are the calls that are operations, and no functions in Go.
type intrinsics struct{ b *builder }

// operation is how a function of package math, math/bits, mathx or qd is lowered, nil for one
// that is lowered like any other, from its body.
func (is intrinsics) operation(f *types.Func) operation {
	if eval.IsMadeError(f) {
		return func(_ *ast.CallExpr, f *eval.Func) []*ssa.Value { return []*ssa.Value{f.Recv} }
	}
	if f.Pkg() == nil || f.Signature().Recv() != nil {
		return nil
	}
	switch f.Pkg().Path() {
	case "math":
		return is.mathCall
	case "math/bits":
		switch f.Name() {
		case "Mul64":
			return is.wideCall(ssa.OpMulWide)
		case "divide": // by Div64
			return is.wideCall(ssa.OpDivWide)
		}
		if op, ok := bitsOps[strings.TrimRight(f.Name(), "0123456789")]; ok {
			return func(e *ast.CallExpr, f *eval.Func) []*ssa.Value { return is.bitsCall(e, f.Obj, op) }
		}
	case "errors":
		switch f.Name() {
		case "Is":
			return is.errorIs
		case "New":
			return is.errorNew
		}
	case "slices", "crypto/internal/fips140/alias":
		if f.Name() == "overlaps" || f.Name() == "AnyOverlap" {
			return is.overlaps
		}
	case "fmt":
		return is.b.texts.operation(f.Name())
	case "strconv":
		return is.b.texts.conversion(f.Name())
	case load.QDPath:
		return is.qdOperation(f.Name())
	case load.MathPath:
		if _, ok := mathFuncs[f.Name()]; ok {
			return is.twinCall
		}
	case load.TilePath:
		return is.b.tiles.operation(f.Name())
	}
	return nil
}

// bitsOps are the functions of package math/bits that are operations, without the
// number of bits.
var bitsOps = map[string]ssa.BitsOp{
	"Len": ssa.BitsLen, "TrailingZeros": ssa.BitsTrailingZeros, "OnesCount": ssa.BitsOnesCount,
	"Reverse": ssa.BitsReverse, "ReverseBytes": ssa.BitsReverseBytes,
}

func (is intrinsics) bitsCall(e *ast.CallExpr, f *types.Func, op ssa.BitsOp) []*ssa.Value {
	if !is.b.m.Arity(e, 1) {
		return eval.Poisons(1)
	}
	x := is.b.expr(e.Args[0])
	t := ssa.Type(ssa.Int64)
	if !op.CountsBits() {
		t, _ = is.b.m.TypeOf(f.Signature().Results().At(0).Type())
	}
	if x == eval.Poison {
		return eval.Poisons(1)
	}
	return []*ssa.Value{is.b.Compute(e.Pos(), &ssa.Instr{Op: ssa.OpBits, Bits: op, Args: []*ssa.Value{x}}, t)}
}

// wideCall lowers a call of a function of package math/bits that has two results.
func (is intrinsics) wideCall(op ssa.Op) operation {
	return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
		args := is.b.exprList(e.Args)
		if len(args) != op.Operands() || eval.AnyPoison(args) {
			return eval.Poisons(2)
		}
		in := &ssa.Instr{Op: op, Args: args}
		known := make([]ssa.Const, 0, len(args))
		for _, a := range args {
			if c, ok := is.b.KnownConst(a); ok {
				known = append(known, c)
			}
		}
		if len(known) == len(args) {
			x, y, _ := ssa.EvaluatePair(in, known)
			return []*ssa.Value{is.b.Constant(e.Pos(), ssa.Uint64, x), is.b.Constant(e.Pos(), ssa.Uint64, y)}
		}
		return is.b.Emit(e.Pos(), in, ssa.Uint64, ssa.Uint64).Results
	}
}

// mathCall lowers a call of a function of package math.
func (is intrinsics) mathCall(e *ast.CallExpr, f *eval.Func) []*ssa.Value {
	obj := f.Obj
	switch obj.Name() {
	case "Float32bits":
		return is.bitcast(e, ssa.Uint32)
	case "Float32frombits":
		return is.bitcast(e, ssa.Float32)
	case "Float64bits":
		return is.bitcast(e, ssa.Uint64)
	case "Float64frombits":
		return is.bitcast(e, ssa.Float64)
	case "Nextafter32":
		return is.floatCall(e, obj, ssa.Float32)
	}
	return is.floatCall(e, obj, ssa.Float64)
}

func (is intrinsics) bitcast(e *ast.CallExpr, t ssa.Type) []*ssa.Value {
	if !is.b.m.Arity(e, 1) {
		return eval.Poisons(1)
	}
	return []*ssa.Value{is.b.Op(e.Pos(), ssa.OpBitcast, t, is.b.expr(e.Args[0]))}
}

// floatCall lowers a function of package math, or its twin of package qd or mathx, for a
// float type.
func (is intrinsics) floatCall(e *ast.CallExpr, obj *types.Func, t ssa.Type) []*ssa.Value {
	if obj.Name() == "NaN" {
		return []*ssa.Value{is.b.Constant(e.Pos(), t, ssa.FloatConst(t, math.NaN()))}
	}
	f, ok := mathFuncs[obj.Name()]
	if !ok {
		is.b.m.Refuse(e.Fun, "write it in Go", "%s is not supported in a kernel", types.ExprString(e.Fun))
		return is.b.caller.refused(e)
	}
	if f == ssa.Inf && is.b.m.Arity(e, 1) {
		if c := is.b.Info.Types[e.Args[0]].Value; c != nil && c.Kind() == constant.Int {
			return []*ssa.Value{is.b.Constant(e.Pos(), t, ssa.FloatConst(t, math.Inf(constant.Sign(c))))}
		}
	}
	args := is.b.exprList(e.Args)
	if eval.AnyPoison(args) {
		return is.b.caller.refused(e)
	}
	params, results := f.Signature(t)
	if len(args) != len(params) {
		is.b.m.MustBeIllTyped("a call of " + obj.Name() + " with another number of arguments")
		return eval.Poisons(len(results))
	}
	in := &ssa.Instr{Op: ssa.OpMath, Math: f, Args: args}
	if len(results) == 1 {
		return []*ssa.Value{is.b.Compute(e.Pos(), in, results[0])}
	}
	return is.b.Emit(e.Pos(), in, results...).Results
}

var atomics = map[string]ssa.Atomic{
	"AtomicAdd": ssa.AtomicAdd, "AtomicMin": ssa.AtomicMin, "AtomicMax": ssa.AtomicMax,
	"AtomicAnd": ssa.AtomicAnd, "AtomicOr": ssa.AtomicOr, "AtomicXor": ssa.AtomicXor,
	"AtomicExch": ssa.AtomicExch, "AtomicCAS": ssa.AtomicCAS,
}

// qdOperation is the operation that a function of package qd is, nil if it is none.
func (is intrinsics) qdOperation(name string) operation {
	switch name {
	case "Static":
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value { return []*ssa.Value{is.b.markers.static(e)} }
	case "Dynamic":
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value { return []*ssa.Value{is.b.markers.dynamic(e)} }
	case "StaticAssert":
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
			is.b.markers.staticAssert(e)
			return nil
		}
	case "StaticPrint":
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
			is.b.markers.staticPrint(e)
			return nil
		}
	case "Printf":
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
			is.b.printer.printf(e)
			return nil
		}
	case "Assert":
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
			is.assert(e)
			return nil
		}
	case "Shared":
		return func(e *ast.CallExpr, f *eval.Func) []*ssa.Value { return []*ssa.Value{is.b.threads.shared(e, f)} }
	case "Local":
		return func(e *ast.CallExpr, f *eval.Func) []*ssa.Value { return []*ssa.Value{is.localArray(e, f)} }
	case "NewFunc": // f itself: what it captures, the front end sees
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
			if len(e.Args) == 0 {
				return eval.Poisons(1)
			}
			return []*ssa.Value{is.b.expr(e.Args[0])}
		}
	case "C":
		return is.b.markers.constCall
	case "Dim": // of a launch
		return nil
	case "NaN":
		return is.twinCall
	}
	if c, ok := ownChecks[name]; ok {
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
			if is.b.m.Arity(e, c.args) {
				is.b.check(e.Pos(), c.check, is.b.exprList(e.Args)...)
			}
			return nil
		}
	}
	if a, ok := atomics[name]; ok {
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value { return []*ssa.Value{is.atomic(e, a)} }
	}
	if _, ok := mathFuncs[name]; ok {
		return is.twinCall
	}
	return nil
}

// twinCall lowers a call of a twin that package qd or mathx has of a function of package math.
// It has one type parameter, the float type.
func (is intrinsics) twinCall(e *ast.CallExpr, f *eval.Func) []*ssa.Value {
	if len(f.Targs) == 0 {
		is.b.m.MustBeIllTyped("a call of " + f.Obj.Name() + " without a type argument")
		is.b.exprList(e.Args)
		return is.b.caller.refused(e)
	}
	t, ok := is.b.m.TypeOf(f.Targs[0])
	if !ok {
		is.b.m.MustBeIllTyped("a call of " + f.Obj.Name() + " for no float type")
		return is.b.caller.refused(e)
	}
	return is.floatCall(e, f.Obj, t)
}

// atomic lowers an atomic operation.
func (is intrinsics) atomic(e *ast.CallExpr, a ssa.Atomic) *ssa.Value {
	if !is.b.m.Arity(e, 1) {
		return eval.Poison
	}
	args := []*ssa.Value{is.b.expr(e.Args[0])}
	for _, arg := range e.Args[1:] {
		args = append(args, is.b.expr(arg))
	}
	if eval.AnyPoison(args) {
		return eval.Poison
	}
	ptr, ok := args[0].Type.(ssa.Pointer)
	if !ok {
		return is.b.NoValue("an atomic operation on a " + args[0].Type.String())
	}
	t := ptr.Elem
	is.b.checkNil(e.Args[0].Pos(), args[0])
	return is.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpAtomic, Atomic: a, Args: args}, t).Result()
}

// threadCall lowers the methods of qd.Thread.
func (is intrinsics) threadCall(e *ast.CallExpr, thread *ssa.Value, name string) []*ssa.Value {
	switch name {
	case "ID":
		return []*ssa.Value{is.threadID(e, thread, 0, 1)}
	case "ID2", "ID3", "ID4":
		rank := int(name[2] - '0')
		is.b.threads.needRank(e, rank)
		ids := make([]*ssa.Value, rank)
		for axis := range ids {
			ids[axis] = is.threadID(e, thread, axis, rank)
		}
		return ids
	case "Dim":
		if !is.b.m.Arity(e, 1) {
			break
		}
		axis := is.b.expr(e.Args[0])
		c, ok := is.b.KnownConst(axis)
		if !ok {
			is.b.DemandKnown(e.Args[0], axis, "the axis of Dim")
			break
		}
		n := c.Int()
		if n < 0 || n > 3 {
			is.b.m.Refuse(e.Args[0], "the axes of a launch are 0 to 3", "axis %d does not exist", n)
			break
		}
		in := is.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpThreadDim, Axis: int8(n), Args: []*ssa.Value{thread}}, ssa.Int64)
		return in.Results
	default:
		return is.b.threads.inBlock(e, thread, name)
	}
	return is.b.caller.refused(e)
}

func (is intrinsics) threadID(e *ast.CallExpr, thread *ssa.Value, axis, rank int) *ssa.Value {
	return is.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpThreadID, Axis: int8(axis), Rank: int8(rank), Args: []*ssa.Value{thread}}, ssa.Int64).Result()
}

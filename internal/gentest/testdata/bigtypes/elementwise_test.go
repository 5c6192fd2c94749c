package bigtypes

import (
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"testing"

	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big64"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int32s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int64s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int8s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/uint64s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/uint8s"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
	"github.com/qdgen/qd/u32"
)

// Every elementwise method of vectors and matrices, of packages f32, f64, i32 and u32 and of those that qdgen types
// writes, against the operation on single numbers, for all kinds of elements.

// numberOps are what elementwise methods do to an element v, where a and b are those of
// their arguments: func(v, a, b T) T, or bool for masks.
func numberOps[T qd.Number]() map[string]any {
	clamp := func(v, a, b T) T { return min(max(v, a), b) }
	sign := func(v, a, b T) T {
		switch {
		case v > 0:
			return 1
		case v < 0:
			return 0 - T(1)
		}
		return v
	}
	ops := map[string]any{
		"Add": func(v, a, b T) T { return v + a }, "AddScalar": func(v, a, b T) T { return v + a },
		"Sub": func(v, a, b T) T { return v - a }, "SubScalar": func(v, a, b T) T { return v - a },
		"Mul": func(v, a, b T) T { return v * a }, "MulElem": func(v, a, b T) T { return v * a }, "Scale": func(v, a, b T) T { return v * a },
		"Div": func(v, a, b T) T { return v / a }, "DivElem": func(v, a, b T) T { return v / a }, "DivScalar": func(v, a, b T) T { return v / a },
		"Neg": func(v, a, b T) T { return -v },
		"Min": func(v, a, b T) T { return min(v, a) }, "MinScalar": func(v, a, b T) T { return min(v, a) },
		"Max": func(v, a, b T) T { return max(v, a) }, "MaxScalar": func(v, a, b T) T { return max(v, a) },
		"Clamp": clamp, "ClampScalar": clamp,
		"Saturate": func(v, a, b T) T { return min(max(v, 0), 1) },
		"Abs":      func(v, a, b T) T { return max(v, 0) - min(v, 0) },
		"Sign":     sign,
		"Step": func(v, a, b T) T {
			if v < a {
				return 0
			}
			return 1
		},
		"Less": func(v, a, b T) bool { return v < a }, "LessEq": func(v, a, b T) bool { return v <= a },
		"Greater": func(v, a, b T) bool { return v > a }, "GreaterEq": func(v, a, b T) bool { return v >= a },
		"Equal": func(v, a, b T) bool { return v == a }, "NotEqual": func(v, a, b T) bool { return v != a },
		"IsNaN": func(v, a, b T) bool { return math.IsNaN(float64(v)) },
		"IsInf": func(v, a, b T) bool { return math.IsInf(float64(v), 0) },
		"Map":   func(v, a, b T) T { return mapped(v) }, "Map2": func(v, a, b T) T { return mapped2(v, a) },
	}
	return ops
}

// intOps are those that only integers have.
func intOps[T qd.Int]() map[string]any {
	return map[string]any{
		"Rem": func(v, a, b T) T { return v % a }, "And": func(v, a, b T) T { return v & a },
		"Or": func(v, a, b T) T { return v | a }, "Xor": func(v, a, b T) T { return v ^ a },
	}
}

// mapped and mapped2 are what Map and Map2 are given.
func mapped[T qd.Number](x T) T     { return x*x - x }
func mapped2[T qd.Number](x, y T) T { return x - y*y }

// floatOps are those that only floats have.
func floatOps[T qd.Float]() map[string]any {
	of := func(f func(T) T) func(v, a, b T) T { return func(v, a, b T) T { return f(v) } }
	of2 := func(f func(x, y T) T) func(v, a, b T) T { return func(v, a, b T) T { return f(v, a) } }
	lerp := func(v, a, t T) T { return v*(1-t) + a*t }
	return map[string]any{
		"Floor": of(qd.Floor[T]), "Ceil": of(qd.Ceil[T]), "Round": of(qd.Round[T]), "Trunc": of(qd.Trunc[T]),
		"Sqrt": of(qd.Sqrt[T]), "Exp": of(qd.Exp[T]), "Exp2": of(qd.Exp2[T]), "Log": of(qd.Log[T]), "Log2": of(qd.Log2[T]),
		"Sin": of(qd.Sin[T]), "Cos": of(qd.Cos[T]), "Tan": of(qd.Tan[T]), "Asin": of(qd.Asin[T]), "Acos": of(qd.Acos[T]), "Atan": of(qd.Atan[T]),
		"Atan2": of2(qd.Atan2[T]), "Pow": of2(qd.Pow[T]), "PowScalar": of2(qd.Pow[T]), "Mod": of2(qd.Mod[T]), "ModScalar": of2(qd.Mod[T]),
		"Sinh": of(qd.Sinh[T]), "Cosh": of(qd.Cosh[T]), "Tanh": of(qd.Tanh[T]), "Asinh": of(qd.Asinh[T]), "Acosh": of(qd.Acosh[T]), "Atanh": of(qd.Atanh[T]),
		"Log10": of(qd.Log10[T]), "RoundToEven": of(qd.RoundToEven[T]), "FMA": qd.FMA[T],
		"Radians": func(v, a, b T) T { return v * (math.Pi / 180) }, "Degrees": func(v, a, b T) T { return v * (180 / math.Pi) },
		"InvSqrt": func(v, a, b T) T { return 1 / qd.Sqrt(v) },
		"Fract":   func(v, a, b T) T { return v - qd.Floor(v) },
		"Lerp":    lerp, "Mix": lerp,
		"Smoothstep": func(v, lo, hi T) T {
			t := min(max((v-lo)/(hi-lo), 0), 1)
			return t * t * (3 - 2*t)
		},
	}
}

// otherMethods are not elementwise. They have tests of their own.
var otherMethods = regexp.MustCompile(`^([XYZW]{1,4}|Sh[lr]|Extend|Where|Arg(Min|Max)|Sum|Product|(Min|Max)Elem|Dot|Norm(Sq)?|Normalize|Distance|Angle|` +
	`Reflect|Refract|FaceForward|Project|Cross|Row|Col|With(Row|Col)|Diag|Transpose|T?MulVec|Trace|Frobenius|` +
	`Det|Adjugate|Inverse|LU|Solve|SolveMat|Cholesky|LDL|QR|SVD|Polar|SymEig|NearestPD|Transform.*|Decompose)$`)

func testElementwise[T qd.Number](t *testing.T, ops map[string]any, values []T, isFloat bool, types ...any) {
	t.Helper()
	for name, op := range numberOps[T]() {
		ops[name] = op
	}
	for _, zero := range types {
		typ := reflect.TypeOf(zero)
		random := rand.New(rand.NewPCG(1, 2))
		pick := func() T { return values[random.IntN(len(values))] }
		tried := 0
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			op := ops[m.Name]
			if m.Name == "Mul" && len(leaves[T](reflect.New(typ).Elem())) != typ.Len() {
				continue // the product of matrices
			}
			if op == nil {
				if !otherMethods.MatchString(m.Name) {
					t.Errorf("%v.%s has no test", typ, m.Name)
				}
				continue
			}
			tried++
			for range 40 {
				in := []reflect.Value{reflect.New(typ).Elem()}
				elems := [][]T{fill(in[0], pick)}
				for k := 1; k < m.Type.NumIn(); k++ {
					arg := reflect.New(m.Type.In(k)).Elem()
					in = append(in, arg)
					switch {
					case arg.Kind() == reflect.Func && arg.Type().NumIn() == 1:
						arg.Set(reflect.ValueOf(mapped[T]))
						continue
					case arg.Kind() == reflect.Func:
						arg.Set(reflect.ValueOf(mapped2[T]))
						continue
					}
					if arg.Kind() != reflect.Array { // a number for all
						x := pick()
						for x == 0 && m.Name == "DivScalar" && !isFloat {
							x = pick()
						}
						arg.Set(reflect.ValueOf(x))
						elems = append(elems, []T{x})
						continue
					}
					nonzero := func() T {
						for {
							if x := pick(); x != 0 || isFloat || m.Name != "Div" && m.Name != "DivElem" && m.Name != "Rem" {
								return x
							}
						}
					}
					elems = append(elems, fill(arg, nonzero))
				}
				got := m.Func.Call(in)[0]
				at := func(k, i int) (x T) {
					if k < len(elems) {
						x = elems[k][i%len(elems[k])]
					}
					return x
				}
				for i := range elems[0] {
					v, a, b := at(0, i), at(1, i), at(2, i)
					same := false
					var want any
					switch op := op.(type) {
					case func(v, a, b T) T:
						x, y := leaves[T](got)[i], op(v, a, b)
						same, want = identical(x, y), y
					case func(v, a, b T) bool:
						want = op(v, a, b)
						same = leaves[bool](got)[i] == want
					}
					if !same {
						t.Fatalf("%v.%s: element %d of %v, of %v, is not %v", typ, m.Name, i, got, elems, want)
					}
				}
			}
		}
		if tried < 20 {
			t.Errorf("%v: only %d methods", typ, tried)
		}
	}
}

// fill gives an array, of arrays perhaps, its elements, and returns them.
func fill[T any](v reflect.Value, next func() T) (elems []T) {
	for i := range v.Len() {
		if e := v.Index(i); e.Kind() == reflect.Array {
			elems = append(elems, fill(e, next)...)
		} else {
			x := next()
			e.Set(reflect.ValueOf(x))
			elems = append(elems, x)
		}
	}
	return elems
}

// leaves are the elements of an array, of arrays perhaps.
func leaves[T any](v reflect.Value) (elems []T) {
	for i := range v.Len() {
		if e := v.Index(i); e.Kind() == reflect.Array {
			elems = append(elems, leaves[T](e)...)
		} else {
			elems = append(elems, e.Interface().(T))
		}
	}
	return elems
}

// identical reports whether two numbers are the same, with the signs of zeros; NaNs are.
func identical[T qd.Number](x, y T) bool {
	if x != x || y != y {
		return x != x && y != y
	}
	return x == y && math.Signbit(float64(x)) == math.Signbit(float64(y))
}

func TestElementwise(t *testing.T) {
	negZero, inf := math.Copysign(0, -1), math.Inf(1)
	floats := []float64{0, negZero, 1, -1, 0.5, 1.5, -2.5, 7, 0.1, -0.3, 1e30, -1e-30, inf, -inf, math.NaN()}
	t.Run("float64", func(t *testing.T) {
		testElementwise(t, floatOps[float64](), floats, true,
			f64.Vec2{}, f64.Vec3{}, f64.Vec4{}, f64.Mat2{}, f64.Mat2x3{}, f64.Mat4x3{}, big64.Vec5{}, big64.Vec8{}, big64.Mat3x6{}, big64.Mat6x3{})
	})
	t.Run("float32", func(t *testing.T) {
		testElementwise(t, floatOps[float32](), converted[float32](floats), true,
			f32.Vec2{}, f32.Vec3{}, f32.Vec4{}, f32.Mat2{}, f32.Mat2x3{}, f32.Mat4x3{}, big32.Vec5{}, big32.Vec8{}, big32.Mat3x6{}, big32.Mat6x3{})
	})
	t.Run("int32", func(t *testing.T) {
		testElementwise(t, intOps[int32](), []int32{0, 1, -1, 5, math.MaxInt32, math.MinInt32}, false,
			i32.Vec2{}, i32.Vec3{}, i32.Vec4{}, i32.Mat2{}, i32.Mat2x3{}, i32.Mat4x3{}, int32s.Vec5{}, int32s.Vec10{}, int32s.Mat5x5{})
	})
	t.Run("uint32", func(t *testing.T) {
		testElementwise(t, intOps[uint32](), []uint32{0, 1, 5, math.MaxUint32, 1 << 31}, false,
			u32.Vec2{}, u32.Vec3{}, u32.Vec4{}, u32.Mat2{}, u32.Mat2x3{}, u32.Mat4x3{})
	})
	t.Run("int8", func(t *testing.T) {
		testElementwise(t, intOps[int8](), []int8{0, 1, -1, 2, 7, -100, 127, -128}, false,
			int8s.Vec2{}, int8s.Vec3{}, int8s.Vec4{}, int8s.Mat2{}, int8s.Mat2x3{}, int8s.Mat4x3{}, int8s.Vec5{}, int8s.Vec8{}, int8s.Mat3x6{}, int8s.Mat6x3{})
	})
	t.Run("uint8", func(t *testing.T) {
		testElementwise(t, intOps[uint8](), []uint8{0, 1, 2, 100, 254, 255}, false,
			uint8s.Vec2{}, uint8s.Vec3{}, uint8s.Vec4{}, uint8s.Mat2{}, uint8s.Mat2x3{}, uint8s.Mat4x3{}, uint8s.Vec5{}, uint8s.Vec8{}, uint8s.Mat3x6{}, uint8s.Mat6x3{})
	})
	t.Run("int64", func(t *testing.T) {
		testElementwise(t, intOps[int64](), []int64{0, 1, -1, 5, math.MaxInt64, math.MinInt64}, false,
			int64s.Vec2{}, int64s.Vec3{}, int64s.Vec4{}, int64s.Mat2{}, int64s.Mat2x3{}, int64s.Mat4x3{}, int64s.Vec5{}, int64s.Vec8{}, int64s.Mat3x6{}, int64s.Mat6x3{})
	})
	t.Run("uint64", func(t *testing.T) {
		testElementwise(t, intOps[uint64](), []uint64{0, 1, 5, math.MaxUint64, 1 << 63}, false,
			uint64s.Vec2{}, uint64s.Vec3{}, uint64s.Vec4{}, uint64s.Mat2{}, uint64s.Mat2x3{}, uint64s.Mat4x3{}, uint64s.Vec5{}, uint64s.Vec8{}, uint64s.Mat3x6{}, uint64s.Mat6x3{})
	})
}

func converted[T qd.Float](list []float64) (to []T) {
	for _, x := range list {
		to = append(to, T(x))
	}
	return to
}

// TestShifts shifts by as many bits as there are, and by more.
func TestShifts(t *testing.T) {
	v := i32.Vec4{1, -1, 5, math.MinInt32}
	if got, want := v.Shl(i32.Vec4{31, 1, 32, 1}), (i32.Vec4{math.MinInt32, -2, 0, 0}); got != want {
		t.Errorf("%v shifted left is %v, want %v", v, got, want)
	}
	if got, want := v.Shr(i32.Vec4{1, 40, 1, 31}), (i32.Vec4{0, -1, 2, -1}); got != want {
		t.Errorf("%v shifted right is %v, want %v", v, got, want)
	}
	if got, want := (u32.Vec2{1 << 31, 7}).Shr(u32.Vec2{31, 1}), (u32.Vec2{1, 3}); got != want {
		t.Errorf("shifted right: %v, want %v", got, want)
	}
}

// What only floats have is no method of integers.
func TestNoFloatMethods(t *testing.T) {
	for _, zero := range []any{i32.Vec3{}, u32.Mat4{}, uint8s.Vec5{}, int64s.Mat6x3{}} {
		typ := reflect.TypeOf(zero)
		for _, name := range []string{"Norm", "Normalize", "Sqrt", "Sin", "Lerp", "IsNaN", "Inverse", "Solve", "QR", "SVD", "SymEig"} {
			if _, found := typ.MethodByName(name); found {
				t.Errorf("%v has %s", typ, name)
			}
		}
	}
}

package comptime_test

import (
	"math"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

type op struct {
	_     int8
	scale float32
	names [2]string
	f     func(float64) float64
}

type pair[A, B any] struct {
	A A
	B B
}

type recursive []recursive

func half(x float64) float64 { return x / 2 }

func generic[T any](x T) T { return x }

func unknowable[T any]() T { var x T; return x }

func (o op) method(x float64) float64 { return float64(o.scale) * x }

type promoted struct{ op }

const pkg = "github.com/qdgen/qd/frontend/comptime_test."

// TestOf takes values of all kinds, and makes Go values of them again.
func TestOf(t *testing.T) {
	nan32 := math.Float32frombits(0x7f800001) // signaling: a conversion would change it
	nan64 := math.Float64frombits(0x7ff0000000000001)
	tests := []struct {
		v    any
		typ  string
		text string
	}{
		{true, "bool", "true"},
		{int8(-1), "int8", "-1"},
		{int64(math.MinInt64), "int64", "-9223372036854775808"},
		{uint64(math.MaxUint64), "uint64", "18446744073709551615"},
		{float32(1.5), "float32", "1.5"},
		{nan32, "float32", "NaN"},
		{nan64, "float64", "NaN"},
		{math.Copysign(0, -1), "float64", "-0"},
		{"a\"b", "string", `"a\"b"`},
		{[2]bool{true, false}, "[2]bool", "[2]bool{true, false}"},
		{[]int{1, 2}, "[]int", "[]int{1, 2}"},
		{map[string]int{"b": 1, "a": 2}, "map[string]int", `map[string]int{"a": 2, "b": 1}`},
		{half, "func(float64) float64", "half"},
		{math.Sqrt, "func(float64) float64", "Sqrt"},
		{generic[int8], "func(int8) int8", "generic[...]"},
		{op.method, "func(" + pkg + "op, float64) float64", "op.method"},
		{(func())(nil), "func()", "nil"},
		{op{scale: 2, names: [2]string{"x"}, f: half}, pkg + "op", `comptime_test.op{0, 2, [2]string{"x", ""}, half}`},
		{pair[op, *int]{}.A, pkg + "op", `comptime_test.op{0, 0, [2]string{"", ""}, nil}`},
		{pair[pair[int, bool], uint8]{}, pkg + "pair[" + pkg + "pair[int,bool],uint8]", "comptime_test.pair[comptime_test.pair[int,bool],uint8]{comptime_test.pair[int,bool]{0, false}, 0}"},
		{struct {
			X int
			y op `k:"v"`
		}{}, `struct{X int; y ` + pkg + `op "k:\"v\""}`, ""},
	}
	for _, test := range tests {
		v, err := comptime.Of(reflect.ValueOf(test.v), comptime.Slice, comptime.Map)
		if err != nil {
			t.Errorf("%T: %v", test.v, err)
			continue
		}
		if v.Type != test.typ || test.text != "" && v.String() != test.text {
			t.Errorf("%s of type %s, want %s of type %s", v, v.Type, test.text, test.typ)
		}
		back, err := v.As(reflect.TypeOf(test.v))
		if err != nil {
			t.Errorf("%v: %v", v, err)
			continue
		}
		if again, err := comptime.Of(back, comptime.Slice, comptime.Map); err != nil || string(again.Append(nil)) != string(v.Append(nil)) {
			t.Errorf("%v has become %v (%v)", v, again, err)
		}
	}
	if v, _ := comptime.Of(reflect.ValueOf(nan32)); v.Bits != 0x7f800001 {
		t.Errorf("NaN has become %#x", v.Bits)
	}
	if v, _ := comptime.Of(reflect.ValueOf(op{scale: nan32})); v.Elems[1].Bits != 0x7f800001 {
		t.Errorf("NaN in a struct has become %#x", v.Elems[1].Bits)
	}
}

// TestOfNilInterface takes a struct with a field that holds nothing, where the caller allows that.
func TestOfNilInterface(t *testing.T) {
	v, err := comptime.Of(reflect.ValueOf(struct {
		N   int
		Err error
	}{N: 3}), comptime.Interface)
	if err != nil || v.Elems[0].Bits != 3 || v.Elems[1].Kind != comptime.Interface || v.Elems[1].String() != "nil" {
		t.Fatalf("%v, %v", v, err)
	}
	if back, rest, err := comptime.Parse(v.Append(nil)); err != nil || len(rest) > 0 || !reflect.DeepEqual(back, v) {
		t.Errorf("%v has become %v (%v)", v, back, err)
	}
}

// TestOfRefuses tries what no kernel can know.
func TestOfRefuses(t *testing.T) {
	cycle := recursive{nil}
	cycle[0] = cycle
	for _, test := range []struct {
		v       any
		allowed []comptime.Kind
		want    string
	}{
		{new(int), nil, "a pointer (*int) cannot be a compile-time value"},
		{make(chan int), nil, "a value of type chan int cannot be a compile-time value"},
		{[]int{1}, nil, "a slice ([]int) cannot be a compile-time value; use an array"},
		{map[int]int{}, []comptime.Kind{comptime.Slice}, "a map (map[int]int) cannot be a compile-time value"},
		{struct{ X any }{1}, nil, "field X: an interface (interface {}) cannot be"},
		{struct{ X any }{1}, []comptime.Kind{comptime.Interface}, "field X: an interface (interface {}) cannot be"},
		{[2]struct{ e error }{}, nil, "element 0: field e: an interface (error)"},
		{map[string]*int{"k": nil}, []comptime.Kind{comptime.Map}, `the value of key "k": a pointer`},
		{op{}.method, nil, "op.method is a method value, which holds its receiver"},
		{promoted.method, nil, "promoted.method is a wrapper that the compiler made"},
		{unknowable[int], nil, "the type arguments of unknowable[...] are unknown"},
		{reflect.MakeFunc(reflect.TypeFor[func()](), nil).Interface(), nil, "a function made by package reflect"},
		{[comptime.MaxValues + 1]bool{}, nil, "a value of type [65537]bool has more than 65536 values"},
		{struct{ F [2][comptime.MaxValues]int8 }{}, nil, "a value of type struct { F [2][65536]int8 } has more than 65536 values"},
		{[comptime.MaxValues + 1]struct{}{}, nil, "a value of type [65537]struct {} has"},
		{[comptime.MaxValues/2 + 1]complex64{}, nil, "a value of type [32769]complex64 has"},
		{make([]int, 1<<17), []comptime.Kind{comptime.Slice}, "a value of type []int has"},
		{cycle, []comptime.Kind{comptime.Slice}, "nested more than 100 deep"},
	} {
		_, err := comptime.Of(reflect.ValueOf(test.v), test.allowed...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%T: %v, want %q", test.v, err, test.want)
		}
	}
	if _, err := comptime.Of(reflect.ValueOf(nil)); err == nil {
		t.Error("nil is taken")
	}
}

// TestOfAssembly takes a function in assembly, which the compiler wraps: its name says which it is.
func TestOfAssembly(t *testing.T) {
	v, err := comptime.Of(reflect.ValueOf(atomic.AddInt32))
	if err != nil {
		t.Fatal(err)
	}
	if v.Func == nil || v.Func.Pkg != "sync/atomic" || v.Func.Name != "AddInt32" {
		t.Errorf("it is %v", v.Func)
	}
}

// TestMaxValues takes values that are as large as they may be. What arrays and structs have in them counts, not they.
func TestMaxValues(t *testing.T) {
	for _, v := range []any{
		[comptime.MaxValues]uint16{}, struct {
			V [comptime.MaxValues / 2][2]bool
		}{}, [comptime.MaxValues]struct{ X string }{},
		[comptime.MaxValues / 2]complex128{},
	} {
		if _, err := comptime.Of(reflect.ValueOf(v)); err != nil {
			t.Error(err)
		}
	}
}

// TestAsRefuses tries to make Go values of other types.
func TestAsRefuses(t *testing.T) {
	for _, test := range []struct {
		v    comptime.Value
		t    reflect.Type
		want string
	}{
		{comptime.Value{Kind: comptime.Int, Type: "int", Bits: 300}, reflect.TypeFor[int8](), "300 of type int is no int8"},
		{comptime.Value{Kind: comptime.Int, Type: "int", Bits: 1}, reflect.TypeFor[uint](), "no uint"},
		{comptime.Value{Kind: comptime.Float64, Type: "float64"}, reflect.TypeFor[float32](), "no float32"},
		{comptime.Value{Kind: comptime.Bool, Type: "bool"}, reflect.TypeFor[int](), "no int"},
		{comptime.Value{Kind: comptime.String, Type: "string"}, reflect.TypeFor[[]byte](), "no []uint8"},
		{comptime.Value{Kind: comptime.Array, Type: "[0]int"}, reflect.TypeFor[[1]int](), "no [1]int"},
		{comptime.Value{Kind: comptime.Map, Type: "map[int]int"}, reflect.TypeFor[int](), "no int"},
		{comptime.Value{}, reflect.TypeFor[int](), "no int"},
	} {
		if _, err := test.v.As(test.t); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.v, err, test.want)
		}
	}
	nowhere, _ := comptime.Of(reflect.ValueOf(half))
	nowhere.Func.Name = "nowhere"
	if _, err := nowhere.As(reflect.TypeFor[func(float64) float64]()); err == nil || !strings.Contains(err.Error(), "function nowhere of type func(float64) float64 is known only to the compiler") {
		t.Error(err)
	}
	f, _ := comptime.Of(reflect.ValueOf(half))
	if _, err := f.As(reflect.TypeFor[func(int) int]()); err == nil || !strings.Contains(err.Error(), "function half of type func(int) int is known") {
		t.Error(err)
	}
}

func sizeOf[T any](x float64) float64 { var v T; return x * float64(reflect.TypeOf(v).Size()) }

// TestAsFunctions makes functions of what the front end calls them.
func TestAsFunctions(t *testing.T) {
	_, file, line, _ := runtime.Caller(0)
	literal := func(x float64) float64 { // line + 1
		return x + 5
	}
	for _, f := range []any{half, literal, generic[float64]} {
		if _, err := comptime.Of(reflect.ValueOf(f)); err != nil {
			t.Fatal(err)
		}
	}
	const pkg = "github.com/qdgen/qd/frontend/comptime_test"
	as := func(ref load.Ref) (float64, error) {
		v := comptime.Value{Kind: comptime.Func, Type: "func(float64) float64", Func: &ref}
		f, err := v.As(reflect.TypeFor[func(float64) float64]())
		if err != nil {
			return 0, err
		}
		return f.Interface().(func(float64) float64)(8), nil
	}
	for _, test := range []struct {
		ref  load.Ref
		want float64
	}{
		{load.Ref{Pkg: pkg, Name: "half"}, 4},
		{load.Ref{Pkg: pkg, File: "p/" + filepath.Base(file), Line: line + 1}, 13},
		{load.Ref{Pkg: pkg, Name: "comptime_test_func1", File: "p/" + filepath.Base(file), Line: line + 1}, 13}, // as a declaration
	} {
		if got, err := as(test.ref); got != test.want || err != nil {
			t.Errorf("%+v: %v, %v", test.ref, got, err)
		}
	}
	if _, err := as(load.Ref{Pkg: pkg, Name: "generic[float64]"}); err == nil {
		t.Error("an instance is guessed")
	}
	// Two instances that the runtime calls the same.
	one, _ := comptime.Of(reflect.ValueOf(sizeOf[int8]))
	if f, err := one.As(reflect.TypeFor[func(float64) float64]()); err != nil || f.Interface().(func(float64) float64)(3) != 3 {
		t.Error(err)
	}
	if _, err := comptime.Of(reflect.ValueOf(sizeOf[int64])); err != nil {
		t.Fatal(err)
	}
	if _, err := one.As(reflect.TypeFor[func(float64) float64]()); err == nil || !strings.Contains(err.Error(), "several functions") {
		t.Error(err)
	}
}

// TestRefOfLine finds the line where functions begin whose code begins later.
func TestRefOfLine(t *testing.T) {
	_, _, here, _ := runtime.Caller(0)
	for i, f := range []any{
		func(x float64) float64 { // here + 2
			return half(x) + 1
		},
		func() { // here + 5

			panic("x")
		},
	} {
		ref, err := comptime.RefOf(reflect.ValueOf(f))
		if want := here + []int{2, 5}[i]; err != nil || ref.Line != want {
			t.Errorf("%+v, %v, want line %d", ref, err, want)
		}
	}
}

var table = [...]float64{1, 2, 3}

func element(i int) float64 { return table[i%3] }

// TestRefOfInlined names functions that begin with the code of others.
func TestRefOfInlined(t *testing.T) {
	for _, f := range []any{
		func(x float64) float64 { return half(x) },
		func(x float64) float64 { return half(half(x)) },
		func(i int) float64 { return element(i) },
		func(x float64) float64 { return math.Abs(x) },
	} {
		ref, err := comptime.RefOf(reflect.ValueOf(f))
		if err != nil || !strings.HasPrefix(ref.Name, "TestRefOfInlined.func") || ref.Pkg != "github.com/qdgen/qd/frontend/comptime_test" {
			t.Errorf("%+v, %v", ref, err)
		}
	}
}

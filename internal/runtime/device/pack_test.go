package device_test

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"testing"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa"
)

type (
	vec3  [3]float32
	inner struct {
		on bool
		v  vec3
		w  float64
	}
	plain struct {
		a int8
		inner
		c uint16
		d [2]inner
		e bool
	}
	sliced struct {
		on bool
		x  []float32
		n  int16
		y  [2][]int8
	}
	tailed struct {
		X []float32
		_ [0]int64
	}
)

// ssaType is the type that a Go type is in the intermediate representation.
func ssaType(t reflect.Type) ssa.Type {
	switch t.Kind() {
	case reflect.Int:
		return ssa.Int64
	case reflect.Uint:
		return ssa.Uint64
	case reflect.Slice:
		return ssa.Slice{Elem: ssaType(t.Elem())}
	case reflect.Array:
		return ssa.Array{Elem: ssaType(t.Elem()), Len: t.Len()}
	case reflect.Struct:
		var fields []ssa.Field
		for i := range t.NumField() {
			fields = append(fields, ssa.Field{Name: t.Field(i).Name, Type: ssaType(t.Field(i).Type)})
		}
		return ssa.StructOf(t.String(), fields...)
	}
	for b := ssa.Bool; b <= ssa.Float64; b++ {
		if b.String() == t.Kind().String() {
			return b
		}
	}
	panic(t.String())
}

// Types lie in an argument struct as kernels expect them, and in the elements of
// slices as Go has them.
func TestLayout(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[vec3](), reflect.TypeFor[inner](), reflect.TypeFor[plain](),
		reflect.TypeFor[sliced](), reflect.TypeFor[[3]sliced](), reflect.TypeFor[tailed](), reflect.TypeFor[[]plain](),
		reflect.TypeFor[qd.Float16](), reflect.TypeFor[[3]qd.BFloat16](), reflect.TypeFor[struct {
			a int32
			b struct{}
		}](),
		reflect.TypeFor[qd.View2[float32]](), reflect.TypeFor[qd.View3[plain]](), reflect.TypeFor[qd.View4[int8]](),
	} {
		s := ssaType(typ)
		if size, align := device.SizeAndAlign(typ); size != s.Size() || align != s.Align() {
			t.Errorf("%v: %d bytes aligned to %d, in a kernel %d aligned to %d", typ, size, align, s.Size(), s.Align())
		}
		if kernel.HasSlices(typ) {
			continue
		}
		if !device.ValidElem(typ) {
			t.Errorf("%v is no element", typ)
		}
		if str, ok := s.(*ssa.Struct); ok {
			for i := range typ.NumField() {
				if int(typ.Field(i).Offset) != str.Offset(i) {
					t.Errorf("%v: field %d at %d, in a kernel at %d", typ, i, typ.Field(i).Offset, str.Offset(i))
				}
			}
		}
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[sliced](), reflect.TypeFor[string](), reflect.TypeFor[struct{ p *int }](), reflect.TypeFor[[2]any]()} {
		if device.ValidElem(typ) {
			t.Errorf("%v is an element", typ)
		}
	}
}

// words is a packed parameter as the kernel sees it: addresses are numbers that the
// test makes up.
func packed(t *testing.T, param any, arg any) []byte {
	t.Helper()
	typ := reflect.TypeOf(param)
	size, _ := device.SizeAndAlign(typ)
	buf, err := device.Pack(&build.ABI{Size: 32 + ssa.AlignUp(size, 8), Params: []build.Param{{Name: "p", Offset: 32, Size: size}}}, typ, arg,
		func(s reflect.Value) uintptr { return uintptr(1000 + s.Len()) })
	if err != nil {
		t.Fatal(err)
	}
	return buf[32 : 32+size]
}

// bytesOf is the memory of a slice.
func bytesOf[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

func TestPack(t *testing.T) {
	goDev, err := device.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	array, err := device.NewBuffer(goDev, "go", reflect.TypeFor[float32](), []int{3, 4}, 12)
	if err != nil {
		t.Fatal(err)
	}
	bytesOfWords := func(words ...uint64) (b []byte) {
		for _, w := range words {
			b = binary.NativeEndian.AppendUint64(b, w)
		}
		return b
	}
	p := plain{a: -1, inner: inner{true, vec3{1, 2, 3}, 4}, c: 5, d: [2]inner{{w: 6}, {v: vec3{7}}}, e: true}
	address := array.Address()
	for _, tt := range []struct {
		name       string
		param, arg any
		want       []byte
	}{
		{"plain struct", p, p, bytesOf([]plain{p})},
		{"half", qd.Float16{}, qd.ToFloat16(1), bytesOf([]uint16{0x3c00})},
		{"array", vec3{}, vec3{1, 2, 3}, bytesOf([]float32{1, 2, 3})},
		{"struct with slices", sliced{}, sliced{true, make([]float32, 3), 7, [2][]int8{make([]int8, 1), nil}},
			bytesOfWords(1, 1003, 3, 7, 1001, 1, 1000, 0)},
		{"view", qd.View2[float32]{}, qd.ViewOf2(make([]float32, 6), 2, 3).T(), bytesOfWords(1006, 6, 3, 2, 1, 3)},
		{"array for a view", qd.View2[float32]{}, array, bytesOfWords(uint64(address), 12, 3, 4, 4, 1)},
		{"array for a slice", []float32{}, array, bytesOfWords(uint64(address), 12)},
	} {
		got := packed(t, tt.param, tt.arg)
		if tt.name == "plain struct" {
			got = bytes.Clone(got)
			maskPadding(reflect.TypeFor[plain](), got, tt.want)
		}
		if !bytes.Equal(got, tt.want) {
			t.Errorf("%s:\n% x, want\n% x", tt.name, got, tt.want)
		}
	}
}

// maskPadding clears the bytes of two values of a type that belong to no field.
func maskPadding(t reflect.Type, values ...[]byte) {
	used := make([]byte, t.Size())
	var use func(t reflect.Type, at uintptr)
	use = func(t reflect.Type, at uintptr) {
		switch t.Kind() {
		case reflect.Struct:
			for i := range t.NumField() {
				use(t.Field(i).Type, at+t.Field(i).Offset)
			}
		case reflect.Array:
			for i := range t.Len() {
				use(t.Elem(), at+uintptr(i)*t.Elem().Size())
			}
		default:
			for i := range t.Size() {
				used[at+i] = 0xff
			}
		}
	}
	use(t, 0)
	for _, v := range values {
		for i := range v {
			v[i] &= used[i]
		}
	}
}

// Slices end where their elements do, in structs too, and the argument is left alone.
func TestClipped(t *testing.T) {
	arg := sliced{x: make([]float32, 2, 5), y: [2][]int8{1: make([]int8, 1, 3)}}
	got := device.Clipped(reflect.ValueOf(arg)).Interface().(sliced)
	if cap(got.x) != 2 || len(got.x) != 2 || cap(got.y[1]) != 1 || cap(arg.x) != 5 || &got.x[0] != &arg.x[0] {
		t.Errorf("%v", got)
	}
	if s := device.Clipped(reflect.ValueOf(make([]int, 1, 2))); s.Cap() != 1 || s.Len() != 1 {
		t.Error(s)
	}
}

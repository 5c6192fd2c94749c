package encoding

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/frontend/comptime"
)

type padded struct {
	A int8
	B int64
	_ int16
	C [3]struct {
		D bool
		E float32
	}
	F string
}

// TestEncoding compares values as keys and as they stand in memory. Both have to agree.
func TestEncoding(t *testing.T) {
	encode := func(x any) (string, *Encoding) {
		e, err := New(reflect.TypeOf(x))
		if err != nil {
			t.Fatal(err)
		}
		return string(e.Append(nil, e.In(&x))), e
	}
	var none func(float64) float64
	nan := math.Float64frombits(0x7ff8000000000001)
	for _, test := range []struct {
		a, b any
		same bool
	}{
		{1, 1, true},
		{1, 2, false},
		{int8(1), int8(-1), false},
		{0.0, math.Copysign(0, -1), false},
		{nan, nan, true},
		{nan, math.Float64frombits(0x7ff8000000000002), false},
		{"a", string([]byte{'a'}), true},
		{"a", "b", false},
		{"a", "aa", false},
		{[2]string{"ab", "c"}, [2]string{"a", "bc"}, false},
		{once, once, true},
		{once, twice, false},
		{once, none, false},
		{none, none, true},
		{callable{once}, callable{once}, true},
		{callable{once}, callable{}, false},
		{[1]func(float64) float64{once}, [1]func(float64) float64{twice}, false},
		{struct{ x [1]callable }{}, struct{ x [1]callable }{}, true},
		{padded{F: "x"}, padded{F: "x"}, true},
		{padded{A: 1}, padded{A: 2}, false},
		{padded{C: [3]struct {
			D bool
			E float32
		}{{}, {true, 0}, {}}}, padded{}, false},
		{struct{}{}, struct{}{}, true},
		{[0]int{}, [0]int{}, true},
		{[3]int8{1, 2, 3}, [3]int8{1, 2, 4}, false},
	} {
		a, e := encode(test.a)
		b, _ := encode(test.b)
		now, then := addressOf(test.a), addressOf(test.b)
		if (a == b) != test.same || Same(e.Compare(nil, now, then)) != test.same {
			t.Errorf("%T: %v and %v: keys %q and %q, compared %v; want %v", test.a, test.a, test.b, a, b, Same(e.Compare(nil, now, then)), test.same)
		}
	}
}

// TestMaxValues makes encodings of types that have as many values in them as may be, and of some with more.
func TestMaxValues(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[[1 << 16]uint16](), reflect.TypeFor[struct{ V [1 << 15][2]string }](), reflect.TypeFor[[1 << 15]complex64](),
	} {
		if _, err := New(typ); err != nil {
			t.Error(err)
		}
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[[1<<16 + 1]uint16](), reflect.TypeFor[struct{ V [1 << 15][3]string }](), reflect.TypeFor[[1<<15 + 1]complex64](),
		reflect.TypeFor[[1 << 40]struct{}](),
	} {
		want := fmt.Sprintf("a value of type %v has more than 65536 values in it", typ)
		if _, err := New(typ); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// addressOf is the address of a copy of a value.
func addressOf(x any) unsafe.Pointer {
	v := reflect.New(reflect.TypeOf(x))
	v.Elem().Set(reflect.ValueOf(x))
	return v.UnsafePointer()
}

// TestEncodingPadding fills what is between the fields of a struct.
func TestEncodingPadding(t *testing.T) {
	e, err := New(reflect.TypeFor[padded]())
	if err != nil {
		t.Fatal(err)
	}
	fill := func(b byte) *padded {
		p := new(padded)
		for i := range unsafe.Sizeof(*p) - unsafe.Sizeof(p.F) {
			*(*byte)(unsafe.Add(unsafe.Pointer(p), i)) = b
		}
		p.A, p.B, p.F = 1, 2, "x"
		*(*int16)(unsafe.Add(unsafe.Pointer(&p.B), 8)) = 3 // the blank field
		for i := range p.C {
			p.C[i].D, p.C[i].E = true, 4
		}
		return p
	}
	a, b := unsafe.Pointer(fill(0)), unsafe.Pointer(fill(0xff))
	if string(e.Append(nil, a)) != string(e.Append(nil, b)) || !Same(e.Compare(nil, a, b)) {
		t.Errorf("%q and %q", e.Append(nil, a), e.Append(nil, b))
	}
}

// TestKeysAgree compares random values by their keys here and by those of package comptime,
// by which they are found on disk.
func TestKeysAgree(t *testing.T) {
	type sample struct {
		A [2]float32
		B string
		c struct {
			d int8
			e uint64
			f func(float64) float64
		}
		G [2]struct {
			H bool
			I string
			J int16
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() (s sample) {
		floats := []float32{0, float32(math.Copysign(0, -1)), math.Float32frombits(0x7f800001), math.Float32frombits(0x7fc00001)}
		texts := []string{"", "a", "aa", "a\x00"}
		funcs := []func(float64) float64{nil, once, twice}
		s.A[rng.IntN(2)] = floats[rng.IntN(4)]
		s.B = texts[rng.IntN(4)]
		switch rng.IntN(4) {
		case 0:
			s.c.d = int8(rng.IntN(2))
		case 1:
			s.c.e = uint64(rng.IntN(2)) << 63
		case 2:
			s.c.f = funcs[rng.IntN(3)]
		}
		g := &s.G[rng.IntN(2)]
		g.H, g.I, g.J = rng.IntN(2) == 0, texts[rng.IntN(2)], int16(rng.IntN(2))
		return s
	}
	e, err := New(reflect.TypeFor[sample]())
	if err != nil {
		t.Fatal(err)
	}
	byKey := map[string]string{}
	byValue := map[string]string{}
	for range 5000 {
		s := random()
		v, err := comptime.Of(reflect.ValueOf(s))
		if err != nil {
			t.Fatal(err)
		}
		key, value := string(e.Append(nil, unsafe.Pointer(&s))), string(v.Append(nil))
		if old, ok := byKey[key]; ok && old != value {
			t.Fatalf("%v has the key of another value", v)
		}
		if old, ok := byValue[value]; ok && old != key {
			t.Fatalf("%v has two keys", v)
		}
		byKey[key], byValue[value] = value, key
	}
	if len(byKey) < 100 {
		t.Errorf("%d values", len(byKey))
	}
}

type callable struct{ F func(float64) float64 }

func once(x float64) float64  { return x }
func twice(x float64) float64 { return 2 * x }

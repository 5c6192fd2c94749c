package printf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// buffer records as a device does.
type buffer struct{ Records }

func newBuffer(capacity int) *buffer {
	b := &buffer{Records{Words: make([]uint64, capacity)}}
	Reset(b.Words)
	return b
}

func (b *buffer) record(format uint32, args ...uint64) {
	at, size := b.Used, uint64(1+len(args))
	b.Used += size
	if at+size > uint64(len(b.Words)) {
		return
	}
	b.Words[at] = uint64(format) | uint64(len(args))<<32
	copy(b.Words[at+1:], args)
}

func decode(t *testing.T, b *buffer, formats []Format) string {
	t.Helper()
	var out strings.Builder
	if err := Decode(&out, b.Records, formats); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// word is an argument as a device records it.
func word(v any) uint64 {
	r := reflect.ValueOf(v)
	switch {
	case r.Kind() == reflect.Bool:
		if r.Bool() {
			return 1
		}
		return 0
	case r.CanInt():
		return uint64(r.Int())
	case r.CanUint():
		return r.Uint()
	case r.Kind() == reflect.Float32:
		return uint64(math.Float32bits(float32(r.Float())))
	}
	return math.Float64bits(r.Float())
}

// kind is the type that a device knows for an argument.
func kind(v any) string {
	switch k := reflect.TypeOf(v).Kind(); k {
	case reflect.Int:
		return "int64"
	case reflect.Uint, reflect.Uintptr:
		return "uint64"
	default:
		return k.String()
	}
}

// Every type under every verb prints what fmt prints for the value itself.
func TestDecodeEqualsFmt(t *testing.T) {
	values := []any{
		true, false, int(-7), int(math.MinInt64), uint(math.MaxUint64), uintptr(4096),
		int8(-128), int16(-300), int32(-1 << 31), int64(math.MaxInt64),
		uint8(255), uint16(65535), uint32(1 << 31), uint64(1 << 63),
		float32(0.1), float32(math.Inf(-1)), float32(math.MaxFloat32), float64(0.1), math.NaN(), math.Copysign(0, -1), 1e300,
	}
	verbs := []string{"%v", "%T", "%d", "%x", "%#X", "%q", "%c", "%U", "%b", "%o", "%t", "%e", "%.3f", "%8.2g", "%+v", "%#v", "%-12v|", "%012v", "%s", "%% %v", "%[1]v%[1]T", "no verb"}
	b := newBuffer(4096)
	var formats []Format
	var want strings.Builder
	for _, v := range values {
		for _, verb := range verbs {
			formats = append(formats, Format{verb + "\n", []Arg{{kind(v), reflect.TypeOf(v).String()}}})
			b.record(uint32(len(formats)-1), word(v))
			fmt.Fprintf(&want, verb+"\n", v)
		}
	}
	if got := decode(t, b, formats); got != want.String() {
		t.Errorf("got:\n%s\nwant:\n%s", got, want.String())
	}
}

// A named type prints as the type under it.
func TestDecodeNamedType(t *testing.T) {
	b := newBuffer(8)
	b.record(0, word(float32(1.5)))
	if got := decode(t, b, []Format{{"%[1]T %[1]v", []Arg{{"float32", "units.Meter"}}}}); got != "float32 1.5" {
		t.Errorf("got %q", got)
	}
}

func TestDecodeSeveralArgs(t *testing.T) {
	b := newBuffer(64)
	formats := []Format{
		{"hello\n", nil},
		{"%d: %v %v\n", []Arg{{"int64", "int"}, {"float32", "float32"}, {"bool", "bool"}}},
	}
	b.record(1, 3, word(float32(2.5)), 1)
	b.record(0)
	b.record(1, ^uint64(0), word(float32(-0.5)), 0)
	if got, want := decode(t, b, formats), "3: 2.5 true\nhello\n-1: -0.5 false\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDecodeNothing(t *testing.T) {
	if got := decode(t, newBuffer(8), nil); got != "" {
		t.Errorf("got %q", got)
	}
}

// A buffer that is exactly full has lost nothing.
func TestDecodeFull(t *testing.T) {
	b := newBuffer(6)
	formats := []Format{{"%d ", []Arg{{"int64", "int"}}}}
	for i := range 3 {
		b.record(0, uint64(i))
	}
	if got := decode(t, b, formats); got != "0 1 2 " {
		t.Errorf("got %q", got)
	}
}

// What fits is printed, what is lost is counted, and words that are left from
// nothing are not taken for records: format 0 without arguments has the header 0.
func TestDecodeLost(t *testing.T) {
	b := newBuffer(8)
	formats := []Format{{"zero\n", nil}, {"%d %d\n", []Arg{{"int64", "int"}, {"int64", "int"}}}}
	b.record(0)
	b.record(1, 1, 2)
	b.record(1, 3, 4)
	b.record(1, 5, 6) // one word short
	b.record(0)       // would fit, had the one before not reserved the space
	var out strings.Builder
	err := Decode(&out, b.Records, formats)
	if out.String() != "zero\n1 2\n3 4\n" {
		t.Errorf("got %q", out.String())
	}
	var lost *LostError
	if !errors.As(err, &lost) || lost.Words != 4 || lost.Capacity != 8 {
		t.Errorf("error is %#v, want a *LostError of 4 words", err)
	}
}

func TestDecodeCorrupt(t *testing.T) {
	formats := []Format{{"%d\n", []Arg{{"int64", "int"}}}}
	for _, bad := range []uint64{1 | 1<<32, 0, 2 << 32, Unwritten, math.MaxUint32 | 1<<32} {
		b := newBuffer(8)
		b.record(0, 7)
		b.Words[b.Used] = bad
		b.Used += 2
		var out strings.Builder
		err := Decode(&out, b.Records, formats)
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) || corrupt.Word != 2 {
			t.Errorf("header %#x: error is %v, want a *CorruptError at word 2", bad, err)
		}
		if out.String() != "7\n" {
			t.Errorf("header %#x: the good record is lost: %q", bad, out.String())
		}
	}
	// A record that says it is longer than what was used.
	b := newBuffer(8)
	b.Words[0], b.Used = 1<<32, 1
	if err := Decode(&bytes.Buffer{}, b.Records, formats); err == nil {
		t.Error("a record past the end was printed")
	}
}

// failing fails at the nth write.
type failing int

func (f *failing) Write(p []byte) (int, error) {
	*f--
	if *f <= 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestDecodeWriteError(t *testing.T) {
	formats := []Format{{strings.Repeat("x", flushSize), nil}}
	for n := 1; n <= 2; n++ {
		b := newBuffer(8)
		b.record(0)
		b.record(0)
		w := failing(n)
		if err := Decode(&w, b.Records, formats); err == nil {
			t.Errorf("an error of write %d is lost", n)
		}
	}
}

func TestDecodeComplexEqualsFmt(t *testing.T) {
	values := []any{complex(1, -2), complex64(complex(0.1, math.Inf(1))), complex(math.NaN(), math.Copysign(0, -1))}
	b := newBuffer(256)
	var formats []Format
	var want strings.Builder
	for _, v := range values {
		c := reflect.ValueOf(v).Complex()
		arg, part := Arg{"float64", "complex128"}, func(f float64) uint64 { return math.Float64bits(f) }
		if reflect.TypeOf(v).Bits() == 64 {
			arg, part = Arg{"float32", "complex64"}, func(f float64) uint64 { return uint64(math.Float32bits(float32(f))) }
		}
		for _, verb := range []string{"%v", "%T", "%d", "%g", "%.2f", "%+8.1e", "%x", "%b"} {
			formats = append(formats, Format{verb + " %d\n", []Arg{arg, arg, {"int64", "int"}}})
			b.record(uint32(len(formats)-1), part(real(c)), part(imag(c)), 7)
			fmt.Fprintf(&want, verb+" %d\n", v, 7)
		}
	}
	if got := decode(t, b, formats); got != want.String() {
		t.Errorf("got:\n%s\nwant:\n%s", got, want.String())
	}
}

func TestDecodeUnknownKindPanics(t *testing.T) {
	defer func() {
		if v := recover(); v == nil || !strings.HasPrefix(fmt.Sprint(v), "BUG: ") {
			t.Errorf("recovered %v", v)
		}
	}()
	b := newBuffer(8)
	b.record(0, 1)
	_ = Decode(&bytes.Buffer{}, b.Records, []Format{{"%v", []Arg{{"string", "string"}}}})
}

// The cache keeps formats as JSON.
func TestFormatJSON(t *testing.T) {
	in := []Format{{"a \"%v\"\n", []Arg{{"int64", "int"}}}, {"b", nil}}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out []Format
	if err := json.Unmarshal(data, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%s became %v, %v", data, out, err)
	}
}

func BenchmarkDecode(b *testing.B) {
	buf := newBuffer(Capacity)
	formats := []Format{{"%d: %v\n", []Arg{{"int64", "int"}, {"float32", "float32"}}}}
	for i := range Capacity / 3 {
		buf.record(0, uint64(i), word(float32(i)))
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := Decode(&bytes.Buffer{}, buf.Records, formats); err != nil {
			b.Fatal(err)
		}
	}
}

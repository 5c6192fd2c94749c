package comptime

import "testing"

func TestShortType(t *testing.T) {
	for name, want := range map[string]string{
		"int":                      "int",
		"main.Op":                  "main.Op",
		"[]example.com/mod/ops.Op": "[]ops.Op",
		"map[a/b.K]*c/d.V":         "map[b.K]*d.V",
		"x/y.Pair[int,x/z.T]":      "y.Pair[int,z.T]",
	} {
		if got := ShortType(name); got != want {
			t.Errorf("ShortType(%q) = %q, want %q", name, got, want)
		}
	}
}

// Values that differ in anything, the type among it, have different keys.
func TestKeys(t *testing.T) {
	seen := map[string]Value{}
	for _, v := range []Value{
		{Kind: Int, Type: "int", Bits: 1},
		{Kind: Int, Type: "int", Bits: 1<<32 + 1},
		{Kind: Int, Type: "int32", Bits: 1},
		{Kind: Uint, Type: "uint", Bits: 1},
		{Kind: Bool, Type: "bool", Bits: 1},
		{Kind: Float64, Type: "float64", Bits: 0x3ff0000000000000},
		{Kind: Float64, Type: "float64", Bits: 0x3ff0000000001197},
		{Kind: Float64, Type: "float64"},
		{Kind: Float64, Type: "float64", Bits: 1 << 63},
		{Kind: Float64, Type: "float64", Bits: 0x7ff8000000000001},
		{Kind: Float64, Type: "float64", Bits: 0x7ff8000000000002},
		{Kind: String, Type: "string", Str: "1"},
		{Kind: Array, Type: "[1]int", Elems: []Value{{Kind: Int, Type: "int", Bits: 1}}},
		{Kind: Slice, Type: "[]int", Elems: []Value{{Kind: Int, Type: "int", Bits: 1}}},
		{Kind: Func, Type: "func()"},
	} {
		key := string(v.Append(nil))
		if old, ok := seen[key]; ok {
			t.Errorf("%v and %v have one key", old, v)
		}
		seen[key] = v
	}
}

func TestString(t *testing.T) {
	v := Value{Kind: Struct, Type: "a/b.Op", Elems: []Value{
		{Kind: Float32, Type: "float32", Bits: 0x3fc00000},
		{Kind: String, Type: "string", Str: "x"},
		{Kind: Slice, Type: "[]int8", Elems: []Value{{Kind: Int, Type: "int8", Bits: ^uint64(0)}}},
	}}
	if got, want := v.String(), `b.Op{1.5, "x", []int8{-1}}`; got != want {
		t.Errorf("String() = %s, want %s", got, want)
	}
}

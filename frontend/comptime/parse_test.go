package comptime

import (
	"reflect"
	"testing"

	"github.com/qdgen/qd/frontend/load"
)

// What Append writes Parse reads, and nothing that is cut off.
func TestParse(t *testing.T) {
	for _, v := range []Value{
		{},
		{Kind: Bool, Type: "bool", Bits: 1},
		{Kind: Int, Type: "int", Bits: 1<<63 + 1},
		{Kind: Float64, Type: "float64", Bits: 0x7ff8000000000002},
		{Kind: String, Type: "string", Str: "a\xff\x00b"},
		{Kind: Array, Type: "[0]int"},
		{Kind: Map, Type: "map[string]main.Op", Elems: []Value{
			{Kind: String, Type: "string", Str: "x"},
			{Kind: Struct, Type: "main.Op", Elems: []Value{{Kind: Slice, Type: "[]int8"}, {Kind: Uint, Type: "uint8", Bits: 255}}},
		}},
		{Kind: Func, Type: "func()"},
		{Kind: Func, Type: "func(int) int", Func: &load.Ref{Pkg: "a/b", Name: "f.func1", File: "/x/f.go", Line: 300, Col: 7, Params: "int"}},
	} {
		key := v.Append(nil)
		got, rest, err := Parse(append(key, "rest"...))
		if err != nil || !reflect.DeepEqual(got, v) || string(rest) != "rest" {
			t.Errorf("Parse of %v gave %v, %q, %v", v, got, rest, err)
		}
		for n := range key {
			if _, _, err := Parse(key[:n]); err == nil {
				t.Errorf("%v: the first %d bytes are a value too", v, n)
			}
		}
	}
	if _, _, err := Parse([]byte{200, 0}); err == nil {
		t.Error("a value of a kind that there is not")
	}
}

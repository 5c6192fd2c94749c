package eval

import (
	"go/token"
	"reflect"
	"testing"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// TestContents checks what is known of a place in memory after stores to parts of it, and where
// two ways meet.
func TestContents(t *testing.T) {
	inner := ssa.StructOf("", ssa.Field{Name: "x", Type: ssa.Int32}, ssa.Field{Name: "y", Type: ssa.Int32})
	typ := ssa.Array{Elem: inner, Len: 2}
	num := func(n uint64) *comptime.Value { return &comptime.Value{Kind: comptime.Int, Bits: n} }
	at := func(c *comptime.Value, path ...int) *comptime.Value {
		for _, i := range path {
			c = partOfContents(c, i)
		}
		return c
	}

	// Of a place that nothing is known of, only what is stored is known.
	c := storedContents(nil, typ, []int{1, 0}, num(7))
	if got := at(c, 1, 0); !reflect.DeepEqual(got, num(7)) {
		t.Errorf("what was stored is %v", got)
	}
	for _, path := range [][]int{{0}, {0, 0}, {1, 1}} {
		if got := at(c, path...); got != nil {
			t.Errorf("part %v is %v, and nothing was stored there", path, got)
		}
	}

	// Of a zero one, the rest stays zero; what it was is not changed.
	z := storedContents(zeroLiteral, typ, []int{0, 1}, num(3))
	if got := at(z, 0, 1); !reflect.DeepEqual(got, num(3)) {
		t.Errorf("what was stored is %v", got)
	}
	if got := at(z, 1); got == nil || got.Kind != comptime.Zero {
		t.Errorf("the other element is %v, not zero", got)
	}
	again := storedContents(z, typ, []int{0, 1}, nil)
	if got := at(again, 0, 1); got != nil {
		t.Errorf("what is not known any more is %v", got)
	}
	if got := at(z, 0, 1); !reflect.DeepEqual(got, num(3)) {
		t.Errorf("a store has changed what was known before to %v", got)
	}

	// An index that is not known may be any.
	if got := storedContents(z, typ, []int{-1, 0}, num(1)); got != nil {
		t.Errorf("after a store at an unknown index %v is known", got)
	}

	// Where two ways meet, what both say is known.
	other := storedContents(storedContents(zeroLiteral, typ, []int{0, 1}, num(4)), typ, []int{1, 0}, num(5))
	m := meetContents(storedContents(z, typ, []int{1, 0}, num(5)), other)
	if got := at(m, 1, 0); !reflect.DeepEqual(got, num(5)) {
		t.Errorf("what both ways store is %v", got)
	}
	if got := at(m, 0, 1); got != nil {
		t.Errorf("two values meet in %v", got)
	}
	if got := at(m, 0, 0); got == nil || got.Kind != comptime.Zero {
		t.Errorf("what both ways leave zero is %v", got)
	}
	if got := meetContents(z, nil); got != nil {
		t.Errorf("what one way does not know is %v", got)
	}
}

// testCode is the code of a function of an empty file.
func testCode() *Code {
	file := token.NewFileSet().AddFile("k.go", 1, 10)
	scope := check.Scope{}
	scope.Instance = check.Instance{Src: &load.Function{File: &load.File{Name: "k.go"}}, File: file}
	fn := ssa.NewFunc("k")
	return &Code{Scope: scope, Func: fn, Cur: fn.Body}
}

// TestForms checks that a known value is the same after it has been code.
func TestForms(t *testing.T) {
	pair := ssa.StructOf("pair", ssa.Field{Name: "a", Type: ssa.Float32}, ssa.Field{Name: "b", Type: ssa.Bool})
	for _, c := range []struct {
		typ   ssa.Type
		value comptime.Value
	}{
		{ssa.Int8, comptime.Value{Kind: comptime.Int, Bits: 0xffff_ffff_ffff_ff80}},
		{ssa.Uint64, comptime.Value{Kind: comptime.Uint, Bits: 1 << 63}},
		{ssa.Float64, comptime.Value{Kind: comptime.Float64, Bits: 0x7ff8_0000_0000_0001}},
		{ssa.Array{Elem: pair, Len: 2}, comptime.Value{Kind: comptime.Array, Elems: []comptime.Value{
			{Kind: comptime.Struct, Elems: []comptime.Value{{Kind: comptime.Float32, Bits: 0x3f80_0000}, {Kind: comptime.Bool, Bits: 1}}},
			{Kind: comptime.Zero},
		}}},
	} {
		b := testCode()
		left := maxLoaded
		v := b.append(1, &c.value, c.typ, &left)
		if v == nil || v.Type != c.typ {
			t.Errorf("%v makes %v", c.value, v)
			continue
		}
		if got := literalOf(v); got == nil || !reflect.DeepEqual(*got, c.value) {
			t.Errorf("%v comes back as %v", c.value, got)
		}
		if !IsKnown(v) {
			t.Errorf("%v is not known as code", c.value)
		}
	}
	b := testCode()
	left := maxLoaded
	part := comptime.Value{Kind: comptime.Struct, Elems: []comptime.Value{{Kind: comptime.Float32}, {}}}
	if v := b.append(1, &part, pair, &left); v != nil {
		t.Errorf("a struct of which a part is not known is %v", v)
	}
}

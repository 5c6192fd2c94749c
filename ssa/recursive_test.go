package ssa

import "testing"

// tree makes a tree type anew: it leads to itself by an array of pointers and by a struct without a name, which it contains
// twice, and has a child by value of a type that leads back.
func tree(elem Type) (tree, leaf, unnamed *Struct) {
	t, l, u, u2 := NewStruct("tree"), NewStruct("leaf"), NewStruct(""), NewStruct("")
	for _, u := range []*Struct{u, u2} {
		u.SetFields(Field{"at", Pointer{t}}, Field{"n", Int8})
	}
	t.SetFields(Field{"kids", Array{Pointer{t}, 3}}, Field{"leaf", Pointer{l}}, Field{"in", u}, Field{"more", Pointer{u2}}, Field{"val", elem})
	l.SetFields(Field{"small", Bool}, Field{"all", t})
	k := &Knot{}
	for _, s := range []*Struct{l, t, u, u2} {
		k.Add(s)
	}
	tied := k.Tie()
	if tied[u] != tied[u2] {
		panic("two equal types without names")
	}
	return tied[t], tied[l], tied[u]
}

// TestKnot makes recursive struct types, which are equal if all that they lead to is.
func TestKnot(t *testing.T) {
	a, leaf, unnamed := tree(Float32)
	b, leafB, unnamedB := tree(Float32)
	if a != b || leaf != leafB || unnamed != unnamedB {
		t.Errorf("the same types made twice differ")
	}
	if c, leafC, _ := tree(Float64); c == a || leafC == leaf {
		t.Errorf("types with other fields are the same")
	}
	if s := StructOf("", Field{"at", Pointer{a}}, Field{"n", Int8}); s != unnamed {
		t.Errorf("a type without a name is another one outside of the recursion")
	}
	if a.Size() != 64 || leaf.Size() != 72 || leaf.Offset(1) != 8 || !valid(leaf) || !a.IsRecursive() || unnamed.IsRecursive() {
		t.Errorf("a %s of %d bytes, a %s of %d", a, a.Size(), leaf, leaf.Size())
	}
	one := func() *Struct {
		s := NewStruct("tree")
		s.SetFields(Field{"next", Pointer{s}}, Field{"leaf", Pointer{leaf}})
		k := &Knot{}
		k.Add(s)
		return k.Tie()[s]
	}
	if first, second := one(), one(); first != second || first == a {
		t.Errorf("a type beside another one of its name")
	}
}

// TestKnotNameless knows structs that lead to themselves without any name on the way.
func TestKnotNameless(t *testing.T) {
	for _, test := range []struct {
		names [2]string
		want  bool
	}{{[2]string{"", ""}, true}, {[2]string{"a", ""}, false}, {[2]string{"", "b"}, false}} {
		a, b := NewStruct(test.names[0]), NewStruct(test.names[1])
		a.SetFields(Field{"b", Pointer{Array{b, 2}}}, Field{"n", Int32})
		b.SetFields(Field{"a", Pointer{Pointer{a}}})
		k := &Knot{}
		k.Add(a)
		k.Add(b)
		if got := k.IsNameless(); got != test.want {
			t.Errorf("%q: nameless is %v", test.names, got)
		}
	}
}

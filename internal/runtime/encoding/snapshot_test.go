package encoding

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

type leaf struct {
	name string
	n    int8
	f    func()
}

type tree struct {
	leaves [2][]leaf
	at     *int32
	parts  []*int32
	bytes  []byte
}

// TestSnapshot changes a value in each place, and puts it back.
func TestSnapshot(t *testing.T) {
	one, two := int32(1), int32(2)
	v := tree{leaves: [2][]leaf{{{name: "a"}, {name: "b", n: 3}}}, at: &one, parts: []*int32{&one, nil, &two}, bytes: []byte("some text")}
	copied, list, err := Snapshot(nil, reflect.ValueOf(&v).Elem())
	if err != nil {
		t.Fatal(err)
	}
	c := copied.Interface().(tree)
	if !Same(list) || c.leaves[0][1].n != 3 || *c.at != 1 || *c.parts[2] != 2 || string(c.bytes) != "some text" {
		t.Fatalf("a copy is %+v", c)
	}
	was, bytes, parts := v, string(v.bytes), append([]*int32(nil), v.parts...)
	for i, change := range []func(){
		func() { v.leaves[0][1].name = "c" },
		func() { v.leaves[0][1].n = 4 },
		func() { v.leaves[0][0].f = func() {} },
		func() { v.leaves[1] = []leaf{} },
		func() { v.leaves[0] = v.leaves[0][:1] },
		func() { one = 9 },
		func() { v.at = &two },
		func() { v.parts[1] = &one },
		func() { v.parts[0] = nil },
		func() { v.bytes[8] = 'X' },
		func() { v.bytes = nil },
	} {
		if change(); Same(list) {
			t.Errorf("change %d is not seen", i)
		}
		v, one = was, 1
		v.leaves[0] = v.leaves[0][:2]
		v.leaves[0][0], v.leaves[0][1] = leaf{name: "a"}, leaf{name: "b", n: 3}
		copy(v.bytes, bytes)
		copy(v.parts, parts)
		if !Same(list) {
			t.Fatalf("change %d has not been taken back", i)
		}
	}
	two = 3
	if *c.parts[2] != 2 {
		t.Error("the copy shares memory with what it was made of")
	}
}

type ring struct{ next *ring }

func TestSnapshotErrors(t *testing.T) {
	around := &ring{}
	around.next = around
	for _, test := range []struct {
		value any
		want  string
	}{
		{&around, "nested more than"},
		{&[]any{1}, "a value of type interface {} cannot be"},
		{&struct{ m []map[int]int }{[]map[int]int{nil}}, "field m: a value of type map[int]int cannot be"},
		{new([]int32), ""},
		{slicesOf(1 << 16), ""},
		{slicesOf(1<<16 + 1), "a value of type []int8 has more than 65536 values"},
		{&struct{ s [][]int8 }{[][]int8{make([]int8, 1<<16), {1}}}, "a value of type struct { s [][]int8 } has more than 65536 values"},
		{shared(), "a value of type *encoding.fork has more than 65536 values"},
	} {
		_, _, err := Snapshot(nil, reflect.ValueOf(test.value).Elem())
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%T: %v, want %q", test.value, err, test.want)
		}
	}
}

type fork struct{ a, b *fork }

// shared is a pointer to few values, which very many ways lead to.
func shared() **fork {
	f := new(fork)
	for range 40 {
		f = &fork{f, f}
	}
	return &f
}

func slicesOf(n int) *[]int8 {
	s := make([]int8, n)
	return &s
}

// TestSnapshotInterface copies a struct whose interface is nil, and sees that it holds something later.
func TestSnapshotInterface(t *testing.T) {
	v := struct {
		n   int
		err error
	}{n: 2}
	copied, list, err := Snapshot(nil, reflect.ValueOf(&v).Elem())
	if err != nil || copied.Field(0).Int() != 2 || !Same(list) {
		t.Fatalf("%v, %v", copied, err)
	}
	v.err = errors.New("some")
	if Same(list) {
		t.Error("the change is not seen")
	}
	if _, _, err := Snapshot(nil, reflect.ValueOf(&v).Elem()); err == nil || !strings.Contains(err.Error(), "field err: ") {
		t.Error(err)
	}
}

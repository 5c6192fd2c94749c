package frontend

// illTypedDeclarations are packages whose types and variables are declared wrong.
var illTypedDeclarations = []illTypedTest{
	{"a receiver of a generic type without type parameters", `package k

import "github.com/qdgen/qd"

type R[T any] struct{ v T }

func (r R) self() R[int] { return R[int]{} }

func k(t qd.Thread, x []int) {
	var r R[int]
	x[0] = r.self().v
}
`, []string{
		"7:9: cannot use generic type R[T any] without instantiation",
	}},
	{"values returned out of a range over a function where there are no results", `package k

import "github.com/qdgen/qd"

func k(t qd.Thread, x []int) {
	none()
	x[0] = 1
}

func few(yield func(int) bool) { yield(1) }

func none() {
	for i := range few {
		return i
	}
}
`, []string{
		"14:10: too many return values: have (int), want ()",
	}},
	{"the method of error, which belongs to no package", `package k

import "github.com/qdgen/qd"

func k(t qd.Thread, x []int) {
	var err error
	x[0] = err.Error()
}
`, []string{
		"7:9: cannot use err.Error() (value of type string) as int value in assignment",
	}},
	{"a type with parts of ever larger types", `package k

import "github.com/qdgen/qd"

type node[T any] struct {
	next *node[*T]
	v    T
}

func k(t qd.Thread, x []int) {
	var head, tail *node[int]
	if head == tail {
		x[0] = 1
	}
}
`, []string{
		"5:11: instantiation cycle:",
		"11:17: variable head has type *node[int]: types that contain themselves are not supported",
	}},
	{"a package variable of a type with parts of ever larger types", `package k

import "github.com/qdgen/qd"

type node[T any] struct {
	next *node[*T]
	v    T
}

var head node[int]

func k(t qd.Thread, x []int) {
	n := head
	x[n.v] = "1"
}
`, []string{
		"13:7: package variable head cannot be captured by a kernel: field next: it is a pointer",
		"14:11: cannot use \"1\" (untyped string constant) as int value in assignment",
	}},
	{"a variable with maps of ever larger types", `package k

import "github.com/qdgen/qd"

type node[T any] struct {
	next map[int]*node[struct{ a, b T }]
	v    T
}

func k(t qd.Thread, x []int) {
	var root node[int]
	x[len(root.next)] = "1"
}
`, []string{
		"11:11: variable root has type node[int]: types that contain themselves are not supported",
		"12:22: cannot use \"1\" (untyped string constant) as int value in assignment",
	}},
	{"a type with parts of ever larger types beside another error", `package k

import "github.com/qdgen/qd"

type node[T any] struct {
	next *node[*T]
	both *node[[2]T]
	v    T
}

func k(t qd.Thread, x []int) {
	var head, tail *node[int]
	if head == tail {
		x[0] = "1"
	}
}
`, []string{
		"12:17: variable head has type *node[int]: types that contain themselves are not supported",
		"14:10: cannot use \"1\" (untyped string constant) as int value in assignment",
	}},
	{"a variable of a type that is named after it", `package k

import "github.com/qdgen/qd"

type pair sa

var sa = pair{1, 2}

func k(t qd.Thread, x []int) { x[0] = sa.a }
`, []string{
		"5:11: sa (package-level variable) is not a type",
	}},
	{"the address of a literal of an interface's type", `package k

import "github.com/qdgen/qd"

type M interface{ M() }
type A interface{ A() }

func k(t qd.Thread, x []int) {
	var m M = &A{}
	m.(A).A()
}
`, []string{
		"9:13: invalid composite literal type A",
	}},
	{"a variable that is a slice of no type", `package k

import "github.com/qdgen/qd"

type Int struct{ i int }

var suites = []i{}

var of map[string]undefined

func k(t qd.Thread, x []int) {
	if suites[0].want.(map[int]bool)[Int{}] {
	}
	x[0] = of["x"]
}
`, []string{
		"7:16: undefined: i",
		"9:19: undefined: undefined",
	}},
}

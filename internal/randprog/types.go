package randprog

import (
	"fmt"
	"strings"
)

// A Form is a form of types.
type Form uint8

// The forms of types.
const (
	Bool Form = iota
	Int
	Float
	Struct
	Array
	Slice
	Pointer
	Func
	String   // known at compile time only
	Const    // qd.Const[Elem]
	List     // a slice that is known as a whole
	FuncList // an array of functions, or a struct with one
)

// A Type is a Go type. Types are interned: two of a program are identical in Go
// if and only if their pointers are equal, apart from a slice's Len.
type Type struct {
	Form   Form
	Name   string // as it prints
	Bits   int    // of a number
	Signed bool
	Base   *Type   // of a named number: the predeclared type
	Elem   *Type   // of an array, a slice or a pointer
	Len    int     // of an array; of a slice, how many elements it is known to have, a power of two
	Fields []Field // of a struct

	Params, Results []*Type // of a function

	Generic bool  // a type parameter: what it may be decides what it may do
	Origin  *Type // of an instance: the generic type
	Arg     *Type // of an instance: the type argument
}

// A Field is a field of a struct type.
type Field struct {
	Name     string
	Type     *Type
	Embedded bool
	Tag      string
}

// The predeclared types.
var (
	boolType    = &Type{Form: Bool, Name: "bool"}
	intType     = integer("int", 64, true)
	int8Type    = integer("int8", 8, true)
	int16Type   = integer("int16", 16, true)
	int32Type   = integer("int32", 32, true)
	int64Type   = integer("int64", 64, true)
	uintType    = integer("uint", 64, false)
	uint8Type   = integer("uint8", 8, false)
	uint16Type  = integer("uint16", 16, false)
	uint32Type  = integer("uint32", 32, false)
	uint64Type  = integer("uint64", 64, false)
	float32Type = &Type{Form: Float, Name: "float32", Bits: 32}
	float64Type = &Type{Form: Float, Name: "float64", Bits: 64}

	integers = []*Type{intType, int8Type, int16Type, int32Type, int64Type, uintType, uint8Type, uint16Type, uint32Type, uint64Type}
	floats   = []*Type{float32Type, float64Type}
	scalars  = append(append([]*Type{boolType}, integers...), floats...)
)

func integer(name string, bits int, signed bool) *Type {
	return &Type{Form: Int, Name: name, Bits: bits, Signed: signed}
}

func (t *Type) isNumber() bool { return t.Form == Int || t.Form == Float }

// typeParam is the type parameter of every generic function: any number.
var typeParam = &Type{Form: Float, Name: "T", Bits: 64, Generic: true}

// subst is t with the type parameter replaced.
func (tt typeTable) subst(t, arg *Type) *Type {
	switch t.Form {
	case Slice:
		return tt.slice(tt.subst(t.Elem, arg), t.Len)
	case Array:
		return tt.array(tt.subst(t.Elem, arg), t.Len)
	case Pointer:
		return tt.pointer(tt.subst(t.Elem, arg))
	case Const:
		return tt.constOf(tt.subst(t.Elem, arg))
	case Struct:
		if t.Origin != nil && t.Arg == typeParam {
			return tt.instance(t.Origin, arg)
		}
	}
	if t == typeParam {
		return arg
	}
	return t
}

// instance is a generic type with its type argument.
func (tt typeTable) instance(origin, arg *Type) *Type {
	name := origin.Name + "[" + arg.Name + "]"
	t := Type{Form: Struct, Name: name, Origin: origin, Arg: arg}
	for _, f := range origin.Fields {
		f.Type = tt.subst(f.Type, arg)
		t.Fields = append(t.Fields, f)
	}
	return tt.intern(name, t)
}

// isScalar reports whether t is a number or bool.
func (t *Type) isScalar() bool { return t.Form <= Float }

// isAtomic reports whether there are atomic operations on variables of type t.
func (t *Type) isAtomic() bool { return t.isNumber() && t.Bits >= 32 }

// A typeTable interns the types of one program.
type typeTable map[string]*Type

func (tt typeTable) intern(key string, t Type) *Type {
	if old := tt[key]; old != nil {
		return old
	}
	tt[key] = &t
	return &t
}

func (tt typeTable) array(elem *Type, n int) *Type {
	name := fmt.Sprintf("[%d]%s", n, elem.Name)
	return tt.intern(name, Type{Form: Array, Name: name, Elem: elem, Len: n})
}

// slice is the type of slices that are known to have n elements.
func (tt typeTable) slice(elem *Type, n int) *Type {
	name := "[]" + elem.Name
	return tt.intern(fmt.Sprint(name, n), Type{Form: Slice, Name: name, Elem: elem, Len: n})
}

func (tt typeTable) pointer(elem *Type) *Type {
	name := "*" + elem.Name
	return tt.intern(name, Type{Form: Pointer, Name: name, Elem: elem})
}

func (tt typeTable) function(params, results []*Type) *Type {
	name := "func(" + typeList(params) + ")"
	switch len(results) {
	case 0:
	case 1:
		name += " " + results[0].Name
	default:
		name += " (" + typeList(results) + ")"
	}
	return tt.intern(name, Type{Form: Func, Name: name, Params: params, Results: results})
}

func typeList(types []*Type) string {
	var names []string
	for _, t := range types {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

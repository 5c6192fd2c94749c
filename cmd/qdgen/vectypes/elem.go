package vectypes

import (
	"fmt"
	"slices"
	"strings"
)

// An Elem is the type of the elements: a number type of Go, by its name, or a float of 16 bits of package qd.
type Elem string

// elems are the types that elements may have. Of the first four there are packages with types of
// the sizes from 2 to 4.
var elems = []Elem{
	"float32", "float64", "int32", "uint32",
	"int", "int8", "int16", "int64", "uint", "uint8", "uint16", "uint64",
	"qd.Float16", "qd.BFloat16",
}

// packages are the packages with types of some elements.
var packages = map[Elem]string{"float32": "f32", "float64": "f64", "int32": "i32", "uint32": "u32"}

// ParseElem is the type of elements of a name.
func ParseElem(name string) (Elem, error) {
	if e := Elem(name); slices.Contains(elems, e) {
		return e, nil
	}
	list := make([]string, len(elems))
	for i, e := range elems {
		list[i] = string(e)
	}
	return "", fmt.Errorf("%q is no type of elements: they are of %s", name, strings.Join(list, ", "))
}

// IsFloat reports whether it is a floating-point type.
func (e Elem) IsFloat() bool { return strings.HasPrefix(string(e), "float") }

// IsHalf reports whether it is a float of 16 bits, which has no arithmetic: vectors of them are for storage.
func (e Elem) IsHalf() bool { return strings.HasPrefix(string(e), "qd.") }

// IsInt reports whether it is an integer type.
func (e Elem) IsInt() bool { return !e.IsFloat() && !e.IsHalf() }

// rounded is the function that rounds a float32 to such a float.
func (e Elem) rounded() string { return strings.Replace(string(e), ".", ".To", 1) }

// float32s is the type of as many float32s as a vector has elements.
func float32s(n int) string {
	if e := Elem("float32"); e.Has(Vec(n)) {
		return e.Package() + "." + Vec(n).String()
	}
	return fmt.Sprintf("[%d]float32", n)
}

// isSigned reports whether there are values below 0.
func (e Elem) isSigned() bool { return !strings.HasPrefix(string(e), "uint") }

// Package is the name of the package that has types of these elements, "" if there is none.
func (e Elem) Package() string { return packages[e] }

// Has reports whether there is a type of a shape in the package of these elements.
func (e Elem) Has(s Shape) bool { return e.Package() != "" && s.isSmall() }

// function is a function of floats for these elements: of package math where it has it for them, which
// is compiled already, and else of package qd.
func (e Elem) function(name string) string {
	if e != "float64" || name == "Radians" || name == "Degrees" {
		return "qd." + name
	}
	return "math." + name
}

// abs is the absolute value of an expression.
func (e Elem) abs(x string) string {
	switch {
	case e.IsFloat():
		return e.function("Abs") + "(" + x + ")"
	case e.isSigned():
		return "max(" + x + ", -" + x + ")"
	}
	return x
}

package kernel

import (
	"fmt"
	"reflect"
)

// This file has the parts of parameters: a struct with slices in it is as many parameters of the compiled kernel as it
// has fields, so that each may be an array, or memory of the program, and a tape knows which of them a kernel reads and
// writes.

// A Part is what is passed at run time for a parameter, or for a field of one that is a struct with slices.
type Part struct {
	Param int    // which parameter after the first one
	Name  string // of the field, "In.W"; "" for the parameter itself
	path  []int  // the fields on the way, and the indices in arrays that are stored unpacked
}

// addParam notes a parameter that is passed at run time. With only, its parts are those of types for which that holds.
func (k *Func) addParam(t reflect.Type, only func(reflect.Type) bool) {
	part := Part{Param: len(k.Params)}
	k.Params = append(k.Params, t)
	eachPart(t, part, func(t reflect.Type, p Part) {
		if only == nil || only(t) {
			k.Args = append(k.Args, t)
			k.Parts = append(k.Parts, p)
		}
	})
}

// eachPart calls f for the parts of a parameter, in the order in which the front end has them.
func eachPart(t reflect.Type, of Part, f func(t reflect.Type, p Part)) {
	if !HasParts(t) {
		f(t, of)
		return
	}
	for i := range t.NumField() {
		field := t.Field(i)
		p := Part{Param: of.Param, Name: field.Name, path: with(of.path, i)}
		if of.Name != "" {
			p.Name = of.Name + "." + field.Name
		}
		if isUnpacked(field) {
			eachScalar(field.Type, p, f)
		} else {
			eachPart(field.Type, p, f)
		}
	}
}

// eachScalar calls f for the scalars of an array that is stored unpacked.
func eachScalar(t reflect.Type, of Part, f func(t reflect.Type, p Part)) {
	if t.Kind() != reflect.Array {
		f(t, of)
		return
	}
	for i := range t.Len() {
		eachScalar(t.Elem(), Part{Param: of.Param, Name: fmt.Sprintf("%s[%d]", of.Name, i), path: with(of.path, i)}, f)
	}
}

func with(path []int, i int) []int { return append(path[:len(path):len(path)], i) }

// HasParts reports whether a parameter of a type is passed by its fields.
func HasParts(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || !HasSlices(t) {
		return false
	}
	rank, _ := ViewOf(t)
	return rank == 0
}

// HasSlices reports whether values of a type have slices in them.
func HasSlices(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice:
		return true
	case reflect.Array:
		return t.Len() > 0 && HasSlices(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if HasSlices(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// IsPart reports whether the part is a field of a struct, and not a whole parameter.
func (p *Part) IsPart() bool { return len(p.path) > 0 }

// Of is the part of an argument, a struct that can be addressed: the fields of one that is not of the parameter's type
// are found by their names. It is not valid if there is no such field.
func (p *Part) Of(arg reflect.Value, param reflect.Type) reflect.Value {
	t := param
	for _, i := range p.path {
		switch {
		case t.Kind() == reflect.Array:
			if arg.Kind() != reflect.Array || i >= arg.Len() {
				return reflect.Value{}
			}
			arg, t = arg.Index(i), t.Elem()
			continue
		case arg.Type() == t:
			arg = arg.Field(i)
		case arg.Kind() != reflect.Struct:
			return reflect.Value{}
		case t.Field(i).Name == "_": // which nothing can read
			arg = reflect.New(t.Field(i).Type).Elem()
		default:
			f, ok := arg.Type().FieldByName(t.Field(i).Name)
			if !ok || len(f.Index) != 1 {
				return reflect.Value{}
			}
			arg = arg.Field(f.Index[0])
		}
		t = t.Field(i).Type
	}
	return open(arg)
}

// open is a value of a field that can be read and set, though it may not be exported.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// Field is a field of a struct that can be addressed.
func Field(v reflect.Value, i int) reflect.Value { return open(v.Field(i)) }

// Addressable is a copy of a struct whose fields can all be read.
func Addressable(arg any) reflect.Value {
	v := reflect.New(reflect.TypeOf(arg)).Elem()
	v.Set(reflect.ValueOf(arg))
	return v
}

// Where is the part in messages: "parameter 2", or "field X of parameter 2".
func (p *Part) Where() string {
	if p.Name == "" {
		return fmt.Sprintf("parameter %d", p.Param+1)
	}
	return fmt.Sprintf("field %s of parameter %d", p.Name, p.Param+1)
}

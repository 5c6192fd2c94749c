package kernel

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/origin"
	"github.com/qdgen/qd/internal/runtime/dims"
)

// Fits fails unless a module's kernel takes the parameters that the running program passes: the
// text that it was made from may be another one, whatever else says that it is not.
func (k *Func) Fits(m *build.Module) error {
	abi := m.ABI
	if m.Grid != nil {
		abi = m.Grid.ABI
	}
	changed := func(format string, args ...any) error {
		return k.Changed(&origin.ChangedError{File: k.Ref.File, Line: k.Ref.Line, Reason: fmt.Sprintf(format, args...)})
	}
	params := abi.Params
	if m.Backward != nil { // what it keeps values in is for whoever launches it
		params = m.Backward.Given(abi)
	}
	if len(params) != len(k.Args) {
		return changed("the kernel has %s in the program and %d in the source", dims.Plural(len(k.Args), "parameter"), len(params))
	}
	for i, p := range params {
		in := p.Type
		if p.Fields != "" {
			in = p.Fields
		}
		if t := k.Args[i]; fieldsOf(t) != in {
			return changed("parameter %s is %v in the program, %s with the fields of structs, and %s in the source", p.Name, t, fieldsOf(t), in)
		}
	}
	return nil
}

// fieldsOf is a type as [build.Param] has it: the fields of structs in the place of names, those
// that are stored unpacked one by one.
func fieldsOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "int64"
	case reflect.Uint, reflect.Uintptr:
		return "uint64"
	case reflect.Complex64:
		return "{real float32; imag float32}"
	case reflect.Complex128:
		return "{real float64; imag float64}"
	case reflect.Slice:
		return "[]" + fieldsOf(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + fieldsOf(t.Elem())
	case reflect.Struct:
		return "{" + strings.Join(structFields(t), "; ") + "}"
	}
	return t.Kind().String()
}

// structFields are the fields of a struct.
func structFields(t reflect.Type) (list []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if !isUnpacked(f) {
			list = append(list, f.Name+" "+fieldsOf(f.Type))
			continue
		}
		for _, scalar := range unpackedNames("", f.Type) {
			if f.Name != "_" {
				scalar = f.Name + scalar
			} else {
				scalar = "_" + scalar[strings.Index(scalar, " "):]
			}
			list = append(list, scalar)
		}
	}
	return list
}

// isUnpacked reports whether a field is stored as scalars.
func isUnpacked(f reflect.StructField) bool {
	words := strings.Split(f.Tag.Get("qd"), ",")
	return slices.ContainsFunc(words, func(w string) bool { return strings.TrimSpace(w) == "unpacked" })
}

// unpackedNames are the scalars of an array of arrays: "0_1 float32".
func unpackedNames(index string, t reflect.Type) (list []string) {
	if t.Kind() != reflect.Array {
		return []string{strings.TrimPrefix(index, "_") + " " + fieldsOf(t)}
	}
	for i := range t.Len() {
		list = append(list, unpackedNames(index+"_"+strconv.Itoa(i), t.Elem())...)
	}
	return list
}

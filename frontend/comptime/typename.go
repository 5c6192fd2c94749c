package comptime

import (
	"reflect"
	"strconv"
	"strings"
)

// TypeName is a type in Go's notation with import paths in front of names, as [Value]
// and load.Ref have types.
func TypeName(t reflect.Type) string {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name()
		}
		return t.PkgPath() + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Slice:
		return "[]" + TypeName(t.Elem())
	case reflect.Pointer:
		return "*" + TypeName(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + TypeName(t.Elem())
	case reflect.Map:
		return "map[" + TypeName(t.Key()) + "]" + TypeName(t.Elem())
	case reflect.Chan:
		return t.ChanDir().String() + " " + TypeName(t.Elem())
	case reflect.Func:
		return "func" + signature(t)
	case reflect.Struct:
		return structName(t)
	}
	return t.String() // an interface
}

// ParamTypes are the types of a function's parameters as load.Ref has them.
func ParamTypes(t reflect.Type) string {
	var list []string
	for in := range t.Ins() {
		list = append(list, TypeName(in))
	}
	return strings.Join(list, ",")
}

// signature is a function type without its keyword, as go/types writes it.
func signature(t reflect.Type) string {
	var in, out []string
	for i := range t.NumIn() {
		name := TypeName(t.In(i))
		if t.IsVariadic() && i == t.NumIn()-1 {
			name = "..." + strings.TrimPrefix(name, "[]")
		}
		in = append(in, name)
	}
	for p := range t.Outs() {
		out = append(out, TypeName(p))
	}
	text := "(" + strings.Join(in, ", ") + ")"
	switch len(out) {
	case 0:
		return text
	case 1:
		return text + " " + out[0]
	}
	return text + " (" + strings.Join(out, ", ") + ")"
}

// structName is a struct type without a name, as go/types writes it.
func structName(t reflect.Type) string {
	var fields []string
	for i := range t.NumField() {
		f := t.Field(i)
		text := TypeName(f.Type)
		if !f.Anonymous {
			text = f.Name + " " + text
		}
		if f.Tag != "" {
			text += " " + strconv.Quote(string(f.Tag))
		}
		fields = append(fields, text)
	}
	return "struct{" + strings.Join(fields, "; ") + "}"
}

package load

import (
	"go/ast"
	"reflect"
)

// copySyntax copies syntax. What the type checker says of a function literal that is
// declared as a function must not mix with what it says of it where it stands.
func copySyntax[N ast.Node](n N) N {
	return copyValue(reflect.ValueOf(n)).Interface().(N)
}

func copyValue(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return copyValue(v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			s.Index(i).Set(copyValue(v.Index(i)))
		}
		return s
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		p := reflect.New(v.Type().Elem())
		for i := range v.Elem().NumField() {
			if v.Elem().Type().Field(i).IsExported() {
				p.Elem().Field(i).Set(copyValue(v.Elem().Field(i)))
			}
		}
		return p
	}
	return v
}

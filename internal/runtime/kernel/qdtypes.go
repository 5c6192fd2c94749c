package kernel

import (
	"reflect"
	"strings"

	"github.com/qdgen/qd/frontend/load"
)

// IsQD reports whether a type is that of package qd with this name.
func IsQD(t reflect.Type, name string) bool { return t.Name() == name && t.PkgPath() == load.QDPath }

// isArray reports whether a type is that of a pointer to a qd.Array.
func isArray(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().PkgPath() == load.QDPath && strings.HasPrefix(t.Elem().Name(), "Array[")
}

// ViewOf tells whether a type is that of views, qd.View2 to View4: the number of dimensions, 0 if it is not, and
// the type of elements.
func ViewOf(t reflect.Type) (rank int, elem reflect.Type) {
	if t.Kind() != reflect.Struct || t.PkgPath() != load.QDPath {
		return 0, nil
	}
	digits, ok := strings.CutPrefix(t.Name(), "View")
	if !ok || len(digits) < 2 || digits[1] != '[' {
		return 0, nil
	}
	return int(digits[0] - '0'), t.Field(0).Type.Elem()
}

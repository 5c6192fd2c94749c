package load

import (
	"go/importer"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestStubs compares the embedded declarations with the packages that they stand
// for, in both directions.
func TestStubs(t *testing.T) {
	for path := range stubs {
		real, err := importer.ForCompiler(token.NewFileSet(), "source", nil).Import(path)
		if err != nil {
			t.Skip("no source of the standard library: ", err)
		}
		stub := stubs[path]().types
		if stub.Name() != real.Name() || !stub.Complete() {
			t.Errorf("package %s, complete %v", stub.Name(), stub.Complete())
		}
		for _, name := range real.Scope().Names() {
			want, got := real.Scope().Lookup(name), stub.Scope().Lookup(name)
			switch {
			case !want.Exported():
			case got == nil:
				t.Errorf("%s.%s is missing: run go generate", path, name)
			case !sameInStub(got.Type(), want.Type()):
				t.Errorf("%s.%s is %v, want %v", path, name, got.Type(), want.Type())
			default:
				if want, ok := want.(*types.Const); ok && got.(*types.Const).Val().ExactString() != want.Val().ExactString() {
					t.Errorf("%s.%s is %v, want %v", path, name, got.(*types.Const).Val(), want.Val())
				}
			}
		}
		for _, name := range stub.Scope().Names() {
			if token.IsExported(name) && real.Scope().Lookup(name) == nil {
				t.Errorf("package %s has no %s: run go generate", path, name)
			}
		}
	}
}

// sameInStub reports whether two types are the same, but for types of package io, which are any in a stub.
func sameInStub(got, want types.Type) bool {
	if named, ok := want.(*types.Named); ok {
		got, want = got.Underlying(), named.Underlying()
	}
	text := strings.NewReplacer("io.Writer", "any", "io.Reader", "any").Replace(types.TypeString(want, nil))
	return types.Identical(got, want) || types.TypeString(got, nil) == text
}

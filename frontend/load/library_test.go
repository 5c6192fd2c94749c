package load

import (
	"go/importer"
	"go/token"
	"go/types"
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
			case !types.Identical(got.Type(), want.Type()):
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

package check

import (
	"go/ast"
	"go/types"
)

// PrintsPlainly refuses a type with a method that package fmt would call, and reports whether
// it has none.
func (sc *Scope) PrintsPlainly(e ast.Expr, typ types.Type) bool {
	if HidesString(typ) {
		sc.Syntax.Refuse(e, "print what its method Float32 gives, which has the same text", "qd.Printf does not call method String of %s", sc.Syntax.TypeString(typ))
		return false
	}
	for _, name := range [...]string{"Format", "GoString", "Error", "String"} {
		obj, _, _ := types.LookupFieldOrMethod(typ, false, nil, name)
		if _, isMethod := obj.(*types.Func); !isMethod {
			continue
		}
		hint := "print its parts one by one"
		if basic, ok := typ.Underlying().(*types.Basic); ok {
			hint = "convert it: " + basic.Name() + "(...)"
		}
		sc.Syntax.Refuse(e, hint, "qd.Printf does not call method %s of %s", name, sc.Syntax.TypeString(typ))
		return false
	}
	return true
}

// HidesString reports whether a type is a float of 16 bits, or a struct that embeds one. Its String is not in the source
// that is checked, as it needs package strconv; what Float32 gives has the same text.
func HidesString(typ types.Type) bool {
	if isQD(typ, "Float16") || isQD(typ, "BFloat16") {
		return true
	}
	s, ok := typ.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if f := s.Field(i); f.Embedded() && HidesString(f.Type()) {
			return true
		}
	}
	return false
}

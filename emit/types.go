package emit

import (
	"fmt"

	"github.com/qdgen/qd/ssa"
)

// typeName is a type as the text writes it: Go's names, which the prelude
// defines.
func typeName(t ssa.Type) string {
	switch t := t.(type) {
	case ssa.Basic:
		switch {
		case t == ssa.Thread:
			return "Thread"
		case t == ssa.Bool, ssa.IsNumeric(t):
			return t.String()
		}
	case ssa.Slice:
		return "slice<" + typeName(t.Elem) + ">"
	case ssa.Pointer:
		return typeName(t.Elem) + "*"
	}
	panic(fmt.Sprintf("BUG: type %v in emitted code", t))
}

// constType is the type of a variable that is assigned once.
func constType(t ssa.Type) string {
	if p, ok := t.(ssa.Pointer); ok {
		return typeName(p) + " const"
	}
	return "const " + typeName(t)
}

// isSmall reports whether C++ computes with int in place of t, so that what Go
// wraps must be wrapped by a conversion.
func isSmall(t ssa.Type) bool { return ssa.IsInteger(t) && t.Size() < 4 }

// unsignedName is the unsigned integer type as wide as the integer type t.
func unsignedName(t ssa.Type) string { return fmt.Sprintf("uint%d", ssa.Bits(t)) }

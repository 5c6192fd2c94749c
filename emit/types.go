package emit

import (
	"fmt"

	"github.com/qdgen/qd/ssa"
)

// typeName is a type as the text writes it: Go's names, which the prelude or
// the module's own structs define.
func (p *printer) typeName(t ssa.Type) string {
	switch t := t.(type) {
	case ssa.Basic:
		switch {
		case t == ssa.Thread:
			return p.threadType
		case t == ssa.BlockPlace:
			return p.blockType
		case t == ssa.Bool, ssa.IsNumeric(t):
			return t.String()
		}
	case ssa.Vec:
		return p.wideName(t)
	case ssa.Slice:
		return "slice<" + p.typeName(t.Elem) + ">"
	case ssa.Pointer:
		return p.typeName(t.Elem) + "*"
	case ssa.Array:
		if t.Size() == 0 {
			p.need("empty_array") // C++ has no arrays without a size, whatever has none
			return "array<" + p.typeName(t.Elem) + ", 0>"
		}
		return fmt.Sprintf("array<%s, %d>", p.typeName(t.Elem), t.Len)
	case *ssa.Struct:
		name := p.structs.names[t]
		if p.structs.hidden[name] {
			return "::" + name
		}
		return name
	}
	panic(fmt.Sprintf("BUG: type %v in emitted code", t))
}

// constType is the type of a variable that is assigned once.
func (p *printer) constType(t ssa.Type) string {
	if ptr, ok := t.(ssa.Pointer); ok {
		return p.typeName(ptr) + " const"
	}
	return "const " + p.typeName(t)
}

// isSmall reports whether C++ computes with int in place of t, so that what Go
// wraps must be wrapped by a conversion.
func isSmall(t ssa.Type) bool { return ssa.IsInteger(t) && t.Size() < 4 }

// unsignedName is the unsigned integer type as wide as the integer type t.
func unsignedName(t ssa.Type) string { return fmt.Sprintf("uint%d", ssa.Bits(t)) }

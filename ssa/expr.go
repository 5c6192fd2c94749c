package ssa

import "strings"

// maxExprDepth is how deep [Value.Expr] follows operands.
const maxExprDepth = 4

// Expr is a value as people write it, for messages: a variable by its name, else what computes it, as far as that is
// short.
//
//	i
//	len(x)
//	t.ID() + 1
func (v *Value) Expr() string {
	var b strings.Builder
	v.expr(&b, maxExprDepth, false)
	return b.String()
}

// exprOps are the operations that are written between their operands.
var exprOps = map[Op]string{
	OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpRem: "%", OpAnd: "&", OpOr: "|", OpXor: "^", OpAndNot: "&^", OpShl: "<<", OpShr: ">>",
	OpEq: "==", OpNe: "!=", OpLt: "<", OpLe: "<=", OpGt: ">", OpGe: ">=",
}

// expr writes a value, with parentheses around an operation within another one.
func (v *Value) expr(b *strings.Builder, depth int, within bool) {
	if v.Name != "" {
		b.WriteString(v.Name)
		return
	}
	v.computed(b, depth, within)
}

// Computed is what computes a value, as Expr writes it of a value that is no variable.
func (v *Value) Computed() string {
	var b strings.Builder
	v.computed(&b, maxExprDepth, false)
	return b.String()
}

// computed writes what computes a value.
func (v *Value) computed(b *strings.Builder, depth int, within bool) {
	in := v.Def
	switch {
	case in == nil || depth == 0:
		b.WriteString("...")
	case in.Op == OpConst && IsConstType(v.Type):
		b.WriteString(in.Const.Format(v.Type))
	case in.Op == OpThreadID:
		b.WriteString("t.ID()")
		if in.Rank > 1 {
			b.WriteString(" of axis " + string(rune('0'+in.Axis)))
		}
	case exprOps[in.Op] != "":
		if within {
			b.WriteByte('(')
		}
		in.Args[0].expr(b, depth-1, true)
		b.WriteString(" " + exprOps[in.Op] + " ")
		in.Args[1].expr(b, depth-1, true)
		if within {
			b.WriteByte(')')
		}
	case in.Op == OpIndexAddr || in.Op == OpElemAddr || in.Op == OpElem:
		in.Args[0].expr(b, depth-1, true)
		b.WriteByte('[')
		in.Args[1].expr(b, depth-1, false)
		b.WriteByte(']')
	case in.Op == OpField || in.Op == OpFieldAddr:
		in.Args[0].expr(b, depth-1, true)
		b.WriteString("." + fieldName(in.Args[0].Type, int(in.Index)))
	case in.Op == OpLoad:
		in.Args[0].expr(b, depth, within)
	case in.Op == OpConvert:
		b.WriteString(v.Type.String() + "(")
		in.Args[0].expr(b, depth-1, false)
		b.WriteByte(')')
	case in.Op == OpIf || in.Op == OpLoop:
		b.WriteString("what the " + in.Op.String() + " gives")
	default:
		name := in.Op.String()
		if in.Op == OpMath {
			name = in.Math.String()
		}
		if in.Op == OpCall && in.Callee != nil {
			name = in.Callee.Name
		}
		b.WriteString(name + "(")
		for i, a := range in.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			a.expr(b, depth-1, false)
		}
		b.WriteByte(')')
	}
}

// fieldName is the name of a field of a struct, or of the struct that a pointer points to.
func fieldName(t Type, index int) string {
	if p, ok := t.(Pointer); ok {
		t = p.Elem
	}
	if s, ok := t.(*Struct); ok && index < len(s.Fields) && s.Fields[index].Name != "" {
		return s.Fields[index].Name
	}
	return "..."
}

package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// Arrays, such as vectors and matrices, and structs are printed as package fmt does: what a
// directive says holds for each number. A device records the numbers; the format that
// the host prints them with has the brackets.

// maxPrinted is how many numbers one argument may have.
const maxPrinted = 64

// printfValue is an argument of a type and with a value, nil for a string.
func (pr printer) printfValue(e ast.Expr, typ types.Type, val *ssa.Value) printfArg {
	arg := printfArg{expr: e, val: val}
	switch u := typ.Underlying().(type) {
	case *types.Basic:
		return pr.printfBasic(arg, typ, u)
	case *types.Array:
		array, ok := val.Type.(ssa.Array)
		if !ok || eval.IsFront(val) {
			break
		}
		if array.Len > maxPrinted {
			pr.refuseLong(e, typ) // before there is a value for each of them
			return arg
		}
		if !pr.b.PrintsPlainly(e, typ) {
			return arg
		}
		arg.kind = kindArray
		for i := range array.Len {
			index := pr.b.Constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i)))
			if !arg.add(pr.printfValue(e, u.Elem(), pr.b.ElemOf(e.Pos(), val, index, array))) {
				break
			}
		}
		return arg
	case *types.Struct:
		for i := range u.NumFields() {
			if _, ok := pr.b.m.Unpacked(u, i); ok {
				pr.b.m.Refuse(e, "print its fields one by one, and the elements of the unpacked field", "qd.Printf does not print a %s: its field %s is unpacked", pr.b.m.TypeString(typ), u.Field(i).Name())
				return arg
			}
		}
		st, ok := val.Type.(*ssa.Struct)
		if !ok || eval.IsFront(val) {
			break
		}
		if !pr.b.PrintsPlainly(e, typ) {
			return arg
		}
		arg.kind = kindStruct
		for i, f := range st.Fields {
			arg.names = append(arg.names, u.Field(i).Name())
			if !arg.add(pr.printfValue(e, u.Field(i).Type(), pr.b.Field(e.Pos(), val, i, f.Type))) {
				break
			}
		}
		return arg
	}
	pr.b.m.Refuse(e, "print its parts one by one", "qd.Printf prints numbers, bools, constant strings, and arrays and structs of numbers and bools, not a %s", pr.b.m.TypeString(typ))
	return arg
}

// refuseLong refuses an argument of more than maxPrinted numbers.
func (pr printer) refuseLong(e ast.Expr, typ types.Type) {
	pr.b.m.Refuse(e, "print a part of it", "qd.Printf prints at most %d numbers of one argument, not a %s", maxPrinted, pr.b.m.TypeString(typ))
}

// printfBasic is an argument of a basic type.
func (pr printer) printfBasic(arg printfArg, typ types.Type, basic *types.Basic) printfArg {
	_, predeclared := types.Unalias(typ).(*types.Basic)
	arg.named = !predeclared
	if !pr.b.PrintsPlainly(arg.expr, typ) {
		return arg
	}
	arg.goType = types.Typ[types.Default(basic).(*types.Basic).Kind()].Name()
	switch info := basic.Info(); {
	case info&types.IsString != 0:
		arg.kind = kindString
	case info&types.IsBoolean != 0:
		arg.kind = kindBool
	case info&types.IsInteger != 0:
		arg.kind = kindInt
	case info&types.IsFloat != 0:
		arg.kind = kindFloat
	case info&types.IsComplex != 0:
		arg.kind = kindComplex
	}
	return arg
}

// add appends a part, and reports whether it was not refused, which takes the whole along.
func (a *printfArg) add(part printfArg) bool {
	a.parts = append(a.parts, part)
	if part.kind == 0 {
		a.kind = 0
	}
	return part.kind != 0
}

func (a *printfArg) isComposite() bool { return a.kind == kindArray || a.kind == kindStruct }

// leaves are the numbers and bools that an argument consists of.
func (a *printfArg) leaves() []printfArg {
	if !a.isComposite() {
		return []printfArg{*a}
	}
	var all []printfArg
	for i := range a.parts {
		all = append(all, a.parts[i].leaves()...)
	}
	return all
}

// composite writes the directive for an array or a struct, and reports whether it is one for that.
func (p *printfFormat) composite(arg printfArg, directive string, verb rune, star bool) bool {
	for _, leaf := range arg.leaves() {
		isByte := leaf.goType == "uint8" && strings.ContainsRune("xXq", verb) // fmt prints arrays of them as strings
		if strings.IndexByte(verbKinds[verb], leaf.kind) < 0 || leaf.kind == kindString || verb == 'T' || isByte || star || verb == 'v' && strings.Contains(directive, "#") {
			p.b.m.Refuse(arg.expr, "use %v, or print its parts one by one", "qd.Printf format %s has an argument of type %s", directive, p.b.m.TypeString(p.b.GoType(arg.expr)))
			return false
		}
	}
	p.parts(arg, directive, verb == 'v' && strings.Contains(directive, "+"))
	return true
}

// parts writes the directive for each part, with the names of fields if they are wanted.
func (p *printfFormat) parts(arg printfArg, directive string, names bool) {
	brackets := "[]"
	switch arg.kind {
	case kindStruct:
		brackets = "{}"
	case kindArray:
	default:
		p.out.WriteString(directive)
		return
	}
	p.out.WriteByte(brackets[0])
	for i, part := range arg.parts {
		if i > 0 {
			p.out.WriteByte(' ')
		}
		if names && arg.kind == kindStruct {
			p.out.WriteString(arg.names[i] + ":")
		}
		p.parts(part, directive, names)
	}
	p.out.WriteByte(brackets[1])
}

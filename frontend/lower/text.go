package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
	"unicode/utf8"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/ssa"
)

// Texts lower the functions of packages fmt and strconv whose result is what a kernel says when it stops: see
// [eval.Text].
type texts struct{ b *builder }

// operation is how a function of package fmt is lowered, nil for one that kernels cannot call.
func (tx texts) operation(name string) operation {
	switch name {
	case "Sprintf", "Errorf":
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
			text, made, ok := tx.sprintf(e, name == "Errorf")
			switch {
			case !ok:
				return eval.Poisons(1)
			case name == "Errorf":
				return []*ssa.Value{tx.b.NewError(e.Pos(), text, made)}
			}
			return []*ssa.Value{text.Value()}
		}
	case "Sprint", "Sprintln":
		return func(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
			text, ok := tx.sprint(e, name == "Sprintln")
			if !ok {
				return eval.Poisons(1)
			}
			return []*ssa.Value{text.Value()}
		}
	}
	return nil
}

// conversion is how a function of package strconv is lowered that writes a number. One of a known number is called.
func (tx texts) conversion(name string) operation {
	verb := map[string]string{"Itoa": "%d", "FormatInt": "%d", "FormatUint": "%d", "FormatBool": "%t"}[name]
	if verb == "" {
		return nil
	}
	return func(e *ast.CallExpr, f *eval.Func) []*ssa.Value {
		params, variadic := tx.b.m.paramsOf(f)
		args, ok := tx.b.caller.callArgs(e, params, variadic)
		if !ok || eval.AnyPoison(args) {
			return eval.Poisons(1)
		}
		base, known := ssa.IntConst(ssa.Int64, 10), true
		if len(args) == 2 {
			base, known = tx.b.KnownConst(args[1])
		}
		if _, constant := tx.b.KnownConst(args[0]); constant || !known {
			return tx.b.caller.callBound(e, f, args)
		}
		text := eval.Unknown(clip(types.ExprString(e)))
		if verb := map[int64]string{2: "%b", 8: "%o", 10: verb, 16: "%x"}[base.Int()]; verb != "" {
			text = tx.number(verb, args[0], types.ExprString(e.Args[0]))
		}
		return []*ssa.Value{text.Value()}
	}
}

// sprintf is the text of a call of fmt.Sprintf or fmt.Errorf, and the dynamic type of the error that fmt.Errorf makes.
func (tx texts) sprintf(e *ast.CallExpr, errorf bool) (t eval.Text, made types.Type, ok bool) {
	if !tx.b.m.Arity(e, 1) {
		return nil, nil, false
	}
	var f *ssa.Value
	var items []item
	if _, tuple := tx.b.GoType(e.Args[0]).(*types.Tuple); tuple {
		if items, ok = tx.items(e, 0); ok {
			f, items = items[0].val, items[1:]
		}
	} else {
		f = tx.b.expr(e.Args[0])
		items, ok = tx.items(e, 1)
	}
	if !ok || f == eval.Poison {
		return nil, nil, false
	}
	format, known := eval.StringOf(f)
	unknownList := len(items) > 0 && items[0].more
	if errorf && (!known || unknownList && strings.Contains(format, "w")) {
		tx.b.m.Refuse(e, "give it a constant format, and its arguments one by one", "whether the error that %s makes wraps another is not known at compile time",
			types.ExprString(e.Fun))
		return nil, nil, false
	}
	made = eval.MadeBy(format, len(items))
	if !known || unknownList {
		return eval.Unknown(clip(types.ExprString(e))), made, true
	}
	if t, ok = tx.formatted(e, format, items, errorf); !ok {
		t = eval.Unknown(clip(types.ExprString(e)))
	}
	return t, made, true
}

// formatted is the text of a known format with items. It is not ok if the format has what is not followed here.
func (tx texts) formatted(e *ast.CallExpr, format string, items []item, errorf bool) (t eval.Text, ok bool) {
	for {
		before, d, rest, found := cutDirective(format)
		t = append(t, eval.Literal(before)...)
		switch {
		case !found:
			return append(t, tx.extra(e, items)...), true
		case d.verb == 0 || d.verb == 'w' && !errorf:
			return nil, false
		case d.verb == '%':
			t = append(t, eval.Literal("%")...)
		case len(items) == 0:
			t = append(t, eval.Literal("%!"+string(d.verb)+"(MISSING)")...)
		default:
			if d.verb == 'w' && items[0].isError() {
				d.verb = 'v'
			}
			t = append(t, tx.item(e, d, items[0], 0)...)
			items = items[1:]
		}
		format = rest
	}
}

// extra is what package fmt writes of items that a format does not mention.
func (tx texts) extra(e *ast.CallExpr, items []item) (t eval.Text) {
	if len(items) == 0 {
		return nil
	}
	t = eval.Literal("%!(EXTRA ")
	for i, it := range items {
		if i > 0 {
			t = append(t, eval.Literal(", ")...)
		}
		if it.typ == nil {
			t = append(t, eval.Literal("<nil>")...)
			continue
		}
		typ := it.typ
		if it.err != nil {
			typ = it.err
		}
		t = append(t, eval.Literal(tx.typeName(typ)+"=")...)
		t = append(t, tx.item(e, directive{"%", 'v'}, it, 0)...)
	}
	return append(t, eval.Literal(")")...)
}

// sprint is the text of a call of fmt.Sprint or fmt.Sprintln.
func (tx texts) sprint(e *ast.CallExpr, line bool) (t eval.Text, ok bool) {
	items, ok := tx.items(e, 0)
	if !ok {
		return nil, false
	}
	if len(items) > 0 && items[0].more {
		return eval.Unknown(clip(types.ExprString(e))), true
	}
	isString := func(it item) bool { return it.typ != nil && it.err == nil && check.IsBasic(it.typ, types.IsString) }
	for i, it := range items {
		if i > 0 && (line || !isString(it) && !isString(items[i-1])) {
			t = append(t, eval.Literal(" ")...)
		}
		t = append(t, tx.item(e, directive{"%", 'v'}, it, 0)...)
	}
	if line {
		t = append(t, eval.Literal("\n")...)
	}
	return t, true
}

// A directive is a verb of package fmt with the flags, the width and the precision before it.
type directive struct {
	text string // the percent sign, and all before the verb
	verb rune
}

func (d directive) String() string { return d.text + string(d.verb) }

// cutDirective cuts a format at its first directive. Its verb is 0 if there is none, or if the directive says which
// argument it is for, or has a width or a precision that is an argument.
func cutDirective(format string) (before string, d directive, after string, found bool) {
	before, after, found = strings.Cut(format, "%")
	if !found {
		return before, d, "", false
	}
	n := len(after) - len(strings.TrimLeft(after, "+-# 0123456789."))
	d.text = "%" + after[:n]
	if after = after[n:]; after != "" && strings.IndexByte("*[", after[0]) < 0 {
		verb, size := utf8.DecodeRuneInString(after)
		d.verb, after = verb, after[size:]
	}
	return before, d, after, true
}

// plain reports whether it asks for a value as it is.
func (d directive) plain() bool {
	return (d.text == "%" || d.text == "%+") && (d.verb == 'v' || d.verb == 's')
}

// item is what package fmt writes for a value.
func (tx texts) item(at *ast.CallExpr, d directive, it item, depth int) eval.Text {
	sharp := strings.Contains(d.text, "#")
	switch {
	case it.typ == nil:
		return eval.Literal(fmt.Sprintf(d.String(), nil))
	case it.err != nil && d.verb == 'T' && depth == 0:
		return eval.Literal(fmt.Sprintf(d.text+"s", tx.typeName(it.err)))
	case it.err != nil && (!strings.ContainsRune("vsxXq", d.verb) || sharp):
		return it.unknown()
	case d.verb == 'T' && depth == 0:
		return eval.Literal(fmt.Sprintf(d.text+"s", tx.typeName(it.typ)))
	case it.val == nil || it.val == eval.Poison:
		return it.unknown()
	case d.verb == 'w' && !check.IsBasic(it.typ, types.IsBoolean|types.IsNumeric|types.IsString):
		return it.unknown()
	}
	if t, ok := tx.bySelf(at, d, it); ok {
		return t
	}
	switch u := it.typ.Underlying().(type) {
	case *types.Basic:
		return tx.basic(at, d, it, u)
	case *types.Struct:
		if sharp || d.verb == 'T' || d.verb == 'p' {
			return it.unknown()
		}
		t := eval.Literal("{")
		for i := range u.NumFields() {
			if i > 0 {
				t = append(t, eval.Literal(" ")...)
			}
			f := u.Field(i)
			if strings.Contains(d.text, "+") && d.verb == 'v' {
				t = append(t, eval.Literal(f.Name()+":")...)
			}
			part := tx.part(at, it, i, f.Type(), it.name+"."+f.Name())
			part.priv = it.priv || !f.Exported()
			t = append(t, tx.item(at, d, part, depth+1)...)
		}
		return append(t, eval.Literal("}")...)
	case *types.Array:
		if sharp || strings.ContainsRune("sqxXTp", d.verb) || u.Len() > 4 {
			return it.unknown()
		}
		t := eval.Literal("[")
		for i := range int(u.Len()) {
			if i > 0 {
				t = append(t, eval.Literal(" ")...)
			}
			part := tx.part(at, it, i, u.Elem(), fmt.Sprintf("%s[%d]", it.name, i))
			part.priv = it.priv
			t = append(t, tx.item(at, d, part, depth+1)...)
		}
		return append(t, eval.Literal("]")...)
	}
	return it.unknown()
}

// part is a field or an element of an item.
func (tx texts) part(at *ast.CallExpr, it item, i int, typ types.Type, name string) item {
	part := item{name: name, typ: typ}
	switch t := it.val.Type.(type) {
	case *ssa.Struct:
		part.val = tx.b.Field(at.Pos(), it.val, i, t.Fields[i].Type)
	case ssa.Array:
		index := tx.b.Constant(at.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i)))
		part.val = tx.b.ElemOf(at.Pos(), it.val, index, t)
	default:
		if a := eval.AggregateOf(it.val); a != nil && i < a.N {
			part.val = tx.b.FrontField(at.Pos(), it.val, i)
		}
	}
	return tx.dynamic(at, part)
}

// bySelf is the text that an item gives of itself, with a method Error or String. It is not ok of one without.
func (tx texts) bySelf(at *ast.CallExpr, d directive, it item) (eval.Text, bool) {
	if it.priv {
		return nil, false
	}
	methods := types.NewMethodSet(it.typ)
	if methods.Lookup(nil, "Format") != nil || methods.Lookup(nil, "GoString") != nil && strings.Contains(d.text, "#") {
		return it.unknown(), true
	}
	if strings.Contains(d.text, "#") && d.verb == 'v' || !strings.ContainsRune("vsxXq", d.verb) {
		return nil, false
	}
	for _, name := range [...]string{"Error", "String"} {
		sel := methods.Lookup(nil, name)
		if sel == nil {
			continue
		}
		sig := sel.Type().(*types.Signature)
		if sig.Params().Len() != 0 || sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.String]) {
			continue
		}
		v, ok := tx.attemptOf(func() *ssa.Value {
			f := tx.b.caller.bindMethod(at, ref{val: it.val}, it.typ, sel.Obj())
			if f == nil {
				return eval.Poison
			}
			if vals := tx.b.caller.callBound(at, f, nil); len(vals) == 1 {
				return vals[0]
			}
			return eval.Poison
		})
		if ok {
			if t, ok := eval.TextOf(v); ok {
				return tx.directed(d, t, it), true
			}
		}
		if u, ok := it.typ.Underlying().(*types.Basic); ok && u.Info()&types.IsNumeric != 0 {
			t := append(eval.Literal(tx.typeName(it.typ)+"("), tx.basic(at, directive{"%", 'v'}, it, u)...)
			return append(t, eval.Literal(")")...), true
		}
		return it.unknown(), true
	}
	if check.HidesString(it.typ) {
		return it.unknown(), true
	}
	return nil, false
}

// directed is a text as a directive writes it.
func (tx texts) directed(d directive, t eval.Text, it item) eval.Text {
	if d.plain() {
		return t
	}
	if s, ok := eval.StringOf(t.Value()); ok {
		return eval.Literal(fmt.Sprintf(d.String(), s))
	}
	return it.unknown()
}

// basic is a string, a number or a bool as a directive writes it.
func (tx texts) basic(at *ast.CallExpr, d directive, it item, u *types.Basic) eval.Text {
	var kind byte
	switch info := u.Info(); {
	case info&types.IsString != 0:
		kind = kindString
	case info&types.IsBoolean != 0:
		kind = kindBool
	case info&types.IsInteger != 0:
		kind = kindInt
	case info&types.IsFloat != 0:
		kind = kindFloat
	case info&types.IsComplex != 0:
		kind = kindComplex
	default:
		return it.unknown()
	}
	if strings.IndexByte(verbKinds[d.verb], kind) < 0 {
		t := eval.Literal("%!" + string(d.verb) + "(" + tx.typeName(it.typ) + "=")
		return append(append(t, tx.basic(at, directive{d.text, 'v'}, it, u)...), eval.Literal(")")...)
	}
	switch {
	case kind == kindString:
		if t, ok := eval.TextOf(it.val); ok {
			return tx.directed(d, t, it)
		}
		return it.unknown()
	case eval.IsFront(it.val):
		return it.unknown()
	case kind != kindComplex:
		return tx.number(d.String(), it.val, it.name)
	case d.text != "%":
		return it.unknown()
	}
	if d.verb == 'v' {
		d.verb = 'g'
	}
	re, im := tx.b.ComplexParts(at.Pos(), it.val)
	t := append(eval.Literal("("), tx.number(d.String(), re, "real("+it.name+")")...)
	t = append(t, tx.number("%+"+string(d.verb), im, "imag("+it.name+")")...)
	return append(t, eval.Literal("i)")...)
}

// number is a number or a bool as a directive writes it.
func (tx texts) number(directive string, v *ssa.Value, name string) eval.Text {
	if c, ok := tx.b.KnownConst(v); ok {
		return eval.Literal(fmt.Sprintf(directive, printf.Arg{Kind: v.Type.String()}.Value(c.Uint())))
	}
	return eval.Text{{Verb: directive, Val: v, Name: clip(name)}}
}

// typeName is a type as %T writes it.
func (tx texts) typeName(t types.Type) string {
	if b, ok := t.(*types.Basic); ok {
		t = types.Default(b)
		switch t {
		case types.Universe.Lookup("byte").Type():
			return "uint8"
		case types.Universe.Lookup("rune").Type():
			return "int32"
		}
	}
	return types.TypeString(t, (*types.Package).Name)
}

// maxRecorded is how many values a panic records.
const maxRecorded = 4

// recorded is a text as the message of a panic: a format of package fmt if there are values with it.
func (tx texts) recorded(t eval.Text) (message string, args []*ssa.Value) {
	var format, literal strings.Builder
	add := func(s string) {
		literal.WriteString(s)
		format.WriteString(strings.ReplaceAll(s, "%", "%%"))
	}
	for _, p := range t {
		switch {
		case p.Val != nil && len(args) < maxRecorded:
			format.WriteString(p.Verb)
			args = append(args, p.Val)
		case p.Name != "":
			add("[" + p.Name + "]")
		default:
			add(p.Literal)
		}
	}
	if len(args) == 0 {
		return literal.String(), nil
	}
	return format.String(), args
}

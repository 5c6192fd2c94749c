package eval

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// A kernel has no strings of its own, but it may say something when it stops: fmt.Sprintf("index %d", i), or an error
// with such a text. The front end keeps such a string as a text, which is what is known of it with the numbers of the
// running kernel between. Everything but a panic, or another text, takes it for a string that is not known.

// A Text is a string in which there may be values of the running kernel.
type Text []TextPart

// A TextPart is a part of a text.
type TextPart struct {
	Literal string // as it is, or
	Verb    string // a directive of package fmt, for
	Val     *ssa.Value
	Name    string // of what is not known, in the place of Val or if there is no room for it
}

// Literal is a text that is known.
func Literal(s string) Text { return Text{{Literal: s}} }

// Unknown is a text of which only the name is known.
func Unknown(name string) Text { return Text{{Name: name}} }

// String is the text with the names of what is not known in it, in brackets.
func (t Text) String() string {
	var s strings.Builder
	for _, p := range t {
		if p.Name != "" {
			s.WriteString("[" + p.Name + "]")
		} else {
			s.WriteString(p.Literal)
		}
	}
	return s.String()
}

// known is a text without anything of the running kernel.
func (t Text) known() bool {
	for _, p := range t {
		if p.Name != "" {
			return false
		}
	}
	return true
}

// isRune reports whether a text is the conversion of a rune.
func (t Text) isRune() bool { return len(t) == 1 && t[0].Verb == "%c" }

// Value is a text as the value of an expression: a known string, if it is one.
func (t Text) Value() *ssa.Value {
	if t.known() {
		return Str(t.String())
	}
	return (&FrontValue{text: t}).Value()
}

// TextOf is the text that a value is. It is not ok of what is no string, and of a string of which nothing is known.
func TextOf(v *ssa.Value) (Text, bool) {
	if s, ok := StringOf(v); ok {
		return Literal(s), true
	}
	if f := FrontOf(v); f != nil && f.text != nil {
		return f.text, true
	}
	return nil, false
}

// concatTexts is the text of two strings of which at least one is a text that is not known. It is not ok if none is.
func concatTexts(x, y *ssa.Value) (v *ssa.Value, ok bool) {
	isText := func(v *ssa.Value) bool { return IsUnknown(v) && FrontOf(v).text != nil }
	if !isText(x) && !isText(y) {
		return nil, false
	}
	var t Text
	for _, part := range [...]*ssa.Value{x, y} {
		known, ok := TextOf(part)
		switch {
		case ok:
		case IsUnknown(part):
			known = Unknown("...")
		default:
			return nil, false
		}
		t = append(t, known...)
	}
	return t.Value(), true
}

// Here is a text where it is used. What the kernel has computed elsewhere is not known here.
func (b *Code) Here(pos token.Pos, t Text) Text {
	here := make(Text, len(t))
	for i, p := range t {
		if p.Val != nil {
			if p.Val = b.here(pos, p.Val); IsFront(p.Val) {
				p.Val, p.Verb = nil, ""
			}
		}
		here[i] = p
	}
	return here
}

// An error that errors.New or fmt.Errorf makes is a pointer unlike all others, so that it differs from nil and from the
// errors in package variables. Its text is what it holds, as a value that is not known: nothing can be compared with
// it.

// NewError is an error of a text, of one of the types that [MadeBy] gives.
func (b *Values) NewError(pos token.Pos, t Text, made types.Type) *ssa.Value {
	return b.box(pos, Dynamic{Type: made, Text: t.String(), At: pos}, (&FrontValue{text: t}).Value())
}

// IsMade reports whether a dynamic type is that of an error that errors.New or fmt.Errorf makes.
func (d Dynamic) IsMade() bool { return isMade(d.Type) }

func isMade(t types.Type) bool {
	return t != nil && (t == errorString() || t == wrapError() || t == wrapErrors())
}

// MadeBy is the type of the pointers that fmt.Errorf gives for a format and so many arguments. Package fmt itself says
// how many of them are wrapped: that does not depend on what they are.
func MadeBy(format string, args int) types.Type {
	some := make([]any, args)
	for i := range some {
		some[i] = errors.ErrUnsupported
	}
	switch fmt.Errorf(format, some...).(type) {
	case interface{ Unwrap() error }:
		return wrapError()
	case interface{ Unwrap() []error }:
		return wrapErrors()
	}
	return errorString()
}

// ErrorMethod is the method Error of such a type.
func (d Dynamic) ErrorMethod() *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(d.Type, true, nil, "Error")
	return obj.(*types.Func)
}

// ListParts are the elements of a slice that is known as a whole.
func (b *Env) ListParts(v *ssa.Value) ([]*ssa.Value, bool) {
	if !IsA(v, comptime.Slice) {
		return nil, false
	}
	return b.partsOf(FrontOf(v)), true
}

// IsMadeError reports whether a method is Error of an error that errors.New or fmt.Errorf makes.
func IsMadeError(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && f.Name() == "Error" && isMade(recv.Type())
}

// ErrorString is the type of the pointers that errors.New gives.
func ErrorString() types.Type { return errorString() }

var (
	errorString = sync.OnceValue(func() types.Type { return newErrorType("errors", "errorString", nil) })
	wrapError   = sync.OnceValue(func() types.Type { return newErrorType("fmt", "wrapError", errorType) })
	wrapErrors  = sync.OnceValue(func() types.Type { return newErrorType("fmt", "wrapErrors", types.NewSlice(errorType)) })
)

var errorType = types.Universe.Lookup("error").Type()

// newErrorType is a pointer to a type with a method Error, and a method Unwrap if that has a result.
func newErrorType(path, name string, unwrap types.Type) types.Type {
	pkg := types.NewPackage(path, path)
	t := types.NewNamed(types.NewTypeName(token.NoPos, pkg, name, nil), types.NewStruct(nil, nil), nil)
	p := types.NewPointer(t)
	method := func(name string, result types.Type) {
		results := types.NewTuple(types.NewVar(token.NoPos, pkg, "", result))
		sig := types.NewSignatureType(types.NewVar(token.NoPos, pkg, "e", p), nil, nil, nil, results, false)
		t.AddMethod(types.NewFunc(token.NoPos, pkg, name, sig))
	}
	method("Error", types.Typ[types.String])
	if unwrap != nil {
		method("Unwrap", unwrap)
	}
	return p
}

// Dynamics are what an interface value may hold, and its tag, which tells which of them it is. A loop around may give
// it others if it is not certain.
func Dynamics(v *ssa.Value) (may []Dynamic, certain bool) {
	i := InterfaceOf(v)
	if i == nil {
		return nil, false
	}
	return i.may, len(i.turns) == 0
}

// IsDynamic is a condition of the running kernel: an interface value has a dynamic type that it may have.
func (b *Comparisons) IsDynamic(pos token.Pos, v *ssa.Value, d Dynamic) *ssa.Value {
	tag := b.here(pos, InterfaceOf(v).tag)
	number := b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(b.Facts.dynamicNumber(d))))
	return b.Op(pos, ssa.OpEq, ssa.Bool, tag, number)
}

// Held is what an interface value of one dynamic type holds, nil if that is not known here.
func (b *Values) Held(pos token.Pos, v *ssa.Value) *ssa.Value {
	i := InterfaceOf(v)
	if i == nil || i.val == nil || len(i.may) != 1 {
		return nil
	}
	val := b.here(pos, i.val)
	if IsA(val, comptime.Invalid) && FrontOf(val).text == nil {
		return nil
	}
	return val
}

// Tagged reports whether the tag of an interface value tells these dynamic types apart.
func Tagged(may []Dynamic) bool {
	for i, d := range may {
		if slices.ContainsFunc(may[:i], d.same) {
			return false
		}
	}
	return true
}

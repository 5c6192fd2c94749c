package eval

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// An interface value is a front-end value of a known dynamic type, with a value of that type. The value is one
// of the running kernel or of the front end. What is in an interface cannot be assigned, so that it needs no
// variables of its own.
//
// Where paths meet, two interface values with the same dynamic type become one, and what they hold merges like
// any value. With different dynamic types only the tag is left, a number for each: enough to compare with
// nil and with the error variables of a package, but not to call a method.

// An Interface is what an interface value holds.
type Interface struct {
	may   []Dynamic     // one where the dynamic type is known, nil and one where it is nil or that one
	tag   *ssa.Value    // which of the module's dynamic types it is, an int64
	val   *ssa.Value    // the value of the one dynamic type beside nil, if that type has values; it is zero where the interface is nil
	turns []*Assumption // of the loops around that carry it
}

// A Dynamic is a dynamic type that an interface value may have.
type Dynamic struct {
	Type     types.Type // nil of nil
	Sentinel *types.Var // the package variable that holds a pointer which no other variable holds
	Text     string     // of an error that the kernel makes
	At       token.Pos  // where a value of the type became an interface
}

// same reports whether the two are one dynamic type, and of pointers without a value, one pointer.
func (d Dynamic) same(o Dynamic) bool {
	return d.Sentinel == o.Sentinel && d.Text == o.Text && sameType(d.Type, o.Type)
}

// hasValue reports whether there is more to a value than the type.
func (d Dynamic) hasValue() bool { return d.Type != nil && d.Sentinel == nil }

// An Assumption is that a variable has the same dynamic type in all iterations of a loop. It is made when the
// loop begins. If the loop's end shows that it is wrong, what relied on it is refused.
type Assumption struct {
	relied ast.Node // the first use that relies on it
	name   string   // of the variable that is used there
	wrong  []Dynamic
	ended  bool     // the loop has
	tagged ast.Node // a comparison that relies on no dynamic type to have values
	isOf   ast.Node // an errors.Is of the value
}

// InterfaceOf is the interface value that a value is, nil if it is none.
func InterfaceOf(v *ssa.Value) *Interface {
	if f := FrontOf(v); f != nil {
		return f.iface
	}
	return nil
}

func (i *Interface) value() *ssa.Value {
	f := &FrontValue{Kind: comptime.Interface, iface: i, Parts: []*ssa.Value{i.tag}}
	if i.val != nil {
		f.Parts = append(f.Parts, i.val)
	}
	return f.Value()
}

// Box is a value of a type as an interface value.
func (b *Values) Box(pos token.Pos, v *ssa.Value, from types.Type) *ssa.Value {
	switch {
	case v == Poison || from == nil || check.Invalid(from):
		return Poison
	case v == UntypedNil:
		return b.box(pos, Dynamic{At: pos}, nil)
	case types.IsInterface(from):
		return v
	}
	return b.box(pos, Dynamic{Type: types.Default(from), At: pos}, b.Settled(v))
}

// BoxSentinel is the value of a package variable of an interface type that holds a new pointer.
func (b *Values) BoxSentinel(pos token.Pos, v *types.Var, dynamic types.Type) *ssa.Value {
	return b.box(pos, Dynamic{Type: dynamic, Sentinel: v, At: pos}, nil)
}

func (b *Values) box(pos token.Pos, d Dynamic, v *ssa.Value) *ssa.Value {
	tag := b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(b.Facts.dynamicNumber(d))))
	return (&Interface{may: []Dynamic{d}, tag: tag, val: v}).value()
}

// dynamicNumber is the number of a dynamic type in the module, 0 of nil.
func (m *Facts) dynamicNumber(d Dynamic) int {
	if d.Type == nil {
		return 0
	}
	i := slices.IndexFunc(m.dynamics, d.same)
	if i < 0 {
		i = len(m.dynamics)
		m.dynamics = append(m.dynamics, d)
	}
	return i + 1
}

// Unbox is the dynamic type of an interface value, nil of nil, and what it holds. If neither is known, that is
// refused at e, which uses the value.
func (b *Unknowns) Unbox(e ast.Node, name string, v *ssa.Value) (d Dynamic, val *ssa.Value, ok bool) {
	i := InterfaceOf(v)
	switch {
	case v == Poison:
		return Dynamic{}, nil, false
	case i == nil:
		b.NoValue("an interface that is a " + v.Type.String())
		return Dynamic{}, nil, false
	case len(i.may) != 1:
		if !b.IsSymbolic(i.tag) {
			b.refuseSeveral(e, name, i.may)
		}
		return Dynamic{}, nil, false
	case !b.rely(e, name, i):
		return Dynamic{}, nil, false
	}
	d = i.may[0]
	if d.hasValue() {
		val = b.here(e.Pos(), i.val)
	}
	return d, val, true
}

// UnboxOrNil is Unbox of a value that may be nil besides: then isNil is a condition of the running kernel, and the value
// is zero where it holds.
func (b *Unknowns) UnboxOrNil(e ast.Node, name string, v *ssa.Value) (d Dynamic, val, isNil *ssa.Value, ok bool) {
	i := InterfaceOf(v)
	if i == nil || i.val == nil || len(i.may) != 2 {
		d, val, ok = b.Unbox(e, name, v)
		return d, val, nil, ok
	}
	if !b.rely(e, name, i) {
		return Dynamic{}, nil, nil, false
	}
	zero := b.Constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, 0))
	return i.may[1], b.here(e.Pos(), i.val), b.Op(e.Pos(), ssa.OpEq, ssa.Bool, b.here(e.Pos(), i.tag), zero), true
}

// rely notes that a use needs the dynamic type to be the same in all iterations of the loops that carry the value.
func (b *Unknowns) rely(e ast.Node, name string, i *Interface) bool {
	for _, a := range i.turns {
		switch {
		case len(a.wrong) > 0:
			b.refuseSeveral(e, name, append(slices.Clip(i.may), a.wrong...))
			return false
		case a.relied == nil && !a.ended:
			a.relied, a.name = b.UsersCall(e), name
		}
	}
	return true
}

// HasMethod is a dynamic type that an interface value may have, and that has a method of a name; nil if there is
// none. If a loop carries the value, e is refused when the loop gives it such a type.
func (b *Values) HasMethod(e ast.Node, v *ssa.Value, name string) types.Type {
	i := InterfaceOf(v)
	if i == nil {
		return nil
	}
	for _, a := range i.turns {
		for _, d := range a.wrong {
			if t := d.withMethod(name); t != nil {
				return t
			}
		}
		a.isOf = e
	}
	for _, d := range i.may {
		if t := d.withMethod(name); t != nil {
			return t
		}
	}
	return nil
}

func (d Dynamic) withMethod(name string) types.Type {
	if d.Type == nil {
		return nil
	}
	if found, _, _ := types.LookupFieldOrMethod(d.Type, true, nil, name); found == nil {
		return nil
	}
	return d.Type
}

// refuseSeveral refuses a use of an interface value whose dynamic type is not known.
func (b *Unknowns) refuseSeveral(e ast.Node, name string, may []Dynamic) {
	const most = 4
	var list []string
	for n, d := range may {
		if n == most {
			list = append(list, "others")
			break
		}
		list = append(list, b.Facts.describe(d))
	}
	last := len(list) - 1
	text := list[0]
	if last > 0 {
		text = strings.Join(list[:last], ", ") + " or " + list[last]
	}
	b.Facts.Refuse(b.UsersCall(e), "use the value where each is made, in each branch, or write a function with a type parameter",
		"the dynamic type of %s is not known at compile time: it is %s", name, text)
}

// describe is a dynamic type with the place where a value of it became an interface.
func (m *Facts) describe(d Dynamic) string {
	text := "nil"
	switch {
	case d.Sentinel != nil:
		text = d.Sentinel.Name()
	case d.Type != nil:
		text = m.TypeString(d.Type)
	}
	if !d.At.IsValid() {
		return text
	}
	at := m.Prog.Fset.Position(d.At)
	return fmt.Sprintf("%s (%s:%d)", text, filepath.Base(at.Filename), at.Line)
}

// compareInterfaces compares an interface value with another one, or with nil.
func (b *Comparisons) compareInterfaces(e ast.Expr, op token.Token, x, y *ssa.Value) *ssa.Value {
	pos := e.Pos()
	if y == UntypedNil {
		y = b.Box(pos, y, types.Typ[types.UntypedNil])
	}
	i, j := InterfaceOf(x), InterfaceOf(y)
	if i == nil || j == nil {
		return b.NoValue("a comparison of " + x.Type.String() + " and " + y.Type.String())
	}
	var equal *ssa.Value
	switch {
	case i.onlyTag(nil) || j.onlyTag(nil) || i.onlyTag(e):
		equal = b.Op(pos, ssa.OpEq, ssa.Bool, b.here(pos, i.tag), b.here(pos, j.tag))
	default:
		d, v, ok := b.Unbox(e, "the left operand", x)
		o, w, ok2 := b.Unbox(e, "the right operand", y)
		switch {
		case !ok || !ok2:
			return Poison
		case !d.same(o):
			equal = b.Constant(pos, ssa.Bool, ssa.BoolConst(false))
		case !types.Comparable(d.Type):
			b.Facts.Refuse(e, "compare the parts that matter", "the dynamic type %s of both operands cannot be compared: in Go this comparison panics", b.Facts.TypeString(d.Type))
			return Poison
		case load.HasOneAddress(d.Type):
			b.RefuseTables(e, d.Type)
			return Poison
		default:
			equal = b.Compare(e, token.EQL, v, w)
		}
	}
	if op == token.EQL || equal == Poison {
		return equal
	}
	return b.Op(pos, ssa.OpNot, ssa.Bool, equal)
}

// RefuseTables refuses a comparison of pointers to tables: see [load.HasOneAddress].
func (b *Comparisons) RefuseTables(e ast.Expr, t types.Type) {
	b.Facts.Refuse(e, "compare what they point to, as in *p == *q", "two pointers of type %s are compared in a kernel, which has its own copies of tables", b.Facts.TypeString(t))
}

// onlyTag reports whether the tag tells all that there is to a value: it has no value in it, whatever its type. With
// a comparison, loops that have not ended are assumed not to change that.
func (i *Interface) onlyTag(e ast.Node) bool {
	if slices.ContainsFunc(i.may, Dynamic.hasValue) {
		return false
	}
	for _, a := range i.turns {
		if !a.ended && e == nil || slices.ContainsFunc(a.wrong, Dynamic.hasValue) {
			return false
		}
	}
	for _, a := range i.turns {
		if !a.ended {
			a.tagged = e
		}
	}
	return true
}

// leaves are the values of the running kernel that a value consists of, with the tags of interfaces.
func leaves(v *ssa.Value) (list []*ssa.Value) {
	f := FrontOf(v)
	if f == nil {
		return []*ssa.Value{v}
	}
	for _, part := range f.Parts {
		list = append(list, leaves(part)...)
	}
	return list
}

// withLeaves is a value of the same form with other leaves.
func withLeaves(v *ssa.Value, next func() *ssa.Value) *ssa.Value {
	f := FrontOf(v)
	switch {
	case f == nil:
		return next()
	case f.iface != nil:
		i := *f.iface
		i.tag = next()
		if i.val != nil {
			i.val = withLeaves(i.val, next)
		}
		return i.value()
	case len(f.Parts) == 0:
		return v
	}
	g := *f
	g.Parts = make([]*ssa.Value, len(f.Parts))
	for i, part := range f.Parts {
		g.Parts[i] = withLeaves(part, next)
	}
	return g.Value()
}

// sameForm reports whether two values differ in their leaves at most.
func (b *Values) sameForm(x, y *ssa.Value) bool {
	f, g := FrontOf(x), FrontOf(y)
	switch {
	case f == nil || g == nil:
		return f == nil && g == nil && x != Poison && y != Poison && x.Type == y.Type
	case f.iface != nil && g.iface != nil:
		i, j := f.iface, g.iface
		return slices.EqualFunc(i.may, j.may, Dynamic.same) && (i.val == nil) == (j.val == nil) && (i.val == nil || b.sameForm(i.val, j.val))
	case f.Kind != g.Kind || len(f.Parts) != len(g.Parts) || f.held != nil || g.held != nil:
		return false
	case f.Kind == comptime.Struct || f.Kind == comptime.Array || f.Kind == comptime.Slice:
		for n := range f.Parts {
			if !b.sameForm(f.Parts[n], g.Parts[n]) {
				return false
			}
		}
		return f.isNil == g.isNil
	}
	return b.sameValue(x, y)
}

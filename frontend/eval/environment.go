package eval

import (
	"errors"
	"go/ast"
	"go/types"
	"strings"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// GlobalValue makes a package variable's value, or a part of it, one of the function's.
func (b *Asking) GlobalValue(e ast.Expr, name string, known comptime.Value, t types.Type) *ssa.Value {
	val := b.FromKnown(e.Pos(), t, known)
	switch {
	case val == nil:
		b.Facts.Refuse(e, "pass it as an argument", "package variable %s cannot be %s of type %s", name, clipped(known), comptime.ShortType(known.Type))
		return Poison
	case val != Poison && val.Name == "":
		val.Name = name
	}
	return val
}

// clipped is a value as a message shows it: a table has more elements than anybody reads.
func clipped(v comptime.Value) string {
	const most = 60
	text := v.String()
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// SomeValue is a value of an expression's type, which nobody knows.
func (b *Asking) SomeValue(e ast.Expr) *ssa.Value {
	t := b.GoType(e)
	if t == nil || check.Invalid(t) {
		return Poison
	}
	return b.Symbolic(e.Pos(), t)
}

// AskEnvironment asks the running program for the value of a qd.Static; it is not ok where
// the program does not know. If it has the code, lacks says what is missing for it. What is wrong with the code is
// reported, and the value is nil then.
func (b *Asking) AskEnvironment(e *ast.CallExpr, s *load.Static, args []comptime.Value) (v *comptime.Value, lacks string, ok bool) {
	if b.Facts.Opts.Env == nil {
		return nil, "", false
	}
	value, err := b.Facts.Opts.Env.Static(SiteOf(s), args, b.Reads(s, e.Args[0]))
	switch {
	case errors.Is(err, ErrNotRegistered):
		if lack := (*LackError)(nil); errors.As(err, &lack) {
			lacks = lack.Lack.Error()
		}
		return nil, lacks, false
	case err != nil:
		b.Facts.Refuse(e.Args[0], "correct the functions that it calls, or compute it before the launch and pass it as a qd.Const", "qd.Static(%s): %v", s.Expr, err)
		return nil, "", true
	}
	return &value, "", true
}

// FromEnvironment is what AskEnvironment has given for a qd.Static, as a value.
func (b *Asking) FromEnvironment(e *ast.CallExpr, s *load.Static, value *comptime.Value) *ssa.Value {
	if value == nil {
		return Poison
	}
	v := b.FromKnown(e.Pos(), b.GoType(e), *value)
	if v == nil {
		b.Facts.Refuse(e.Args[0], "make it a number, bool or string, an array, a struct or a slice of these, or a function",
			"qd.Static(%s) is %s of type %s, which kernels cannot have", s.Expr, clipped(*value), comptime.ShortType(value.Type))
		return Poison
	}
	return v
}

// SiteOf is how an Environment knows a qd.Static.
func SiteOf(s *load.Static) StaticSite {
	return StaticSite{Pkg: s.Pkg, Func: s.Func, Index: s.Index, Expr: s.Expr, Names: s.Names}
}

// LacksValue reports the argument of a qd.Static for which there is code, but something is
// lacking that it is to be given; or, where nothing is, one without code.
func (b *Asking) LacksValue(arg ast.Expr, s *load.Static, lacks string) *ssa.Value {
	if b.RefuseUnseen(arg) {
		return Poison
	}
	if lacks == "" {
		return b.NeedsGo(arg, s, "")
	}
	b.Facts.Refuse(arg, "use values that the running program has", "compiled Go cannot evaluate qd.Static(%s): %s", s.Expr, lacks)
	return Poison
}

// NotRegistered ends what is said of the argument of a qd.Static that nobody evaluates.
const NotRegistered = ", and no code for it is registered"

// RunGen is the advice if the program has no code for a qd.Static in a file.
func RunGen(s *load.Static, file string) string {
	pkg := s.Pkg
	if strings.HasSuffix(file, "_test.go") {
		pkg = strings.TrimSuffix(pkg, "_test") // of an external test package
	}
	return "run qdgen gen in package " + pkg + ", or go generate: the generated file lets the program evaluate it"
}

// NeedsGo reports the argument of a qd.Static that only compiled Go can evaluate.
func (b *Asking) NeedsGo(arg ast.Expr, s *load.Static, why string) *ssa.Value {
	if b.RefuseUnseen(arg) {
		return Poison
	}
	if b.Facts.Opts.Symbolic {
		return b.SomeValue(arg)
	}
	hint := RunGen(s, b.Facts.Prog.Fset.Position(arg.Pos()).Filename)
	switch {
	case why != "":
		b.Facts.RefuseInGo(arg, hint, "qd.Static(%s) needs Go that kernels do not have (%s)"+NotRegistered, s.Expr, why)
	case s.Missing != "":
		b.Facts.RefuseInGo(arg, hint, "qd.Static(%s) needs package %s"+NotRegistered, s.Expr, s.Missing)
	default:
		b.Facts.RefuseInGo(arg, hint, "qd.Static(%s) needs compiled Go"+NotRegistered, s.Expr)
	}
	return Poison
}

// RefuseUnseen reports a method value in the argument of a qd.Static that compiled Go could not evaluate either, and
// whether there is one.
func (b *Asking) RefuseUnseen(arg ast.Expr) bool {
	sel, why, hint := check.UnseenReceiver(arg, b.Info)
	if sel != nil {
		b.Facts.Refuse(sel, hint, "%s %s", types.ExprString(sel), why)
	}
	return sel != nil
}

package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A checked build has a check before each operation that panics in Go, unless it cannot fail.

// checked reports whether the current code is checked: in a checked build all code is, and the code of a
// Grid kernel that the host runs always is.
func (b *Checks) checked() bool {
	return b.Facts.Opts.Checked || b.Func.Kind == ssa.GridKernel && b.Parallel == nil
}

// check appends a check if the code is checked.
func (b *Checks) check(pos token.Pos, c ssa.Check, args ...*ssa.Value) {
	b.checkSaying(pos, c, "", args...)
}

// checkSaying appends a check with a message, in Go's words.
func (b *Checks) checkSaying(pos token.Pos, c ssa.Check, message string, args ...*ssa.Value) {
	if b.checked() && !eval.AnyPoison(args) {
		b.Emit(pos, &ssa.Instr{Op: ssa.OpCheck, Check: c, Message: message, Args: args})
	}
}

// wording is the message of the check of an index.
func (b *Checks) wording(index *ssa.Value) string {
	if b.Facts.Unsigned[index] {
		return ssa.OfUnsigned
	}
	return ""
}

// ofBounds is the message of the check of two bounds.
func ofBounds(f *eval.Facts, message string, lo, hi *ssa.Value) string {
	return ssa.OfBounds(message, f.Unsigned[lo], f.Unsigned[hi])
}

// checkIndex checks an index of a slice.
func (b *Checks) checkIndex(pos token.Pos, index, slice *ssa.Value) {
	if b.checked() {
		b.checkSaying(pos, ssa.CheckIndex, b.wording(index), index, b.Op(pos, ssa.OpLen, ssa.Int64, slice))
	}
}

// checkArrayIndex checks an index of an array.
func (b *Checks) checkArrayIndex(pos token.Pos, index *ssa.Value, n int) {
	if c, ok := index.Const(); ok && c.Int() >= 0 && c.Int() < int64(n) || !b.checked() {
		return
	}
	b.checkSaying(pos, ssa.CheckIndex, b.wording(index), index, b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n))))
}

// checkSlice checks the bounds of an expression x[lo:hi], of the elements x. Where the capacity is not known the length
// is the bound.
func (b *Checks) checkSlice(e *ast.SliceExpr, lo, hi, x *ssa.Value) {
	if pos := e.Pos(); b.checked() && x != eval.Poison {
		most := b.CapacityOf(pos, x)
		message := ""
		if b.isOfArray(e) {
			message = ssa.OfArray
		} else if most == nil || b.Capacities.Unsure[b.slicedVar(e.X)] {
			message = ssa.OfUnknown
		}
		if most == nil {
			most = b.Op(pos, ssa.OpLen, ssa.Int64, x)
		}
		b.checkSaying(pos, ssa.CheckSlice, ofBounds(b.Facts, message, lo, hi), lo, hi, most)
	}
}

// checkSlice3 checks the bounds of an expression x[lo:hi:most], of the elements x. Where the capacity is not known the
// length is the bound.
func (b *Checks) checkSlice3(e *ast.SliceExpr, lo, hi, most, x *ssa.Value) {
	if !b.checked() || x == eval.Poison {
		return
	}
	capacity := b.CapacityOf(e.Pos(), x)
	message := ssa.OfMost
	switch {
	case b.isOfArray(e):
		message = ssa.OfArrayMost
	case capacity == nil || b.Capacities.Unsure[b.slicedVar(e.X)]:
		message = ssa.OfUnknownMost
	}
	if capacity == nil {
		capacity = b.Op(e.Pos(), ssa.OpLen, ssa.Int64, x)
	}
	b.checkSaying(e.Pos(), ssa.CheckSlice, ofBounds(b.Facts, message, hi, most), hi, most, capacity)
	b.checkSaying(e.Pos(), ssa.CheckSlice, ofBounds(b.Facts, ssa.OfLowOfThree, lo, hi), lo, hi, most)
}

// isOfArray reports whether a slice expression is of an array, not of a slice.
func (b *Checks) isOfArray(e *ast.SliceExpr) bool {
	t := b.GoType(e.X)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Slice)
	return !ok
}

// checkNil checks a pointer that something is reached through. The address of a
// variable or of a part of one is not nil.
func (b *Checks) checkNil(pos token.Pos, p *ssa.Value) {
	if !p.IsNotNil() {
		b.check(pos, ssa.CheckNil, p)
	}
}

// checkArith checks the right operand of a division or a shift.
func (b *Checks) checkArith(pos token.Pos, op token.Token, x *ssa.Value, e ast.Expr, y *ssa.Value) {
	if e == nil || b.Info.Types[e].Value != nil || y == eval.Poison || x == eval.Poison {
		return
	}
	switch op {
	case token.QUO, token.REM:
		if ssa.IsInteger(x.Type) {
			b.check(pos, ssa.CheckDivide, y)
		}
	case token.SHL, token.SHR:
		if ssa.IsSigned(y.Type) {
			b.check(pos, ssa.CheckShift, y)
		}
	}
}

package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/bits"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// maxViewed is how many numbers an array may have that is read or written through a view at once.
const maxViewed = 256

// each gives the numbers of an array, or a number itself, as views, in their order. It is not ok where there are too
// many.
func (o operands) each(v viewed) (list []viewed, ok bool) {
	number, n, ok := numbersOf(v.typ)
	if !ok || n > maxViewed {
		o.b.m.Refuse(&ast.BadExpr{From: v.pos, To: v.pos + 1}, "read or assign the elements one by one", "an array of more than %d numbers is read or assigned through unsafe.Pointer", maxViewed)
		return nil, false
	}
	for i := range n {
		part := v
		part.typ = number
		part.index = o.sum(v.pos, v.index, o.b.Constant(v.pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i))))
		list = append(list, part)
	}
	return list, true
}

// loadView is what is behind a view.
func (o operands) loadView(v viewed) *ssa.Value {
	if v.View == nil {
		return eval.Poison
	}
	if isNumeric(v.typ) {
		return o.loadNumber(v)
	}
	list, ok := o.each(v)
	if !ok {
		return eval.Poison
	}
	numbers := make([]*ssa.Value, len(list))
	for i, part := range list {
		if numbers[i] = o.loadNumber(part); numbers[i] == eval.Poison {
			return eval.Poison
		}
	}
	var made func(t ssa.Type) *ssa.Value
	made = func(t ssa.Type) *ssa.Value {
		a, isArray := t.(ssa.Array)
		if !isArray {
			next := numbers[0]
			numbers = numbers[1:]
			return next
		}
		parts := make([]*ssa.Value, a.Len)
		for i := range parts {
			parts[i] = made(a.Elem)
		}
		return o.b.Op(v.pos, ssa.OpMake, a, parts...)
	}
	return made(v.typ)
}

// storeView assigns to what is behind a view.
func (o operands) storeView(v viewed, val *ssa.Value) {
	if val = o.b.Coerce(v.pos, val, v.typ); val == eval.Poison || v.View == nil {
		return
	}
	if val.Type != v.typ {
		o.b.m.MustBeIllTyped("an assignment of another type behind a view")
		return
	}
	if isNumeric(v.typ) {
		o.storeNumber(v, val)
		return
	}
	list, ok := o.each(v)
	if !ok {
		return
	}
	next := 0
	var store func(val *ssa.Value)
	store = func(val *ssa.Value) {
		a, isArray := val.Type.(ssa.Array)
		if !isArray {
			o.storeNumber(list[next], val)
			next++
			return
		}
		for i := range a.Len {
			store(o.b.ElemOf(v.pos, val, o.b.Constant(v.pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i))), a))
		}
	}
	store(val)
}

// numberAt is the index of a number that is there, and how many bits of it are below the one that is looked for. Of
// several that this one consists of it is the first one.
func (o operands) numberAt(v viewed) (first, shift *ssa.Value) {
	pos := v.pos
	first = v.index
	switch size, there := v.number.Size(), v.Of.Size(); {
	case size > there:
		first = o.times(pos, v.index, size/there)
	case size < there:
		parts := there / size
		first = o.b.Op(pos, ssa.OpShr, ssa.Int64, v.index, o.b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(bits.Len(uint(parts))-1))))
		which := o.b.Op(pos, ssa.OpAnd, ssa.Int64, v.index, o.b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(parts-1))))
		shift = o.b.Convert(pos, o.times(pos, which, 8*size), ssa.Uint64)
	}
	if v.At != nil {
		first = o.sum(pos, first, v.At)
	}
	return first, shift
}

// addrOfNumber is the address of a number that is there.
func (o operands) addrOfNumber(v viewed, index *ssa.Value) *ssa.Value {
	pos := v.pos
	if slice, isSlice := v.Base.Type.(ssa.Slice); isSlice {
		_, n, _ := numbersOf(slice.Elem)
		outer, inner := o.split(pos, index, n)
		o.b.checkIndex(pos, outer, v.Base)
		return o.within(pos, o.b.Op(pos, ssa.OpIndexAddr, ssa.Pointer(slice), v.Base, outer), inner)
	}
	o.b.checkNil(pos, v.Base)
	o.b.checkArrayIndex(pos, index, v.Len)
	return o.within(pos, v.Base, index)
}

// within is the address of one of the numbers that an address leads to.
func (o operands) within(pos token.Pos, addr, index *ssa.Value) *ssa.Value {
	a, isArray := addr.Type.(ssa.Pointer).Elem.(ssa.Array)
	if !isArray {
		return addr
	}
	_, n, _ := numbersOf(a.Elem)
	outer, inner := o.split(pos, index, n)
	return o.within(pos, o.b.Op(pos, ssa.OpElemAddr, ssa.Pointer{Elem: a.Elem}, addr, outer), inner)
}

// split is the index of an element with so many numbers, and that of a number in it.
func (o operands) split(pos token.Pos, index *ssa.Value, n int) (outer, inner *ssa.Value) {
	if n == 1 {
		return index, o.b.Zero(pos, ssa.Int64)
	}
	size := o.b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n)))
	return o.b.Op(pos, ssa.OpDiv, ssa.Int64, index, size), o.b.Op(pos, ssa.OpRem, ssa.Int64, index, size)
}

// loadNumber is a number behind a view.
func (o operands) loadNumber(v viewed) *ssa.Value {
	pos := v.pos
	first, shift := o.numberAt(v)
	read := func(index *ssa.Value) *ssa.Value {
		return o.b.load(pos, ref{addr: o.addrOfNumber(v, index)})
	}
	whole := bitsOf[v.number.Size()]
	parts := v.number.Size() / v.Of.Size()
	switch {
	case shift != nil:
		there := o.castBits(pos, read(first), bitsOf[v.Of.Size()])
		there = o.b.Op(pos, ssa.OpShr, there.Type, there, shift)
		return o.castBits(pos, o.b.Convert(pos, there, whole), v.number)
	case parts == 1:
		return o.castBits(pos, read(first), v.number)
	}
	var all *ssa.Value
	for i := range parts {
		one := o.castBits(pos, read(o.sum(pos, first, o.b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i))))), bitsOf[v.Of.Size()])
		one = o.b.Convert(pos, one, whole)
		if i > 0 {
			one = o.b.Op(pos, ssa.OpShl, whole, one, o.b.Constant(pos, ssa.Uint64, ssa.IntConst(ssa.Uint64, uint64(8*i*v.Of.Size()))))
			one = o.b.Op(pos, ssa.OpOr, whole, all, one)
		}
		all = one
	}
	return o.castBits(pos, all, v.number)
}

// storeNumber assigns a number behind a view.
func (o operands) storeNumber(v viewed, val *ssa.Value) {
	pos := v.pos
	first, shift := o.numberAt(v)
	whole := bitsOf[v.number.Size()]
	parts := v.number.Size() / v.Of.Size()
	val = o.castBits(pos, val, whole)
	switch {
	case shift != nil:
		// The others of its bits stay. Other threads must have none of them.
		addr := o.addrOfNumber(v, first)
		o.b.m.partStores = append(o.b.m.partStores, partStore{pos, o.b.Func, addr})
		wide := bitsOf[v.Of.Size()]
		mask := o.b.Constant(pos, wide, ssa.IntConst(wide, 1<<(8*v.number.Size())-1))
		there := o.castBits(pos, o.b.load(pos, ref{addr: addr}), wide)
		there = o.b.Op(pos, ssa.OpAndNot, wide, there, o.b.Op(pos, ssa.OpShl, wide, mask, shift))
		there = o.b.Op(pos, ssa.OpOr, wide, there, o.b.Op(pos, ssa.OpShl, wide, o.b.Convert(pos, val, wide), shift))
		o.b.Store(pos, addr, o.castBits(pos, there, v.Of))
	case parts == 1:
		o.b.Store(pos, o.addrOfNumber(v, first), o.castBits(pos, val, v.Of))
	default:
		for i := range parts {
			one := o.b.Op(pos, ssa.OpShr, whole, val, o.b.Constant(pos, ssa.Uint64, ssa.IntConst(ssa.Uint64, uint64(8*i*v.Of.Size()))))
			one = o.castBits(pos, o.b.Convert(pos, one, bitsOf[v.Of.Size()]), v.Of)
			o.b.Store(pos, o.addrOfNumber(v, o.sum(pos, first, o.b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i))))), one)
		}
	}
}

// addrOfView is the address of what is behind a view.
func (o operands) addrOfView(e ast.Expr, v viewed) *ssa.Value {
	if v.View == nil {
		return eval.Poison
	}
	if v.number.Size() < v.Of.Size() {
		o.b.m.Refuse(e, "keep the pointer to all of it, and the index", "the address of a part of a number is taken with unsafe.Pointer")
		return eval.Poison
	}
	first, _ := o.numberAt(v)
	return (&eval.View{Base: v.Base, At: first, Of: v.Of, Len: v.Len}).Pointer(types.NewPointer(v.goType))
}

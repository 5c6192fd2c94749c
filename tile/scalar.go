package tile

import "github.com/qdgen/qd"

// Methods of a generic type have no operators for its type parameter, so that these functions ask which type it is.
// That is known at compile time, and so is the operation. They
// are lowered into their callers, as all of this module's functions that may panic: nothing of the choice is left.

type operator int

const (
	opAdd operator = iota
	opSub
	opMul
	opDiv
	opMin
	opMax
)

type relation int

const (
	less relation = iota
	lessEqual
	equal
)

// arith is x op y.
func arith[T any](op operator, x, y T) T {
	switch x := any(x).(type) {
	case float32:
		return any(arithOf(op, x, any(y).(float32))).(T)
	case float64:
		return any(arithOf(op, x, any(y).(float64))).(T)
	case int:
		return any(arithOf(op, x, any(y).(int))).(T)
	case int8:
		return any(arithOf(op, x, any(y).(int8))).(T)
	case int16:
		return any(arithOf(op, x, any(y).(int16))).(T)
	case int32:
		return any(arithOf(op, x, any(y).(int32))).(T)
	case int64:
		return any(arithOf(op, x, any(y).(int64))).(T)
	case uint:
		return any(arithOf(op, x, any(y).(uint))).(T)
	case uint8:
		return any(arithOf(op, x, any(y).(uint8))).(T)
	case uint16:
		return any(arithOf(op, x, any(y).(uint16))).(T)
	case uint32:
		return any(arithOf(op, x, any(y).(uint32))).(T)
	case uint64:
		return any(arithOf(op, x, any(y).(uint64))).(T)
	case qd.Float16:
		return any(qd.ToFloat16(arithOf(op, x.Float32(), any(y).(qd.Float16).Float32()))).(T)
	case qd.BFloat16:
		return any(qd.ToBFloat16(arithOf(op, x.Float32(), any(y).(qd.BFloat16).Float32()))).(T)
	}
	qd.StaticAssert(false, "the elements of this tile have no arithmetic: use tile.Map and tile.Map2 with a function for them")
	panic("tile: elements without arithmetic")
}

func arithOf[N qd.Number](op operator, x, y N) N {
	switch op {
	case opAdd:
		return x + y
	case opSub:
		return x - y
	case opMul:
		return x * y
	case opDiv:
		return x / y
	case opMin:
		return min(x, y)
	case opMax:
		return max(x, y)
	}
	panic("tile: no such operator")
}

// compare reports whether a relation holds.
func compare[T any](r relation, x, y T) bool {
	switch x := any(x).(type) {
	case float32:
		return compareOf(r, x, any(y).(float32))
	case float64:
		return compareOf(r, x, any(y).(float64))
	case int:
		return compareOf(r, x, any(y).(int))
	case int8:
		return compareOf(r, x, any(y).(int8))
	case int16:
		return compareOf(r, x, any(y).(int16))
	case int32:
		return compareOf(r, x, any(y).(int32))
	case int64:
		return compareOf(r, x, any(y).(int64))
	case uint:
		return compareOf(r, x, any(y).(uint))
	case uint8:
		return compareOf(r, x, any(y).(uint8))
	case uint16:
		return compareOf(r, x, any(y).(uint16))
	case uint32:
		return compareOf(r, x, any(y).(uint32))
	case uint64:
		return compareOf(r, x, any(y).(uint64))
	case qd.Float16:
		return compareOf(r, x.Float32(), any(y).(qd.Float16).Float32())
	case qd.BFloat16:
		return compareOf(r, x.Float32(), any(y).(qd.BFloat16).Float32())
	case bool:
		if r != equal {
			qd.StaticAssert(false, "bools have no order: use Equal, And, Or and Not")
		}
		return x == any(y).(bool)
	}
	qd.StaticAssert(false, "the elements of this tile cannot be compared: use tile.Map2 with a function for them")
	panic("tile: elements without comparisons")
}

func compareOf[N qd.Number](r relation, x, y N) bool {
	switch r {
	case less:
		return x < y
	case lessEqual:
		return x <= y
	case equal:
		return x == y
	}
	panic("tile: no such relation")
}

package initial

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
)

// Values are Go values: bool, int64 for all signed integers, uint64 for all unsigned ones, float64, complex128, string,
// and the types below. An array or a struct that is a value is a *block of its own.

// A block is memory: the elements of an array, the fields of a struct, or one variable.
type block struct {
	cells []any
	owner *types.Package // whose variable it belongs to, or nil
	grown bool           // append made it: there may be more room behind it
	stale bool           // it has grown since
	past  bool           // it is stale because it is the variable of a turn of a loop that is over
}

// A pointer leads to a cell; its block is nil for a nil pointer.
type pointer struct {
	in *block
	at int
}

// A slice is a part of an array; its block is nil for a nil slice.
type slice struct {
	in            *block
	from, len, cp int
	exact         bool // its capacity is cp even if append made the memory
}

// A hash is a map, in the order in which the keys came.
type hash struct {
	at   map[any]int // by what keyOf makes of keys
	keys []any
	vals []any

	added int // how often a key has been added

	owner *types.Package // whose variable it belongs to, or nil
}

// A function is a declared one or a literal with the variables around it. The zero function is nil.
type function struct{ *code }

// A boxed value is that of an interface type; its type is nil for a nil interface.
type boxed struct {
	t types.Type
	v any
}

// zero is the zero value of a type.
func (m *machine) zero(t types.Type) any {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return false
		case info&types.IsUnsigned != 0:
			return uint64(0)
		case info&types.IsInteger != 0:
			return int64(0)
		case info&types.IsFloat != 0:
			return float64(0)
		case info&types.IsComplex != 0:
			return complex128(0)
		case info&types.IsString != 0:
			return ""
		}
	case *types.Array:
		return m.block(int(u.Len()), func(int) types.Type { return u.Elem() })
	case *types.Struct:
		return m.block(u.NumFields(), func(i int) types.Type { return u.Field(i).Type() })
	case *types.Pointer:
		return pointer{}
	case *types.Slice:
		return slice{}
	case *types.Map:
		return (*hash)(nil)
	case *types.Signature:
		return function{}
	case *types.Interface:
		return boxed{}
	}
	panic(m.failed("it uses a value of type %s", t))
}

func (m *machine) block(n int, typeOf func(int) types.Type) *block {
	m.step(n)
	b := &block{cells: make([]any, n)}
	for i := range b.cells {
		b.cells[i] = m.zero(typeOf(i))
	}
	return b
}

// copied is a value that shares no memory of arrays and structs with another.
func (m *machine) copied(v any) any {
	b, ok := v.(*block)
	if !ok {
		return v
	}
	m.step(len(b.cells))
	c := &block{cells: make([]any, len(b.cells))}
	for i, x := range b.cells {
		c.cells[i] = m.copied(x)
	}
	return c
}

// put writes a value to a cell. An array or a struct in it stays where it is, for pointers into it.
func (m *machine) put(to *any, v any) {
	old, isBlock := (*to).(*block)
	b, ok := v.(*block)
	if !isBlock || !ok {
		*to = v
		return
	}
	b = m.copied(b).(*block) // it may overlap
	for i := range b.cells {
		m.put(&old.cells[i], b.cells[i])
	}
}

// fit makes a number one of a type: as Go does when it wraps or rounds.
func fit(v any, t types.Type) any {
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		return v
	}
	switch v := v.(type) {
	case int64:
		switch u.Kind() {
		case types.Int8:
			return int64(int8(v))
		case types.Int16:
			return int64(int16(v))
		case types.Int32:
			return int64(int32(v))
		case types.Int:
			return v << (64 - intSize) >> (64 - intSize)
		}
	case uint64:
		switch u.Kind() {
		case types.Uint8:
			return uint64(uint8(v))
		case types.Uint16:
			return uint64(uint16(v))
		case types.Uint32:
			return uint64(uint32(v))
		case types.Uint, types.Uintptr:
			return v << (64 - intSize) >> (64 - intSize)
		}
	case float64:
		if u.Kind() == types.Float32 {
			return float64(float32(v))
		}
	case complex128:
		if u.Kind() == types.Complex64 {
			return complex128(complex64(v))
		}
	}
	return v
}

// constantOf is a constant as a value of a type.
func (m *machine) constantOf(c constant.Value, t types.Type) any {
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		if _, isInterface := t.Underlying().(*types.Interface); isInterface {
			panic(m.failed("it uses a constant as an interface"))
		}
		panic(m.failed("it uses a constant of type %s", t))
	}
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return constant.BoolVal(c)
	case info&types.IsString != 0:
		return constant.StringVal(c)
	case info&types.IsUnsigned != 0:
		n, _ := constant.Uint64Val(constant.ToInt(c))
		return m.sized(n, u)
	case info&types.IsInteger != 0:
		n, _ := constant.Int64Val(constant.ToInt(c))
		return m.sized(n, u)
	case info&types.IsFloat != 0:
		if u.Kind() == types.Float32 {
			f, _ := constant.Float32Val(c)
			return float64(f)
		}
		f, _ := constant.Float64Val(c)
		return f
	case info&types.IsComplex != 0:
		re, _ := constant.Float64Val(constant.Real(c))
		im, _ := constant.Float64Val(constant.Imag(c))
		return fit(complex(re, im), u)
	}
	panic(m.failed("it uses a constant of type %s", t))
}

// sized is a constant of an integer type. One that needs more bits than an int has here, as math.MaxInt does, has been
// computed for 64.
func (m *machine) sized(n any, t types.Type) any {
	if fit(n, t) != n {
		panic(m.failed("it uses a constant for an int of 64 bits"))
	}
	return n
}

// keyOf is a value as a key of a Go map: equal values have equal keys.
func (m *machine) keyOf(v any) any {
	switch v := v.(type) {
	case *block:
		key := ""
		for _, x := range v.cells {
			key += fmt.Sprintf("%#v\x00", m.keyOf(x))
		}
		return key
	case float64:
		if math.IsNaN(v) {
			panic(m.failed("it uses a NaN as a key"))
		}
		return v + 0 // -0 is 0
	case complex128:
		if real(v) != real(v) || imag(v) != imag(v) {
			panic(m.failed("it uses a NaN as a key"))
		}
		return complex(real(v)+0, imag(v)+0)
	case boxed:
		if v.t == nil {
			return v
		}
		return fmt.Sprintf("%d\x00%#v", m.typeNumber(v.t), m.keyOf(v.v))
	case pointer:
		if v.in != nil {
			panic(m.failed("it uses a pointer as a key"))
		}
	case slice, function, *hash:
		panic(m.failed("it panics: hash of unhashable type"))
	}
	return v
}

// typeNumber tells types apart, also those that have one name: of types that are declared in functions, several may.
func (m *machine) typeNumber(t types.Type) int {
	for i, seen := range m.keyTypes {
		if types.Identical(seen, t) {
			return i
		}
	}
	m.keyTypes = append(m.keyTypes, t)
	return len(m.keyTypes) - 1
}

// get is the value under a key.
func (m *machine) get(h *hash, key any) (v any, ok bool) {
	if h == nil {
		return nil, false
	}
	i, ok := h.at[m.keyOf(key)]
	if !ok {
		return nil, false
	}
	return h.vals[i], true
}

func (m *machine) set(h *hash, key, v any) {
	if h == nil {
		panic(m.failed("it assigns to an element of a nil map"))
	}
	k := m.keyOf(key)
	if i, ok := h.at[k]; ok {
		h.keys[i], h.vals[i] = key, v // 0 and -0 are equal: the key is the last one
		return
	}
	h.at[k] = len(h.keys)
	h.added++
	h.keys, h.vals = append(h.keys, key), append(h.vals, v)
}

func (m *machine) remove(h *hash, key any) {
	if h == nil {
		return
	}
	k := m.keyOf(key)
	i, ok := h.at[k]
	if !ok {
		return
	}
	last := len(h.keys) - 1
	h.keys[i], h.vals[i] = h.keys[last], h.vals[last]
	h.at[m.keyOf(h.keys[i])] = i
	h.keys, h.vals = h.keys[:last], h.vals[:last]
	delete(h.at, k)
}

// equal is Go's ==.
func (m *machine) equal(x, y any) bool {
	switch x := x.(type) {
	case *block:
		y := y.(*block)
		for i := range x.cells {
			if !m.equal(x.cells[i], y.cells[i]) {
				return false
			}
		}
		return true
	case boxed:
		y := y.(boxed)
		if x.t == nil || y.t == nil {
			return x.t == y.t
		}
		if !types.Identical(x.t, y.t) {
			return false
		}
		if !types.Comparable(x.t) {
			panic(m.failed("it panics: comparing uncomparable type"))
		}
		m.mustHaveAddress(x.t)
		return m.equal(x.v, y.v)
	case slice:
		return x.in == y.(slice).in // one of them is nil
	case function:
		return x.code == y.(function).code
	}
	return x == y
}

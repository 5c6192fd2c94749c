package emit_test

import (
	"math"
	"unsafe"

	"github.com/qdgen/qd/ssa"
)

// number is any scalar of the language but bool.
type number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

func fromBits[T any](bits uint64) T { return *(*T)(unsafe.Pointer(&bits)) }

// toBits gives the bits of x in the low end of a word, the rest 0.
func toBits[T any](x T) (bits uint64) {
	*(*T)(unsafe.Pointer(&bits)) = x
	return bits
}

var integerTypes = []ssa.Type{ssa.Int8, ssa.Int16, ssa.Int32, ssa.Int64, ssa.Uint8, ssa.Uint16, ssa.Uint32, ssa.Uint64}

var numericTypes = append(append([]ssa.Type(nil), integerTypes...), ssa.Float32, ssa.Float64)

// special are the values of a type at which operations differ.
func special(t ssa.Type) []uint64 {
	switch t {
	case ssa.Bool:
		return []uint64{0, 1}
	case ssa.Float32:
		var vs []uint64
		for _, f := range specialFloats {
			vs = append(vs, toBits(float32(f)))
		}
		for _, f := range []float32{math.MaxFloat32, math.SmallestNonzeroFloat32, 0x1p-126, 0x1.fffffcp-127, 16777216, 16777217} {
			vs = append(vs, toBits(f), toBits(-f))
		}
		return vs
	case ssa.Float64:
		var vs []uint64
		for _, f := range specialFloats {
			vs = append(vs, toBits(f))
		}
		return vs
	}
	bits := uint(ssa.Bits(t))
	mask := ^uint64(0) >> (64 - bits)
	seen := map[uint64]bool{}
	var vs []uint64
	for _, v := range []uint64{0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 63, 64, 65, 100, 255, 1000, 46341, 1 << 40,
		1<<(bits-1) - 1, 1 << (bits - 1), 1<<(bits-1) + 1, mask, mask - 1, mask - 6, 0x123456789abcdef0, 0xfedcba9876543210} {
		if v &= mask; !seen[v] {
			seen[v] = true
			vs = append(vs, v)
		}
	}
	return vs
}

var specialFloats = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, -1.5, 2, -2, 2.5, -2.5, 3, -3, 0.1, -0.1, 0.75, 0.85, 0.9, -0.97, 0.999999, 1 - 0x1p-53,
	math.Pi, -math.Pi, math.E, 10, -10, 7.3, -7.7, 20, 33, 100.25, -100.75, 171, 1000, -1000.5, 4194304.5, 4503599627370496.5, 9007199254740993,
	127, 128, -128, -129, 255, 256, 32767.5, 32768, -32768.5, 65535, 65536, 2147483647, 2147483648, -2147483648, -2147483649, 4294967295, 4294967296,
	9223372036854775807, 9223372036854775808, -9223372036854775808, 1.8e19, 18446744073709551616, -1e10, 1e10, 1e20, -1e20, 1e30, 1e-30,
	1e300, -1e300, 1e-300, 1e-308, 5e-324, -5e-324, 0x1p-1022, 0x1.fffffffffffffp-1023, math.MaxFloat64, -math.MaxFloat64,
	math.Inf(1), math.Inf(-1), math.NaN(),
}

// cross gives all combinations of the types' special values, one slice each.
func cross(ts ...ssa.Type) [][]uint64 {
	out := make([][]uint64, len(ts))
	var walk func(row []uint64)
	walk = func(row []uint64) {
		if len(row) == len(ts) {
			for i, v := range row {
				out[i] = append(out[i], v)
			}
			return
		}
		for _, v := range special(ts[len(row)]) {
			walk(append(row, v))
		}
	}
	walk(make([]uint64, 0, len(ts)))
	return out
}

// isNaN reports whether bits are a NaN of the type t.
func isNaN(t ssa.Type, bits uint64) bool {
	switch t {
	case ssa.Float32:
		f := fromBits[float32](bits)
		return f != f
	case ssa.Float64:
		f := fromBits[float64](bits)
		return f != f
	}
	return false
}

// same reports whether two results are equal: by their bits, but one NaN is as
// good as another.
func same(t ssa.Type, a, b uint64) bool { return a == b || isNaN(t, a) && isNaN(t, b) }

// format writes a value for a message.
func format(t ssa.Type, bits uint64) any {
	switch t {
	case ssa.Bool:
		return bits != 0
	case ssa.Float32:
		return fromBits[float32](bits)
	case ssa.Float64:
		return fromBits[float64](bits)
	case ssa.Int8:
		return int8(bits)
	case ssa.Int16:
		return int16(bits)
	case ssa.Int32:
		return int32(bits)
	case ssa.Int64:
		return int64(bits)
	}
	return bits
}

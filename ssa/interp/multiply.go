package interp

import (
	"math"

	"github.com/qdgen/qd/ssa"
)

// multiplyAdder computes x*y + z, floats with one rounding.
func multiplyAdder(t ssa.Type) func(x, y, z uint64) uint64 {
	switch t {
	case ssa.Float32:
		f := func(bits uint64) float64 { return float64(math.Float32frombits(uint32(bits))) }
		return func(x, y, z uint64) uint64 { return uint64(math.Float32bits(ssa.FMA32(f(x), f(y), f(z)))) }
	case ssa.Float64:
		f := math.Float64frombits
		return func(x, y, z uint64) uint64 { return math.Float64bits(math.FMA(f(x), f(y), f(z))) }
	}
	mul, add := operation(ssa.OpMul, t), operation(ssa.OpAdd, t)
	return func(x, y, z uint64) uint64 { return add(mul(x, y), z) }
}

// widen gives the number that is kept in some form.
func widen(n ssa.Narrow, t ssa.Type, bits uint64) uint64 {
	switch n {
	case ssa.NarrowFloat16:
		return uint64(math.Float32bits(float16(uint16(bits))))
	case ssa.NarrowBFloat16:
		return bits << 16
	case ssa.NarrowInt8:
		return extend(ssa.Int8, bits)
	case ssa.NarrowTF32:
		if bits&0x7fffffff > 0x7f800000 {
			return bits
		}
		return uint64(uint32(bits+0x1000) &^ 0x1fff)
	}
	return extend(t.(ssa.Basic), bits)
}

// float16 is the number that IEEE 754's binary16 stands for.
func float16(bits uint16) float32 {
	sign, exp, frac := float64(1), int(bits>>10&31), float64(bits&0x3ff)
	if bits>>15 == 1 {
		sign = -1
	}
	switch {
	case exp == 31 && frac != 0:
		return float32(math.NaN())
	case exp == 31:
		return float32(math.Inf(int(sign)))
	case exp == 0:
		return float32(math.Copysign(math.Ldexp(frac, -24), sign))
	}
	return float32(sign * math.Ldexp(1024+frac, exp-25))
}

// multiply compiles an OpMultiply, which adds its products in the order of their index.
func (c *compiler) multiply(in *ssa.Instr) step {
	t := in.Args[0].Type.(ssa.Slice).Elem
	narrow := in.Args[1].Type.(ssa.Slice).Elem
	sum := in.Args[0].SpreadMatrix()
	n, depth := int(sum.Index), int(in.Len)
	m := int(sum.Len) / n
	multiplyAdd := multiplyAdder(t)
	return plain(func(fr *frame) {
		read := func(arg, count int, elem ssa.Type) []byte {
			b := make([]byte, count*elem.Size())
			fr.m.read(in, b, fr.get(c.at(in.Args[arg])))
			return b
		}
		z, x, y := read(0, m*n, t), read(1, m*depth, narrow), read(2, depth*n, narrow)
		get := func(b []byte, row, column, columns int) uint64 {
			size := narrow.Size()
			i := row*columns + ssa.SwizzleOf(columns, size).Column(row, column)
			return widen(in.Narrow, t, word(b[i*size:(i+1)*size]))
		}
		for i := range m {
			for j := range n {
				at := z[(i*n+j)*t.Size() : (i*n+j+1)*t.Size()]
				total := extend(t.(ssa.Basic), word(at))
				for k := range depth {
					total = multiplyAdd(get(x, i, k, depth), get(y, k, j, n), total)
				}
				for p := range at {
					at[p] = byte(total >> (8 * p))
				}
			}
		}
		fr.m.write(in, fr.get(c.at(in.Args[0])), z)
	})
}

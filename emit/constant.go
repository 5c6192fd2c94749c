package emit

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// goNaN64 and goNaN32 are the bits of math.NaN(), and of its conversion to float32.
const (
	goNaN64 = 0x7ff8000000000001
	goNaN32 = 0x7fc00000
)

// constant is a literal with the value of c. An integer that fits into int is a
// plain literal of type int, which its context converts, see [printer.exactly]; any other
// literal has the type of its value.
func (p *printer) constant(t ssa.Type, c ssa.Const) expr {
	switch {
	case t == ssa.Bool:
		return expr{text: strconv.FormatBool(c.Bool()), prec: precPrimary, exact: true}
	case ssa.IsInteger(t):
		return integer(t, c)
	case ssa.IsFloat(t):
		return p.float(t, c)
	}
	panic(fmt.Sprintf("BUG: constant of type %v in emitted code", t))
}

func integer(t ssa.Type, c ssa.Const) expr {
	if ssa.IsUnsigned(t) {
		text := strconv.FormatUint(c.Uint(), 10)
		if c.Uint() <= math.MaxInt32 {
			return expr{text: text, prec: precPrimary}
		}
		return expr{text: text + suffix(t), prec: precPrimary, exact: true}
	}
	i, prec := c.Int(), precPrimary
	if i < 0 {
		prec = precUnary
	}
	switch {
	case i == math.MinInt64: // its digits alone are past the largest literal
		return expr{text: "-9223372036854775807" + suffix(t) + " - 1", prec: precAdd, exact: true}
	case i == math.MinInt32: // its digits alone are a long
		return expr{text: "-2147483647 - 1", prec: precAdd, exact: t == ssa.Int32}
	case i < math.MinInt32, i > math.MaxInt32:
		return expr{text: strconv.FormatInt(i, 10) + suffix(t), prec: prec, exact: true}
	}
	return expr{text: strconv.FormatInt(i, 10), prec: prec, exact: t == ssa.Int32} // int32 is int
}

// suffix gives the type t to a literal that does not fit into int. Without one a literal of
// 64 bits is a long where that has as many, and no long long.
func suffix(t ssa.Type) string {
	switch t {
	case ssa.Uint32:
		return "u"
	case ssa.Uint64:
		return "ull"
	}
	return "ll"
}

func (p *printer) float(t ssa.Type, c ssa.Const) expr {
	f := c.Float(t)
	switch {
	case math.IsNaN(f):
		return p.nan(t, c)
	case math.IsInf(f, 0):
		p.need("math.Inf")
		sign := "1"
		if f < 0 {
			sign = "-1"
		}
		return call("math::Inf<" + p.typeName(t) + ">(" + sign + ")")
	}
	text := strconv.FormatFloat(f, 'g', -1, ssa.Bits(t))
	if t == ssa.Float32 {
		// A compiler that reads the digits as a double first must end at the same float.
		if d, err := strconv.ParseFloat(text, 64); err != nil || float32(d) != float32(f) {
			text = strconv.FormatFloat(f, 'x', -1, 64)
		}
	}
	if !strings.ContainsAny(text, ".ep") {
		text += ".0"
	}
	if t == ssa.Float32 {
		text += "f"
	}
	if strings.HasPrefix(text, "-") {
		return expr{text: text, prec: precUnary, exact: true}
	}
	return expr{text: text, prec: precPrimary, exact: true}
}

// nan keeps the payload: math::NaN for Go's own, the bits otherwise.
func (p *printer) nan(t ssa.Type, c ssa.Const) expr {
	bits := c.Uint()
	if t == ssa.Float64 && bits == goNaN64 || t == ssa.Float32 && bits == goNaN32 {
		p.need("math.NaN")
		return call("math::NaN<" + p.typeName(t) + ">()")
	}
	n := strconv.Itoa(ssa.Bits(t))
	p.needMath("frombits", t)
	return call("math::Float" + n + "frombits(0x" + strconv.FormatUint(bits, 16) + "u)")
}

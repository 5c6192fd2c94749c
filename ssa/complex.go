package ssa

// Complex64 and Complex128 are Go's complex numbers: structs of their two parts, which lie in memory as Go's do. Their
// arithmetic is that of the parts.
var (
	Complex64  = StructOf("complex64", Field{"real", Float32}, Field{"imag", Float32})
	Complex128 = StructOf("complex128", Field{"real", Float64}, Field{"imag", Float64})
)

// ComplexOf is the complex type whose parts have a float type.
func ComplexOf(part Type) (t *Struct, ok bool) {
	switch part {
	case Float32:
		return Complex64, true
	case Float64:
		return Complex128, true
	}
	return nil, false
}

// IsComplex reports whether t is complex64 or complex128.
func IsComplex(t Type) bool { return t == Complex64 || t == Complex128 }

// ComplexPart is the type of the parts of a complex type.
func ComplexPart(t Type) Type { return t.(*Struct).Fields[0].Type }

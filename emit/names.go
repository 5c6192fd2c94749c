package emit

import (
	"fmt"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// Symbol is the name by which a kernel is exported: its Go name, as far as C
// allows.
func Symbol(f *ssa.Func) string { return globalName(f.Name) }

// globalName makes a Go name ("saxpy", "vec.Dot", "axpy[float64]") a name for a
// function that is not one of C's, C++'s, CUDA's or the C library's.
func globalName(name string) string {
	name = identifier(name)
	if reserved[name] || cLibrary[name] || isVectorName(name) {
		name += "_"
	}
	return name
}

// isVectorName reports whether a name is that of one of CUDA's vectors, as uint4 and longlong2 are, or of a vector of
// lanes, as float32x8 is.
func isVectorName(name string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(name, "_16a"), "_32a")
	elem := strings.TrimRight(name, "0123456789")
	if len(name)-len(elem) != 1 && !strings.HasSuffix(elem, "x") { // CUDA's have 4 elements at most
		return false
	}
	return elem != name && vectorElems[elem]
}

// vectorElems are how names of vectors begin.
var vectorElems = set(`char uchar short ushort int uint long ulong longlong ulonglong float double
	int8x int16x int32x int64x uint8x uint16x uint32x uint64x float16x float32x float64x boolx`)

// identifier makes a Go name an identifier of C++, in ASCII.
func identifier(name string) string {
	if isIdentifier(name) {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		switch {
		case r == '_', r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			b.WriteRune(r)
		case r > 0x7f:
			fmt.Fprintf(&b, "u%04x", r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	id := b.String()
	if trimmed := strings.TrimRight(id, "_"); trimmed != "" && trimmed+"_" == id && !strings.HasSuffix(name, "_") {
		id = trimmed // a closing bracket
	}
	// Names that begin so are the C++ implementation's.
	if strings.HasPrefix(id, "__") || len(id) > 1 && id[0] == '_' && id[1] >= 'A' && id[1] <= 'Z' || id == "" || id[0] >= '0' && id[0] <= '9' {
		id = "x" + id
	}
	return id
}

// isIdentifier reports whether a name is made of ASCII letters, digits and _, and begins with a letter.
func isIdentifier(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c == '_' || c >= '0' && c <= '9'):
		default:
			return false
		}
	}
	return name != ""
}

// temporaryName names a value that has no name in Go, by what it is.
func temporaryName(v *ssa.Value) string {
	if v.Def == nil {
		return "turn" // of a loop that counts without a variable
	}
	switch in := v.Def; in.Op {
	case ssa.OpLoad:
		return elementName(in.Args[0])
	case ssa.OpElem:
		return elementName(v)
	case ssa.OpField:
		return notReserved(identifier(in.Args[0].Type.(*ssa.Struct).Fields[in.Index].Name))
	case ssa.OpMake:
		if t, ok := in.Results[0].Type.(*ssa.Struct); ok && t.Name != "" {
			return "new_" + identifier(t.Name)
		}
	case ssa.OpCall, ssa.OpRecur:
		return identifier(in.Callee.Name) + "_result"
	case ssa.OpMath:
		return in.Math.String() + "_result"
	}
	if name, ok := temporaryNames[v.Def.Op]; ok {
		return name
	}
	return "value"
}

// elementName names what is loaded from an address, or taken from an array.
func elementName(from *ssa.Value) string {
	in := from.Def
	if in == nil {
		return "elem"
	}
	switch in.Op {
	case ssa.OpFieldAddr:
		t := in.Args[0].Type.(ssa.Pointer).Elem.(*ssa.Struct)
		return notReserved(identifier(t.Fields[in.Index].Name))
	case ssa.OpIndexAddr, ssa.OpElemAddr, ssa.OpElem:
		if name := in.Args[0].Name; name != "" {
			return identifier(name) + "_elem"
		}
	case ssa.OpLocal:
		if from.Name != "" {
			return identifier(from.Name) + "_value"
		}
	}
	return "elem"
}

func notReserved(name string) string {
	if reserved[name] {
		name += "_"
	}
	return name
}

var temporaryNames = map[ssa.Op]string{
	ssa.OpAdd: "sum", ssa.OpSub: "diff", ssa.OpMul: "prod", ssa.OpDiv: "quot", ssa.OpRem: "rem",
	ssa.OpEq: "equal", ssa.OpNe: "differ", ssa.OpLt: "less", ssa.OpLe: "at_most",
	ssa.OpGt: "greater", ssa.OpGe: "at_least", ssa.OpNot: "negated",
	ssa.OpMin: "least", ssa.OpMax: "greatest", ssa.OpAtomic: "old", ssa.OpAtomicLanes: "old",
	ssa.OpIndexAddr: "ptr", ssa.OpFieldAddr: "ptr", ssa.OpElemAddr: "ptr", ssa.OpLocal: "local",
	ssa.OpSliceOf: "elems", ssa.OpIsNil: "is_nil", ssa.OpApart: "no_overlap", ssa.OpCopy: "copied", ssa.OpBits: "count", ssa.OpMulWide: "prod", ssa.OpDivWide: "quot", ssa.OpZero: "zero", ssa.OpSubslice: "part", ssa.OpIf: "result",
}

func set(lists ...string) map[string]bool {
	m := make(map[string]bool)
	for _, list := range lists {
		for _, w := range strings.Fields(list) {
			m[w] = true
		}
	}
	return m
}

// reserved has the names that nothing in the text may have: keywords of C++ (with later standards and common
// extensions), names that CUDA predefines, and names of the prelude.
var reserved = set(`
	alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t
	class compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield
	decltype default delete do double dynamic_cast else enum explicit export extern false float for friend
	goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
	protected public register reinterpret_cast requires restrict return short signed sizeof static
	static_assert static_cast struct switch template this thread_local throw true try typedef typeid
	typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq
	linux unix i386 NULL EOF INFINITY NAN main std`, `
	threadIdx blockIdx blockDim gridDim warpSize dim3 uint3 int2 int3 int4 float2 float3 float4 double2 half`, `
	int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 slice subslice sliceof apart load array Thread pair go math bits qd fault_record qd_fault qd_stack qd_block_memory offset_of
	printf_buffer qd_printf_buffer quotient modulo quotient32 modulo32 size_divisor elementary vec`)

// cLibrary are the C library's functions that a compiler knows, or may call on
// its own: a kernel of such a name would be taken for it.
var cLibrary = set(`
	abort abs atexit atof atoi atol atoll bcmp bcopy bsearch bzero calloc close div exit free getenv index ioctl labs ldiv
	llabs lldiv malloc memalign memccpy memchr memcmp memcpy memmem memmove memset mempcpy open
	posix_memalign qsort raise rand read realloc rindex select send recv signal srand stpcpy strcat strchr strcmp
	strcpy strdup strlen strncat strncmp strncpy strrchr strstr strtod strtol strtoul system time clock wait write
	printf fprintf sprintf snprintf vprintf puts putchar puts fputs fputc fopen fclose fread fwrite scanf setjmp longjmp
	pipe fork kill link unlink access brk sbrk sleep socket bind listen accept connect shutdown remove rename`,
	withFloatSuffixes(`
	acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi erf erfc erfcinv erfcx erfinv exp exp10
	exp2 expm1 fabs fdim fdivide floor fma fmax fmin fmod frexp gamma hypot ilogb isfinite isinf isnan j0 j1 jn ldexp lgamma
	llrint llround log log10 log1p log2 logb lrint lround max min modf nan nearbyint nextafter nexttoward norm norm3d norm4d normcdf
	normcdfinv pow powi pow10 rcbrt remainder remquo rhypot rint rnorm round roundeven rsqrt scalb scalbln scalbn signbit sin
	sincos sincospi sinh sinpi sqrt tan tanh tgamma trunc y0 y1 yn`), `
	atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor
	all any ballot dadd dmul dsub double2int double2ll double2uint double2ull float2double int2double ll2double uint2double
	ull2double size_t ptrdiff_t clock_t va_arg va_copy va_end va_list va_start
	_setjmp _longjmp clock64 assert trap brkpt umin umax llmin llmax ullmin ullmax saturate mul24 umul24 mulhi umulhi clz popc ffs rotate`)

// withFloatSuffixes adds the names' variants for float and long double.
func withFloatSuffixes(names string) string {
	var b strings.Builder
	for _, n := range strings.Fields(names) {
		b.WriteString(n + " " + n + "f " + n + "l ")
	}
	return b.String()
}

package clang

import "runtime"

// required are the flags of every compile. None lets a result differ from Go's.
var required = []string{
	"-std=c++17",
	"-O3",
	"-fPIC", // a shared library is loaded anywhere

	"-fwrapv",           // signed integers wrap
	"-fno-fast-math",    // some compilers (icpx) start out with fast mathematics
	"-ffp-contract=off", // x*y+z rounds twice, as it does in Go on amd64
	"-fno-math-errno",   // sqrt is one instruction: no result changes, only errno, which nothing reads

	"-fno-strict-aliasing", // an atomic on a float works on its bits as an integer, and the prelude reads a part of an array of vectors as an array

	"-fno-exceptions",      // nothing throws,
	"-fno-rtti",            // nothing asks for a type,
	"-fno-stack-protector", // and no buffer can be overrun, though distributions turn this on

	"-w", // a warning about emitted code is nothing that its user can act on
}

// optional are the flags that are left out for a compiler that does not know them.
//
// Not among them: -fno-trapping-math. It is what clang does anyway, and with it
// gcc turns float32(int32(x)) into a rounding that keeps the sign of a zero.
var optional = []string{
	// C++ lets a compiler assume that a loop without side effects ends, Go does
	// not. Compilers before clang 12 and gcc 10, which do not know the flag, do not
	// assume it either.
	"-fno-finite-loops",

	// The functions of a module call each other directly.
	"-fno-semantic-interposition",
}

// onlyGCC are the flags that gcc alone gets. Where the processor has an operation for it (vfmaddsub), its vectorizer makes
// one of x*y-z*w beside x*y+z*w that rounds once, in spite of -ffp-contract=off. To switch off the vectorizer would cost
// more. A call of FMA is right without the operation, too.
var onlyGCC = map[string][]string{"amd64": {"-mno-fma", "-mno-fma4", "-mno-avx512f"}}[runtime.GOARCH]

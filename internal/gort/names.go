package gort

import (
	"regexp"
	"strings"
)

// SplitName divides a function's name as package runtime writes it,
// "example.com/mod/pkg.saxpy", into the import path and the name within the package.
func SplitName(full string) (pkg, name string) {
	base := strings.LastIndexByte(full, '/') + 1
	dot := strings.IndexByte(full[base:], '.')
	if dot < 0 {
		return "", full
	}
	// The linker's symbols escape dots in the path's last element.
	return strings.ReplaceAll(full[:base+dot], "%2e", "."), full[base+dot+1:]
}

// literal matches what the compiler appends to a name for a function literal: main.func1.
var literal = regexp.MustCompile(`\.func[0-9]`)

// IsLiteral reports whether a name within a package is that of a function literal.
func IsLiteral(name string) bool { return literal.MatchString(name) }

// ownLiteral matches the names of literals that stand in the function that their name begins with: no
// other function's name is in them, as there is in "main.Lit.func1".
var ownLiteral = regexp.MustCompile(`^[^.]+(\.(func)?\d+)+$`)

// undeclared matches the names of functions that have no declaration, as far as the compiler makes them of syntax.
var undeclared = regexp.MustCompile(`^glob\.|\.func\d+(\.|$)|\.gowrap\d+$|-range\d+$`)

// IsUndeclared reports whether a name is one that the compiler gives to a function without a declaration: a literal,
// the body of a loop over a function, or what a go statement calls.
func IsUndeclared(name string) bool { return undeclared.MatchString(name) }

// IsInlinedLiteral reports whether a literal may stand in a function that the compiler has inlined. Such
// a literal is named after both functions, and counts as one of the package that calls.
func IsInlinedLiteral(name string) bool { return IsLiteral(name) && !ownLiteral.MatchString(name) }

// methodValue ends the name of the function behind a method value, v.Method.
const methodValue = "-fm"

// CutMethodValue gives the method that a function behind a method value calls, and whether it is one.
func CutMethodValue(name string) (method string, ok bool) {
	return strings.CutSuffix(name, methodValue)
}

// IsInstance reports whether a name is that of an instance of a generic function, or of a literal in one. Its
// type arguments are not in it: they are written "[...]".
func IsInstance(name string) bool { return strings.Contains(name, "[") }

// IsWithin reports whether a name within a package is that of a declared function, or may be that of a
// literal in it. A declared "" is the initialization of the package's variables.
func IsWithin(name, declared string) bool {
	if declared == "" {
		return true
	}
	plain := withoutTypes(name)
	rest, ok := strings.CutPrefix(plain, declared)
	if ok && (rest == "" || rest[0] == '.' || rest[0] == '-') {
		return true
	}
	// The literals of a function that is inlined are named after both: main.lit.func1.
	return strings.Contains(plain, "."+declared+".func")
}

// withoutTypes is a name without type arguments, parentheses and asterisks.
func withoutTypes(name string) string {
	return strings.NewReplacer("(", "", "*", "", ")", "").Replace(WithoutTypes(name))
}

// WithoutTypes removes what stands in brackets: "Map[...].Kernel" is "Map.Kernel".
func WithoutTypes(name string) string {
	var plain strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth <= 0:
			plain.WriteRune(r)
		}
	}
	return plain.String()
}

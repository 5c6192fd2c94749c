package check

import "go/types"

// maxTypeParts is how many parts the type arguments of a function may have that is called within its own call.
const maxTypeParts = 1000

// ManyParts reports whether type arguments have very many parts: a function that calls itself with T[B, T[B, C, A], A]
// for T[A, B, C] doubles them with each call.
func ManyParts(args []types.Type) bool {
	left := maxTypeParts
	for _, t := range args {
		countParts(t, &left)
	}
	return left < 0
}

// countParts takes the number of a type's parts from left, until that is negative.
func countParts(t types.Type, left *int) {
	*left--
	if *left < 0 {
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			countParts(arg, left)
		}
	case interface{ Elem() types.Type }: // a pointer, a slice, an array, a map or a channel
		countParts(t.Elem(), left)
		if m, ok := t.(*types.Map); ok {
			countParts(m.Key(), left)
		}
	case *types.Struct:
		for f := range t.Fields() {
			countParts(f.Type(), left)
		}
	case *types.Signature:
		for _, vars := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range vars.Variables() {
				countParts(v.Type(), left)
			}
		}
	}
}

package load

import (
	"go/types"
	"slices"
)

// Invalid reports whether a type is one that the type checker could not make out,
// or is built from one so that there is nothing else to say of it.
func Invalid(t types.Type) bool { return invalidIn(t, nil) }

// invalidIn is invalid within the declared types of a list.
func invalidIn(t types.Type, within []*types.Named) bool {
	switch t := types.Unalias(t).(type) {
	case nil:
		return true
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Named:
		nested := 0 // instances of the same generic type around this one: there may be ever larger ones
		for _, outer := range within {
			if outer.Origin() == t.Origin() {
				nested++
			}
		}
		if slices.Contains(within, t) || nested > 2 || len(within) > 100 {
			return false
		}
		return invalidIn(t.Underlying(), append(within, t))
	case *types.Slice:
		return invalidIn(t.Elem(), within)
	case *types.Pointer:
		return invalidIn(t.Elem(), within)
	case *types.Array:
		return invalidIn(t.Elem(), within)
	case *types.Chan:
		return invalidIn(t.Elem(), within)
	case *types.Map:
		return invalidIn(t.Key(), within) || invalidIn(t.Elem(), within)
	case *types.Signature:
		return anyInvalid(t.Params(), within) || anyInvalid(t.Results(), within)
	case *types.Struct:
		for f := range t.Fields() {
			if invalidIn(f.Type(), within) {
				return true
			}
		}
	}
	return false
}

func anyInvalid(vars *types.Tuple, within []*types.Named) bool {
	for v := range vars.Variables() {
		if invalidIn(v.Type(), within) {
			return true
		}
	}
	return false
}

package initial

import "go/types"

// isGeneric reports whether a type is another one in each instance of a generic function, but looks the same: it has a
// type parameter in it for which nothing has been substituted, or is declared in the function without one.
func isGeneric(t types.Type) bool {
	switch t := t.(type) {
	case *types.TypeParam:
		return true
	case *types.Alias:
		return isGeneric(types.Unalias(t))
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if isGeneric(arg) {
				return true
			}
		}
		return declaredInGeneric(t.Obj())
	case *types.Pointer:
		return isGeneric(t.Elem())
	case *types.Slice:
		return isGeneric(t.Elem())
	case *types.Array:
		return isGeneric(t.Elem())
	case *types.Map:
		return isGeneric(t.Key()) || isGeneric(t.Elem())
	case *types.Chan:
		return isGeneric(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if isGeneric(v.Type()) {
				return true
			}
		}
	case *types.Signature:
		return isGeneric(t.Params()) || isGeneric(t.Results())
	case *types.Struct:
		for v := range t.Fields() {
			if isGeneric(v.Type()) {
				return true
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if isGeneric(m.Signature()) {
				return true
			}
		}
	}
	return false
}

// declaredInGeneric reports whether a type is declared in a generic function.
func declaredInGeneric(obj *types.TypeName) bool {
	if obj.Pkg() == nil {
		return false
	}
	for s := obj.Parent(); s != nil && s != obj.Pkg().Scope(); s = s.Parent() {
		for _, name := range s.Names() {
			if _, ok := s.Lookup(name).Type().(*types.TypeParam); ok {
				return true
			}
		}
	}
	return false
}

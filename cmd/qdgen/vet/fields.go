package vet

import "go/types"

// fieldsFit reports whether an argument fits a parameter that is a struct with slices, which is passed by its fields:
// it has fields of the same names, in which arrays may stand for slices and views. ok is false if the parameter is not
// such a struct.
func fieldsFit(arg, param types.Type) (fit, ok bool) {
	p, ok := param.Underlying().(*types.Struct)
	if !ok || !hasSlices(param) || sequenceElem(param) != nil {
		return false, false
	}
	a, ok := arg.Underlying().(*types.Struct)
	if !ok {
		return false, true
	}
	given := make(map[string]types.Type)
	for f := range a.Fields() {
		given[f.Name()] = f.Type()
	}
	delete(given, "_")
	for f := range p.Fields() {
		if f.Name() == "_" {
			continue
		}
		t := given[f.Name()]
		if t == nil || !fits(types.TypeAndValue{Type: t}, f.Type()) {
			return false, true
		}
		delete(given, f.Name())
	}
	return len(given) == 0, true
}

// hasSlices reports whether values of a type have slices in them.
func hasSlices(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return true
	case *types.Array:
		return t.Len() > 0 && hasSlices(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if hasSlices(f.Type()) {
				return true
			}
		}
	}
	return false
}

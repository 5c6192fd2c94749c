package gen

import (
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/load"
)

// qdType is the name of a type of package qd, "" for other types.
func qdType(t types.Type) string {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != load.QDPath {
		return ""
	}
	return named.Obj().Name()
}

// isKernel reports whether a function has the shape of a kernel.
func isKernel(sig *types.Signature) bool {
	if sig.Params().Len() == 0 {
		return false
	}
	switch qdType(sig.Params().At(0).Type()) {
	case "Thread", "Block", "Grid":
		return true
	}
	return false
}

// hasKernel reports whether a type has a method that is a kernel.
func hasKernel(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	for m := range named.Methods() {
		if isKernel(m.Signature()) {
			return true
		}
	}
	return false
}

// computes reports whether a function may be one that kernels call: it has parameters or
// results, and all are of types that a kernel can have.
func computes(sig *types.Signature) bool {
	return sig.Params().Len()+sig.Results().Len() > 0 && deviceable(sig)
}

// deviceable reports whether a kernel can have values of a type, at compile time at least.
func deviceable(t types.Type) bool { return holds(t, forKernels, make(map[types.Type]bool)) }

// givesFunc reports whether a kernel may have a function that is among the results of a call, or a part of one.
func givesFunc(results *types.Tuple) bool {
	for v := range results.Variables() {
		if deviceable(v.Type()) && holdsFunc(v.Type()) {
			return true
		}
	}
	return false
}

// holdsFunc reports whether a value of a type is a function that kernels may call, or has such among its parts.
func holdsFunc(t types.Type) bool {
	seen := make(map[types.Type]bool)
	var holds func(t types.Type) bool
	holds = func(t types.Type) bool {
		if seen[t] {
			return false
		}
		seen[t] = true
		switch t := t.Underlying().(type) {
		case *types.Signature:
			return computes(t)
		case *types.Array:
			return holds(t.Elem())
		case *types.Slice:
			return holds(t.Elem())
		case *types.Map:
			return holds(t.Elem())
		case *types.Struct:
			for f := range t.Fields() {
				if holds(f.Type()) {
					return true
				}
			}
		}
		return false
	}
	return holds(t)
}

// registrable reports whether a variable's value can be told to the compiler.
func registrable(t types.Type) bool { return holds(t, forCapture, make(map[types.Type]bool)) }

// tellable reports whether that of a variable of another package can be: its tables may have pointers too.
func tellable(t types.Type) bool { return check.IsTable(t) || registrable(t) }

// use says what values of a type are for.
type use int

const (
	forKernels use = iota // in kernels' code
	forCapture            // as compile-time values of package variables
)

// holds reports whether values of a type can be used; types in seen are being looked at.
func holds(t types.Type, purpose use, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	all := func(tuple *types.Tuple) bool {
		for v := range tuple.Variables() {
			if !holds(v.Type(), purpose, seen) {
				return false
			}
		}
		return true
	}
	if name := qdType(t); name != "" {
		switch name {
		case "Thread", "Block", "Grid", "View2", "View3", "View4":
			return purpose == forKernels
		}
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return holds(t.Underlying(), purpose, seen)
	case *types.Basic:
		return t.Info()&(types.IsBoolean|types.IsNumeric|types.IsString) != 0
	case *types.TypeParam:
		return true
	case *types.Array:
		return holds(t.Elem(), purpose, seen)
	case *types.Slice:
		return holds(t.Elem(), purpose, seen)
	case *types.Map:
		return purpose == forCapture && holds(t.Key(), purpose, seen) && holds(t.Elem(), purpose, seen)
	case *types.Pointer:
		return purpose == forKernels && holds(t.Elem(), purpose, seen)
	case *types.Struct:
		for f := range t.Fields() {
			if purpose == forCapture && types.IsInterface(f.Type()) {
				continue // of which nil can be told
			}
			if !holds(f.Type(), purpose, seen) {
				return false
			}
		}
		return true
	case *types.Signature:
		// Of a function value nothing but its name is told.
		return purpose == forCapture || all(t.Params()) && all(t.Results())
	}
	return false
}

// TypeName is a type as package comptime names it, with the import paths that path gives.
func TypeName(t types.Type, path func(*types.Package) string) string {
	return types.TypeString(withoutNames(t), path)
}

// withoutNames is a type without the names of functions' parameters.
func withoutNames(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Slice:
		return types.NewSlice(withoutNames(t.Elem()))
	case *types.Array:
		return types.NewArray(withoutNames(t.Elem()), t.Len())
	case *types.Pointer:
		return types.NewPointer(withoutNames(t.Elem()))
	case *types.Map:
		return types.NewMap(withoutNames(t.Key()), withoutNames(t.Elem()))
	case *types.Signature:
		tuple := func(vars *types.Tuple) *types.Tuple {
			var list []*types.Var
			for v := range vars.Variables() {
				list = append(list, types.NewParam(v.Pos(), v.Pkg(), "", withoutNames(v.Type())))
			}
			return types.NewTuple(list...)
		}
		return types.NewSignatureType(nil, nil, nil, tuple(t.Params()), tuple(t.Results()), t.Variadic())
	}
	return t
}

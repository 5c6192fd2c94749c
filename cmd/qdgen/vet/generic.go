package vet

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/qdgen/qd/frontend/load"
)

// instances says which instances of generic kernels to look at: those that the package
// launches and, of a kernel that it does not, one with the first types of the package that the
// constraints allow. A kernel for which there are none is left alone: whoever
// launches it will find the types, and the errors.
func instances(pass *analysis.Pass, refs []load.Ref, launches []*launch) []load.Ref {
	launched := make(map[string]bool)
	var all []load.Ref
	for _, l := range launches {
		if l.own && l.targs != "" {
			launched[l.ref.Name] = true
			instance := l.ref
			instance.Name += "[" + l.targs + "]"
			all = append(all, instance)
		}
	}
	for _, r := range refs {
		f, ok := pass.Pkg.Scope().Lookup(r.Name).(*types.Func)
		if !ok || f.Signature().TypeParams() == nil {
			all = append(all, r)
			continue
		}
		if launched[r.Name] {
			continue
		}
		if args, ok := Example(f); ok {
			r.Name += "[" + args + "]"
			all = append(all, r)
		}
	}
	return all
}

// maxCombinations ends the search for an example.
const maxCombinations = 10_000

// Example finds type arguments that a generic function's constraints allow, as
// [load.Ref] takes them.
func Example(f *types.Func) (args string, ok bool) {
	list, ok := TypeArgs(f, nil)
	if !ok {
		return "", false
	}
	return typeNames(list), true
}

// TypeArgs finds type arguments that a generic function's constraints allow: those that
// are fixed, by the parameters' names, and for the others such among the number types, the types
// that its package declares, and pointers to these.
func TypeArgs(f *types.Func, fixed map[string]types.Type) (list []types.Type, ok bool) {
	var candidates []types.Type
	for _, kind := range []types.BasicKind{types.Float32, types.Int, types.Uint32, types.Float64} {
		candidates = append(candidates, types.Typ[kind])
	}
	scope := f.Pkg().Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(obj.Type()) {
			continue
		}
		if named, ok := obj.Type().(*types.Named); ok && named.TypeParams() != nil {
			continue
		}
		candidates = append(candidates, obj.Type(), types.NewPointer(obj.Type()))
	}
	sig := f.Signature()
	list = make([]types.Type, sig.TypeParams().Len())
	tried := 0
	var search func(i int) bool
	search = func(i int) bool {
		if i == len(list) {
			tried++
			_, err := types.Instantiate(nil, sig, list, true)
			return err == nil
		}
		if t := fixed[sig.TypeParams().At(i).Obj().Name()]; t != nil {
			list[i] = t
			return search(i + 1)
		}
		for _, c := range candidates {
			if list[i] = c; tried < maxCombinations && search(i+1) {
				return true
			}
		}
		return false
	}
	return list, search(0)
}

// typeNames are types with their import paths, as [load.Ref] takes them.
func typeNames(list []types.Type) string {
	var names []string
	for _, t := range list {
		names = append(names, types.TypeString(t, (*types.Package).Path))
	}
	return strings.Join(names, ",")
}

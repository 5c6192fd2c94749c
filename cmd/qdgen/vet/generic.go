package vet

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/frontend/load"
)

// A kernelName tells kernels of all packages apart.
type kernelName struct{ pkg, name string }

// launchedIn are the generic kernels that packages launch.
func launchedIn(pkgs []*packages.Package) map[kernelName]bool {
	found := make(map[kernelName]bool)
	for _, p := range pkgs {
		if p.Types == nil || p.TypesInfo == nil {
			continue
		}
		pass := &analysis.Pass{Fset: p.Fset, Files: p.Syntax, Pkg: p.Types, TypesInfo: p.TypesInfo}
		for _, l := range findLaunches(pass) {
			if l.inst != "" {
				found[kernelName{l.ref.Pkg, l.ref.Name}] = true
			}
		}
	}
	return found
}

// instances says which instances of generic kernels to look at: those that the package launches, of other packages too,
// and, of a kernel that neither it nor another package launches as far as that is known, one with the first types of
// the package that the constraints allow. A kernel for which there are none is left alone: whoever launches it will
// find the types, and the errors.
func instances(pass *analysis.Pass, refs []load.Ref, launches []*launch, elsewhere map[kernelName]bool) []load.Ref {
	launched := make(map[string]bool)
	seen := make(map[load.Ref]bool)
	var all []load.Ref
	for _, l := range launches {
		if l.inst == "" || load.IsOwn(l.ref.Pkg) {
			continue
		}
		if l.own {
			launched[l.ref.Name] = true
		}
		instance := l.ref
		instance.Name = l.inst
		if l.own || !seen[instance] {
			all = append(all, instance)
		}
		seen[instance] = true
	}
	for _, r := range refs {
		if launched[r.Name] || elsewhere[kernelName{pass.Pkg.Path(), r.Name}] {
			continue
		}
		if name, ok := Example(pass.Pkg, r.Name); ok {
			r.Name = name
			all = append(all, r)
		}
	}
	return all
}

// maxCombinations ends the search for an example.
const maxCombinations = 10_000

// Example names a kernel with type arguments that the constraints of its own type
// parameters, or of its receiver's, allow: as [load.Ref] takes it. It is the kernel's name where
// it has none, and not ok where no types are found.
func Example(pkg *types.Package, name string) (example string, ok bool) {
	base, method, isMethod := strings.Cut(name, ".")
	obj := pkg.Scope().Lookup(strings.Trim(base, "(*)"))
	if obj == nil || typeParams(obj).Len() == 0 {
		return name, true
	}
	list, ok := TypeArgs(obj, nil)
	if !ok {
		return "", false
	}
	example = obj.Name() + "[" + typeNames(list) + "]"
	if isMethod {
		example += "." + method
	}
	return example, true
}

// typeParams are the type parameters of a function or type.
func typeParams(obj types.Object) *types.TypeParamList {
	switch t := obj.Type().(type) {
	case *types.Signature:
		return t.TypeParams()
	case *types.Named:
		return t.TypeParams()
	}
	return nil
}

// TypeArgs finds type arguments that the constraints of a generic function or type allow: those
// that are fixed, by the parameters' names, and for the others such among the number types, the
// types that its package declares, and pointers to these.
func TypeArgs(generic types.Object, fixed map[string]types.Type) (list []types.Type, ok bool) {
	params := typeParams(generic)
	var candidates []types.Type
	for _, kind := range []types.BasicKind{types.Float32, types.Int, types.Uint32, types.Float64} {
		candidates = append(candidates, types.Typ[kind])
	}
	scope := generic.Pkg().Scope()
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
	list = make([]types.Type, params.Len())
	possible := make([][]types.Type, params.Len())
	for i := range possible {
		p := params.At(i)
		if t := fixed[p.Obj().Name()]; t != nil {
			possible[i] = []types.Type{t}
			continue
		}
		for _, c := range candidates {
			if mayStandFor(c, p) {
				possible[i] = append(possible[i], c)
			}
		}
	}
	tried := 0
	var search func(i int) bool
	search = func(i int) bool {
		if i == len(list) {
			tried++
			_, err := types.Instantiate(nil, generic.Type(), list, true)
			return err == nil
		}
		for _, c := range possible[i] {
			if list[i] = c; tried < maxCombinations && search(i+1) {
				return true
			}
		}
		return false
	}
	return list, search(0)
}

// mayStandFor reports whether a type may satisfy the constraint of a type parameter, as far as that does not
// depend on what other type parameters stand for. The constraints of vectors and matrices have many
// type parameters, and hardly any type has their methods: without this there is no end of combinations.
func mayStandFor(t types.Type, p *types.TypeParam) bool {
	constraint, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok {
		return true
	}
	methods := types.NewMethodSet(t)
	for m := range constraint.Methods() {
		if methods.Lookup(m.Pkg(), m.Name()) == nil {
			return false
		}
	}
	named, ok := p.Constraint().(*types.Named)
	return !ok || named.TypeArgs() != nil || types.Satisfies(t, constraint)
}

// typeNames are types with their import paths, as [load.Ref] takes them.
func typeNames(list []types.Type) string {
	var names []string
	for _, t := range list {
		names = append(names, types.TypeString(t, (*types.Package).Path))
	}
	return strings.Join(names, ",")
}

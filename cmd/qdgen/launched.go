package main

import (
	"errors"
	"fmt"
	"go/types"
	"io"
	"slices"
	"strings"

	"github.com/qdgen/qd/cmd/qdgen/gen"
	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/frontend/load"
)

// mayBeTyped reports whether a kernel has type parameters for which nothing is written, and its package can be
// type-checked: then launches in it are found.
func (z *specializer) mayBeTyped(k kernel, checked *load.Function) bool {
	if bareName(k.ref.Name) != k.ref.Name || checked == nil || checked.Obj.Signature().TypeParams().Len() == 0 {
		return false
	}
	_, err := z.ws.Types(k.pkg.path)
	return err == nil
}

// lacksTypes is the error of a generic kernel for whose type parameters nothing is given.
func (s *specialization) lacksTypes(params *types.TypeParamList) error {
	for p := range params.TypeParams() {
		flag := fmt.Sprintf("--type %s=..., a %s", p.Obj().Name(), types.TypeString(p.Constraint(), (*types.Package).Name))
		s.missing = append(s.missing, needed{flag, -1, p.Obj().Name()})
	}
	return s.check()
}

// asLaunched specializes a kernel for what the command line gives and, where that is not
// all, for what the launches of the kernel's own package give. Those have to agree: else the error says
// which there are. A launch whose types are not known gives a generic kernel nothing; where no launch gives it
// types, it has some that its constraints allow.
func (z *specializer) asLaunched(pkg *kernelPackage, ref load.Ref, stderr io.Writer) (*specialization, error) {
	obj, kernelErr := z.kernel(pkg, ref)
	var launches []gen.Launched
	if obj != nil && kernelErr == nil {
		launches, kernelErr = z.ws.Launches(pkg.path, obj)
	}
	if obj != nil && kernelErr == nil && obj.Signature().TypeParams().Len() > 0 {
		typed := slices.DeleteFunc(slices.Clone(launches), func(l gen.Launched) bool { return len(l.Types) < obj.Signature().TypeParams().Len() })
		z.asks = true
		s, err := z.specialize(pkg, ref)
		lacks := (*missingError)(nil)
		if errors.As(err, &lacks) && len(typed) > 0 && lacks.missing[0].index < 0 {
			s, err = z.agreed(typed, lacks, pkg, ref, stderr)
		}
		z.asks = false
		if err == nil || errors.As(err, &lacks) && len(lacks.launched) > 0 {
			return s, err
		}
	}
	s, err := z.specialize(pkg, ref)
	lacks := (*missingError)(nil)
	switch {
	case !errors.As(err, &lacks):
		return s, err
	case obj == nil || kernelErr != nil:
		return nil, err
	case len(launches) == 0 && lacks.onlyTypes():
		return z.asElsewhere(pkg, ref, lacks, stderr)
	}
	return z.agreed(launches, lacks, pkg, ref, stderr)
}

// agreed specializes a kernel for what launches give, if that is the same.
func (z *specializer) agreed(launches []gen.Launched, lacks *missingError, pkg *kernelPackage, ref load.Ref, stderr io.Writer) (*specialization, error) {
	made := make(map[string]*specialization)
	var flags, places []string
	unknown := false // what one of them gives
	for _, l := range launches {
		s, flag, err := z.from(l, lacks, pkg, ref)
		if s == nil && err == nil {
			unknown = true
			continue
		}
		if made[flag] != nil {
			continue
		}
		if err == nil {
			made[flag] = s
			flags = append(flags, flag)
			places = append(places, fmt.Sprintf("%s:%d", listed.Shorter(l.Pos.Filename), l.Pos.Line))
		}
	}
	switch {
	case len(flags) == 0:
		return nil, lacks
	case len(flags) == 1 && !unknown:
		fmt.Fprintf(stderr, "kernel %s is printed with the values of the launch at %s: %s\n", bareName(ref.Name), places[0], flags[0])
		return made[flags[0]], nil
	}
	for i, flag := range flags {
		lacks.launched = append(lacks.launched, fmt.Sprintf("%s (%s)", flag, places[i]))
	}
	if unknown {
		lacks.launched = append(lacks.launched, "values that are known only when the program runs")
	}
	return nil, lacks
}

// onlyTypes reports whether nothing is missing but types.
func (e *missingError) onlyTypes() bool {
	return !slices.ContainsFunc(e.missing, func(m needed) bool { return m.index >= 0 })
}

// asElsewhere specializes a generic kernel without compile-time arguments for the types that launches in other packages
// of the command give.
func (z *specializer) asElsewhere(pkg *kernelPackage, ref load.Ref, lacks *missingError, stderr io.Writer) (*specialization, error) {
	all, err := z.ws.Elsewhere(pkg.path)
	instances := all[bareName(ref.Name)]
	if err != nil || len(instances) == 0 {
		return nil, lacks
	}
	if obj, err := z.kernel(pkg, ref); err != nil || obj == nil || hasConsts(obj) {
		return nil, lacks
	}
	place := func(i gen.Instance) string { return fmt.Sprintf("%s:%d", listed.Shorter(i.Pos.Filename), i.Pos.Line) }
	if len(instances) > 1 {
		for _, i := range instances {
			lacks.launched = append(lacks.launched, fmt.Sprintf("%s (%s)", i.Name, place(i)))
		}
		lacks.elsewhere = true
		return nil, lacks
	}
	fmt.Fprintf(stderr, "kernel %s is printed with the types of the launch at %s: %s\n", bareName(ref.Name), place(instances[0]), instances[0].Name)
	ref.Name = instances[0].Name
	return &specialization{pkg: pkg, ref: ref}, nil
}

// from specializes a kernel for what a launch gives of what is missing, and says which flags would give the same. It
// gives nothing where something is still missing.
func (z *specializer) from(l gen.Launched, lacks *missingError, pkg *kernelPackage, ref load.Ref) (s *specialization, flags string, err error) {
	consts, typs := z.consts, z.types
	defer func() { z.consts, z.types = consts, typs }()
	var all []string
	// With the types it may turn out that values are missing.
	for err = error(lacks); errors.As(err, &lacks); s, err = z.specialize(pkg, ref) {
		for _, m := range lacks.missing {
			text, flag, list := l.Consts[m.index], "--const ", &z.consts
			switch {
			case m.index == 0:
				text = l.Receiver
			case m.index < 0:
				text, flag, list = l.Types[m.name], "--type ", &z.types
			}
			if text == "" || find(*list, m.name) != nil {
				return nil, "", nil
			}
			*list = append(slices.Clip(*list), &given{name: m.name, text: text, file: l.File})
			all = append(all, flag+m.name+"="+shellWords([]string{text})[0])
		}
	}
	return s, strings.Join(all, " "), err
}

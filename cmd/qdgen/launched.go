package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/qdgen/qd/cmd/qdgen/gen"
	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/frontend/load"
)

// asLaunched specializes a kernel for what the command line gives and, where that is not
// all, for what the launches of the kernel's own package give. Those have to agree: else the error says
// which there are.
func (z *specializer) asLaunched(pkg *kernelPackage, ref load.Ref, stderr io.Writer) (*specialization, error) {
	s, err := z.specialize(pkg, ref)
	lacks := (*missingError)(nil)
	if !errors.As(err, &lacks) {
		return s, err
	}
	obj, kernelErr := z.kernel(pkg, ref)
	if obj == nil || kernelErr != nil {
		return nil, err
	}
	launches, launchErr := z.ws.Launches(pkg.path, obj)
	if launchErr != nil {
		return nil, err
	}
	made := make(map[string]*specialization)
	var flags, places []string
	unknown := false // what one of them gives
	for _, l := range launches {
		more, flag := lacks.from(l)
		if more == nil {
			unknown = true
			continue
		}
		if made[flag] != nil {
			continue
		}
		given := z.consts
		z.consts = slices.Concat(given, more)
		s, err := z.specialize(pkg, ref)
		z.consts = given
		if err == nil {
			made[flag] = s
			flags = append(flags, flag)
			places = append(places, fmt.Sprintf("%s:%d", listed.Shorter(l.Pos.Filename), l.Pos.Line))
		}
	}
	switch {
	case len(flags) == 0:
		return nil, err
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
	return nil, err
}

// from is what a launch gives of what is missing, and the flags that would give the same. It is
// nil where something is still missing.
func (e *missingError) from(l gen.Launched) (list []*given, flags string) {
	var all []string
	for _, m := range e.missing {
		text := l.Consts[m.index]
		if m.index == 0 {
			text = l.Receiver
		}
		if text == "" {
			return nil, ""
		}
		list = append(list, &given{name: m.name, text: text, file: l.File})
		if strings.ContainsAny(text, " '\"`$&|;<>()*?[]{}~#!\\") {
			text = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
		all = append(all, "--const "+m.name+"="+text)
	}
	return list, strings.Join(all, " ")
}

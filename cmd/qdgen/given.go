package main

import (
	"fmt"
	"go/types"
	"strings"
)

// given is what the command line says of parameters: --type T=float32, --const n=128.
type given struct {
	name, text string
	used       bool         // some kernel has such a parameter
	file       types.Object // of a launch of the package: something that its file declares
}

// at is something that the file declares whose imports the text has; kernel is the kernel that it is for.
func (g *given) at(kernel types.Object) types.Object {
	if g.file != nil {
		return g.file
	}
	return kernel
}

// parseGiven parses the values of a flag.
func parseGiven(flag string, list []string) ([]*given, error) {
	var all []*given
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" {
			return nil, usageErrorf("--%s %s: give a name and a value, as in --%s", flag, text, map[string]string{"type": "type T=float32", "const": "const n=128"}[flag])
		}
		for _, g := range all {
			if g.name == name {
				return nil, usageErrorf("--%s gives %s twice", flag, name)
			}
		}
		all = append(all, &given{name: name, text: value})
	}
	return all, nil
}

// find finds what is said of a parameter, nil for nothing.
func find(list []*given, name string) *given {
	for _, g := range list {
		if g.name == name {
			g.used = true
			return g
		}
	}
	return nil
}

// unused is the error of flags that are about no kernel's parameter.
func unused(flag, what string, list []*given) error {
	for _, g := range list {
		if !g.used {
			return fmt.Errorf("--%s %s=%s: no printed kernel has %s with that name", flag, g.name, g.text, what)
		}
	}
	return nil
}

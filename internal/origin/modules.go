package origin

import (
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/module"

	"github.com/qdgen/qd/frontend/load"
)

// BuiltWith reports whether the running program was built with a version of a module, "example.com/mod@v1.2.3". The go
// command sees to it that a version is always the same.
func BuiltWith(version string) bool { return runningModules.has(version) }

// modules are what a program tells of the modules in it.
type modules struct {
	info  func() (*debug.BuildInfo, bool)
	files func() []string // of the line table
}

var runningModules = modules{
	info: debug.ReadBuildInfo,
	files: sync.OnceValue(func() []string {
		path, err := executable()
		if err != nil {
			return nil
		}
		return lineTable(path)
	}),
}

// has reports whether a version is in the program. The go command lists the versions in all programs but those of go
// test; there the files have them in their names, as they have in the module cache, and with -trimpath.
func (m modules) has(version string) bool {
	if release, ok := strings.CutPrefix(version, load.StandardModule+"@"); ok {
		return release == runtime.Version()
	}
	info, ok := m.info()
	if ok && len(info.Deps) > 0 {
		return slices.ContainsFunc(info.Deps, func(dep *debug.Module) bool {
			if dep.Replace != nil {
				dep = dep.Replace
			}
			return dep.Path+"@"+dep.Version == version
		})
	}
	names := []string{version}
	path, number, _ := strings.Cut(version, "@")
	escaped, err := module.EscapePath(path)
	escapedNumber, err2 := module.EscapeVersion(number)
	if err == nil && err2 == nil {
		names = append(names, escaped+"@"+escapedNumber)
	}
	return slices.ContainsFunc(m.files(), func(file string) bool {
		file = "/" + filepath.ToSlash(file)
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(file, "/"+name+"/") })
	})
}

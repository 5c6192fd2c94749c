package registry

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/origin"
)

// A text is files of a package, as qdgen gen has copied them from a version of a module. The program may be built with
// another by now.
type text struct {
	module string
	files  map[string]string
}

// standardTexts are files of packages of the standard library, of a release of Go.
type standardTexts struct {
	release string
	files   func(importPath string) map[string]string // by base name
}

// texts are those of [Text], by import path, and those of [Standard].
var texts = struct {
	sync.RWMutex
	m        map[string][]text
	standard []standardTexts
}{m: map[string][]text{}}

// Text gives qdgen files of a package that kernels of others reach, by their base
// names, where the package does not register its own source and is not on disk. They are of a version of a
// module, "example.com/mod@v1.2.3", and count where the program was built with that. Several
// calls for one package add to each other. It is called by the file that qdgen gen writes.
func Text(importPath, module string, files map[string]string) {
	texts.Lock()
	defer texts.Unlock()
	texts.m[importPath] = append(texts.m[importPath], text{module, files})
}

// registeredTexts are the last of all sources: the files of Text, and errors for what the program has told of
// other packages that it cannot be proven to be built from.
type registeredTexts struct{}

func (registeredTexts) Package(importPath string) (*load.Package, error) {
	texts.RLock()
	list, archives := texts.m[importPath], texts.standard
	texts.RUnlock()
	for _, a := range archives {
		if files := a.files(importPath); len(files) > 0 {
			list = append(slices.Clip(list), text{load.StandardModule + "@" + a.release, files})
		}
	}
	all := make(map[string]string)
	var other []string
	isStandard := false
	for _, t := range list {
		if !origin.BuiltWith(t.module) {
			other = append(other, t.module)
			continue
		}
		isStandard = isStandard || strings.HasPrefix(t.module, load.StandardModule+"@")
		maps.Copy(all, t.files)
	}
	if len(all) == 0 {
		return nil, unproven(importPath, other)
	}
	pkg := &load.Package{Path: importPath, Partial: true}
	if isStandard {
		pkg.Standard = true
		pkg.HostOnly = load.IsHostOnly(importPath)
		pkg.Partial = pkg.HostOnly // of the others, all files are there
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		file := load.File{Name: path.Join(importPath, name), Src: []byte(all[name])}
		if name == load.NamesFile {
			pkg.Named = map[string]bool{}
			for _, id := range strings.Fields(all[name]) {
				pkg.Named[id] = true
			}
			continue
		}
		if strings.HasSuffix(name, ".s") {
			pkg.Assembly = append(pkg.Assembly, file)
			continue
		}
		pkg.Files = append(pkg.Files, file)
	}
	return pkg, nil
}

// unproven says why what the program has told of a package's source does not count, nil if it has told nothing.
// Of the package there are texts of other module versions than are in the program.
func unproven(importPath string, other []string) error {
	registered.RLock()
	parts := registered.parts[importPath]
	registered.RUnlock()
	switch {
	case parts:
		return &load.UnprovenError{Reason: "the program has embedded only some of the package's files, and the others may declare names that these use"}
	case len(other) > 0:
		return &load.UnprovenError{Reason: fmt.Sprintf("the program has a copy of it from %s, but was not built with that copy", strings.Join(other, " and "))}
	}
	return nil
}

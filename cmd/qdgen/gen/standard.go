package gen

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/qdgen/qd/frontend/load"
)

// A standardFile is a file of the standard library.
type standardFile struct {
	name string // below src
	text []byte
}

// addStandard adds what is reached of the standard library. It returns the files of other packages that are reached
// from there on by what the front end takes in the place of functions in assembly, which Go's types do not lead to.
func (p *plan) addStandard(c *closure) (twins map[string][]string, err error) {
	var names []load.Global
	add := func(n name) { names = append(names, load.Global{Pkg: n.pkg, Name: n.name}) }
	for n := range c.outside {
		add(n)
	}
	for n := range c.reached {
		if s := c.l.typed[n.pkg]; s != nil && !c.only[n] && !isDevelopment(s.Package) && !s.embedsItself() {
			add(n)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	slices.SortFunc(names, func(a, b load.Global) int { return strings.Compare(a.Pkg+"\x00"+a.Name, b.Pkg+"\x00"+b.Name) })
	list, errs := load.ReachedFrom(c.l.sources(), names, slices.Sorted(maps.Keys(c.methods)))
	twins = make(map[string][]string)
	hasTwin := func(r load.Reached) bool {
		l := c.l.listed[r.Path]
		return l != nil && (len(r.Assembly) > 0 || slices.ContainsFunc(l.IgnoredFiles, func(file string) bool { return slices.Contains(r.Files, filepath.Base(file)) }))
	}
	anyTwin := slices.ContainsFunc(list, hasTwin)
	for _, r := range list {
		if c.l.listed[r.Path] != nil {
			if !anyTwin {
				continue
			}
			if err := c.l.check(r.Path); err != nil {
				return nil, err
			}
			if c.files[r.Path] == nil {
				c.files[r.Path] = make(map[string]bool)
			}
			twins[r.Path] = r.Files
			continue
		}
		p.reached = append(p.reached, r)
		files, err := standardFiles(r)
		if err != nil {
			return nil, err
		}
		p.standard = append(p.standard, files...)
	}
	for _, n := range slices.Sorted(maps.Keys(errs)) {
		p.notes = append(p.notes, fmt.Sprintf("the source of package %s is not in %s: %v", n, FileName, errs[n]))
	}
	slices.SortFunc(p.standard, func(a, b standardFile) int { return strings.Compare(a.name, b.name) })
	return twins, nil
}

// standardFiles are the files of a package that programs need, whatever they are built for: all, for others than those
// with something reached tell which variables are never assigned. Of a package that only the host can run, kernels have
// no more than types, and those files do that declare what is reached.
func standardFiles(r load.Reached) (files []standardFile, err error) {
	all, err := load.Standard{}.EveryBuild(r.Path)
	if err != nil || all == nil {
		return nil, err
	}
	for _, f := range all.Files {
		if all.HostOnly {
			names, _, err := declaredInFile(f.Name)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(names, func(id string) bool { return slices.Contains(r.Names, id) }) {
				continue
			}
		}
		files = append(files, standardFile{path.Join(r.Path, filepath.Base(f.Name)), f.Src})
	}
	for _, f := range all.Assembly {
		files = append(files, standardFile{path.Join(r.Path, filepath.Base(f.Name)), f.Src})
	}
	if named, ok := load.NamedElsewhere(all); ok {
		text := strings.Join(slices.Sorted(maps.Keys(named)), "\n")
		files = append(files, standardFile{path.Join(r.Path, load.NamesFile), []byte(text)})
	}
	return files, nil
}

// lineLength is how long the lines of an archive are.
const lineLength = 120

// archive is the files of the standard library as a zip archive in base64, as [qdreg.Standard] takes it.
func (p *plan) archive() string {
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, f := range p.standard {
		w, err := z.Create(f.name)
		if err == nil {
			_, err = w.Write(f.text)
		}
		if err != nil {
			panic("BUG: " + err.Error())
		}
	}
	if err := z.Close(); err != nil {
		panic("BUG: " + err.Error())
	}
	text := base64.StdEncoding.EncodeToString(packed.Bytes())
	lines := slices.Collect(slices.Chunk([]byte(text), lineLength))
	return "\n" + string(bytes.Join(lines, []byte("\n"))) + "\n"
}

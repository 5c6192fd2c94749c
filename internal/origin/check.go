package origin

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend/load"
)

// A ChangedError is source that is not what the running program was built from, or that
// is not proven to be.
type ChangedError struct {
	File   string
	Line   int    // of the kernel or the function that was asked for, 0 where there is none
	Reason string // what has changed
}

// Error implements error.
func (e *ChangedError) Error() string { return e.Reason }

// A directory is what is known of the files of a directory: by their base names the hashes that
// they have in this program.
type directory struct {
	sums     map[string]cache.Key
	compiled []string // files of which the program has code, as base names
	saved    bool     // in the cache
}

// Check checks files as they were read: those on disk, which have absolute names. It gives
// the first that is not proven to be what the program was built from.
func (p *Program) Check(files []load.File) *ChangedError {
	p.mu.Lock()
	defer p.mu.Unlock()
	checked := map[string]bool{}
	for _, f := range files {
		if !filepath.IsAbs(f.Name) { // embedded, and so compiled with the program
			continue
		}
		if p.id == "" {
			return &ChangedError{Reason: "the program's own file cannot be read, or another is in its place, so that nothing proves what it was built from"}
		}
		path := filepath.Dir(f.Name)
		d := p.directory(path)
		if err := p.check(d, f); err != nil {
			return err
		}
		checked[path] = true
	}
	for path := range checked {
		d := p.dirs[path]
		for _, name := range d.compiled {
			if _, err := os.Lstat(filepath.Join(path, name)); err != nil {
				return &ChangedError{File: filepath.Join(path, name), Reason: "the program has code from the file, which is gone: what is left in the directory is not what it was built from"}
			}
		}
		p.save(path, d)
	}
	return nil
}

// Older reports whether nothing has happened to files on disk since the program was built, of
// which no record is kept.
func (p *Program) Older(files []load.File) bool {
	return !slices.ContainsFunc(files, func(f load.File) bool {
		info, err := os.Stat(f.Name)
		return err != nil || !p.since(f.Name, info).IsZero()
	})
}

// check checks one file of a directory.
func (p *Program) check(d *directory, f load.File) *ChangedError {
	name, sum := filepath.Base(f.Name), cache.NewKey("file", f.Src)
	if known, ok := d.sums[name]; ok {
		if known == sum {
			return nil
		}
		return &ChangedError{File: f.Name, Reason: "the file is not what it was when this program first read it"}
	}
	info, err := os.Stat(f.Name) // after it was read
	if err != nil {
		return &ChangedError{File: f.Name, Reason: err.Error()}
	}
	if later := p.since(f.Name, info); !later.IsZero() && !p.inModuleCache(f.Name, info) && !p.inCommit(f.Name, f.Src) {
		return &ChangedError{File: f.Name, Reason: fmt.Sprintf("the file was changed at %s, after the program was built (%s)", clock(later), clock(p.built))}
	}
	d.sums[name], d.saved = sum, false
	return nil
}

// clock is a time as messages have it.
func clock(t time.Time) string { return t.Format("2006-01-02 15:04:05.000") }

// since is when something has happened to a file after the program was built, zero for never.
func (p *Program) since(name string, info os.FileInfo) time.Time {
	if !info.ModTime().Before(p.built) {
		return info.ModTime()
	}
	// What was unpacked or copied together with the program, before it, was there first.
	before := func(t time.Time) bool { return t.Before(p.built) || t.Before(p.put) }
	if t := lastChange(info); !before(t) {
		return t
	}
	for path := name; filepath.Dir(path) != path; path = filepath.Dir(path) {
		if l, err := os.Lstat(path); err == nil && l.Mode()&os.ModeSymlink != 0 && !before(lastChange(l)) {
			return lastChange(l)
		}
	}
	return time.Time{}
}

// directory is what is known of a directory, with what the cache has of it.
func (p *Program) directory(path string) *directory {
	if d := p.dirs[path]; d != nil {
		return d
	}
	d := &directory{sums: map[string]cache.Key{}}
	p.dirs[path] = d
	if rec, ok := p.cache.LookupIndex(p.key(path)); ok && json.Unmarshal(rec.Meta, &d.compiled) == nil {
		for _, dep := range rec.Deps {
			d.sums[dep.Name] = dep.Sum
		}
		d.saved = true
		return d
	}
	d.compiled = []string{}
	for _, f := range p.files() {
		if name, ok := strings.CutPrefix(f, path+string(filepath.Separator)); ok && filepath.Base(name) == name && !slices.Contains(d.compiled, name) {
			d.compiled = append(d.compiled, name)
		}
	}
	return d
}

// key is that of the record of a directory.
func (p *Program) key(path string) cache.Key {
	return cache.NewKey("origin", []byte(p.id), []byte(path))
}

// save keeps what is known of a directory for later runs of this program.
func (p *Program) save(path string, d *directory) {
	if d.saved {
		return
	}
	meta, err := json.Marshal(d.compiled)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	rec := cache.Record{Meta: meta}
	for name, sum := range d.sums {
		rec.Deps = append(rec.Deps, cache.Dep{Name: name, Sum: sum})
	}
	slices.SortFunc(rec.Deps, func(a, b cache.Dep) int { return strings.Compare(a.Name, b.Name) })
	d.saved = p.cache.StoreIndex(p.key(path), rec) == nil
}

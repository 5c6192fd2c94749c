package origin

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
	"unsafe"
	"weak"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/reread"
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
	mu       sync.Mutex // held while files of the directory are being proven, for which others may wait
	sums     map[string]cache.Key
	compiled []string // files of which the program has code, as base names
	saved    bool     // in the cache

	// texts are where in memory the texts are that have had their hash compared. Package reread gives the same memory for
	// a file that has not changed, which then need not be hashed for each kernel.
	texts map[string]weak.Pointer[byte]
}

// Check checks files as they were read: those on disk, which have absolute names. It gives
// one that is not proven to be what the program was built from.
func (p *Program) Check(files []load.File) *ChangedError { return p.check(files, true) }

// CheckSoon is Check of what can be told at once. Where the go command is to be asked for the rest, it is
// being asked from now on, and Check has the answer.
func (p *Program) CheckSoon(files []load.File) *ChangedError { return p.check(files, false) }

// check checks files. Those that are only doubtful it can leave to a later call.
func (p *Program) check(files []load.File, all bool) *ChangedError {
	var certain, doubtful []doubt
	checked := map[string]bool{}
	for _, f := range files {
		if f.Embedded || !filepath.IsAbs(f.Name) {
			continue
		}
		if p.id == "" {
			return &ChangedError{Reason: "the program's own file cannot be read or has been replaced, so nothing proves what the program was built from"}
		}
		checked[filepath.Dir(f.Name)] = true
		switch d, err := p.find(f); {
		case err != nil:
			return err
		case d.certain:
			certain = append(certain, d)
		case d.reason != "":
			doubtful = append(doubtful, d)
		}
	}
	for path := range checked {
		there := map[string]bool{}
		entries, err := reread.Dir(path)
		if err != nil {
			return &ChangedError{File: path, Reason: err.Error()}
		}
		for _, e := range entries {
			there[e.Name()] = true
		}
		if gone := p.gone(path, there); gone != "" {
			return &ChangedError{File: filepath.Join(path, gone), Reason: "the program has code from this file, but the file is gone: the rest of the directory is not what the program was built from"}
		}
	}
	if !all && len(certain) == 0 && len(doubtful) > 0 {
		go p.remade()
		return nil
	}
	for _, d := range append(certain, doubtful...) { // the first is the one to be told of
		if err := p.settle(d); err != nil {
			return err
		}
	}
	for path := range checked {
		p.save(path)
	}
	return nil
}

// find says what is doubtful of a file.
func (p *Program) find(f load.File) (doubt, *ChangedError) {
	dir := p.locked(filepath.Dir(f.Name))
	defer dir.mu.Unlock()
	return dir.doubt(p, f)
}

// gone is a file of a directory that the program has code from, and that is not there. It is "" for none.
func (p *Program) gone(path string, there map[string]bool) string {
	dir := p.locked(path)
	defer dir.mu.Unlock()
	for _, name := range dir.compiled {
		if !there[name] {
			return name
		}
	}
	return ""
}

// settle has a doubtful file proven, unless another goroutine has had that since. It waits for commands. Only those wait
// with it who need files of the same directory.
func (p *Program) settle(d doubt) *ChangedError {
	dir := p.locked(filepath.Dir(d.file.Name))
	defer dir.mu.Unlock()
	if known, err := dir.known(d.file); known || err != nil {
		return err
	}
	if err := p.proven(d); err != nil {
		return err
	}
	dir.add(d.file)
	return nil
}

// AllProven reports whether files on disk, of which no record is kept, are what the program was built from.
func (p *Program) AllProven(files []load.File) bool {
	return !slices.ContainsFunc(files, func(f load.File) bool {
		info, err := os.Stat(f.Name)
		return err != nil || p.proven(p.doubt(f, info)) != nil
	})
}

// doubt says what is doubtful of one file of the directory.
func (d *directory) doubt(p *Program, f load.File) (doubt, *ChangedError) {
	if known, err := d.known(f); known || err != nil {
		return doubt{}, err
	}
	info, err := os.Stat(f.Name) // after it was read
	if err != nil {
		return doubt{}, &ChangedError{File: f.Name, Reason: err.Error()}
	}
	found := p.doubt(f, info)
	if found.reason == "" {
		d.add(f)
	}
	return found, nil
}

// known reports whether a file is proven. It gives one that has changed since it was.
func (d *directory) known(f load.File) (bool, *ChangedError) {
	name := filepath.Base(f.Name)
	sum, ok := d.sums[name]
	if !ok {
		return false, nil
	}
	at := weak.Make(unsafe.SliceData(f.Src))
	if d.texts[name] == at && len(f.Src) > 0 {
		return true, nil
	}
	if sum == sumOf(f) {
		d.texts[name] = at
		return true, nil
	}
	return false, &ChangedError{File: f.Name, Reason: "the file has changed since this program first read it"}
}

// add adds a file that is proven.
func (d *directory) add(f load.File) { d.sums[filepath.Base(f.Name)], d.saved = sumOf(f), false }

func sumOf(f load.File) cache.Key { return cache.NewKey("file", f.Src) }

// proven gives why a doubtful file is not proven, nil if it is. Where the go command makes another program of
// the source as it is, nothing is proven of it. Where it cannot tell, times decide.
func (p *Program) proven(d doubt) *ChangedError {
	if d.reason == "" || p.inModuleCache(d.file.Name, d.info) || load.InStandard(d.file.Name) || p.inCommit(d.file.Name, d.file.Src) {
		return nil
	}
	switch p.remade() {
	case same:
		now, err := os.ReadFile(d.file.Name)
		if err == nil && bytes.Equal(now, d.file.Src) {
			return nil
		}
	case other:
		d.reason += "; go build makes a different program from the current source"
	case unknown:
		if !d.certain {
			return nil
		}
	}
	return &ChangedError{File: d.file.Name, Reason: d.reason}
}

// clock is a time as messages have it.
func clock(t time.Time) string { return t.Format("2006-01-02 15:04:05.000") }

// locked locks a directory.
func (p *Program) locked(path string) *directory {
	p.mu.Lock()
	d := p.dirs[path]
	if d == nil {
		d = new(directory)
		p.dirs[path] = d
	}
	p.mu.Unlock()
	d.mu.Lock()
	if d.sums == nil {
		d.sums, d.texts = map[string]cache.Key{}, map[string]weak.Pointer[byte]{}
		p.look(path, d)
	}
	return d
}

// look finds what the cache has of a directory, or the program's file.
func (p *Program) look(path string, d *directory) {
	if rec, ok := p.cache.LookupIndex(p.key(path)); ok && d.know(&rec) {
		return
	}
	if rec, ok := p.cache.FetchRecord(p.key(path)); ok && d.know(&rec) {
		_ = p.cache.StoreIndex(p.key(path), rec)
		return
	}
	d.compiled = []string{}
	for _, f := range p.files() {
		if name, ok := strings.CutPrefix(f, path+string(filepath.Separator)); ok && filepath.Base(name) == name && !slices.Contains(d.compiled, name) {
			d.compiled = append(d.compiled, name)
		}
	}
}

// know takes what a record says of the directory. It is of the program, whichever machine has found it.
func (d *directory) know(rec *cache.Record) bool {
	if json.Unmarshal(rec.Meta, &d.compiled) != nil {
		return false
	}
	for _, dep := range rec.Deps {
		d.sums[dep.Name] = dep.Sum
	}
	d.saved = true
	return true
}

// key is that of the record of a directory.
func (p *Program) key(path string) cache.Key {
	return cache.NewKey("origin", []byte(p.id), []byte(path))
}

// save keeps what is known of a directory for later runs of this program.
func (p *Program) save(path string) {
	d := p.locked(path)
	defer d.mu.Unlock()
	if d.saved {
		return
	}
	meta, err := json.Marshal(d.compiled)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	rec := cache.Record{Meta: meta, Shared: p.key(path)}
	for name, sum := range d.sums {
		rec.Deps = append(rec.Deps, cache.Dep{Name: name, Sum: sum})
	}
	sort.Slice(rec.Deps, func(i, j int) bool { return rec.Deps[i].Name < rec.Deps[j].Name })
	d.saved = p.cache.StoreIndex(p.key(path), rec) == nil
}

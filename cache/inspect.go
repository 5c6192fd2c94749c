package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// A Problem is a file or entry in the cache that is damaged or does not belong there.
type Problem struct {
	Kind string       // "module", "record", "note" or "stranger": a file that is none of the cache's
	Path string       // what Remove takes away
	Err  *DamageError // what is wrong, and in which file
}

// List returns the entries, most recently used first. It does not verify their contents, and leaves
// out entries that cannot be read: Verify names them. It returns an error if the directory cannot
// be read.
func (c *Cache) List() ([]Entry, error) {
	if c.kept == nil {
		return nil, nil
	}
	var list []Entry
	err := eachIn(c.kept.modules(), func(path string, _ fs.DirEntry) error {
		key, err := ParseKey(filepath.Base(path))
		if err != nil {
			return nil
		}
		if m, err := readMeta(path, key); err == nil {
			e := m.entry(path)
			e.recorded()
			list = append(list, *e)
		}
		return nil
	})
	sort.Slice(list, func(i, j int) bool {
		if a, b := list[i], list[j]; !a.Used.Equal(b.Used) {
			return a.Used.After(b.Used)
		}
		return list[i].Key.String() < list[j].Key.String()
	})
	return list, err
}

// HasModules reports whether there is an entry with a module for a target.
func (c *Cache) HasModules(target string) bool {
	if c.kept == nil {
		return false
	}
	found := errors.New("found")
	return eachIn(c.kept.modules(), func(path string, _ fs.DirEntry) error {
		if key, err := ParseKey(filepath.Base(path)); err == nil {
			if m, err := readMeta(path, key); err == nil && m.Target == target {
				return found
			}
		}
		return nil
	}) == found
}

// Clear removes all entries, records and notes, including damaged ones. It returns the number of entries,
// and the size on disk of all that it has removed. Running programs keep the modules that they have
// loaded. Modules that are being built are kept.
func (c *Cache) Clear() (n int, size int64, err error) {
	if c.kept == nil {
		return 0, 0, nil
	}
	s := c.kept
	var errs []error
	remove := func(path string, _ fs.DirEntry) error {
		f, _ := measure(path)
		if err := s.discard(path); err != nil {
			errs = append(errs, err)
			return nil
		}
		if filepath.Dir(filepath.Dir(path)) == s.modules() {
			n++
		}
		size += f.size
		return nil
	}
	for _, dir := range []string{s.modules(), s.index(), s.notes()} {
		errs = append(errs, eachIn(dir, remove))
		// What is no directory of entries is none of ours, but in the way.
		shards, err := readDir(dir)
		errs = append(errs, err)
		for _, d := range shards {
			path := filepath.Join(dir, d.Name())
			if d.IsDir() {
				// Fails where somebody has stored something meanwhile.
				_ = os.Remove(path)
			} else if err := s.discard(path); err != nil {
				errs = append(errs, err)
			}
		}
	}
	errs = append(errs, os.RemoveAll(s.remote()))
	s.sweep(time.Minute)
	return n, size, errors.Join(errs...)
}

// Verify reads everything in the cache, including the kept sources, and reports files that are
// damaged or do not belong there. It changes nothing. It returns an error if the directory cannot
// be read.
func (c *Cache) Verify() ([]Problem, error) {
	if c.kept == nil {
		return nil, nil
	}
	s := c.kept
	var problems []Problem
	var errs []error
	look := func(path string, _ fs.DirEntry) error {
		if kind, err := s.examine(path); err != nil {
			problems = append(problems, Problem{Kind: kind, Path: path, Err: err})
		}
		return nil
	}
	for _, dir := range []string{s.modules(), s.index(), s.notes()} {
		errs = append(errs, eachIn(dir, look))
		shards, err := readDir(dir)
		errs = append(errs, err)
		for _, d := range shards {
			if !d.IsDir() {
				errs = append(errs, look(filepath.Join(dir, d.Name()), d))
			}
		}
	}
	sort.Slice(problems, func(i, j int) bool { return problems[i].Path < problems[j].Path })
	return problems, errors.Join(errs...)
}

// Remove removes the file or entry of a Problem of Verify, unless the problem is gone: another
// program may have built the entry again.
func (c *Cache) Remove(p Problem) error {
	if _, err := c.kept.examine(p.Path); err == nil {
		return nil
	}
	return c.kept.discard(p.Path)
}

// examine verifies what lies in the store at a path, says what kind of thing that
// is, and what is wrong with it. What is gone is right.
func (s *store) examine(path string) (kind string, damage *DamageError) {
	name := filepath.Base(path)
	shard := filepath.Dir(path)
	switch filepath.Dir(shard) {
	case s.modules():
		kind = "module"
	case s.index():
		kind = "record"
		name = strings.TrimSuffix(name, ".json")
	case s.notes():
		kind = "note"
		name = strings.TrimSuffix(name, ".json")
	}
	key, err := ParseKey(name)
	switch {
	case err != nil:
		kind, err = "stranger", &DamageError{Path: path, Reason: "it does not belong to the cache"}
	case kind == "module" && path == s.module(key):
		if _, err = s.check(key); err == nil {
			_, err = s.source(key)
		}
	case kind == "record" && path == s.record(key):
		_, err = s.readRecord(key)
	case kind == "note" && path == s.note(key):
		_, err = s.readNote(key)
	default:
		kind, err = "stranger", &DamageError{Path: path, Reason: "it is not in the place where the cache looks for it"}
	}
	if err == nil || errors.Is(missOr(path, err), ErrMiss) {
		return kind, nil
	}
	if !errors.As(err, &damage) {
		panic("BUG: damage of an unknown kind: " + err.Error())
	}
	return kind, damage
}

package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// trimEvery is how often a build looks whether the cache is too large, unless
	// this process alone has added trimShare of the limit since.
	trimEvery = time.Hour
	trimShare = 8

	// trimGrace is how long an entry is safe after its last use: whoever got its
	// path may be about to load it.
	trimGrace = 10 * time.Minute

	// recordLife is how long a record is kept after its last use. Records are
	// small, but every edit of a kernel leaves one behind.
	recordLife = 30 * 24 * time.Hour

	// leftoverLife is when something in tmp or locks is taken to be a killed
	// process's. Writing and removing take milliseconds.
	leftoverLife = time.Hour
)

// trimState has the facts that decide when to evict.
type trimState struct {
	added atomic.Int64 // bytes stored by this process since it last looked
}

// grown is told of every entry stored, and evicts now and then. A build has just
// taken thousands of times as long as the question takes.
func (c *Cache) grown(size int64) {
	added := c.trim.added.Add(size)
	much := c.limit > 0 && added > c.limit/trimShare
	if info, err := os.Stat(c.kept.trimmed()); err == nil && !much && recent(info.ModTime(), trimEvery) {
		return
	}
	// What cannot be removed now is found again the next time.
	_, _, _ = c.Trim()
}

// recent reports whether t lies less than d ago. A time in the future is a clock
// that was set back: it is recent no longer than one in the past.
func recent(t time.Time, d time.Duration) bool { return time.Since(t).Abs() < d }

// Trim removes files that killed processes left behind, and records that have long been unused.
// While the cache is larger than QD_CACHE_SIZE allows, it also removes the entries that have been
// unused longest, except those used in the last ten minutes. It returns the number of evicted
// entries and their size. Build calls it now and then. If another process is trimming, Trim does
// nothing.
func (c *Cache) Trim() (n int, size int64, err error) {
	if c.kept == nil {
		return 0, 0, nil
	}
	if err := c.kept.prepare(); err != nil {
		return 0, 0, err
	}
	l, state := tryLock(filepath.Join(c.kept.locks(), "trim.lock"))
	if state == lockBusy {
		return 0, 0, nil
	}
	if l != nil {
		defer l.release()
	}
	c.trim.added.Store(0)
	n, size, err = c.kept.evict(c.limit)
	c.kept.sweep(leftoverLife)
	// Last, so that a program that ends in the middle leaves the rest to the next.
	return n, size, errors.Join(err, os.WriteFile(c.kept.trimmed(), nil, filePerm))
}

// evict brings the store down to nine tenths of the limit if it is above it: there
// would be something to evict at once again else.
func (s *store) evict(limit int64) (n int, freed int64, err error) {
	all, err := s.footprints()
	if err != nil {
		return 0, 0, err
	}
	var total int64
	for _, f := range all {
		total += f.size
	}
	if limit == 0 || total <= limit {
		return 0, 0, nil
	}
	sort.Slice(all, func(i, j int) bool { return all[i].used.Before(all[j].used) })
	var errs []error
	for _, f := range all {
		if total <= limit-limit/10 {
			break
		}
		// It may have been used since it was listed.
		now, err := measure(f.dir)
		if err != nil || recent(now.used, trimGrace) {
			continue
		}
		if err := s.discard(f.dir); err != nil {
			errs = append(errs, err)
			continue
		}
		n++
		total -= f.size
		freed += f.size
	}
	return n, freed, errors.Join(errs...)
}

// A footprint is the disk space of an entry, damaged or not.
type footprint struct {
	dir  string
	size int64
	used time.Time // last use: the latest time found in it
}

// footprints are those of all entries.
func (s *store) footprints() ([]footprint, error) {
	var all []footprint
	err := eachIn(s.modules(), func(path string, _ fs.DirEntry) error {
		if f, err := measure(path); err == nil {
			all = append(all, f)
		}
		return nil
	})
	return all, err
}

// measure looks at the files of an entry.
func measure(dir string) (footprint, error) {
	f := footprint{dir: dir}
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !d.IsDir() {
			f.size += info.Size()
		}
		if info.ModTime().After(f.used) {
			f.used = info.ModTime()
		}
		return nil
	})
	return f, err
}

// eachIn calls f with what lies on the second level of dir: dir/6c/6cd1…, but for what is being written or removed. A
// level that is not there is empty.
func eachIn(dir string, f func(path string, d fs.DirEntry) error) error {
	return eachBelow(dir, func(path string, d fs.DirEntry) error {
		if strings.HasPrefix(d.Name(), asidePrefix) {
			return nil
		}
		return f(path, d)
	})
}

// eachBelow calls f with all that lies on the second level of a directory.
func eachBelow(dir string, f func(path string, d fs.DirEntry) error) error {
	shards, err := readDir(dir)
	if err != nil {
		return err
	}
	for _, shard := range shards {
		if !shard.IsDir() {
			continue
		}
		inside, err := readDir(filepath.Join(dir, shard.Name()))
		if err != nil {
			return err
		}
		for _, d := range inside {
			if err := f(filepath.Join(dir, shard.Name(), d.Name()), d); err != nil {
				return err
			}
		}
	}
	return nil
}

// readDir lists a directory; one that does not exist is empty.
func readDir(dir string) ([]fs.DirEntry, error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// sweep removes what has not changed for that long in tmp and beside entries and, where nobody
// holds them, locks; and records that were long unused.
func (s *store) sweep(life time.Duration) {
	old := func(d fs.DirEntry, life time.Duration) bool {
		info, err := d.Info()
		return err == nil && !recent(info.ModTime(), life)
	}
	// Errors are not worth a word here: what stays is looked at again.
	left, _ := readDir(s.tmp())
	for _, d := range left {
		if old(d, life) {
			_ = os.RemoveAll(filepath.Join(s.tmp(), d.Name()))
		}
	}
	locks, _ := readDir(s.locks())
	for _, d := range locks {
		if !old(d, life) {
			continue
		}
		if l, state := tryLock(filepath.Join(s.locks(), d.Name())); state == lockHeld {
			l.release()
		}
	}
	for _, dir := range []string{s.modules(), s.index(), s.notes()} {
		_ = eachBelow(dir, func(path string, d fs.DirEntry) error {
			if strings.HasPrefix(d.Name(), asidePrefix) && old(d, life) {
				_ = os.RemoveAll(path)
			}
			return nil
		})
	}
	_ = eachIn(s.index(), func(path string, d fs.DirEntry) error {
		if old(d, recordLife) {
			_ = os.Remove(path)
		}
		return nil
	})
}

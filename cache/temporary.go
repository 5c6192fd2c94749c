package cache

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A temporary is where artifacts go that cannot be kept: stores of this Cache alone,
// in temporary directories. The first is made when it is first needed, the next
// when that one is full.
type temporary struct {
	writing sync.Mutex // held by who stores, so that places are opened one by one
	mu      sync.Mutex
	places  []*temporaryPlace
	tried   int // how many of tempDirs were asked for a place
}

// A temporaryPlace is one temporary directory. A lock in it tells other processes
// that its owner lives: no program can be relied on to clean up when it ends.
type temporaryPlace struct {
	dir   string
	store *store
	alive *fileLock // nil where there are no locks
}

const (
	temporaryPrefix = "qdgen-run-"
	aliveName       = "alive"

	// temporaryGrace is what an owner is given between making the directory and
	// locking it.
	temporaryGrace = time.Minute
)

// tempDirs are the directories to make temporary places in. The second lies in
// memory and has room where the disk has none.
func tempDirs() []string {
	if runtime.GOOS == "linux" {
		return []string{os.TempDir(), "/dev/shm"}
	}
	return []string{os.TempDir()}
}

// stores are those that exist.
func (p *temporary) stores() []*store {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := make([]*store, 0, len(p.places))
	for _, place := range p.places {
		s = append(s, place.store)
	}
	return s
}

// get is the entry of a key, with its use recorded, or nil.
func (p *temporary) get(key Key) *Entry {
	for _, s := range p.stores() {
		if e, err := s.check(key); err == nil {
			s.touch(e)
			return e
		}
	}
	return nil
}

// source is the text that an entry was made from.
func (p *temporary) source(key Key) (string, error) {
	for _, s := range p.stores() {
		if text, err := s.source(key); err == nil {
			return text, nil
		}
	}
	return "", ErrMiss
}

// record is the record of a first key.
func (p *temporary) record(first Key) (Record, bool) {
	for _, s := range p.stores() {
		if r, err := s.readRecord(first); err == nil {
			return r, true
		}
	}
	return Record{}, false
}

// install stores an artifact. The error joins what every place answered.
func (p *temporary) install(key Key, a *Artifact) (*Entry, error) {
	var e *Entry
	err := p.each(func(s *store) (err error) {
		e, err = s.install(key, a)
		return err
	})
	return e, err
}

// writeRecord stores a record if that can be done.
func (p *temporary) writeRecord(first Key, data []byte) {
	// A record is worth a front end's run: not storing it is no fault.
	_ = p.each(func(s *store) error { return s.writeRecord(first, data) })
}

// forgetRecord removes the records of a first key, which a newer one has taken the place of.
func (p *temporary) forgetRecord(first Key) {
	for _, s := range p.stores() {
		_ = s.discard(s.record(first))
	}
}

// each calls f with one store after the other, those that exist and then new
// ones, until it succeeds.
func (p *temporary) each(f func(*store) error) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	var refused []error
	for _, s := range p.stores() {
		err := f(s)
		if err == nil {
			return nil
		}
		refused = append(refused, err)
	}
	for {
		s, err := p.open()
		if s == nil && err == nil {
			return errors.Join(refused...)
		}
		if err == nil {
			err = f(s)
		}
		if err == nil {
			return nil
		}
		refused = append(refused, err)
	}
}

// open makes the next temporary place. It gives nil when there are no more.
func (p *temporary) open() (*store, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	dirs := tempDirs()
	if p.tried == len(dirs) {
		return nil, nil
	}
	temp := dirs[p.tried]
	p.tried++
	sweepTemporary(temp)
	dir, err := os.MkdirTemp(temp, temporaryPrefix)
	if err != nil {
		return nil, err
	}
	alive, _ := tryLock(filepath.Join(dir, aliveName))
	place := &temporaryPlace{dir: dir, store: newStore(dir), alive: alive}
	p.places = append(p.places, place)
	return place.store, nil
}

// close removes all temporary places.
func (p *temporary) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, place := range p.places {
		if place.alive != nil {
			place.alive.release()
		}
		errs = append(errs, os.RemoveAll(place.dir))
	}
	p.places, p.tried = nil, 0
	return errors.Join(errs...)
}

// sweepTemporary removes the temporary places of this user's programs that have
// ended.
func sweepTemporary(temp string) {
	entries, err := os.ReadDir(temp)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), temporaryPrefix) {
			continue
		}
		// The temporary directory is everybody's: only what is a directory of our
		// own, closed to others, is what it seems to be.
		info, err := entry.Info()
		if err != nil || !info.IsDir() || !ownAlone(info) || time.Since(info.ModTime()) < temporaryGrace {
			continue
		}
		dir := filepath.Join(temp, entry.Name())
		if alive, state := tryLock(filepath.Join(dir, aliveName)); state == lockHeld {
			_ = os.RemoveAll(dir)
			_ = alive.flock.Unlock()
		}
	}
}

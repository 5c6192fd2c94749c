package cache

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"
)

// A Record is the value of a first key.
type Record struct {
	Second Key             `json:"second"`         // the key of the module
	Deps   []Dep           `json:"deps,omitempty"` // what has to be unchanged for that to hold
	Meta   json.RawMessage `json:"meta,omitempty"` // what the caller wants to find again; may be nil

	// Shared is the key under which other machines find the record in a remote cache. A record
	// without it is about this machine.
	Shared Key     `json:"shared,omitzero"`
	Origin *Origin `json:"origin,omitempty"` // the remote that it comes from, nil for one of this machine
}

// A Dep is an input of a module.
type Dep struct {
	Name string `json:"name"` // what the caller finds it by, such as a package's import path
	Sum  Key    `json:"sum"`  // as the caller computes it
}

// indexRecord is the body of a record's file.
type indexRecord struct {
	First Key `json:"first"`
	Record
}

// recordTouch is how often the use of a record is recorded, in the time of its
// file. More often would cost a write on every warm start.
const recordTouch = 24 * time.Hour

// LookupIndex returns the record of a first key. It verifies only the record's own digest. The
// caller has to find out whether the dependencies are unchanged, and whether the cache still has
// the second key. If the record is damaged, LookupIndex warns, removes it, and reports a miss.
func (c *Cache) LookupIndex(first Key) (Record, bool) {
	if r, ok := c.temporary.record(first); ok {
		return r, true
	}
	if c.kept == nil {
		return Record{}, false
	}
	r, err := c.kept.readRecord(first)
	if err != nil {
		if !errors.Is(err, ErrMiss) {
			// A good record that another process stored here meanwhile may go with
			// it. That costs a front end's run, and no lock has to be taken.
			warnDamage("record", first, err, c.kept.discard(c.kept.record(first)))
		}
		return Record{}, false
	}
	if !c.Trusts(r.Origin) {
		return Record{}, false
	}
	return r, true
}

// StoreIndex stores the record of a first key and replaces an existing one. If the cache cannot be
// written to, it only warns, as Build does. The error says that r.Meta is not JSON.
func (c *Cache) StoreIndex(first Key, r Record) error {
	data, err := sealed(indexRecord{First: first, Record: r})
	if err != nil {
		return err
	}
	refused := c.disabled
	if c.kept != nil {
		if refused = c.kept.writeRecord(first, data); refused == nil {
			c.temporary.forgetRecord(first)
			c.shareRecord(first, &r)
			return nil
		}
	}
	c.warnPlace(refused)
	c.temporary.writeRecord(first, data)
	c.shareRecord(first, &r)
	return nil
}

// shareRecord shares a record of this machine that others can use.
func (c *Cache) shareRecord(first Key, r *Record) {
	if r.Shared != (Key{}) && r.Origin == nil {
		c.share(KindRecord, first)
	}
}

// readRecord reads and verifies a record. The error is ErrMiss or a *DamageError.
func (s *store) readRecord(first Key) (Record, error) {
	path := s.record(first)
	data, err := readSmall(path)
	if err != nil && missOr(path, err) != ErrMiss {
		data, err = readSmall(path) // another process may have stored it just now
	}
	if err != nil {
		return Record{}, missOr(path, err)
	}
	var r indexRecord
	if err := unseal(data, &r); err != nil {
		return Record{}, &DamageError{Path: path, Reason: err.Error()}
	}
	if r.First != first {
		return Record{}, &DamageError{Path: path, Reason: "it belongs to the key " + r.First.String()}
	}
	if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > recordTouch {
		now := time.Now()
		_ = os.Chtimes(path, now, now)
	}
	return r.Record, nil
}

// writeRecord stores a sealed record: written beside and renamed.
func (s *store) writeRecord(first Key, data []byte) error {
	var err error
	for range installTries {
		if err = s.replace(s.record(first), first, data); err == nil {
			return nil
		}
		// What obstructs the path goes; what clearing took is made again.
		if _, found := s.readRecord(first); found != nil && !errors.Is(found, ErrMiss) {
			if s.discard(s.record(first)) != nil {
				return err
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

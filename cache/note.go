package cache

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A note is a small JSON document that a caller keeps under a key and changes over time, such as the measured times
// of a kernel's configurations. Unlike a module it does not follow from its key.

// noteFile is the body of a note's file.
type noteFile struct {
	Key  Key             `json:"key"`
	Note json.RawMessage `json:"note"`
}

// Note returns the note of a key, and whether there is one. If its file is damaged, Note warns, removes it, and
// reports that there is none.
func (c *Cache) Note(key Key) (json.RawMessage, bool) {
	if c.kept == nil {
		return nil, false
	}
	note, err := c.kept.readNote(key)
	if err == nil {
		return note, true
	}
	if !errors.Is(err, ErrMiss) {
		warnDamage("note", key, err, c.kept.discard(c.kept.note(key)))
	}
	return nil, false
}

// EditNote calls edit with the note of a key, nil if there is none, and keeps what edit returns, unless that is nil.
// One caller edits a note at a time; doing says in the log of those that wait for another process what that does, as in
// "tuning a kernel". Where the cache has no place for locks, the callers of this process wait for each other only.
// An error of edit is returned unchanged, and nothing is kept. If the cache cannot be written to, EditNote only warns.
func (c *Cache) EditNote(key Key, doing string, edit func(old json.RawMessage) (json.RawMessage, error)) error {
	defer c.turn(key)()
	defer c.hold(key, doing)()
	old, _ := c.Note(key)
	note, err := edit(old)
	if err != nil || note == nil {
		return err
	}
	if err := c.writeNote(key, note); err != nil {
		return err
	}
	c.share(KindNote, key)
	return nil
}

// writeNote stores a note. If the cache cannot be written to, it only warns.
func (c *Cache) writeNote(key Key, note json.RawMessage) error {
	data, err := sealed(noteFile{key, note})
	if err != nil {
		return err
	}
	refused := c.disabled
	if c.kept != nil {
		if refused = c.kept.replace(c.kept.note(key), key, data); refused == nil {
			return nil
		}
	}
	c.warnPlace(refused)
	return nil
}

// Alone calls f while no other caller of Alone with the same key, in this process or another, is in its own f; doing
// says in the log of those that wait what it does. Where the cache has no place for locks, only this process is alone.
func (c *Cache) Alone(key Key, doing string, f func() error) error {
	defer c.turn(key)()
	defer c.hold(key, doing)()
	return f()
}

// turn waits for the turn of a key in this process, and gives what ends it.
func (c *Cache) turn(key Key) (end func()) {
	turn, _ := c.turns.LoadOrStore(key, new(sync.Mutex))
	turn.Lock()
	return turn.Unlock
}

// hold takes the lock of a key among processes, and gives what releases it. Where there is no place for locks, it goes
// on without one.
func (c *Cache) hold(key Key, doing string) (release func()) {
	if c.kept != nil {
		_ = c.kept.prepare()
		if l := waitLock(context.Background(), c.kept.lock(key), c.lockWait, doing, slog.String("key", key.String())); l != nil {
			return l.release
		}
	}
	return func() {}
}

// Notes returns all notes that can be read.
func (c *Cache) Notes() ([]json.RawMessage, error) {
	if c.kept == nil {
		return nil, nil
	}
	var list []json.RawMessage
	err := eachIn(c.kept.notes(), func(path string, _ fs.DirEntry) error {
		key, err := ParseKey(strings.TrimSuffix(filepath.Base(path), ".json"))
		if err != nil {
			return nil
		}
		if note, err := c.kept.readNote(key); err == nil {
			list = append(list, note)
		}
		return nil
	})
	return list, err
}

func (s *store) notes() string { return filepath.Join(s.root, "notes") }

// note is the file of a note.
func (s *store) note(key Key) string {
	hex := key.String()
	return filepath.Join(s.notes(), hex[:2], hex+".json")
}

// readNote reads and verifies a note. The error is ErrMiss or a *DamageError.
func (s *store) readNote(key Key) (json.RawMessage, error) {
	path := s.note(key)
	data, err := readSmall(path)
	if err != nil {
		return nil, missOr(path, err)
	}
	var f noteFile
	if err := unseal(data, &f); err != nil {
		return nil, &DamageError{Path: path, Reason: err.Error()}
	}
	if f.Key != key {
		return nil, &DamageError{Path: path, Reason: "it belongs to the key " + f.Key.String()}
	}
	return f.Note, nil
}

// replace stores a small file at a path: written beside and renamed.
func (s *store) replace(path string, key Key, data []byte) error {
	if err := s.prepare(); err != nil {
		return err
	}
	err := replaceFrom(s.tmp(), path, key, data)
	if onOtherDisk(err) {
		return replaceFrom(filepath.Dir(path), path, key, data)
	}
	return err
}

// replaceFrom stores a small file at a path: written in a directory and renamed.
func replaceFrom(tmp, path string, key Key, data []byte) error {
	f, err := os.CreateTemp(tmp, asidePrefix+key.Short()+"-*.json")
	if err != nil {
		return err
	}
	// After the rename there is nothing left to remove.
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return move(f.Name(), path)
}

package cache

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// layout is the version of the directory tree, the name of the directory that
// holds it.
const layout = "v1"

const (
	dirPerm  fs.FileMode = 0o700
	filePerm fs.FileMode = 0o600
)

// A store is a directory in the layout that the package's documentation shows.
// Its methods know nothing of locks, warnings or what to do instead.
type store struct {
	root string // DIR/v1
}

func newStore(dir string) *store { return &store{root: filepath.Join(dir, layout)} }

func (s *store) modules() string { return filepath.Join(s.root, "modules") }
func (s *store) index() string   { return filepath.Join(s.root, "index") }
func (s *store) locks() string   { return filepath.Join(s.root, "locks") }
func (s *store) tmp() string     { return filepath.Join(s.root, "tmp") }

// trimmed is a file whose time is that of the last eviction.
func (s *store) trimmed() string { return filepath.Join(s.root, "trimmed") }

// module is the directory of an entry. A level of 256 directories keeps each of
// them short on file systems that search them from the front.
func (s *store) module(key Key) string {
	hex := key.String()
	return s.modules() + string(filepath.Separator) + hex[:2] + string(filepath.Separator) + hex
}

// record is the file of an index record.
func (s *store) record(first Key) string {
	hex := first.String()
	return filepath.Join(s.index(), hex[:2], hex+".json")
}

func (s *store) lock(key Key) string { return filepath.Join(s.locks(), key.String()+".lock") }

// cacheTag makes backup and search programs leave the directory out; see
// bford.info/cachedir.
const cacheTag = "Signature: 8a477f597d28d172789f06886806bc55\n# Modules built by qdgen. Can be removed at any time: qdgen cache clear\n"

// prepare makes the directories that writing needs.
func (s *store) prepare() error {
	for _, dir := range []string{s.tmp(), s.locks()} {
		if err := os.MkdirAll(dir, dirPerm); err != nil {
			return err
		}
	}
	tag := filepath.Join(filepath.Dir(s.root), "CACHEDIR.TAG")
	if _, err := os.Lstat(tag); errors.Is(err, fs.ErrNotExist) {
		// The cache works without it.
		_ = os.WriteFile(tag, []byte(cacheTag), filePerm)
	}
	return nil
}

// discard takes a file or a directory away. It is renamed first: nobody ever
// sees it half-removed.
func (s *store) discard(path string) error {
	if err := os.MkdirAll(s.tmp(), dirPerm); err != nil {
		return err
	}
	// What obstructs a path may be a file in the place of a directory above it.
	if up := filepath.Dir(path); up != s.modules() && up != s.index() && up != s.notes() {
		if info, err := os.Lstat(up); err == nil && !info.IsDir() {
			path = up
		}
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.IsDir() {
		// A directory that cannot be written to can be neither moved nor emptied.
		_ = os.Chmod(path, dirPerm)
	}
	name := asidePrefix + "trash-" + rand.Text()
	trash := filepath.Join(s.tmp(), name)
	err = os.Rename(path, trash)
	if onOtherDisk(err) {
		trash = filepath.Join(filepath.Dir(path), name)
		err = os.Rename(path, trash)
	}
	if err != nil {
		if _, place := os.Lstat(s.tmp()); errors.Is(err, fs.ErrNotExist) && place == nil { // another process was faster
			return nil
		}
		return err
	}
	// What stays behind is out of sight, and sweep comes back to it.
	_ = os.RemoveAll(trash)
	return nil
}

// asidePrefix begins the names of what is being written or removed. In a part of the cache that is a link to another file
// system, that lies beside what it becomes or was: nothing can be renamed from there to tmp.
const asidePrefix = "tmp-"

// onOtherDisk reports whether an error says that a rename failed, and perhaps for the reason that a part of the cache is
// a link to another file system. What was not found was cleared, and what is there already another process has stored.
func onOtherDisk(err error) bool {
	unmoved := (*os.LinkError)(nil)
	return errors.As(err, &unmoved) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist)
}

// move renames a file or directory of tmp to its place, and makes the directory that it goes to.
func move(tmp, path string) error {
	var err error
	for range installTries {
		// Clearing takes an empty directory away as soon as it is made, and MkdirAll says of one that goes while it looks
		// that the name exists.
		if err = os.MkdirAll(filepath.Dir(path), dirPerm); err == nil {
			err = os.Rename(tmp, path)
		} else if errors.Is(err, fs.ErrExist) {
			continue
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

// openRegular opens a file for reading that has to be a regular one of the given
// size; a negative size stands for any.
func openRegular(path string, size int64) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, 0, unreadable(path, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = unreadable(path, err)
	case !info.Mode().IsRegular():
		err = &DamageError{Path: path, Reason: "it is not a regular file"}
	case size >= 0 && info.Size() != size:
		err = sizeDamage(path, info.Size(), size)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

package cache

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// installTries bounds how often an entry is written again because what was
// written disappeared under our hands, as it does when the cache is cleared.
const installTries = 3

// install stores an artifact and gives its entry, verified. Where another process
// stored the key meanwhile, that entry stands.
func (s *store) install(key Key, a *Artifact) (*Entry, error) {
	var err error
	for range installTries {
		err = s.write(key, a)
		e, found := s.check(key)
		switch {
		case found == nil:
			return e, nil
		case errors.Is(found, ErrMiss):
			// That something was not found is what clearing looks like to a writer.
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			if err == nil {
				err = errors.New("the entry is removed as soon as it is written")
			}
		default:
			if gone := s.discard(s.module(key)); gone != nil {
				return nil, errors.Join(found, gone)
			}
			err = found
		}
	}
	return nil, err
}

// write puts an entry together in a temporary directory and renames it. Nothing
// is synced: a file that a power failure leaves empty is found by its digest.
func (s *store) write(key Key, a *Artifact) error {
	if err := s.prepare(); err != nil {
		return err
	}
	err := s.writeFrom(s.tmp(), key, a)
	if onOtherDisk(err) {
		return s.writeFrom(filepath.Dir(s.module(key)), key, a)
	}
	return err
}

// writeFrom puts an entry together in a directory and renames it.
func (s *store) writeFrom(in string, key Key, a *Artifact) error {
	tmp, err := os.MkdirTemp(in, asidePrefix+key.Short()+"-")
	if err != nil {
		return err
	}
	// After the rename there is nothing left to remove.
	defer os.RemoveAll(tmp)
	if err := fill(tmp, key, a); err != nil {
		return err
	}
	return move(tmp, s.module(key))
}

// fill writes the files of an entry to a directory.
func fill(tmp string, key Key, a *Artifact) (err error) {
	m := meta{
		Key: key, Kernel: a.Kernel, Target: a.Target, Arch: a.Arch, Meta: a.Meta, Origin: a.origin,
		Created: time.Now().UTC().Round(time.Microsecond),
	}
	if m.Artifact, err = writeFile(tmp, artifactName+a.Ext, a.Data); err != nil {
		return err
	}
	if a.packed == nil {
		a.packed = compress(a.Source)
	}
	if m.Source, err = writeFile(tmp, sourceName, a.packed); err != nil {
		return err
	}
	body, err := sealed(&m)
	if err != nil {
		panic("BUG: the Meta of an artifact is not JSON: " + err.Error())
	}
	_, err = writeFile(tmp, metaName, body)
	return err
}

// writeFile writes a file of an entry.
func writeFile(dir, name string, data []byte) (fileMeta, error) {
	if err := os.WriteFile(filepath.Join(dir, name), data, filePerm); err != nil {
		return fileMeta{}, err
	}
	return fileMeta{Name: name, Size: int64(len(data)), SHA256: sha256.Sum256(data)}, nil
}

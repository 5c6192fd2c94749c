// Package dump writes what a program builds into the directory that the environment variable
// QD_DUMP names, for people and for the command qdgen emit --program.
//
// [Module] writes a module that is loaded, wherever it comes from. [Specialization] writes the code of
// a specialization for the targets that QD_DUMP_TARGETS names, whatever the device is, and adds
// a line to the list of specializations, [ListName].
package dump

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/qdgen/qd/internal/memo"
)

// The environment variables.
const (
	Env        = "QD_DUMP"
	EnvTargets = "QD_DUMP_TARGETS"
)

// A directory is one to write into. After a failure nothing more is written.
type directory struct {
	path string

	mu     sync.Mutex
	failed bool
}

// directories are those that the environment has named.
var directories memo.Map[string, *directory]

// named is the directory that the environment names now, nil for none.
func named() *directory {
	name := os.Getenv(Env)
	if name == "" {
		return nil
	}
	d, ok := directories.Load(name)
	if !ok {
		d = &directory{path: name}
		if abs, err := filepath.Abs(name); err == nil {
			d.path = abs // the program may change its directory
		}
		d, _ = directories.LoadOrStore(name, d)
	}
	return d
}

// fail says once that the directory cannot be written to.
func (d *directory) fail(err error) {
	if !d.failed {
		d.failed = true
		slog.Warn(fmt.Sprintf("qd: %s: %v; nothing more is written there", Env, err))
	}
}

// write writes a file. It is written beside and renamed, so that nobody sees it half-written.
func (d *directory) write(name string, data []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed {
		return
	}
	if err := d.replace(name, data); err != nil {
		d.fail(err)
	}
}

func (d *directory) replace(name string, data []byte) error {
	if err := os.MkdirAll(d.path, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(d.path, ".writing-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the rename there is nothing left to remove
	_, err = f.Write(data)
	// Temporary files are for their owner alone; what is made here is for whoever can read the directory.
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(d.path, name))
}

// add adds a line to a file, which several processes may do at once.
func (d *directory) add(name string, line []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed {
		return
	}
	err := os.MkdirAll(d.path, 0o777)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(filepath.Join(d.path, name), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	}
	if err == nil {
		_, err = f.Write(append(line, '\n')) // in one piece
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		d.fail(err)
	}
}

// has reports whether a file has been written, by this process or another. Its name has the key of what is in it.
func (d *directory) has(name string) bool {
	_, err := os.Lstat(filepath.Join(d.path, name))
	return err == nil
}

// maxName bounds the part of a file's name that is for people.
const maxName = 80

// fileName is the name of a file without its extension: what it is about, as far as file systems take that, and the key
// of what is in it.
func fileName(key string, parts ...string) string {
	var b strings.Builder
	for _, r := range strings.Join(parts, "-") {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= maxName {
			break
		}
	}
	return strings.TrimLeft(strings.TrimRight(b.String(), "-."), ".") + "-" + key
}

// qualified is a kernel's name with the last element of its package's import path.
func qualified(pkg, kernel string) string { return path.Base(pkg) + "." + kernel }

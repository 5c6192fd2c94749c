// Package testmodule makes modules that use this checkout, for tests that run the go command in them. Only tests
// import it.
//
// A test has its modules in the same directories each time it runs. The go command compiles a package anew where its
// directory has another name, and else finds in its cache what an earlier run has compiled. It does not keep what it links:
// [Build] does.
package testmodule

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	"golang.org/x/mod/modfile"

	"github.com/qdgen/qd/internal/testenv"
)

// most is how many directories of one name there are at a time.
const most = 20

// Dir is an empty directory for a test, which is removed after it. Of two that are in use at the same time each is
// another one, also in other processes.
func Dir(tb testing.TB) string {
	tb.Helper()
	dir, err := take(tb)
	if err != nil {
		tb.Log(err)
		dir = tb.TempDir() // right, and only slower
	}
	// As the go command prints it.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// take finds a directory that nobody uses.
func take(tb testing.TB) (string, error) {
	dir, release, err := Take(tb.Name())
	if err == nil {
		tb.Cleanup(func() {
			if err := release(); err != nil {
				tb.Error(err)
			}
		})
	}
	return dir, err
}

// Take is an empty directory for those who have no test, of a name like that of a test. What it releases is removed.
func Take(name string) (dir string, release func() error, err error) {
	all := filepath.Join(os.TempDir(), "qdgen-tests-"+checkout())
	if err := os.Mkdir(all, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", nil, err
	}
	// Others may make a directory of this name, to write into it later.
	if info, err := os.Lstat(all); err != nil || !info.IsDir() || info.Mode().Perm()&0o722 != 0o700 {
		return "", nil, fmt.Errorf("%s is not a directory into which this user alone writes (%v)", all, err)
	}
	name = filepath.Join(all, Plain(name))
	for n := range most {
		dir := fmt.Sprintf("%s-%d", name, n)
		lock := flock.New(dir + ".lock")
		switch locked, err := lock.TryLock(); {
		case err != nil:
			return "", nil, err
		case !locked:
			continue
		}
		// A run that was killed may have left something.
		err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700))
		return dir, func() error { return errors.Join(os.RemoveAll(dir), lock.Unlock()) }, err
	}
	return "", nil, fmt.Errorf("%s-0 to %s-%d are in use", name, name, most-1)
}

// checkout tells checkouts and users apart.
func checkout() string {
	h := fnv.New32a()
	fmt.Fprint(h, testenv.Root(), os.Getuid())
	return fmt.Sprintf("%08x", h.Sum32())
}

// Plain is the name of a test as part of the name of a file.
func Plain(name string) string { return strings.Map(plain, name) }

// plain replaces what is not plain in the name of a file.
func plain(r rune) rune {
	if r < 0x80 && (r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9') {
		return r
	}
	return '_'
}

// Write writes go.mod and go.sum of a module that requires this checkout into a directory. They have what this
// checkout requires too, so that the go command neither completes them nor downloads anything.
func Write(tb testing.TB, dir, path string) {
	tb.Helper()
	root := testenv.Root()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		tb.Fatal(err)
	}
	own, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		tb.Fatal(err)
	}
	mod := new(modfile.File)
	err = errors.Join(mod.AddModuleStmt(path), mod.AddGoStmt(own.Go.Version), mod.AddRequire(own.Module.Mod.Path, "v0.0.0"),
		mod.AddReplace(own.Module.Mod.Path, "", root, ""))
	for _, r := range own.Require {
		mod.AddNewRequire(r.Mod.Path, r.Mod.Version, true)
	}
	sum, sumErr := os.ReadFile(filepath.Join(root, "go.sum"))
	if err := errors.Join(err, sumErr, os.WriteFile(filepath.Join(dir, "go.mod"), modfile.Format(mod.Syntax), 0o666),
		os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o666)); err != nil {
		tb.Fatal(err)
	}
}

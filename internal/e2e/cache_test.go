//go:build unix && !race

package e2e

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where a cache cannot be kept, a program says so once and computes as ever.
func TestUnusableCache(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	for _, tt := range []struct {
		name    string
		prepare func(t *testing.T, m *machine)
		warning string // "" for none
	}{
		{"a file", func(t *testing.T, m *machine) {
			writeFile(t, m.cache, "not a directory")
		}, "not a directory"},
		{"below a file", func(t *testing.T, m *machine) {
			writeFile(t, filepath.Join(m.dir, "file"), "")
			m.env["QD_CACHE"] = filepath.Join(m.dir, "file", "cache")
		}, "not a directory"},
		{"a device", func(t *testing.T, m *machine) { m.env["QD_CACHE"] = "/dev/null" }, "/dev/null"},
		{"unwritable", func(t *testing.T, m *machine) {
			m.asNobody()
			makeDir(t, m.cache, 0o555)
		}, "permission denied"},
		{"unreadable", func(t *testing.T, m *machine) {
			m.asNobody()
			makeDir(t, m.cache, 0o000)
		}, "permission denied"},
		{"everybody's", func(t *testing.T, m *machine) { makeDir(t, m.cache, 0o777) }, "everybody can write"},
		{"no home", func(t *testing.T, m *machine) {
			delete(m.env, "QD_CACHE")
			delete(m.env, "HOME")
		}, "HOME"},
		{"off", func(t *testing.T, m *machine) { m.env["QD_CACHE"] = "off" }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.counting("")
			tt.prepare(t, m)
			for range 2 {
				r := m.run(stranger(t), "-device", "cpu", "saxpy", "wave", "saxpy").
					right("cpu", "saxpy", "wave", "saxpy").compiled("saxpy", "wave")
				if tt.warning == "" {
					r.warned(0)
				} else {
					r.warned(1).logs("WARN .*" + tt.warning)
				}
				m.wantCompiles(1)
			}
		})
	}
}

// The usual place is below the user's directory, and XDG_CACHE_HOME moves it.
func TestDefaultCache(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	m := newMachine(t)
	delete(m.env, "QD_CACHE")
	m.env["XDG_CACHE_HOME"] = filepath.Join(m.dir, "xdg")
	m.run(stranger(t), "-device", "cpu", "saxpy").right("cpu", "saxpy").compiled("saxpy").warned(0)
	m.run(stranger(t), "-device", "cpu", "saxpy").right("cpu", "saxpy").cached("saxpy").warned(0)
	if len(files(t, filepath.Join(m.dir, "xdg", "qdgen"))) == 0 {
		t.Error("nothing is in XDG_CACHE_HOME/qdgen")
	}
	if home := files(t, m.env["HOME"]); len(home) > 0 {
		t.Errorf("in HOME: %q", home)
	}
}

// A cache that can be read only is used for what it has.
func TestReadOnlyCache(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	m := newMachine(t)
	m.counting("")
	m.asNobody()
	m.run(stranger(t), "-device", "cpu", "saxpy").right("cpu", "saxpy").compiled("saxpy")
	m.wantCompiles(1)
	chmodTree(t, m.cache, 0o555, 0o444)
	t.Cleanup(func() { chmodTree(t, m.cache, 0o755, 0o644) })
	m.run(stranger(t), "-device", "cpu", "saxpy").right("cpu", "saxpy").cached("saxpy").warned(0)
	m.run(stranger(t), "-device", "cpu", "saxpy", "wave", "step").right("cpu", "saxpy", "wave", "step").cached("saxpy").compiled("Step").warned(1)
	m.wantCompiles(1)
}

// A full disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	m := newMachine(t)
	m.counting("")
	// Large enough for directories, too small for a module.
	for range 2 {
		r := m.wait(m.withMounts(m.command(stranger(t), "-device", "cpu", "saxpy", "wave"), m.cache+"=8k"))
		r.right("cpu", "saxpy", "wave").compiled("saxpy", "wave").warned(1).logs("WARN .*no space left on device")
		m.wantCompiles(1)
	}
	// Nor is there room to compile in: an error that says so.
	m.wait(m.withMounts(m.command(stranger(t), "-device", "cpu", "saxpy"), m.cache+"=8k", m.tmp+"=4k")).
		fails("*qd.CompileError", "saxpy")
	m.compiles()
	m.run(stranger(t), "-device", "cpu", "saxpy").right("cpu", "saxpy").compiled("saxpy").warned(0)
}

// A file system that code cannot be run from: the loader's error gets advice.
func TestCacheWithoutExecution(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	m := newMachine(t)
	m.wait(m.withMounts(m.command(stranger(t), "-device", "cpu", "saxpy"), m.cache+"=8m,noexec")).
		fails("*qd.DeviceError", "load saxpy on cpu", m.cache, "noexec", "QD_CACHE")
}

// Whatever happens to any file of the cache, the result is right, and in the end
// the cache is whole again.
func TestDamagedCache(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	original := newMachine(t)
	original.keeping()
	kernels := []string{"saxpy", "step"}
	args := append([]string{"-device", "cpu"}, kernels...)
	original.run(stranger(t), args...).right("cpu", kernels...)
	original.run(stranger(t), args...).right("cpu", kernels...).cached("saxpy", "Step")

	for _, damage := range []struct {
		name string
		do   func(t *testing.T, file string)
	}{
		{"truncated", func(t *testing.T, file string) { resize(t, file, -1) }},
		{"emptied", func(t *testing.T, file string) { resize(t, file, 0) }},
		{"first byte", func(t *testing.T, file string) { flip(t, file, 0) }},
		{"middle byte", func(t *testing.T, file string) { flip(t, file, 0.5) }},
		{"longer", func(t *testing.T, file string) { resize(t, file, +1) }},
		{"removed", func(t *testing.T, file string) { must(t, os.Remove(file)) }},
		{"a directory", func(t *testing.T, file string) {
			must(t, os.Remove(file))
			must(t, os.Mkdir(file, 0o700))
		}},
	} {
		t.Run(damage.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.keeping()
			records := 0 // that were missed
			for _, file := range files(t, original.cache) {
				restore(t, m.cache, original.cache)
				chmodTree(t, m.cache, 0o700, 0o600)
				damage.do(t, filepath.Join(m.cache, file))
				r := m.run(stranger(t), args...).right("cpu", kernels...)
				// What is vital to an entry or a record is missed; a file that went
				// altogether may be one that was never there.
				base := filepath.Base(file)
				record := strings.HasPrefix(file, "v1/index/")
				switch {
				case record && damage.name == "removed":
				case record && !strings.Contains(r.stderr, "WARN"):
					// Not all of them are read: some are about kernels beside these.
				case record:
					records++
					fallthrough
				case base == "artifact.so", base == "meta.json":
					r.warned(1).logs("WARN .*damaged")
				}
				m.run(stranger(t), args...).right("cpu", kernels...).cached("saxpy", "Step").warned(0)
				m.wantNoLeftovers()
				if t.Failed() {
					t.Fatalf("so it is when %s is damaged", file)
				}
			}
			// There are others, which say what proves that the source is the program's.
			if records < len(kernels) && damage.name != "removed" {
				t.Errorf("%d damaged records were missed, want at least those of %q", records, kernels)
			}
		})
	}
}

// asNobody makes the machine's processes ones of a user whom permissions bind,
// whoever runs the tests.
func (m *machine) asNobody() {
	m.t.Helper()
	if os.Getuid() != 0 {
		return
	}
	const nobody = 65534
	m.uid = nobody
	// All above the test's directory are to be passed through, and what is in it
	// is the user's.
	for dir := filepath.Dir(m.dir); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		addMode(m.t, dir, 0o011)
	}
	for dir := filepath.Dir(stranger(m.t)); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		addMode(m.t, dir, 0o055)
	}
	chown(m.t, m.dir, nobody)
	m.env["USER"] = "nobody"
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o666))
}

// makeDir makes a directory with exactly that mode, of the machine's user.
func makeDir(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	must(t, os.Mkdir(path, 0o700))
	must(t, os.Chmod(path, mode))
	t.Cleanup(func() { must(t, os.Chmod(path, 0o700)) })
}

// addMode gives a directory further permissions.
func addMode(t *testing.T, dir string, mode os.FileMode) {
	t.Helper()
	info, err := os.Stat(dir)
	must(t, err)
	if info.Mode().Perm()&mode != mode {
		must(t, os.Chmod(dir, info.Mode().Perm()|mode))
	}
}

func chown(t *testing.T, dir string, uid int) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err == nil {
			err = os.Lchown(path, uid, uid)
		}
		return err
	}))
}

// chmodTree sets the modes of all directories and files.
func chmodTree(t *testing.T, dir string, dirMode, fileMode os.FileMode) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.Chmod(path, dirMode)
		}
		return os.Chmod(path, fileMode)
	}))
}

// restore makes a directory the same as another one. It writes and removes what differs alone: a cache has many directories
// and files, of which a program changes few, and to make them all anew takes longer than the program.
func restore(t *testing.T, dir, original string) {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o700))
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := os.Lstat(filepath.Join(original, rel))
		if err == nil && info.Mode().Type() == d.Type() {
			return nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.RemoveAll(path); err != nil || !d.IsDir() {
			return err
		}
		return fs.SkipDir
	}))
	must(t, filepath.WalkDir(original, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(original, path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		if d.IsDir() {
			return os.MkdirAll(to, 0o700)
		}
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if got, err := os.ReadFile(to); err == nil && bytes.Equal(got, want) {
			return nil
		}
		return os.WriteFile(to, want, 0o600)
	}))
}

// resize makes a file empty (0), one byte shorter (-1) or longer (+1).
func resize(t *testing.T, file string, by int64) {
	t.Helper()
	info, err := os.Stat(file)
	must(t, err)
	size := max(info.Size()+by, 0)
	if by == 0 {
		size = 0
	}
	must(t, os.Truncate(file, size))
}

// flip changes a bit of a file, at that part of its length.
func flip(t *testing.T, file string, at float64) {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	if len(text) > 0 {
		text[int(at*float64(len(text)))] ^= 0x10
		must(t, os.WriteFile(file, text, 0o600))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

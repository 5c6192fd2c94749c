package testmodule

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// home gives the test, which is about programs that are kept, a user's cache directory of its own.
func home(t *testing.T) (caches string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("nothing is kept there")
	}
	t.Setenv("HOME", t.TempDir())
	caches = filepath.Join(os.Getenv("HOME"), "caches")
	t.Setenv("XDG_CACHE_HOME", caches)
	if user, err := os.UserCacheDir(); err != nil || user != caches {
		t.Skip("the user's cache directory is elsewhere on this system")
	}
	return caches
}

// In each run the programs of a name are made where those of the run before are, the first and the second of them apart.
func TestBuild(t *testing.T) {
	caches := home(t)
	for run, before := range []string{"", "as it was"} {
		asked.names = nil // as in a new process
		var places []string
		for n, what := range []string{"first", "second"} {
			program := filepath.Join(t.TempDir(), "program")
			err := Build("TestBuild/of a name", program, func(path string) error {
				places = append(places, path)
				text, _ := os.ReadFile(path)
				if want := strings.Replace(before, "it", what, 1); string(text) != want {
					t.Errorf("run %d, program %d: %s has %q, want %q", run, n, path, text, want)
				}
				return os.WriteFile(path, []byte("as "+what+" was"), 0o777)
			})
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(program)
			if info, statErr := os.Stat(program); err != nil || statErr != nil || string(text) != "as "+what+" was" || info.Mode().Perm()&0o100 == 0 {
				t.Errorf("the program is %q, %v, %v", text, err, statErr)
			}
		}
		if places[0] == places[1] || !strings.HasPrefix(places[0], caches) {
			t.Errorf("the programs are made at %q", places)
		}
	}
}

// What a program has lost is no part of it any more, be it a directory, and a program that cannot be made is an error.
func TestBuildAnew(t *testing.T) {
	home(t)
	to := filepath.Join(t.TempDir(), "programs")
	for _, name := range []string{"a", "b"} {
		err := Build("programs", to, func(path string) error {
			if err := os.MkdirAll(path, 0o777); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(path, name), nil, 0o777)
		})
		if entries, readErr := os.ReadDir(to); err != nil || readErr != nil || len(entries) != 1 || entries[0].Name() != name {
			t.Errorf("%v, %v, %v", entries, err, readErr)
		}
	}
	if err := Build("none", to, func(string) error { return os.ErrInvalid }); err != os.ErrInvalid {
		t.Error(err)
	}
}

// A program whose writer was killed is made anew: go build would take it for whole.
func TestBuildHalfWritten(t *testing.T) {
	home(t)
	program := filepath.Join(t.TempDir(), "program")
	for _, killed := range []bool{true, false, false} {
		asked.names = nil
		err := Build("half", program, func(path string) error {
			if _, err := os.Stat(path); err == nil { // as go build does where nothing has changed
				return nil
			}
			if killed {
				return errors.Join(os.WriteFile(path, []byte("ha"), 0o777), os.ErrDeadlineExceeded)
			}
			return os.WriteFile(path, []byte("half"), 0o777)
		})
		if killed != (err != nil) {
			t.Fatal(err)
		}
		if text, _ := os.ReadFile(program); !killed && string(text) != "half" {
			t.Errorf("the program is %q", text)
		}
	}
}

// Where nothing can be kept, a program is made where it is asked for.
func TestBuildWithoutHome(t *testing.T) {
	home(t)
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	program := filepath.Join(t.TempDir(), "program")
	err := Build("none", program, func(path string) error {
		if path != program {
			t.Errorf("it is made at %s", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// What was kept for long is removed, that of other checkouts too.
func TestKeep(t *testing.T) {
	caches := home(t)
	dir, err := Keep("things")
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(caches, "qdgen-tests", "things", "other")
	old := time.Now().Add(-2 * keep)
	for name, at := range map[string]time.Time{filepath.Join(dir, "new"): time.Now(), filepath.Join(dir, "old"): old, filepath.Join(other, "old"): old} {
		if err := os.MkdirAll(name, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Keep("things")
	left, globErr := filepath.Glob(filepath.Join(caches, "qdgen-tests", "things", "*", "*"))
	if err != nil || globErr != nil || again != dir || len(left) != 1 || left[0] != filepath.Join(dir, "new") {
		t.Errorf("%s, %v: %q, %v", again, err, left, globErr)
	}
}

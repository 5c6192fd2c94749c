package reread

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// soon makes changes settle within a time that tests can wait for, and forgets all that is kept.
func soon(t *testing.T) (settle func()) {
	t.Helper()
	if _, ok := stampOf("."); !ok {
		t.Skipf("on %s nothing is kept", runtime.GOOS)
	}
	old := settled
	settled = 50 * time.Millisecond
	kept.files, kept.dirs, kept.size = nil, nil, 0
	t.Cleanup(func() { settled = old })
	return func() { time.Sleep(2 * settled) }
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := File(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A file that has not changed is read once; whatever changes it has it read again.
func TestFile(t *testing.T) {
	settle := soon(t)
	dir := t.TempDir()
	name, other := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	write(t, name, "one")
	settle()
	first := read(t, name)
	if second := read(t, name); &first[0] != &second[0] {
		t.Error("a file that has not changed is read again")
	}
	old := time.Now().Add(-time.Hour)
	for _, c := range []struct {
		how    string
		change func() error
		want   string
	}{
		{"is written to, with as many bytes", func() error { return os.WriteFile(name, []byte("two"), 0o666) }, "two"},
		{"is written to, and has an older time", func() error {
			if err := os.WriteFile(name, []byte("six"), 0o666); err != nil {
				return err
			}
			return os.Chtimes(name, old, old)
		}, "six"},
		{"is written to, and has its old time again", func() error {
			if err := os.WriteFile(name, []byte("ten"), 0o666); err != nil {
				return err
			}
			return os.Chtimes(name, old, old)
		}, "ten"},
		{"is replaced by one that was there before", func() error { return os.Rename(other, name) }, "old"},
		{"is a link", func() error {
			write(t, other, "sea")
			if err := os.Remove(name); err != nil {
				return err
			}
			return os.Symlink(other, name)
		}, "sea"},
		{"is a link to a file that has changed", func() error { return os.WriteFile(other, []byte("sky"), 0o666) }, "sky"},
	} {
		if _, err := os.Lstat(other); err != nil {
			write(t, other, "old")
		}
		settle()
		read(t, name) // which keeps it
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		settle()
		if got := read(t, name); string(got) != c.want {
			t.Errorf("a file that %s has %q, want %q", c.how, got, c.want)
		}
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if text, err := File(name); err == nil {
		t.Errorf("a file that is gone has %q", text)
	}
}

// What was just changed may be changed once more at what the system takes for the same time.
func TestUnsettled(t *testing.T) {
	soon(t)
	settled = time.Hour
	name := filepath.Join(t.TempDir(), "a")
	write(t, name, "one")
	if first, second := read(t, name), read(t, name); &first[0] == &second[0] {
		t.Error("a file that was just written is kept")
	}
	if _, err := Dir(filepath.Dir(name)); err != nil || len(kept.dirs) != 0 {
		t.Errorf("%d directories are kept, %v", len(kept.dirs), err)
	}
}

func TestDir(t *testing.T) {
	settle := soon(t)
	dir := t.TempDir()
	want := func(names ...string) {
		t.Helper()
		settle()
		for range 2 {
			entries, err := Dir(dir)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, e := range entries {
				got = append(got, e.Name())
			}
			if !slices.Equal(got, names) {
				t.Errorf("%q, want %q", got, names)
			}
		}
		if len(kept.dirs) != 1 {
			t.Error("the directory is not kept")
		}
	}
	want()
	write(t, filepath.Join(dir, "b"), "")
	want("b")
	write(t, filepath.Join(dir, "a"), "")
	want("a", "b")
	if err := os.Rename(filepath.Join(dir, "b"), filepath.Join(dir, "c")); err != nil {
		t.Fatal(err)
	}
	want("a", "c")
	if err := os.Remove(filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	want("c")
	if entries, err := Dir(filepath.Join(dir, "none")); err == nil {
		t.Errorf("a directory that is not there has %v", entries)
	}
}

// What is kept has a limit, whatever is read.
func TestLimit(t *testing.T) {
	settle := soon(t)
	dir := t.TempDir()
	long := strings.Repeat("x", maxKept/3)
	names := []string{filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c"), filepath.Join(dir, "d")}
	for _, name := range names {
		write(t, name, long)
	}
	write(t, filepath.Join(dir, "e"), strings.Repeat("x", maxKept+1))
	settle()
	for _, name := range append(names, filepath.Join(dir, "e")) {
		read(t, name)
		size := 0
		for _, f := range kept.files {
			size += len(f.text)
		}
		if size > maxKept || size != kept.size {
			t.Errorf("%d bytes are kept, which count as %d", size, kept.size)
		}
	}
	if len(kept.files) != 1 {
		t.Errorf("%d files are kept, want the last one that is not too long", len(kept.files))
	}
}

package reread

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/memo"
)

// soon makes changes settle within a time that tests can wait for, and forgets all that is kept.
func soon(t *testing.T) (settle func()) {
	t.Helper()
	if _, ok := stampOf("."); !ok {
		t.Skipf("on %s nothing is kept", runtime.GOOS)
	}
	old := settled
	settled = 50 * time.Millisecond
	kept = memo.Recent[string, entry]{Most: maxKept}
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
	_, err := Dir(filepath.Dir(name))
	if young, old := kept.Weights(); err != nil || young != 0 || old != 0 {
		t.Errorf("%d and %d bytes are kept, %v", young, old, err)
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
		if _, ok := kept.Load(dir); !ok {
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

// What is kept has a limit, whatever is read, and what is read again and again stays.
func TestLimit(t *testing.T) {
	settle := soon(t)
	dir := t.TempDir()
	often := filepath.Join(dir, "often")
	write(t, often, "text")
	names := []string{filepath.Join(dir, "long")}
	write(t, names[0], strings.Repeat("x", maxKept+1))
	for i := range 20 {
		names = append(names, filepath.Join(dir, strconv.Itoa(i)))
		write(t, names[i+1], strings.Repeat("x", maxKept/3))
	}
	settle()
	first := read(t, often)
	for _, name := range names {
		read(t, name)
		if again := read(t, often); &again[0] != &first[0] {
			t.Fatalf("the file that is often read is read again after %s", name)
		}
		if young, old := kept.Weights(); young > maxKept || old > maxKept {
			t.Fatalf("after %s the tables weigh %d and %d", name, young, old)
		}
	}
	if _, old := kept.Weights(); old == 0 {
		t.Error("the old table is empty")
	}
}

// A name that leads to one file when it is looked at and to another one when it is read never has the text of one with
// the stamp of the other.
func TestNameThatMoves(t *testing.T) {
	settle := soon(t)
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	for _, name := range []string{"one", "two"} {
		write(t, filepath.Join(dir, name), name)
	}
	settle()
	point := func(at string) {
		next := filepath.Join(dir, "next")
		if err := errors.Join(os.Symlink(at, next), os.Rename(next, link)); err != nil {
			t.Error(err)
		}
	}
	point("one")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 2000 {
			point("two")
			point("one")
		}
	}()
	for moving := true; moving; {
		select {
		case <-done:
			moving = false
		default:
		}
		read(t, link)
		e, ok := kept.Load(link)
		want, _ := stampOf(filepath.Join(dir, string(e.text)))
		if ok && e.stamp != want {
			t.Fatalf("the text %q has the stamp of another file", e.text)
		}
	}
}

package cache

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/testenv"
)

// Notes are kept, changed one after the other, verified and cleared; a damaged one is none.
func TestNotes(t *testing.T) {
	log := testenv.Logged(t)
	dir := t.TempDir()
	key := NewKey("note", []byte("a"))
	add := func(old json.RawMessage) (json.RawMessage, error) {
		n, _ := strconv.Atoi(string(old))
		return json.RawMessage(strconv.Itoa(n + 1)), nil
	}
	var wg sync.WaitGroup
	for range 4 {
		c := open(t, dir) // as another process would
		wg.Go(func() {
			for range 5 {
				if err := c.EditNote(key, "a test", add); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	c := open(t, dir)
	if note, ok := c.Note(key); !ok || string(note) != "20" {
		t.Errorf("after 20 edits the note is %s", note)
	}
	failed := errors.New("failed")
	if err := c.EditNote(key, "a test", func(json.RawMessage) (json.RawMessage, error) { return nil, failed }); err != failed {
		t.Errorf("the error is %v", err)
	}
	if err := c.EditNote(key, "a test", func(json.RawMessage) (json.RawMessage, error) { return nil, nil }); err != nil {
		t.Error(err)
	}
	if list, err := c.Notes(); err != nil || len(list) != 1 || string(list[0]) != "20" {
		t.Errorf("notes: %s, %v", list, err)
	}
	if problems, err := c.Verify(); err != nil || len(problems) > 0 {
		t.Errorf("verify: %v, %v", problems, err)
	}
	if got := log.Take(); len(got) > 0 {
		t.Errorf("the log has %q", got)
	}

	path := c.kept.note(key)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if problems, err := c.Verify(); err != nil || len(problems) != 1 || problems[0].Kind != "note" {
		t.Errorf("verify of a damaged note: %v, %v", problems, err)
	}
	if _, ok := c.Note(key); ok {
		t.Error("a damaged note was read")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a damaged note is still there")
	}

	if err := c.EditNote(key, "a test", add); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Clear(); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Note(key); ok {
		t.Error("a note is left after Clear")
	}

	// Without a place nothing is kept, and nothing fails.
	t.Setenv("QD_CACHE", "off")
	none, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	if err := none.EditNote(key, "a test", add); err != nil {
		t.Error(err)
	}
	if _, ok := none.Note(key); ok {
		t.Error("a cache that is off keeps a note")
	}
}

// Whoever is alone under a key has nobody beside it: neither in the same cache nor in another of the same directory,
// which stands for another process.
func TestAlone(t *testing.T) {
	dir := t.TempDir()
	var inside atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		c := open(t, dir)
		for range 4 {
			wg.Go(func() {
				for range 20 {
					_ = c.Alone(NewKey("alone"), "testing", func() error {
						if n := inside.Add(1); n != 1 {
							t.Errorf("%d are alone", n)
						}
						runtime.Gosched()
						inside.Add(-1)
						return nil
					})
				}
			})
		}
	}
	wg.Wait()
}

// linked is a cache of which a part is in a directory of another file system, to which a link leads: no file can be moved
// there from the cache's own.
func linked(t *testing.T, part string) (c *Cache, other string) {
	t.Helper()
	dir := t.TempDir()
	other, err := os.MkdirTemp("/dev/shm", "qdgen-cache")
	if err != nil {
		t.Skip("there is no second file system:", err)
	}
	t.Cleanup(func() { os.RemoveAll(other) })
	if err := os.Mkdir(filepath.Join(dir, "v1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(dir, "v1", part)); err != nil {
		t.Fatal(err)
	}
	return open(t, dir), other
}

// holds wants so many files or directories in a part of a cache.
func holds(t *testing.T, other string, want int) {
	t.Helper()
	if left, err := filepath.Glob(filepath.Join(other, "*", "*")); err != nil || len(left) != want {
		t.Errorf("the directory has %v, %v; want %d", left, err, want)
	}
}

func TestRecordsOnOtherFileSystem(t *testing.T) {
	c, other := linked(t, "index")
	first, want := key("first"), Record{Second: key("second")}
	for range 2 {
		if err := c.StoreIndex(first, want); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok := c.LookupIndex(first); !ok || got.Second != want.Second {
		t.Errorf("%+v, %t; want %+v", got, ok, want)
	}
	holds(t, other, 1)
	if _, _, err := c.Clear(); err != nil {
		t.Error(err)
	}
	holds(t, other, 0)
}

func TestModulesOnOtherFileSystem(t *testing.T) {
	log := testenv.Logged(t)
	c, other := linked(t, "modules")
	e := build(t, c, "k", 1000)
	hit(t, c, "k", 1000)
	if err := os.Truncate(e.Path, 10); err != nil {
		t.Fatal(err)
	}
	build(t, c, "k", 1000)
	log.Want(t, "removed a damaged entry")
	hit(t, open(t, c.Dir()), "k", 1000)
	holds(t, other, 1)

	// What a process has left that was killed is no entry, and goes in time.
	left := filepath.Join(filepath.Dir(filepath.Dir(e.Path)), asidePrefix+"left")
	if err := os.Mkdir(left, dirPerm); err != nil {
		t.Fatal(err)
	}
	clean(t, c)
	old := time.Now().Add(-2 * leftoverLife)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Trim(); err != nil {
		t.Error(err)
	}
	holds(t, other, 1)
	if n, _, err := c.Clear(); n != 1 || err != nil {
		t.Errorf("Clear: %d, %v", n, err)
	}
	holds(t, other, 0)
	log.WantNone(t)
}

// Where there is no place for locks, goroutines still edit a note one after the other.
func TestNotesWithoutLocks(t *testing.T) {
	testenv.Logged(t)
	c := open(t, t.TempDir())
	if err := os.MkdirAll(c.kept.root, dirPerm); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.kept.locks(), nil, filePerm); err != nil {
		t.Fatal(err)
	}
	inside := 0
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				err := c.EditNote(NewKey("note"), "a test", func(json.RawMessage) (json.RawMessage, error) {
					if inside++; inside != 1 { // also a data race, if they are not alone
						t.Errorf("%d edit the note", inside)
					}
					runtime.Gosched()
					inside--
					return nil, nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

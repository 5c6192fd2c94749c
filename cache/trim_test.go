package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/testenv"
)

// kernels are the names of what the cache holds.
func kernels(t *testing.T, c *Cache) map[string]bool {
	t.Helper()
	list, err := c.List()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range list {
		names[e.Kernel] = true
	}
	return names
}

func TestTrimEvictsOldestUse(t *testing.T) {
	log := testenv.Logged(t)
	c := open(t, t.TempDir())
	for i := range 10 {
		e := build(t, c, fmt.Sprint("k", i), 10_000)
		if i == 0 {
			hit(t, c, "k0", 10_000)
		}
		age(t, e, time.Duration(20-i)*time.Hour)
	}
	// The one that was built first is used again.
	hit(t, c, "k0", 10_000)
	c.limit = 60_000
	n, size, err := c.Trim()
	if err != nil || n != 5 || size < 50_000 {
		t.Errorf("Trim: %d entries, %d bytes, %v; want 5 entries", n, size, err)
	}
	got := kernels(t, c)
	for i := range 10 {
		name := fmt.Sprint("k", i)
		if want := i == 0 || i > 5; got[name] != want {
			t.Errorf("%s is there: %v, want %v", name, got[name], want)
		}
	}
	if n, _, err := c.Trim(); n != 0 || err != nil {
		t.Errorf("Trim again: %d, %v", n, err)
	}
	clean(t, c)
	log.WantNone(t)
}

func TestTrimKeepsWhatWasJustUsed(t *testing.T) {
	c := open(t, t.TempDir())
	for i := range 4 {
		build(t, c, fmt.Sprint("k", i), 10_000)
	}
	c.limit = 1
	if n, _, err := c.Trim(); n != 0 || err != nil {
		t.Errorf("Trim evicts %d entries built a moment ago, %v", n, err)
	}
}

func TestTrimWithoutLimit(t *testing.T) {
	c := open(t, t.TempDir())
	age(t, build(t, c, "k", 10_000), 1000*time.Hour)
	c.limit = 0
	if n, _, err := c.Trim(); n != 0 || err != nil {
		t.Errorf("Trim evicts %d entries, %v", n, err)
	}
}

// A clock that was set back has left entries that were used in the future.
func TestTrimTimesInTheFuture(t *testing.T) {
	c := open(t, t.TempDir())
	age(t, build(t, c, "future", 10_000), -1000*time.Hour)
	c.limit = 1
	if n, _, err := c.Trim(); n != 1 || err != nil {
		t.Errorf("Trim evicts %d entries, %v; want 1", n, err)
	}
}

func TestTrimEvictsDamaged(t *testing.T) {
	c := open(t, t.TempDir())
	e := build(t, c, "k", 10_000)
	if err := os.Remove(filepath.Join(filepath.Dir(e.Path), metaName)); err != nil {
		t.Fatal(err)
	}
	age(t, e, time.Hour)
	c.limit = 1
	if n, _, err := c.Trim(); n != 1 || err != nil {
		t.Errorf("Trim evicts %d entries, %v; want 1", n, err)
	}
}

// Builds evict by themselves when much was built, and otherwise once an hour.
func TestBuildTrims(t *testing.T) {
	t.Setenv("QD_CACHE_SIZE", "100K")
	dir := t.TempDir()
	c := open(t, dir)
	for i := range 20 {
		age(t, build(t, c, fmt.Sprint("k", i), 10_000), time.Duration(40-i)*time.Hour)
	}
	got := kernels(t, c)
	if len(got) > 12 || !got["k19"] || got["k0"] {
		t.Errorf("%d entries are left of 20: %v", len(got), got)
	}

	c = open(t, dir)
	c.limit = 50_000
	build(t, c, "little", 100)
	if n := len(kernels(t, c)); n != len(got)+1 {
		t.Errorf("a small build within the hour has evicted: %d entries, then %d", len(got)+1, n)
	}
	hourAgo := time.Now().Add(-2 * trimEvery)
	if err := os.Chtimes(c.kept.trimmed(), hourAgo, hourAgo); err != nil {
		t.Fatal(err)
	}
	build(t, c, "less", 100)
	if n := len(kernels(t, c)); n > 7 {
		t.Errorf("a build after an hour has left %d entries", n)
	}
}

func TestTrimForgetsUnusedRecords(t *testing.T) {
	c := open(t, t.TempDir())
	for _, name := range []string{"unused", "used"} {
		if err := c.StoreIndex(key(name), Record{}); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-2 * recordLife)
		if err := os.Chtimes(c.kept.record(key(name)), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := c.LookupIndex(key("used")); !ok {
		t.Fatal("a record is missing")
	}
	if _, _, err := c.Trim(); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.LookupIndex(key("unused")); ok {
		t.Error("a record is kept that nobody used")
	}
	if _, ok := c.LookupIndex(key("used")); !ok {
		t.Error("a record is gone that was used")
	}
}

// What a process that lives is writing, and its locks, are left alone.
func TestTrimLeavesTheLiving(t *testing.T) {
	c := open(t, t.TempDir())
	if err := c.kept.prepare(); err != nil {
		t.Fatal(err)
	}
	young := filepath.Join(c.kept.tmp(), "young")
	if err := os.Mkdir(young, dirPerm); err != nil {
		t.Fatal(err)
	}
	l, _ := tryLock(c.kept.lock(key("k")))
	defer l.release()
	old := time.Now().Add(-2 * leftoverLife)
	if err := os.Chtimes(c.kept.lock(key("k")), old, old); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Trim(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Error(err)
	}
	if _, state := tryLock(c.kept.lock(key("k"))); state != lockBusy {
		t.Error("a lock that was held is taken away")
	}
}

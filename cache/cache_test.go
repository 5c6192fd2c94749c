package cache

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/testenv"
)

func TestBuildThenHit(t *testing.T) {
	log := testenv.Logged(t)
	dir := filepath.Join(t.TempDir(), "not", "yet")
	c := open(t, dir)
	if _, err := c.Get(key("saxpy")); !errors.Is(err, ErrMiss) {
		t.Fatalf("Get of nothing: %v, want ErrMiss", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a look-up has made the directory")
	}

	began := time.Now().Add(-2 * time.Second) // file systems keep times with less precision
	built := build(t, c, "saxpy", 20_000)
	if built.Hits != 0 || built.Created.Before(began) || built.Created.After(time.Now()) || built.Used != built.Created {
		t.Errorf("a new entry has %d hits, created %v, used %v", built.Hits, built.Created, built.Used)
	}
	if filepath.Ext(built.Path) != ".so" || !filepath.IsAbs(built.Path) {
		t.Errorf("path %s, want an absolute one that ends in .so", built.Path)
	}

	again := open(t, dir) // as another process would
	for i := range int64(3) {
		e := hit(t, again, "saxpy", 20_000)
		if e.Hits != i+1 || e.Used.Before(e.Created) {
			t.Errorf("hit %d: Hits %d, Used %v, Created %v", i+1, e.Hits, e.Used, e.Created)
		}
		if e.Path != built.Path || e.Kernel != "saxpy" || e.Target != "cpp" || e.Arch != "amd64" {
			t.Errorf("hit %d is of another module: %+v", i+1, e)
		}
		sameJSON(t, e.Meta, []byte(`{"symbol":"saxpy"}`))
	}
	text, err := again.Source(key("saxpy"))
	if err != nil || text != artifact("saxpy", 0).Source {
		t.Errorf("Source: %q, %v", text, err)
	}
	if _, err := again.Source(key("other")); !errors.Is(err, ErrMiss) {
		t.Errorf("Source of nothing: %v, want ErrMiss", err)
	}
	clean(t, c)
	log.WantNone(t)
}

func TestEmptyArtifactAndSource(t *testing.T) {
	c := open(t, t.TempDir())
	e, _, err := c.Build(key("empty"), func() (*Artifact, error) { return &Artifact{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(e.Path); err != nil || info.Size() != 0 {
		t.Errorf("artifact: %v, %v", info, err)
	}
	if text, err := c.Source(key("empty")); err != nil || text != "" {
		t.Errorf("Source: %q, %v", text, err)
	}
	if e.Meta != nil {
		t.Errorf("Meta: %q", e.Meta)
	}
	clean(t, c)
}

func TestBuildErrorStoresNothing(t *testing.T) {
	c := open(t, t.TempDir())
	failure := errors.New("undeclared identifier")
	_, hit, err := c.Build(key("k"), func() (*Artifact, error) { return nil, failure })
	if err != failure || hit {
		t.Fatalf("Build: %v, hit %v; want the builder's error as it is", err, hit)
	}
	if _, err := c.Get(key("k")); !errors.Is(err, ErrMiss) {
		t.Errorf("Get: %v, want ErrMiss", err)
	}
	clean(t, c)
	build(t, c, "k", 100)
}

func TestBuildPanicReleases(t *testing.T) {
	c := open(t, t.TempDir())
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the builder's panic is lost")
			}
		}()
		_, _, _ = c.Build(key("k"), func() (*Artifact, error) { panic("in the builder") })
	}()
	clean(t, c)
	build(t, c, "k", 100)
}

func TestMistakesOfTheCaller(t *testing.T) {
	for name, a := range map[string]*Artifact{
		"no artifact":       nil,
		"path as extension": {Ext: "/../../x"},
		"Meta is no JSON":   {Meta: []byte("{")},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, t.TempDir())
			defer func() {
				if s, ok := recover().(string); !ok || s[:5] != "BUG: " {
					t.Errorf("panic %q, want one that begins with BUG:", s)
				}
			}()
			_, _, _ = c.Build(key("k"), func() (*Artifact, error) { return a, nil })
		})
	}
}

// One goroutine builds; all others wait for it and hit.
func TestManyGoroutinesBuildOnce(t *testing.T) {
	c := open(t, t.TempDir())
	var calls, hits atomic.Int64
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			e, hit, err := c.Build(key("k"), func() (*Artifact, error) {
				calls.Add(1)
				time.Sleep(20 * time.Millisecond)
				return artifact("k", 1000), nil
			})
			if err != nil {
				t.Error(err)
				return
			}
			if hit {
				hits.Add(1)
			}
			sameData(t, e, "k", 1000)
		})
	}
	wg.Wait()
	if calls.Load() != 1 || hits.Load() != 31 {
		t.Errorf("%d builds and %d hits, want 1 and 31", calls.Load(), hits.Load())
	}
	list, err := c.List()
	if err != nil || len(list) != 1 || list[0].Hits != 31 {
		t.Errorf("List: %+v, %v; want one entry with 31 hits", list, err)
	}
}

// All who wait for a build get its error; none of them tries again.
func TestManyGoroutinesOneError(t *testing.T) {
	c := open(t, t.TempDir())
	failure := errors.New("no such builtin")
	begun, release := make(chan struct{}), make(chan struct{})
	var calls atomic.Int64
	fail := func() (*Artifact, error) {
		if calls.Add(1) == 1 {
			close(begun)
		}
		<-release
		return nil, failure
	}
	var wg sync.WaitGroup
	ask := func() {
		if _, _, err := c.Build(key("k"), fail); err != failure {
			t.Errorf("Build: %v, want the builder's error", err)
		}
	}
	wg.Go(ask)
	<-begun
	for range 8 {
		wg.Go(ask)
	}
	// Whoever comes only after the release builds anew, which is right too.
	for waiting() < 8 {
		time.Sleep(time.Millisecond)
	}
	close(release)
	wg.Wait()
	if n := calls.Load(); n != 1 {
		t.Errorf("%d builds for 9 that asked at once", n)
	}
}

// waiting is the number of goroutines that wait for what another one builds.
func waiting() (n int) {
	stacks := make([]byte, 1<<20)
	for one := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		state, calls, _ := strings.Cut(one, "\n")
		if strings.Contains(state, "[select") && strings.Contains(calls, ".(*Cache).BuildWithin(") && !strings.Contains(calls, "buildFirst") {
			n++
		}
	}
	return n
}

func TestManyKeysAtOnce(t *testing.T) {
	c := open(t, t.TempDir())
	var wg sync.WaitGroup
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	for _, name := range names {
		wg.Go(func() { build(t, c, name, 3000) })
	}
	wg.Wait()
	for _, name := range names {
		hit(t, c, name, 3000)
	}
	clean(t, c)
}

// A builder may ask for another module while it builds.
func TestBuildInsideBuild(t *testing.T) {
	c := open(t, t.TempDir())
	_, _, err := c.Build(key("outer"), func() (*Artifact, error) {
		build(t, c, "inner", 100)
		return artifact("outer", 100), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	hit(t, c, "inner", 100)
	hit(t, c, "outer", 100)
}

func TestIndex(t *testing.T) {
	log := testenv.Logged(t)
	dir := t.TempDir()
	c := open(t, dir)
	first := key("first")
	if _, ok := c.LookupIndex(first); ok {
		t.Fatal("a record where none was stored")
	}
	want := Record{
		Second: key("second"),
		Deps:   []Dep{{Name: "saxpy.go", Sum: key("saxpy.go")}, {Name: `a "strange" name<>.go`, Sum: key("x")}},
		Meta:   []byte(`{"layout":[8,16]}`),
	}
	if err := c.StoreIndex(first, Record{Second: key("old")}); err != nil {
		t.Fatal(err)
	}
	if err := c.StoreIndex(first, want); err != nil {
		t.Fatal(err)
	}
	got, ok := open(t, dir).LookupIndex(first)
	if !ok || got.Second != want.Second || len(got.Deps) != 2 || got.Deps[0] != want.Deps[0] || got.Deps[1] != want.Deps[1] {
		t.Errorf("LookupIndex: %+v, %v; want %+v", got, ok, want)
	}
	sameJSON(t, got.Meta, want.Meta)
	if _, ok := c.LookupIndex(key("second")); ok {
		t.Error("a record for a key that has none")
	}
	if err := c.StoreIndex(first, Record{Meta: []byte("{")}); err == nil {
		t.Error("a Meta that is no JSON was stored")
	}
	clean(t, c)
	log.WantNone(t)
}

func TestList(t *testing.T) {
	c := open(t, t.TempDir())
	if list, err := c.List(); err != nil || len(list) != 0 {
		t.Fatalf("List of nothing: %v, %v", list, err)
	}
	if c.HasModules("cpp") {
		t.Error("an empty cache has modules")
	}
	for i, name := range []string{"old", "middle", "new"} {
		age(t, build(t, c, name, 1000*(i+1)), time.Duration(3-i)*time.Hour)
	}
	time.Sleep(20 * time.Millisecond) // file times are coarse
	hit(t, c, "old", 1000)
	list, err := c.List()
	if err != nil {
		t.Fatal(err)
	}
	if target := list[0].Target; !c.HasModules(target) || c.HasModules(target+"er") {
		t.Errorf("modules for %q are counted for others, or not at all", target)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Kernel)
		onDisk, err := measure(filepath.Dir(e.Path))
		if err != nil || e.Size != onDisk.size-e.Hits {
			t.Errorf("%s: size %d, and %d bytes on disk with %d hits", e.Kernel, e.Size, onDisk.size, e.Hits)
		}
	}
	// Only hits are uses that have a time: the others sort by when they were built.
	if len(names) != 3 || names[0] != "old" || names[1] != "new" || names[2] != "middle" {
		t.Errorf("List: %v, want the one used last first", names)
	}
	if list[0].Hits != 1 || list[1].Hits != 0 {
		t.Errorf("hits %d and %d, want 1 and 0", list[0].Hits, list[1].Hits)
	}
}

func TestClear(t *testing.T) {
	c := open(t, t.TempDir())
	if n, size, err := c.Clear(); n != 0 || size != 0 || err != nil {
		t.Fatalf("Clear of nothing: %d, %d, %v", n, size, err)
	}
	build(t, c, "a", 1000)
	broken := build(t, c, "b", 1000)
	if err := os.Truncate(broken.Path, 10); err != nil {
		t.Fatal(err)
	}
	if err := c.StoreIndex(key("first"), Record{Second: key("a")}); err != nil {
		t.Fatal(err)
	}
	n, size, err := c.Clear()
	if n != 2 || size < 1010 || err != nil {
		t.Errorf("Clear: %d entries, %d bytes, %v; want 2 and at least 1010", n, size, err)
	}
	if _, ok := c.LookupIndex(key("first")); ok {
		t.Error("a record is left")
	}
	for _, dir := range []string{c.kept.modules(), c.kept.index()} {
		if left, err := readDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left in %s: %v, %v", dir, left, err)
		}
	}
	clean(t, c)
	build(t, c, "a", 1000)
}

// Others clear the cache while modules are built and used: all results are right.
func TestClearWhileBuilding(t *testing.T) {
	log := testenv.Logged(t)
	dir := t.TempDir()
	stop := make(chan struct{})
	var clearing, building sync.WaitGroup
	for range 2 {
		clearing.Go(func() {
			c := open(t, dir)
			for {
				select {
				case <-stop:
					return
				default:
					if _, _, err := c.Clear(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for range 3 {
		c := open(t, dir)
		building.Go(func() {
			for range 100 {
				_, _, err := c.Build(key("k"), func() (*Artifact, error) { return artifact("k", 5000), nil })
				if err != nil {
					t.Error(err)
				}
				if err := c.StoreIndex(key("f"), Record{Second: key("k")}); err != nil {
					t.Error(err)
				}
				if r, ok := c.LookupIndex(key("f")); ok && r.Second != key("k") {
					t.Error("a wrong record")
				}
			}
		})
	}
	building.Wait()
	close(stop)
	clearing.Wait()
	for _, line := range log.Take() {
		// Who clears without a pause may well take what is just written, or what is just read.
		if taken := regexp.MustCompile("removed as soon as it is written|no such file|it is missing"); !taken.MatchString(line) {
			t.Error(line)
		}
	}
	problems, err := open(t, dir).Verify()
	if err != nil || len(problems) > 0 {
		t.Errorf("Verify: %v, %v", problems, err)
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	c := open(t, dir)
	build(t, c, "a", 10)
	hit(t, c, "a", 10)
	if err := c.StoreIndex(key("f"), Record{}); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v: others can read or write it", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "CACHEDIR.TAG")); err != nil {
		t.Error(err)
	}
}

// age makes an entry look as if its last use were that long ago.
func age(t testing.TB, e *Entry, d time.Duration) {
	t.Helper()
	then := time.Now().Add(-d)
	err := filepath.WalkDir(filepath.Dir(e.Path), func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, then, then)
	})
	if err != nil {
		t.Fatal(err)
	}
}

package cache

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/testenv"
)

// A cache that can keep nothing gives right results, and says so once.
func keepsNothing(t *testing.T, c *Cache, log *testenv.Log, warning ...string) {
	t.Helper()
	first := build(t, c, "a", 20_000)
	if len(warning) > 0 {
		log.Want(t, append(warning, "not kept")...)
	}
	second := build(t, c, "b", 20_000)
	if c.Dir() != "" && strings.HasPrefix(first.Path, c.Dir()) {
		t.Errorf("the artifact is in %s, where nothing can be written", first.Path)
	}
	if e := hit(t, c, "a", 20_000); e.Path != first.Path || e.Hits != 1 {
		t.Errorf("a hit gives %s with %d hits, the build gave %s", e.Path, e.Hits, first.Path)
	}
	if text, err := c.Source(key("a")); err != nil || text != artifact("a", 0).Source {
		t.Errorf("Source: %q, %v", text, err)
	}
	if err := c.StoreIndex(key("first"), Record{Second: key("a")}); err != nil {
		t.Error(err)
	}
	if r, ok := c.LookupIndex(key("first")); !ok || r.Second != key("a") {
		t.Errorf("LookupIndex: %+v, %v", r, ok)
	}
	log.WantNone(t)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	for _, e := range []*Entry{first, second} {
		if _, err := os.Stat(e.Path); err == nil {
			t.Errorf("%s is left after Close", e.Path)
		}
	}
	if _, err := c.Get(key("a")); !errors.Is(err, ErrMiss) {
		t.Errorf("Get after Close: %v, want ErrMiss", err)
	}
	build(t, c, "a", 20_000)
}

// ownTemp makes temporary places in a directory of the test.
func ownTemp(t *testing.T) string {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	return dir
}

func TestOff(t *testing.T) {
	log := testenv.Logged(t)
	ownTemp(t)
	t.Setenv("QD_CACHE", "off")
	c := open(t, "")
	if c.Dir() != "" || !errors.Is(c.Disabled(), ErrOff) {
		t.Errorf("Dir %q, Disabled %v", c.Dir(), c.Disabled())
	}
	keepsNothing(t, c, log) // off is what was asked for: no warning
	if list, err := c.List(); len(list) != 0 || err != nil {
		t.Errorf("List: %v, %v", list, err)
	}
	if n, _, err := c.Clear(); n != 0 || err != nil {
		t.Errorf("Clear: %v, %v", n, err)
	}
	if problems, err := c.Verify(); len(problems) != 0 || err != nil {
		t.Errorf("Verify: %v, %v", problems, err)
	}
	if n, _, err := c.Trim(); n != 0 || err != nil {
		t.Errorf("Trim: %v, %v", n, err)
	}
}

func TestNoHome(t *testing.T) {
	log := testenv.Logged(t)
	ownTemp(t)
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData", "home"} {
		t.Setenv(name, "")
	}
	c := open(t, "")
	var place *PlaceError
	if !errors.As(c.Disabled(), &place) || !strings.Contains(place.Error(), "QD_CACHE") {
		t.Errorf("Disabled: %v, want a *PlaceError that says what to do", c.Disabled())
	}
	keepsNothing(t, c, log, "no directory for the cache", "QD_CACHE")
}

// A file in the place of the directory is told before anything is read or written there.
func TestFileAsPlace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file in the path of another one is told in other words there")
	}
	ownTemp(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, why := range map[string]string{file: "it is a file, not a directory", filepath.Join(file, "below"): "a part of its path is not a directory"} {
		log := testenv.Logged(t)
		t.Setenv("QD_CACHE", dir)
		c := open(t, "")
		want := "cache: cannot keep modules in " + dir + ": " + why + "; set QD_CACHE to a directory that can be written to"
		if err := c.Disabled(); err == nil || err.Error() != want {
			t.Errorf("Disabled: %v, want %s", err, want)
		}
		keepsNothing(t, c, log, why, "QD_CACHE")
	}
}

func TestDefaultPlace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the user's cache directory is set in another way here")
	}
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	if got, want := open(t, "").Dir(), filepath.Join(home, "qdgen"); got != want {
		t.Errorf("Dir: %s, want %s", got, want)
	}
	t.Setenv("QD_CACHE", filepath.Join(home, "other"))
	if got, want := open(t, "").Dir(), filepath.Join(home, "other"); got != want {
		t.Errorf("Dir with QD_CACHE: %s, want %s", got, want)
	}
	if got, want := open(t, home).Dir(), home; got != want {
		t.Errorf("Dir of a named directory: %s, want %s", got, want)
	}
}

// A relative directory keeps its meaning when the program changes its own.
func TestRelativePlace(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	c := open(t, "here")
	build(t, c, "k", 10)
	t.Chdir(t.TempDir())
	if e := hit(t, c, "k", 10); !filepath.IsAbs(e.Path) {
		t.Errorf("path %s is relative", e.Path)
	}
}

func TestFileInsteadOfDirectory(t *testing.T) {
	for _, sub := range []string{"", "below", "v1"} {
		t.Run("at "+sub, func(t *testing.T) {
			log := testenv.Logged(t)
			ownTemp(t)
			path := filepath.Join(t.TempDir(), "cache")
			dir := path
			switch sub {
			case "below":
				dir = filepath.Join(path, sub)
			case "v1":
				path = filepath.Join(path, sub)
			}
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), dirPerm), os.WriteFile(path, []byte("x"), filePerm)); err != nil {
				t.Fatal(err)
			}
			keepsNothing(t, open(t, dir), log, "cannot keep modules in "+dir)
			if text, err := os.ReadFile(path); err != nil || string(text) != "x" {
				t.Errorf("somebody's file %s now holds %q, %v", path, text, err)
			}
		})
	}
}

func TestWorldWritable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	log := testenv.Logged(t)
	ownTemp(t)
	dir := t.TempDir()
	build(t, open(t, dir), "planted", 100)
	if err := os.Chmod(filepath.Join(dir, layout), 0o777); err != nil {
		t.Fatal(err)
	}
	c := open(t, dir)
	if _, err := c.Get(key("planted")); !errors.Is(err, ErrMiss) {
		t.Errorf("Get: %v; a module is taken from where everybody can write", err)
	}
	keepsNothing(t, c, log, "everybody can write", "chmod")
}

// helperTemporary makes a temporary place with a module in it, says where, and waits
// to be killed.
func helperTemporary([]string) error {
	c, err := Open("")
	if err != nil {
		return err
	}
	e, _, err := c.Build(key("k"), func() (*Artifact, error) { return artifact("k", 100), nil })
	if err != nil {
		return err
	}
	fmt.Println(e.Path)
	time.Sleep(time.Hour)
	return nil
}

// Temporary places outlive their process only until the next one is made, and are
// not touched before that.
func TestTemporaryPlacesAreSwept(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a lock on a file in a directory that is removed")
	}
	temp := ownTemp(t)
	t.Setenv("QD_CACHE", "off")
	var procs []*os.Process
	var paths []string
	for range 2 {
		cmd := helper(t, "temporary")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if len(procs) == 0 {
			// The first ends; the second lives on.
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
		} else {
			defer cmd.Wait()
			defer cmd.Process.Kill()
		}
		procs, paths = append(procs, cmd.Process), append(paths, strings.TrimSpace(line))
	}
	dirs, err := os.ReadDir(temp)
	if err != nil || len(dirs) != 2 {
		t.Fatalf("temporary places: %v, %v; want 2", dirs, err)
	}
	old := time.Now().Add(-2 * temporaryGrace)
	for _, d := range dirs {
		if err := os.Chtimes(filepath.Join(temp, d.Name()), old, old); err != nil {
			t.Fatal(err)
		}
	}
	build(t, open(t, ""), "k", 100)
	if _, err := os.Stat(paths[0]); err == nil {
		t.Errorf("%s is left by a process that is gone", paths[0])
	}
	if _, err := os.Stat(paths[1]); err != nil {
		t.Errorf("a process that lives has lost its module: %v", err)
	}
}

// A record that could be kept takes the place of one that could not.
func TestRecordKeptAgain(t *testing.T) {
	log := testenv.Logged(t)
	ownTemp(t)
	c := open(t, t.TempDir())
	first := key("first")
	if err := os.MkdirAll(c.kept.root, dirPerm); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.kept.tmp(), nil, filePerm); err != nil { // stands for a disk that is full
		t.Fatal(err)
	}
	for _, second := range []string{"old", "new", "newer"} {
		want := Record{Second: key(second)}
		if err := c.StoreIndex(first, want); err != nil {
			t.Fatal(err)
		}
		if got, ok := c.LookupIndex(first); !ok || got.Second != want.Second {
			t.Errorf("%+v, %t; want %+v", got, ok, want)
		}
		_ = os.Remove(c.kept.tmp()) // no more
	}
	log.Want(t, "not kept")
}

package testcache

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/qdgen/qd/cache"
)

// home gives the test a user's cache directory of its own.
func home(t *testing.T) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", filepath.Join(os.Getenv("HOME"), "caches"))
	if place() != filepath.Join(os.Getenv("XDG_CACHE_HOME"), "qdgen-tests") {
		t.Skip("the user's cache directory is elsewhere on this system")
	}
}

// Of two runs the second one finds the artifacts, and no record of a first key.
func TestDir(t *testing.T) {
	home(t)
	key, first := cache.NewKey("a text"), cache.NewKey("a source")
	built := 0
	for range 2 {
		dir := t.TempDir()
		if err := Dir(dir); err != nil {
			t.Fatal(err)
		}
		c, err := cache.Open(dir)
		if err != nil || c.Disabled() != nil {
			t.Fatal(err, c.Disabled())
		}
		if _, ok := c.LookupIndex(first); ok {
			t.Error("a first key is known from the run before")
		}
		entry, _, err := c.Build(key, func() (*cache.Artifact, error) {
			built++
			return &cache.Artifact{Data: []byte("artifact"), Ext: ".so"}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(entry.Path); string(text) != "artifact" {
			t.Errorf("the artifact is %q, %v", text, err)
		}
		if err := c.StoreIndex(first, cache.Record{Second: key}); err != nil {
			t.Error(err)
		}
	}
	if built != 1 {
		t.Errorf("built %d times", built)
	}
}

func TestValue(t *testing.T) {
	home(t)
	made := 0
	value := func(err error, inputs ...string) int {
		n, got := Value(func() (int, error) { made++; return made, err }, inputs...)
		if !errors.Is(got, err) {
			t.Errorf("the error is %v, want %v", got, err)
		}
		return n
	}
	bad := errors.New("bad")
	value(bad, "x")
	if a, b, c := value(nil, "x"), value(nil, "x"), value(nil, "x", "y"); a != 2 || b != 2 || c != 3 {
		t.Errorf("values are %d, %d, %d", a, b, c)
	}
}

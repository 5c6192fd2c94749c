// Package testcache keeps the output of compilers in tests, for later runs of these tests: an edit
// changes few of a thousand texts. Each run repeats everything before the compiler: parsing,
// lowering, passes, printing. Compiling the same text again with the same compiler would test
// nothing new. Only tests import this package.
package testcache

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/qdgen/qd/cache"
)

// Dir makes dir a directory for QD_CACHE that is new, except for the artifacts: those are kept from run to
// run, in a directory below the user's cache directory. It is not for tests that count what
// is compiled. Without such a directory dir is new altogether.
func Dir(dir string) error {
	kept := place()
	if kept == "" {
		return nil
	}
	// See package cache for the layout. What a first key stands for is not kept: it would
	// spare the tests what they are for.
	for _, name := range []string{"modules", "locks", "tmp"} {
		target := filepath.Join(kept, "v1", name)
		if err := os.MkdirAll(target, 0o700); err != nil {
			return nil // no home, or one that cannot be written to
		}
		if err := os.MkdirAll(filepath.Join(dir, "v1"), 0o700); err != nil {
			return err
		}
		if err := os.Symlink(target, filepath.Join(dir, "v1", name)); err != nil {
			return err
		}
	}
	return nil
}

// place is where artifacts are kept, "" if the user has no cache directory.
func place() string {
	user, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(user, "qdgen-tests")
}

var kept = sync.OnceValues(func() (*cache.Cache, error) {
	dir := place()
	if dir == "" {
		return nil, nil
	}
	return cache.Open(dir)
})

// Value gives what compute makes, from an earlier run if there was one with the same inputs: the
// text, the compiler's identity and all else that decides the value. An error is not kept.
func Value[T any](compute func() (T, error), inputs ...string) (v T, err error) {
	c, err := kept()
	if c == nil || err != nil {
		return compute()
	}
	parts := make([][]byte, len(inputs))
	for i, in := range inputs {
		parts[i] = []byte(in)
	}
	entry, _, err := c.Build(cache.NewKey("value of a test", parts...), func() (*cache.Artifact, error) {
		made, err := compute()
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(made)
		return &cache.Artifact{Data: data, Ext: ".json"}, err
	})
	if err != nil {
		return v, err
	}
	data, err := os.ReadFile(entry.Path)
	if err != nil {
		return compute() // somebody has cleared the cache
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return v, fmt.Errorf("%s: %w", entry.Path, err)
	}
	return v, nil
}

package testenv

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Walk calls do for the files of the checkout at root, and for its directories, with their paths from root on, written
// with slashes. What do returns means what it means to [filepath.WalkDir]. Walk leaves out hidden directories, build,
// where make writes, and the packages that tests of gentest generate. The go command runs a test again if what it has
// opened has changed, and these would change after each test.
func Walk(root string, do func(path string, d fs.DirEntry) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path, err = filepath.Rel(root, path)
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if d.IsDir() && (path == "build" || path == "internal/gentest/testdata" || path != "." && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		return do(path, d)
	})
}

// Embedded is the paths of the files that a Go file embeds, as its lines go:embed name them. The go command need not
// compile its package for that.
func Embedded(file string) (paths []string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		patterns, ok := strings.CutPrefix(line, "//go:embed ")
		if !ok {
			continue
		}
		for _, pattern := range strings.Fields(patterns) {
			names, err := filepath.Glob(filepath.Join(filepath.Dir(file), pattern))
			if err != nil || len(names) == 0 {
				return nil, fmt.Errorf("%s embeds %s: %q, %v", file, pattern, names, err)
			}
			paths = append(paths, names...)
		}
	}
	return paths, nil
}

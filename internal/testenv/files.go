package testenv

import (
	"io/fs"
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

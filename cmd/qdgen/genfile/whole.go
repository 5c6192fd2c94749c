package genfile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// WriteWhole writes a file as a whole or not at all: on a full disk the file is as it was. A file that is there keeps its
// permissions, and so does what a link leads to. What is no plain file, such as a pipe, is written to.
func WriteWhole(path string, text []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := os.FileMode(0o666)
	old, err := os.Stat(path)
	if err == nil && !old.Mode().IsRegular() {
		return os.WriteFile(path, text, mode)
	}
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s-%x.tmp", filepath.Base(path), rand.Uint64()))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode) // with the permissions that the user gives to files
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	defer os.Remove(temp) // fails when all is well
	_, err = f.Write(text)
	if old != nil && err == nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return os.Rename(temp, path)
}

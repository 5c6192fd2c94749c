package genfile

import (
	"fmt"
	"os"
	"path/filepath"
)

// Write puts the file on disk, as a whole or not at all. One that is as it is to be is not
// touched, so that nothing is built anew; one that somebody else wrote is an error.
func (f *File) Write() error {
	if f.Current() {
		return nil
	}
	if f.Exists && !f.mine() {
		return fmt.Errorf("%s was not written by %s; rename it, or remove it", f.Path, f.By)
	}
	temp, err := os.CreateTemp(filepath.Dir(f.Path), "."+filepath.Base(f.Path)+"-*.tmp")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", f.Path, err)
	}
	defer os.Remove(temp.Name()) // fails when all is well
	_, err = temp.Write(f.Text)
	if chmod := temp.Chmod(0o644); err == nil {
		err = chmod
	}
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), f.Path)
}

package gen

import (
	"bytes"
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
	if f.Exists && !bytes.HasPrefix(f.Old, []byte(header)) {
		return fmt.Errorf("%s was not written by qdgen gen; rename it, or remove it", f.Path)
	}
	temp, err := os.CreateTemp(filepath.Dir(f.Path), ".qd_gen-*.tmp")
	if err != nil {
		return err
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

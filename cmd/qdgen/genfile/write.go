package genfile

import "fmt"

// Write puts the file on disk, as a whole or not at all. One that is as it is to be is not
// touched, so that nothing is built anew; one that somebody else wrote is an error.
func (f *File) Write() error {
	if f.Current() {
		return nil
	}
	if f.Exists && !f.mine() {
		return fmt.Errorf("%s was not written by %s; rename it, or remove it", f.Path, f.By)
	}
	return WriteWhole(f.Path, f.Text)
}

package genfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/qdgen/qd/cmd/qdgen/genfile"
)

// A file is replaced as a whole, with its permissions, behind a link, too; nothing else is left in its directory.
func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "page.html"), filepath.Join(dir, "link.html")
	if err := genfile.WriteWhole(file, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("page.html", link); err != nil {
		t.Skip("without symbolic links: ", err)
	}
	if err := genfile.WriteWhole(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	info, statErr := os.Stat(file)
	if err != nil || statErr != nil || string(text) != "new" || info.Mode().Perm() != 0o640 {
		t.Errorf("%q, %v, %v, %v, want new with mode 0640", text, info.Mode(), err, statErr)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v are left, want the file and the link", entries, err)
	}
	if err := genfile.WriteWhole(filepath.Join(dir, "missing", "page.html"), nil); err == nil {
		t.Error("no error without the directory")
	}
}

// What is no plain file is not replaced by one.
func TestWriteWholeToDevice(t *testing.T) {
	if err := genfile.WriteWhole(os.DevNull, []byte("text")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%v is %v (%v) now", os.DevNull, info, err)
	}
	if full := "/dev/full"; genfile.WriteWhole(full, []byte("text")) == nil {
		if _, err := os.Stat(full); err == nil {
			t.Errorf("no error of %s", full)
		}
	}
}

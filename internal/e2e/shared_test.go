//go:build unix && !race

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A sharedProgram is a program of testdata with its source, which tests edit one after the other: it is linked once.
type sharedProgram struct {
	name    string
	dir     string // with the source that the program was built from
	program string
	linked  string // a copy of it
}

func newSharedProgram(t *testing.T, name string) *sharedProgram {
	t.Helper()
	s := &sharedProgram{name: name, dir: copyProgram(t, name)}
	var err error
	s.program, err = buildProgram(s.dir)
	must(t, err)
	s.linked = filepath.Join(t.TempDir(), "linked")
	must(t, os.Rename(s.program, s.linked))
	return s
}

// renew makes the directory what it is where the program has just been built: the source as it was at first, and then the
// program, which is newer than all else there, and older than what is written from now on.
func (s *sharedProgram) renew(t *testing.T) {
	t.Helper()
	must(t, os.RemoveAll(s.dir))
	must(t, os.Mkdir(s.dir, 0o700))
	must(t, copySource(s.dir, s.name))
	if out, err := exec.Command("cp", s.linked, s.program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The times of files are those of a clock that may stand still for some milliseconds.
	const tick = 20 * time.Millisecond
	time.Sleep(tick)
	now := time.Now()
	must(t, os.Chtimes(s.program, now, now))
	time.Sleep(tick)
}

package testmodule

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// keep is how long something is kept that no test has.
const keep = 5 * 24 * time.Hour

// asked counts the programs of each name that this process has asked for.
var asked struct {
	sync.Mutex
	names map[string]int
}

// Build makes a program, or a directory of programs, at a path. What make links with go build is kept below the user's cache
// directory, where make finds it in a later run: go build compares hashes of all source, and links only if something
// has changed. The name is the test's, or what else tells the program from those of others. The second program of a name is
// another one than the first: a test may build one after each edit.
func Build(name, program string, make func(path string) error) error {
	kept, lock, err := keepPlace(name)
	if err != nil || runtime.GOOS == "windows" { // which has no cp
		return make(program) // right, and only slower
	}
	if err := lock.Lock(); err != nil {
		return err
	}
	defer lock.Unlock()
	// Of a program that is half written, as its writer was killed, go build sees only the beginning, and takes it for whole.
	whole := kept + ".whole"
	if err := os.Remove(whole); err != nil {
		if err := os.RemoveAll(kept); err != nil {
			return err
		}
	}
	if err := make(kept); err != nil {
		return err
	}
	now := time.Now()
	return errors.Join(os.Chtimes(kept, now, now), os.WriteFile(whole, nil, 0o600), copyProgram(program, kept))
}

// Keep is a directory for what later runs of tests of this checkout may find. A file there is removed that is older than five
// days.
func Keep(kind string) (dir string, err error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	all := filepath.Join(user, "qdgen-tests", kind)
	dir = filepath.Join(all, checkout())
	return dir, errors.Join(os.MkdirAll(dir, 0o700), trim(all, time.Now().Add(-keep)))
}

// keepPlace is where the next program of a name is kept, with a lock for that.
func keepPlace(name string) (path string, lock *flock.Flock, err error) {
	dir, err := Keep("programs")
	if err != nil {
		return "", nil, err
	}
	asked.Lock()
	defer asked.Unlock()
	if asked.names == nil {
		asked.names = map[string]int{}
	}
	n := asked.names[name]
	asked.names[name]++
	path = filepath.Join(dir, fmt.Sprintf("%s-%d", Plain(name), n))
	return path, flock.New(path + ".lock"), nil
}

// trim removes what got its time before another time, of all checkouts.
func trim(all string, before time.Time) error {
	files, err := filepath.Glob(filepath.Join(all, "*", "*"))
	for _, file := range files {
		info, statErr := os.Stat(file)
		switch {
		case errors.Is(statErr, fs.ErrNotExist): // another process has removed it
		case statErr != nil:
			err = errors.Join(err, statErr)
		case filepath.Ext(file) != ".lock" && info.ModTime().Before(before):
			err = errors.Join(err, removeOld(file, before))
		}
	}
	return err
}

// removeOld removes a file that nobody is about to use, if it is still old.
func removeOld(file string, before time.Time) error {
	name := strings.TrimSuffix(file, ".whole") + ".lock"
	if _, err := os.Stat(name); err == nil {
		lock := flock.New(name)
		if locked, err := lock.TryLock(); err != nil || !locked {
			return err
		}
		defer lock.Unlock()
	}
	if info, err := os.Stat(file); err != nil || !info.ModTime().Before(before) {
		return nil
	}
	return os.RemoveAll(file)
}

// copyProgram copies a program. Another process does that: one that a test starts meanwhile would have the file open until it is
// what it is to be, and a program that somebody may write to cannot be started.
func copyProgram(to, from string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if out, err := exec.Command("cp", "-R", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("cp: %w\n%s", err, out)
	}
	return nil
}

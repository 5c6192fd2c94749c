package testmodule

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// keep is how long something is kept that no test asks for.
const keep = 5 * 24 * time.Hour

// asked counts the programs of each name that this process has asked for.
var asked struct {
	sync.Mutex
	names map[string]int
}

// Build makes a program, or a directory of programs, at a path. The function make calls go build, at another path below the
// user's cache directory. What is linked there stays for a later run, in which go build compares hashes of all source, and
// links only if something has changed. The name is the test's, or another that no other test uses. A test may build a
// program after each edit: the second one of a name has a place of its own.
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

// GoBuild is [Build] with go build, which runs in a directory with an environment, nil for that of this process, and
// arguments.
func GoBuild(name, program, dir string, env []string, args ...string) error {
	return Build(name, program, func(path string) error {
		cmd := exec.Command("go", slices.Concat([]string{"build", "-o", path}, args)...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%s: %w\n%s", cmd, err, out)
		}
		return err
	})
}

// Keep is a directory for what later runs of tests of this checkout may find. Files there are removed after five days.
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

// copyProgram copies a program. A process of its own does that. A program cannot be started while it is open for writing,
// and a process that a test starts meanwhile would inherit the open file of this one.
func copyProgram(to, from string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if out, err := exec.Command("cp", "-R", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("cp: %w\n%s", err, out)
	}
	return nil
}

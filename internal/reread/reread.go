package reread

import (
	"os"
	"sync"
	"time"
)

// A stamp is what the system says of a file without reading it. Who writes to a file, or puts another one in its place,
// changes the stamp: nobody can set the time of a change back.
type stamp struct {
	device, inode uint64
	size          int64
	written       time.Duration // since 1970
	changed       time.Duration // anything of the file, its times too
}

// settled is how old the last change has to be. Systems have clocks that stand still for some milliseconds, and some file
// systems have times in whole or in even seconds: what is written after a file was read may have the time of what was
// written before.
var settled = 3 * time.Second // tests have less

// maxKept is how many bytes of files are kept.
const maxKept = 4 << 20

// kept is what was read lately.
var kept struct {
	sync.Mutex
	files map[string]file
	dirs  map[string]dir
	size  int // of the texts of all files
}

type file struct {
	stamp stamp
	text  []byte
}

type dir struct {
	stamp   stamp
	entries []os.DirEntry
}

// File is [os.ReadFile]. Nobody may change the text: others get the same. A file whose text begins at the same address as
// that of an earlier call has not changed.
func File(name string) ([]byte, error) {
	before, ok := stampOf(name)
	if ok {
		kept.Lock()
		f, found := kept.files[name]
		kept.Unlock()
		if found && f.stamp == before {
			return f.text, nil
		}
	}
	text, err := os.ReadFile(name)
	if err == nil && ok && before.isSettled() && before.isStill(name) {
		keepFile(name, file{before, text})
	}
	return text, err
}

// Dir is [os.ReadDir]. Nobody may change the list. What the entries say of their files beyond names and types may be old.
func Dir(name string) ([]os.DirEntry, error) {
	before, ok := stampOf(name)
	if ok {
		kept.Lock()
		d, found := kept.dirs[name]
		kept.Unlock()
		if found && d.stamp == before {
			return d.entries, nil
		}
	}
	entries, err := os.ReadDir(name)
	if err == nil && ok && before.isSettled() && before.isStill(name) {
		kept.Lock()
		if kept.dirs == nil {
			kept.dirs = map[string]dir{}
		}
		kept.dirs[name] = dir{before, entries}
		kept.Unlock()
	}
	return entries, err
}

// keepFile keeps a file, in the place of all that is kept if that would be too much.
func keepFile(name string, f file) {
	if len(f.text) > maxKept {
		return
	}
	kept.Lock()
	defer kept.Unlock()
	kept.size -= len(kept.files[name].text)
	if kept.files == nil || kept.size+len(f.text) > maxKept {
		kept.files, kept.dirs, kept.size = map[string]file{}, nil, 0
	}
	kept.files[name] = f
	kept.size += len(f.text)
}

// isSettled reports whether a change from now on will have another time.
func (s stamp) isSettled() bool {
	now := time.Duration(time.Now().UnixNano())
	return now-s.changed > settled && now-s.written > settled
}

// isStill reports whether a file has the stamp still.
func (s stamp) isStill(name string) bool {
	now, ok := stampOf(name)
	return ok && now == s
}

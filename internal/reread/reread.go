package reread

import (
	"io"
	"os"
	"sort"
	"time"

	"github.com/qdgen/qd/internal/memo"
)

// A stamp is what the system says of a file without reading it. Who writes to a file, or puts another one in its place,
// changes the stamp: nobody can set the time of a change back. Two kinds of changes are seen late: what is written to memory
// that is mapped to a file, where only the first write to a page changes times; and what another machine writes to a disk
// that both share. Until then callers have the text that they have had before.
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

// maxKept is what each of the two tables of kept may weigh, about in bytes.
const maxKept = 4 << 20

// kept is what was read lately, by name.
var kept = memo.Recent[string, entry]{Most: maxKept}

// An entry is a file with its text, or a directory with its list.
type entry struct {
	stamp stamp
	text  []byte
	list  []os.DirEntry
}

// weight is about how many bytes an entry takes.
func (e entry) weight() int { return 256 + len(e.text) + 128*len(e.list) }

// File is [os.ReadFile]. Nobody may change the text: others get the same. A file whose text begins at the same address as
// that of an earlier call has not changed.
func File(name string) ([]byte, error) {
	if e, ok := find(name); ok && e.list == nil {
		return e.text, nil
	}
	e, err := open(name, func(f *os.File) (e entry, err error) {
		e.text, err = io.ReadAll(f)
		return e, err
	})
	return e.text, err
}

// Dir is [os.ReadDir]. Nobody may change the list. What the entries say of their files beyond names and types may be old.
func Dir(name string) ([]os.DirEntry, error) {
	if e, ok := find(name); ok && e.list != nil {
		return e.list, nil
	}
	e, err := open(name, func(f *os.File) (e entry, err error) {
		e.list, err = f.ReadDir(-1)
		sort.Slice(e.list, func(i, k int) bool { return e.list[i].Name() < e.list[k].Name() })
		if e.list == nil {
			e.list = []os.DirEntry{}
		}
		return e, err
	})
	return e.list, err
}

// find finds what is kept under a name and has not changed.
func find(name string) (entry, bool) {
	now, ok := stampOf(name)
	if !ok {
		return entry{}, false
	}
	e, ok := kept.Load(name)
	return e, ok && e.stamp == now
}

// open opens a file or a directory and reads it. What is kept has the stamp of what was opened, whatever has the name by
// then.
func open(name string, from func(*os.File) (entry, error)) (entry, error) {
	f, err := os.Open(name)
	if err != nil {
		return entry{}, err
	}
	defer f.Close()
	before, ok := stampOfOpen(f)
	e, err := from(f)
	if err != nil || !ok || !before.isSettled() {
		return e, err
	}
	if after, ok := stampOfOpen(f); ok && after == before {
		e.stamp = before
		kept.Store(name, e, e.weight())
	}
	return e, nil
}

// isSettled reports whether a change from now on will have another time.
func (s stamp) isSettled() bool {
	now := time.Duration(time.Now().UnixNano())
	return now-s.changed > settled && now-s.written > settled
}

package cache

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"
)

// Names of the files of an entry; the artifact's has an extension too, without
// which some systems do not load it.
const (
	artifactName = "artifact"
	sourceName   = "source.zst"
	metaName     = "meta.json"
	hitsName     = "hits"
)

// maxMeta bounds what is read of a file that should be small.
const maxMeta = 16 << 20

// An Artifact is a built module, to be stored.
type Artifact struct {
	Kernel string // what it is about; List shows these three
	Target string // "cpp", "cuda"
	Arch   string // "sm_90"; what it was built for

	Data   []byte // the shared library, cubin or PTX
	Ext    string // the file's extension: ".so"
	Source string // the emitted text, kept compressed
	Meta   []byte // what the caller wants to find again, in JSON; may be nil

	packed []byte  // Source, compressed, if that is all there is
	origin *Origin // nil if it was built here
}

// An Entry is a stored module.
type Entry struct {
	Key    Key    `json:"key"`
	Kernel string `json:"kernel"`
	Target string `json:"target"`
	Arch   string `json:"arch"`

	Size    int64     `json:"size"` // of all its files, in bytes
	Created time.Time `json:"created"`
	Used    time.Time `json:"used"` // last use
	Hits    int64     `json:"hits"` // how often it was used since it was built

	// Path is the artifact's file. A cache can be cleared at any time: open it
	// at once, and call Build again should it be gone.
	Path string `json:"path"`

	Meta json.RawMessage `json:"meta,omitempty"` // of the Artifact

	Origin *Origin `json:"origin,omitempty"` // the remote that it comes from, nil if it was built here
}

// meta is the body of an entry's meta.json.
type meta struct {
	Key      Key             `json:"key"`
	Kernel   string          `json:"kernel"`
	Target   string          `json:"target"`
	Arch     string          `json:"arch"`
	Created  time.Time       `json:"created"`
	Artifact fileMeta        `json:"artifact"`
	Source   fileMeta        `json:"source"`
	Meta     json.RawMessage `json:"meta,omitempty"`
	Origin   *Origin         `json:"origin,omitempty"`

	size int64 // of meta.json itself
}

// fileMeta has the expected size and digest of a file of an entry.
type fileMeta struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 Key    `json:"sha256"`
}

// validExt are the extensions of artifacts. What is read from a file may not
// lead out of the entry's directory.
var validExt = regexp.MustCompile(`^(\.[A-Za-z0-9]+)?$`)

// entry is what others see of an entry; hits are not looked up.
func (m *meta) entry(dir string) *Entry {
	return &Entry{
		Key: m.Key, Kernel: m.Kernel, Target: m.Target, Arch: m.Arch,
		Size:    m.Artifact.Size + m.Source.Size + m.size,
		Created: m.Created, Used: m.Created,
		Path: dir + string(filepath.Separator) + m.Artifact.Name,
		Meta: m.Meta, Origin: m.Origin,
	}
}

// check reads the entry of a key and verifies all but the contents of the kept
// source. The error is ErrMiss or a *DamageError.
func (s *store) check(key Key) (*Entry, error) {
	dir := s.module(key)
	m, err := readMeta(dir, key)
	if err == nil {
		err = checkSum(dir, m.Artifact)
	}
	if err == nil {
		err = checkSize(dir, m.Source)
	}
	if err != nil {
		return nil, missOr(dir, err)
	}
	return m.entry(dir), nil
}

// missOr is ErrMiss if the entry or record of that path is not there, or is not
// any more, and err else.
func missOr(path string, err error) error {
	_, gone := os.Lstat(path)
	if errors.Is(gone, fs.ErrNotExist) {
		return ErrMiss
	}
	if gone != nil {
		// Where not even the directory above can be seen, the fault is not in this
		// entry, and there is nothing to repair: who stores one is told.
		if _, hidden := os.Lstat(filepath.Dir(path)); hidden != nil {
			return ErrMiss
		}
	}
	return err
}

// readMeta reads the meta.json of the entry in dir.
func readMeta(dir string, key Key) (*meta, error) {
	path := dir + string(filepath.Separator) + metaName
	data, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	m := &meta{size: int64(len(data))}
	if err := unseal(data, m); err != nil {
		return nil, &DamageError{Path: path, Reason: err.Error()}
	}
	if m.Key != key {
		return nil, &DamageError{Path: path, Reason: "it belongs to the key " + m.Key.String()}
	}
	name, valid := m.Artifact.Name, false
	if len(name) >= len(artifactName) && name[:len(artifactName)] == artifactName {
		valid = validExt.MatchString(name[len(artifactName):])
	}
	if !valid || m.Source.Name != sourceName {
		return nil, &DamageError{Path: path, Reason: fmt.Sprintf("it names the files %q and %q", name, m.Source.Name)}
	}
	return m, nil
}

// readSmall reads a file that a damaged disk or a joker may have made large.
func readSmall(path string) ([]byte, error) {
	f, size, err := openRegular(path, -1)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > maxMeta {
		return nil, &DamageError{Path: path, Reason: fmt.Sprintf("it has %d bytes, more than such a file can have", size)}
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, unreadable(path, err)
	}
	return data, nil
}

// hashBuffers are for reading artifacts, which may be large.
var hashBuffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// checkSum compares a file with what was written.
func checkSum(dir string, want fileMeta) error {
	path := dir + string(filepath.Separator) + want.Name
	f, _, err := openRegular(path, want.Size)
	if err != nil {
		return err
	}
	defer f.Close()
	buf := hashBuffers.Get().(*[64 << 10]byte)
	defer hashBuffers.Put(buf)
	h := sha256.New()
	// The size of a file that is being changed may not be what it was above.
	n, err := io.CopyBuffer(h, struct{ io.Reader }{io.LimitReader(f, want.Size+1)}, buf[:])
	switch {
	case err != nil:
		return unreadable(path, err)
	case n != want.Size:
		return sizeDamage(path, n, want.Size)
	case Key(h.Sum(nil)) != want.SHA256:
		return &DamageError{Path: path, Reason: "its SHA-256 is not what was written"}
	}
	return nil
}

// checkSize compares no more than the size of a file with what was written.
func checkSize(dir string, want fileMeta) error {
	path := dir + string(filepath.Separator) + want.Name
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return unreadable(path, err)
	case !info.Mode().IsRegular():
		return &DamageError{Path: path, Reason: "it is not a regular file"}
	case info.Size() != want.Size:
		return sizeDamage(path, info.Size(), want.Size)
	}
	return nil
}

func sizeDamage(path string, has, want int64) error {
	return &DamageError{Path: path, Reason: fmt.Sprintf("it has %d bytes, but %d were written", has, want)}
}

func unreadable(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &DamageError{Path: path, Reason: "it is missing", Err: nil}
	}
	return &DamageError{Path: path, Reason: "it cannot be read", Err: err}
}

// touch records a use of the entry and completes e with what is recorded. It
// takes no lock: appending one byte is atomic. Where it cannot be written (a
// read-only or full disk) the use goes unrecorded.
func (s *store) touch(e *Entry) {
	path := filepath.Dir(e.Path) + string(filepath.Separator) + hitsName
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|nonblock, filePerm)
	if err != nil {
		e.recorded()
		return
	}
	defer f.Close()
	if _, err := f.Write([]byte{'\n'}); err != nil {
		e.recorded()
		return
	}
	if info, err := f.Stat(); err == nil {
		e.setHits(info)
	}
}

// recorded completes e with the uses that are recorded.
func (e *Entry) recorded() {
	info, err := os.Lstat(filepath.Join(filepath.Dir(e.Path), hitsName))
	if err == nil && info.Mode().IsRegular() {
		e.setHits(info)
	}
}

// setHits completes e with what its file of hits says.
func (e *Entry) setHits(info fs.FileInfo) {
	e.Hits = info.Size()
	// The clock of file times is coarse: a use right after the build can seem to
	// lie before it.
	if used := info.ModTime(); used.After(e.Created) {
		e.Used = used
	}
}

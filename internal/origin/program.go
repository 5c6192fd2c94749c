package origin

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"time"

	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/reread"

	"github.com/qdgen/qd/cache"
)

// A Program is an executable, as far as it tells what it was built from.
type Program struct {
	path  string
	id    string    // of its content, "" if that cannot be had: nothing is proven then
	built time.Time // nothing later than this is in it
	put   time.Time // when it got where it is

	// Where these are known, they are more than that: when the go command has compiled the main package,
	// and when one was started that has built the program so that it be started at once.
	compiled, begun time.Time
	remade          func() answer // what the go command says of the program, asked once

	cache    *cache.Cache
	commit   string          // that it was built from, "" if that is not known or was changed
	versions []string        // of the modules in it, as the module cache has them
	files    func() []string // that it has code from

	mu   sync.Mutex
	dirs map[string]*directory // by their paths
}

// clockError is how far the times of processes and of files may be apart. The go command takes longer
// before it reads source.
const clockError = 20 * time.Millisecond

// started is when the process was, or somewhat later.
var started = time.Now()

// atStart is the executable's file when the process started: elsewhere than on Linux
// another may be in its place by the time it is asked for.
var atStart, errAtStart = statExecutable()

func statExecutable() (os.FileInfo, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Stat(path)
}

// programs are the running program, by the directories of the caches that know of it.
var programs memo.Map[string, *Program]

// Running is the running program, with what is known of it in a cache.
func Running(c *cache.Cache) *Program {
	if p, ok := programs.Load(c.Dir()); ok {
		return p
	}
	p, _ := programs.LoadOrStore(c.Dir(), running(c))
	return p
}

// executable is the name under which the running program's file can be read.
func executable() (string, error) {
	path, err := os.Executable()
	if runtime.GOOS == "linux" {
		path = "/proc/self/exe" // also where the file was replaced since
	}
	return path, err
}

func running(c *cache.Cache) *Program {
	path, err := executable()
	if err != nil {
		return newProgram("", c)
	}
	p := newProgram(path, c)
	if runtime.GOOS != "linux" {
		if now, err := os.Stat(path); err != nil || errAtStart != nil || !os.SameFile(now, atStart) || !now.ModTime().Equal(atStart.ModTime()) {
			p.id = ""
		}
	}
	own, _ := os.Executable()
	told := begunFor(own, os.Getenv(EnvBegun))
	switch byGo := startedByGo(); {
	case !told.IsZero():
		p.begun = told
	case byGo && !processStart(os.Getppid()).IsZero():
		// The go command has read all source since then.
		p.begun = processStart(os.Getppid()).Add(clockError)
	case byGo && isCached(own) && p.built.Before(started):
		// It has just compared the source with what it has kept.
		p.built = started
	case !byGo:
		p.compiled = compiledAt(p.id)
	}
	p.commit, p.versions = stamped()
	return p
}

// EnvBegun is an environment variable that tells a program when the go command was started that has built the program
// to start it at once. What starts it, other than the go command itself, sets it to a text of [Begun]. It is no setting for
// people.
const EnvBegun = "QDGEN_BUILD_BEGUN"

// Begun is a text that tells the program in a file, and no other that it may start, when its build began: at a time that
// [time.Now] has given.
func Begun(at time.Time, path string) string {
	now := time.Now()
	at = asClocked(at, now, now.Sub(at))
	return strconv.FormatInt(at.UnixNano(), 10) + " " + path
}

// asClocked is the time at which something began, to be compared with the times of files. The clock showed at then, and
// shows now after some time has passed. If somebody has set it in between, a file that was changed since then has a time of
// the old setting or of the new one. So the result is the earlier of at, and of now less the time that has passed.
func asClocked(at, now time.Time, ago time.Duration) time.Time {
	at, now = at.Round(0), now.Round(0) // as clocks show them
	if t := now.Add(-ago); t.Before(at) {
		return t
	}
	return at
}

// begunFor is the time that such a text tells a program, zero for none.
func begunFor(path, text string) time.Time {
	at, other, _ := strings.Cut(text, " ")
	ns, err := strconv.ParseInt(at, 10, 64)
	if err != nil || other != path {
		return time.Time{}
	}
	return time.Unix(0, ns)
}

// newProgram is the program in a file.
func newProgram(path string, c *cache.Cache) *Program {
	p := &Program{path: path, cache: c, dirs: map[string]*directory{}}
	p.remade = sync.OnceValue(p.remake)
	p.files = sync.OnceValue(func() []string { return compiledFiles(path) })
	f, err := os.Open(path)
	if err != nil {
		return p
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return p
	}
	p.built, p.put = info.ModTime(), reread.LastChange(info)
	p.id = identify(f)
	return p
}

// ID tells programs apart: what is in two of one ID is the same. It is "" where the
// program's file cannot be read.
func (p *Program) ID() string { return p.id }

// identify gives the build ID of a program, or a hash of it where it has none that
// tells its content.
func identify(f *os.File) string {
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return ""
	}
	if id := buildID(head[:n]); id != "" {
		return id
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return ""
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return "sha256 " + hex.EncodeToString(h.Sum(nil))
}

// goBuildID is a build ID as the go command makes it. Its last part is a hash of the
// program; what other tools and -ldflags=-buildid put there need not be one.
var goBuildID = regexp.MustCompile(`^[\w-]{20}/[\w-]{20}/[\w-]{20}/[\w-]{20}$`)

// buildID finds the build ID at the beginning of a program.
func buildID(head []byte) string {
	var id []byte
	if bytes.HasPrefix(head, []byte("\x7fELF")) {
		// A note: the lengths of the name and of the text, the type 4, the name.
		at := bytes.Index(head, []byte("\x04\x00\x00\x00Go\x00\x00"))
		if at < 8 {
			return ""
		}
		size := int(binary.LittleEndian.Uint32(head[at-4:]))
		if from := at + 8; size <= len(head)-from {
			id = head[from : from+size]
		}
	} else {
		_, rest, _ := bytes.Cut(head, []byte("\xff Go build ID: \""))
		id, _, _ = bytes.Cut(rest, []byte("\"\n \xff"))
	}
	if !goBuildID.Match(id) {
		return ""
	}
	return string(id)
}

// cachedProgram matches the executables that the go command keeps for go run.
var cachedProgram = regexp.MustCompile(`/[0-9a-f]{2}/[0-9a-f]{64}-d/[^/]+$`)

// isCached reports whether a program is one that the go command keeps: it may be older than
// files that have been written since with what they had in them.
func isCached(path string) bool { return cachedProgram.MatchString(filepath.ToSlash(path)) }

// startedByGo reports whether the go command has started the process.
func startedByGo() bool {
	parent := strconv.Itoa(os.Getppid())
	name, err := os.Readlink("/proc/" + parent + "/exe")
	if err != nil {
		if runtime.GOOS == "linux" || runtime.GOOS == "windows" {
			return false
		}
		out, err := exec.Command("ps", "-o", "comm=", "-p", parent).Output()
		if err != nil {
			return false
		}
		name = strings.TrimSpace(string(out))
	}
	return strings.TrimSuffix(filepath.Base(name), ".exe") == "go"
}

// compiledFiles are the Go files that a program has code from, as its line table names
// them, by their absolute names.
func compiledFiles(path string) []string {
	return slices.DeleteFunc(lineTable(path), func(name string) bool { return !filepath.IsAbs(name) })
}

// lineTable are the names of Go files in a program's line table: the texts in it that end like a file's name.
func lineTable(path string) (list []string) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	ending := []byte(".go\x00")
	for rest := data; ; {
		at := bytes.Index(rest, ending)
		if at < 0 {
			return list
		}
		from := bytes.LastIndexByte(rest[max(0, at-4096):at], 0)
		if name := string(rest[max(0, at-4096)+from+1 : at+3]); from >= 0 && filepath.Clean(name) == name {
			list = append(list, name)
		}
		rest = rest[at+len(ending)-1:]
	}
}

package nvrtc

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
)

// A Library is an NVRTC that was found. It is loaded when it is first needed. Its
// methods may be called concurrently.
type Library struct {
	Path  string // of the file, links resolved
	Place string // where it was found

	identity string

	once         sync.Once
	api          *api
	major, minor int // as file names tell until it is loaded
	archs        []int
	openErr      error
}

// newLibrary describes the library of a candidate.
func newLibrary(c Candidate) (*Library, error) {
	l := &Library{Path: c.Path, Place: c.Place, major: c.Major, minor: c.Minor}
	id := fmt.Sprintf("nvrtc %d.%d", c.Major, c.Minor)
	// The functions that code may call are in a file of their own beside it.
	files := []string{c.Path}
	builtins, _ := filepath.Glob(filepath.Join(filepath.Dir(c.Path), fmt.Sprintf("libnvrtc-builtins.so.%d.*", c.Major))) // fails for a bad pattern only
	for _, path := range append(files, builtins...) {
		info, err := os.Stat(path)
		if err != nil {
			c.Err = err
			return nil, &MissingError{Named: named(), Found: []Candidate{c}}
		}
		id += fmt.Sprintf(" %s %d %d", path, info.Size(), info.ModTime().UnixNano())
	}
	l.identity = id
	return l, nil
}

// Identity identifies the library, by its files, their sizes and times. It does not load it. Two
// compiles of a source with the same options and the same identity give the same code.
func (l *Library) Identity() string { return l.identity }

// Open loads the library unless it is loaded already. The other methods call it when needed.
func (l *Library) Open() error {
	l.once.Do(func() {
		if l.api, l.openErr = openAPI(l.Path); l.openErr != nil {
			return
		}
		var major, minor int32
		if l.openErr = l.api.check("nvrtcVersion", l.api.version(&major, &minor)); l.openErr != nil {
			return
		}
		l.major, l.minor = int(major), int(minor)
		if l.archs, l.openErr = l.api.archs(); l.openErr == nil && l.major < Oldest {
			l.openErr = fmt.Errorf("it is from CUDA %d; the oldest supported version is CUDA %d", l.major, Oldest)
		}
	})
	return l.openErr
}

// Version returns the library's CUDA version. If the library cannot be loaded, the version comes
// from its file names.
func (l *Library) Version() (major, minor int) {
	_ = l.Open() // reported by what needs the library
	return l.major, l.minor
}

// String names the library in messages.
func (l *Library) String() string {
	major, minor := l.Version()
	return fmt.Sprintf("NVRTC %d.%d (%s)", major, minor, l.Path)
}

// Archs returns the compute capabilities that the library makes code for, as 10 times the major
// version plus the minor one, ascending: 90 is sm_90. It is nil if the library cannot be loaded, or
// is older than CUDA 11.2, which cannot list them.
func (l *Library) Archs() []int {
	_ = l.Open() // reported by what needs the library
	return slices.Clone(l.archs)
}

// Target returns the architecture to compile for to run on a GPU of a compute capability (90 for
// 9.0): its own architecture if the library knows it, else the newest one before it, as PTX, which
// the driver then compiles. The error is an *ArchError if the library no longer supports such an
// old GPU.
func (l *Library) Target(capability int) (string, error) {
	if err := l.Open(); err != nil {
		return "", l.cannotLoad(err)
	}
	own := fmt.Sprintf("sm_%d", capability)
	if len(l.archs) == 0 || slices.Contains(l.archs, capability) {
		return own, nil
	}
	best := 0
	for _, a := range l.archs {
		if a < capability {
			best = max(best, a)
		}
	}
	if best == 0 {
		return "", &ArchError{Arch: own, Supported: l.Archs(), Library: l.String()}
	}
	return fmt.Sprintf("compute_%d", best), nil
}

// Runs returns the architectures whose cubins a GPU of a compute capability runs, the best first: those of its own
// major version, up to its own.
func Runs(major, minor int) (archs []string) {
	for ; minor >= 0; minor-- {
		archs = append(archs, fmt.Sprintf("sm_%d", 10*major+minor))
	}
	return archs
}

// CheckArch makes sure that the library makes code for an architecture.
func (l *Library) CheckArch(arch string) error {
	_, n, ok := parseArch(arch)
	if archs := l.Archs(); !ok || len(archs) > 0 && !slices.Contains(archs, n) {
		return &ArchError{Arch: arch, Supported: archs, Library: l.String()}
	}
	return nil
}

// parseArch takes an architecture apart: sm_90 and compute_90, and with the
// features of one generation sm_90a, or of one family sm_100f.
func parseArch(arch string) (kind string, capability int, ok bool) {
	m := archForm.FindStringSubmatch(arch)
	if m == nil {
		return "", 0, false
	}
	capability, err := strconv.Atoi(m[2])
	return m[1], capability, err == nil
}

// IsArch reports whether a text has the form of an architecture: sm_90, compute_90, sm_90a.
func IsArch(arch string) bool {
	_, _, ok := parseArch(arch)
	return ok
}

var archForm = regexp.MustCompile(`^(sm|compute)_([0-9]+)[af]?$`)

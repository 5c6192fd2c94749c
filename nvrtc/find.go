package nvrtc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Oldest is the first major version of CUDA that is used: 11 brought C++17 and cubin.
const Oldest = 11

// A Candidate is an NVRTC library that was found.
type Candidate struct {
	Path         string // of the file itself, links resolved
	Place        string // where it was found: "CUDA_HOME", "Python packages"
	Major, Minor int    // as its file names tell; Minor is 0 where they do not
	Err          error  // why it cannot be used; nil if nothing speaks against it
}

// Find returns the newest usable NVRTC: the one that QD_NVRTC names (the library,
// or a directory with it), else the newest that [All] finds. It opens no library.
// The error is a *MissingError.
func Find() (*Library, error) { return FindUpTo(0) }

// FindUpTo is Find among the libraries of CUDA versions up to major: a driver
// loads the code of its own CUDA version and of older ones. 0 stands for any. A
// library that QD_NVRTC names is returned whatever its version.
func FindUpTo(major int) (*Library, error) {
	all := All()
	for _, c := range all {
		if c.Err == nil && (major == 0 || c.Major <= major || named() != "") {
			return newLibrary(c)
		}
	}
	e := &MissingError{Named: named(), Max: major, Found: all}
	if e.Named == "" {
		for _, p := range libraryPlaces() {
			e.Tried = append(e.Tried, p.dirs...)
		}
		e.Tried = append(e.Tried, ldCachePath)
	}
	return nil, e
}

// named is the value of QD_NVRTC.
func named() string { return strings.TrimSpace(os.Getenv("QD_NVRTC")) }

// All returns every NVRTC that is found, the best first: usable before unusable, newer before
// older, and of equal ones the one found first. If QD_NVRTC is set, only the libraries that it
// names are returned.
func All() []Candidate {
	var s scan
	if name := named(); name != "" {
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			s.file("QD_NVRTC", name)
		} else {
			s.dirs("QD_NVRTC", name)
			s.dirs("QD_NVRTC", packageDirs(name)...)
			s.dirs("QD_NVRTC", toolkitDirs(name)...)
		}
	} else {
		for _, p := range libraryPlaces() {
			s.dirs(p.what, p.dirs...)
		}
		// An absent cache is an empty one.
		cache, _ := os.ReadFile(ldCachePath)
		for _, path := range ldCacheLookup(cache, "libnvrtc.so") {
			s.file("the system's libraries", path)
		}
	}
	sort.SliceStable(s.list, func(i, j int) bool {
		a, b := s.list[i], s.list[j]
		if (a.Err == nil) != (b.Err == nil) {
			return a.Err == nil
		}
		if a.Major != b.Major {
			return a.Major > b.Major
		}
		return a.Minor > b.Minor
	})
	return s.list
}

// A scan collects candidates, each file once.
type scan struct{ list []Candidate }

// dirs looks into the directories that the patterns stand for.
func (s *scan) dirs(what string, patterns ...string) {
	for _, pattern := range patterns {
		// Glob fails for a bad pattern only, such as a name with a bracket: then
		// the pattern is no directory of interest.
		files, _ := filepath.Glob(filepath.Join(pattern, "libnvrtc.so*"))
		for _, file := range files {
			s.file(what, file)
		}
	}
}

// file looks at one file.
func (s *scan) file(what, path string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return // a link that leads nowhere
	}
	if real, err = filepath.Abs(real); err != nil {
		return
	}
	if slices.ContainsFunc(s.list, func(c Candidate) bool { return c.Path == real }) {
		return
	}
	c := Candidate{Path: real, Place: what, Err: checkELF(real)}
	c.Major, c.Minor = versionOfFile(real)
	if c.Err == nil && c.Major != 0 && c.Major < Oldest {
		c.Err = fmt.Errorf("it is from CUDA %d; the oldest supported version is CUDA %d", c.Major, Oldest)
	}
	s.list = append(s.list, c)
}

// checkELF tells whether a file is a shared library for this processor, by its
// first bytes: a stub, a library of another processor or half a download would
// otherwise be the newest.
func checkELF(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var head [20]byte
	if _, err := io.ReadFull(f, head[:]); err != nil || !bytes.HasPrefix(head[:], []byte("\x7fELF\x02")) {
		return fmt.Errorf("it is not a 64-bit ELF library")
	}
	machines := map[string]uint16{"amd64": 62, "arm64": 183}
	if want, ok := machines[runtime.GOARCH]; ok && binary.LittleEndian.Uint16(head[18:]) != want {
		return fmt.Errorf("it is for a different processor than this one (%s)", runtime.GOARCH)
	}
	return nil
}

// versionOfFile tells a library's version by its name, libnvrtc.so.12.4.127, or,
// where that has the major version alone, by the name of the file of built-in
// functions beside it, libnvrtc-builtins.so.12.9. (libnvrtc.so.11.2 is the name of
// all from 11.2 to 11.8.) Without either it is 0.
func versionOfFile(path string) (major, minor int) {
	own := versionOfName(path)
	if len(own) >= 3 {
		return own[0], own[1]
	}
	best := own
	builtins, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "libnvrtc-builtins.so.*")) // as above
	for _, b := range builtins {
		v := versionOfName(b)
		if len(v) >= 2 && (len(own) == 0 || v[0] == own[0]) && slices.Compare(v, best) > 0 {
			best = v
		}
	}
	switch len(best) {
	case 0:
		return 0, 0
	case 1:
		return best[0], 0
	}
	return best[0], best[1]
}

// versionOfName returns the numbers after ".so." in a file's name.
func versionOfName(path string) []int {
	_, version, ok := strings.Cut(filepath.Base(path), ".so.")
	if !ok {
		return nil
	}
	var list []int
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		list = append(list, n)
	}
	return list
}

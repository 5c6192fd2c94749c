package clang

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"
)

// oldest and newest are the major versions of clang that are looked for by name,
// as distributions install them: clang++-14. The oldest is the first that compiles
// C++17 with all that emitted code uses.
const oldest, newest = 11, 30

// llvmDirs is where LLVM is installed without being put into PATH: by Debian's
// packages, and by Homebrew's, which leave the first place to Apple's.
var llvmDirs = []string{
	"/usr/lib/llvm-*/bin",
	"/usr/lib/llvm/*/bin",
	"/opt/homebrew/opt/llvm/bin",
	"/usr/local/opt/llvm/bin",
}

// Find finds the C++ compiler: the one that QD_CXX names, else clang in PATH
// under its plain name or the newest of its versioned ones, else clang where it is
// installed outside of PATH, else g++ or c++. It starts no process. The error is a
// *MissingError.
//
// QD_CXX is a path or a name in PATH, with arguments if need be:
// "clang++-19 -g", "ccache clang++". Its flags come last on the command line and so
// win over qdgen's own.
func Find() (*Compiler, error) {
	if named := strings.TrimSpace(os.Getenv("QD_CXX")); named != "" {
		return findNamed(named)
	}
	names := []string{"clang++", "clang"}
	for v := newest; v >= oldest; v-- {
		names = append(names, fmt.Sprintf("clang++-%d", v))
	}
	dirs := pathDirs()
	for _, name := range names {
		for _, dir := range dirs {
			if path, err := lookPath(filepath.Join(dir, name)); err == nil {
				return newCompiler(path, nil)
			}
		}
	}
	for _, pattern := range llvmDirs {
		dirs, _ := filepath.Glob(pattern) // fails for a bad pattern only
		sort.Slice(dirs, func(i, j int) bool { return compareVersions(dirs[i], dirs[j]) > 0 })
		for _, dir := range dirs {
			if path, err := lookPath(filepath.Join(dir, "clang++")); err == nil {
				return newCompiler(path, nil)
			}
		}
	}
	for _, name := range []string{"g++", "c++"} {
		if path, err := lookPath(name); err == nil {
			return newCompiler(path, nil)
		}
	}
	tried := []string{"clang++ and clang", fmt.Sprintf("clang++-%d to clang++-%d in PATH", oldest, newest)}
	tried = append(tried, llvmDirs...)
	return nil, &MissingError{Tried: append(tried, "g++ and c++ in PATH")}
}

// pathDirs returns the directories of PATH that exist, each once. Looking for
// twenty names in all that PATH tends to say would take longer than a warm launch
// may.
func pathDirs() []string {
	var dirs []string
	var infos []os.FileInfo
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if dir == "" {
			dir = "." // as a shell has it
		}
		info, err := os.Stat(dir)
		if err != nil || slices.ContainsFunc(infos, func(i os.FileInfo) bool { return os.SameFile(i, info) }) {
			continue
		}
		if dir, err = filepath.Abs(dir); err != nil {
			continue
		}
		dirs, infos = append(dirs, dir), append(infos, info)
	}
	return dirs
}

// findNamed finds the compiler that QD_CXX names.
func findNamed(named string) (*Compiler, error) {
	// A path may have spaces in it: first try the whole.
	if path, err := lookPath(named); err == nil {
		return newCompiler(path, nil)
	}
	words := strings.Fields(named)
	path, err := lookPath(words[0])
	if err != nil {
		return nil, &MissingError{Named: named, Tried: []string{words[0]}}
	}
	return newCompiler(path, words[1:])
}

// lookPath is exec.LookPath, content with what it finds through a relative entry
// of PATH too.
func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if errors.Is(err, exec.ErrDot) {
		err = nil
	}
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// newCompiler describes the compiler at path. args are those of QD_CXX: what
// precedes the first flag is still part of the command ("ccache clang++").
func newCompiler(path string, args []string) (*Compiler, error) {
	c := &Compiler{Path: path, Timeout: 5 * time.Minute}
	n := slices.IndexFunc(args, func(s string) bool { return strings.HasPrefix(s, "-") })
	if n < 0 {
		n = len(args)
	}
	c.words, c.extra = args[:n], args[n:]
	c.arch, c.archFlags = hostArch()
	c.arch = askedFor(c.arch, c.extra)

	var id strings.Builder
	for _, word := range append([]string{path}, c.words...) {
		if err := identify(&id, word); err != nil {
			return nil, &MissingError{Named: os.Getenv("QD_CXX"), Tried: []string{word}}
		}
	}
	// Those for gcc are always among them: to find out what the compiler is may mean to run it.
	for _, flag := range slices.Concat(required, c.archFlags, optional, onlyGCC, c.extra) {
		fmt.Fprintf(&id, " %s", flag)
	}
	c.identity = id.String()
	return c, nil
}

// identify writes what tells one build of the program from another without
// running it: where it really lies, its size and its time.
func identify(b *strings.Builder, name string) error {
	path, err := lookPath(name)
	if err != nil {
		return err
	}
	// Which name it is called by matters too: a wrapper such as ccache, and clang
	// itself, go by it.
	fmt.Fprintf(b, "%s ", filepath.Base(path))
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "%s %d %d", path, info.Size(), info.ModTime().UnixNano())
	return nil
}

// compareVersions compares two paths, runs of digits by their value: llvm-9 comes
// before llvm-14.
func compareVersions(a, b string) int {
	for a != "" && b != "" {
		da, db := digits(a), digits(b)
		if da == "" || db == "" {
			if a[0] != b[0] {
				return int(a[0]) - int(b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		x, y := strings.TrimLeft(da, "0"), strings.TrimLeft(db, "0")
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
		a, b = a[len(da):], b[len(db):]
	}
	return len(a) - len(b)
}

// digits returns the decimal digits that s begins with.
func digits(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}

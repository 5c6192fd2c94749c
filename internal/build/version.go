package build

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

// module is the import path of qdgen's module.
const module = "github.com/qdgen/qd"

// Version identifies the qdgen that is part of the running program, for the
// cache's keys: the module's version, when it is a released one. A working copy has
// none; there the program's own file stands for it, so that code emitted before a
// change of qdgen is not taken for code emitted after.
var Version = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == module && m.Replace == nil && m.Sum != "" {
				return m.Version
			}
		}
	}
	exe, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	stat, err := os.Stat(exe)
	if err != nil {
		return "unknown"
	}
	return fmt.Sprintf("%s %d %d", exe, stat.Size(), stat.ModTime().UnixNano())
})

// program identifies what the running program was built from, as far as that
// decides which source its kernels have: the versions of its modules, which say
// where packages are, and the tags and the platform, which say which files belong to
// them: of embedded packages all files are at hand, whatever the tags.
var program = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return describe(info)
})

// describe writes down what program is made of.
func describe(info *debug.BuildInfo) string {
	var b strings.Builder
	// The main module's version is that of a commit, which changes nothing.
	fmt.Fprintf(&b, "%s %s", info.GoVersion, info.Main.Path)
	for _, m := range info.Deps {
		for ; m != nil; m = m.Replace {
			fmt.Fprintf(&b, "\n%s %s %s", m.Path, m.Version, m.Sum)
		}
	}
	for _, s := range info.Settings {
		// Nor do the linker's flags.
		if !strings.HasPrefix(s.Key, "vcs") && s.Key != "-ldflags" {
			fmt.Fprintf(&b, "\n%s=%s", s.Key, s.Value)
		}
	}
	return b.String()
}

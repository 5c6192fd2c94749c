package build

import (
	"fmt"
	"os"
	"runtime/debug"
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

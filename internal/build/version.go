package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/origin"
)

// module is the import path of qdgen's module.
const module = "github.com/qdgen/qd"

// Version identifies the qdgen in the running program, for the keys of the cache. It is the version of the module, if
// this is a released one. For a working copy it is a hash of the source of its packages: a change of qdgen changes all
// keys, and a program that is rebuilt for another reason finds all its kernels. If this source is not proven to be that
// of the program, it is a hash of the program.
func Version(o *origin.Program, c *cache.Cache) string {
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == module && m.Replace == nil && m.Sum != "" {
				return m.Version
			}
		}
	}
	if o.ID() == "" {
		return fmt.Sprintf("process %d %d", os.Getpid(), time.Now().UnixNano())
	}
	// What a program has in it does not change.
	kept := cache.NewKey("version of qdgen", []byte(o.ID()))
	rec, ok := c.LookupIndex(kept)
	if !ok {
		if rec, ok = c.FetchRecord(kept); ok {
			_ = c.StoreIndex(kept, rec)
		}
	}
	if ok {
		return "text " + rec.Second.String()
	}
	file := gort.FrameOf(gort.PC(0)).File
	text, err := ownText(filepath.Dir(filepath.Dir(filepath.Dir(file))))
	if err != nil || !o.AllProven(text) {
		return "program " + o.ID()
	}
	var parts [][]byte
	for _, f := range text {
		parts = append(parts, []byte(filepath.Base(f.Name)), f.Src)
	}
	sum := cache.NewKey("qdgen", parts...)
	_ = c.StoreIndex(kept, cache.Record{Second: sum, Shared: kept})
	return "text " + sum.String()
}

// ownPackages are the directories of the packages that decide what is made of a kernel: those of
// this module that package qd imports, and what they embed.
var ownPackages = []string{
	".", "cache", "clang", "compile", "emit", "emit/cpp", "emit/cpp/elementary", "emit/cuda", "emit/prelude",
	"frontend", "frontend/check", "frontend/comptime", "frontend/desugar", "frontend/diag", "frontend/eval", "frontend/initial", "frontend/load", "frontend/load/stubs", "frontend/lower",
	"internal/bug", "internal/build", "internal/dl", "internal/gort", "internal/memo", "internal/origin", "internal/parallel", "internal/printf", "internal/report", "internal/reread", "internal/single", "internal/tempdir",
	"internal/runtime/cpu", "internal/runtime/cuda", "internal/runtime/device", "internal/runtime/dims", "internal/runtime/dump", "internal/runtime/encoding", "internal/runtime/failure",
	"internal/runtime/fault", "internal/runtime/gorun", "internal/runtime/kernel", "internal/runtime/launch", "internal/runtime/registry", "internal/runtime/tape", "internal/runtime/tune",
	"nvrtc", "ssa", "ssa/analysis", "ssa/analysis/live", "ssa/gradient", "ssa/interp", "ssa/opt", "ssa/target", "ssa/target/abi", "ssa/target/declare", "ssa/target/hint", "ssa/target/narrow", "ssa/target/outofssa", "ssa/target/split", "ssa/target/tiles", "ssa/target/widen",
}

// ownText reads the files of qdgen's own packages, but for their tests.
func ownText(root string) (files []load.File, err error) {
	if !filepath.IsAbs(root) {
		return nil, errors.New("the program was built with -trimpath")
	}
	for _, dir := range ownPackages {
		dir = filepath.Join(root, filepath.FromSlash(dir))
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			f := load.File{Name: filepath.Join(dir, e.Name())}
			if f.Src, err = os.ReadFile(f.Name); err != nil {
				return nil, err
			}
			files = append(files, f)
		}
	}
	return files, nil
}

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

package load

import (
	"bufio"
	"bytes"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// modules are where the packages that one directory can import are: what the go
// command knows from go.mod and go.work.
type modules struct {
	main     []moduleDir              // the enclosing module first, then those of its workspace
	replaced map[string][]replacement // by module path
	required map[string]string        // module path to version
	vendor   []string                 // vendor directories
	cache    string                   // the module cache's directory
}

// moduleDir is a module with source on disk.
type moduleDir struct{ path, dir string }

// replacement is a replace directive.
type replacement struct {
	version string         // that it is for, "" for every one
	dir     string         // a local directory, or
	module  module.Version // a module in the cache
}

// findModules reads the go.mod that governs a directory, and its go.work. What
// is missing or malformed is left out: go build has had its say before.
func findModules(dir string) *modules {
	m := &modules{
		replaced: make(map[string][]replacement),
		required: make(map[string]string),
		cache:    moduleCache(),
	}
	root := Enclosing(dir, "go.mod")
	if root == "" {
		return m
	}
	m.add(root)
	m.addWorkspace(root)
	return m
}

// Enclosing finds the nearest directory from dir upwards with a file in it, ""
// if there is none.
func Enclosing(dir, file string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, file)); err == nil && !info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// add makes a module one of the main ones.
func (m *modules) add(dir string) {
	name := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return
	}
	f, err := modfile.Parse(name, text, nil)
	if err != nil { // of a later Go, perhaps; without replace directives, then
		f, err = modfile.ParseLax(name, text, nil)
	}
	if err != nil || f.Module == nil {
		return
	}
	m.main = append(m.main, moduleDir{f.Module.Mod.Path, dir})
	for _, r := range f.Require {
		// Of several versions the highest is used. (So it is of all modules in the build;
		// go.mod lists those that matter.)
		if old := m.required[r.Mod.Path]; old == "" || semver.Compare(old, r.Mod.Version) < 0 {
			m.required[r.Mod.Path] = r.Mod.Version
		}
	}
	m.addReplacements(dir, f.Replace)
	m.addVendor(dir)
}

func (m *modules) addReplacements(dir string, list []*modfile.Replace) {
	for _, r := range list {
		to := replacement{version: r.Old.Version, module: r.New}
		if r.New.Version == "" {
			to.dir = filepath.FromSlash(r.New.Path)
			if !filepath.IsAbs(to.dir) {
				to.dir = filepath.Join(dir, to.dir)
			}
		}
		m.replaced[r.Old.Path] = append(m.replaced[r.Old.Path], to)
	}
}

func (m *modules) addVendor(dir string) {
	vendor := filepath.Join(dir, "vendor")
	if _, err := os.Stat(filepath.Join(vendor, "modules.txt")); err == nil {
		m.vendor = append(m.vendor, vendor)
	}
}

// addWorkspace adds what the go.work has that the module at root is used by, if
// there is one.
func (m *modules) addWorkspace(root string) {
	var work string
	switch env := os.Getenv("GOWORK"); env {
	case "off":
		return
	case "":
		dir := Enclosing(root, "go.work")
		if dir == "" {
			return
		}
		work = filepath.Join(dir, "go.work")
	default:
		work = env
	}
	text, err := os.ReadFile(work)
	if err != nil {
		return
	}
	f, err := modfile.ParseWork(work, text, nil)
	if err != nil {
		return
	}
	dir := filepath.Dir(work)
	var uses []string
	for _, u := range f.Use {
		use := filepath.FromSlash(u.Path)
		if !filepath.IsAbs(use) {
			use = filepath.Join(dir, use)
		}
		uses = append(uses, use)
	}
	if !slices.Contains(uses, root) {
		return // the go command would refuse; the module can still do without
	}
	for _, use := range uses {
		if use != root {
			m.add(use)
		}
	}
	m.addReplacements(dir, f.Replace)
	m.addVendor(dir)
}

// pathOf is the import path of a directory of the main modules, "" for others.
func (m *modules) pathOf(dir string) string {
	best, bestLen := "", -1
	for _, mod := range m.main {
		rel, err := filepath.Rel(mod.dir, dir)
		if err == nil && filepath.IsLocal(rel) && len(mod.dir) > bestLen {
			best, bestLen = path.Join(mod.path, filepath.ToSlash(rel)), len(mod.dir)
		}
	}
	return best
}

// dirs are the directories where the package with an import path may be, the
// likeliest first: the longest module path decides, as for the go command.
func (m *modules) dirs(importPath string) []string {
	if module.CheckImportPath(importPath) != nil {
		return nil // "../x", and what is no path at all
	}
	var dirs []string
	main := slices.Clone(m.main)
	sort.SliceStable(main, func(i, j int) bool { return len(main[i].path) > len(main[j].path) })
	for _, mod := range main {
		if rel, ok := within(importPath, mod.path); ok && !nested(mod.dir, rel) {
			dirs = append(dirs, filepath.Join(mod.dir, rel))
		}
	}
	for _, vendor := range m.vendor {
		dirs = append(dirs, filepath.Join(vendor, filepath.FromSlash(importPath)))
	}
	for p := importPath; p != "." && p != "/"; p = path.Dir(p) {
		rel, _ := within(importPath, p)
		for _, root := range m.roots(p) {
			dirs = append(dirs, filepath.Join(root, rel))
		}
	}
	return dirs
}

// within divides an import path after a module path.
func within(importPath, modulePath string) (rel string, ok bool) {
	if importPath == modulePath {
		return "", true
	}
	rel, ok = strings.CutPrefix(importPath, modulePath+"/")
	return filepath.FromSlash(rel), ok
}

// nested reports whether a directory of a module belongs to another module
// inside it.
func nested(root, rel string) bool {
	for rel != "" && rel != "." {
		if _, err := os.Stat(filepath.Join(root, rel, "go.mod")); err == nil {
			return true
		}
		rel = filepath.Dir(rel)
	}
	return false
}

// roots are the directories where a required module may be.
func (m *modules) roots(modulePath string) []string {
	version := m.required[modulePath]
	for _, r := range m.replaced[modulePath] {
		switch {
		case r.version != "" && r.version != version:
		case r.dir != "":
			return []string{r.dir}
		default:
			return m.cached(r.module)
		}
	}
	roots := m.cached(module.Version{Path: modulePath, Version: version})
	// A kernel of a dependency is built with the versions of the program, not with
	// those of the dependency's own go.mod: the running program knows them.
	if v, ok := builtWith()[modulePath]; ok {
		roots = append(roots, m.cached(v)...)
	}
	return roots
}

// cached is where the module cache has a module, if anywhere.
func (m *modules) cached(v module.Version) []string {
	if v.Version == "" || m.cache == "" {
		return nil
	}
	escapedPath, err := module.EscapePath(v.Path)
	if err != nil {
		return nil
	}
	escapedVersion, err := module.EscapeVersion(v.Version)
	if err != nil {
		return nil
	}
	return []string{filepath.Join(m.cache, filepath.FromSlash(escapedPath)+"@"+escapedVersion)}
}

// builtWith are the modules of the running program, as they were replaced.
var builtWith = sync.OnceValue(func() map[string]module.Version {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	versions := make(map[string]module.Version, len(info.Deps))
	for _, dep := range info.Deps {
		as := dep
		if dep.Replace != nil {
			as = dep.Replace
		}
		versions[dep.Path] = module.Version{Path: as.Path, Version: as.Version}
	}
	return versions
})

// inModules reports whether a package is of a module of the running program.
func inModules(path string) bool {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" {
		if _, ok := within(path, info.Main.Path); ok {
			return true
		}
	}
	for module := range builtWith() {
		if _, ok := within(path, module); ok {
			return true
		}
	}
	return false
}

// moduleCache is the module cache's directory, found as the go command does: in
// the environment, in the file that "go env -w" writes, by default.
func moduleCache() string {
	env := goEnvFile()
	get := func(name string) string {
		if v := os.Getenv(name); v != "" {
			return v
		}
		return env[name]
	}
	if dir := get("GOMODCACHE"); dir != "" {
		return dir
	}
	if list := filepath.SplitList(get("GOPATH")); len(list) > 0 && list[0] != "" {
		return filepath.Join(list[0], "pkg", "mod")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, "go", "pkg", "mod")
}

// goEnvFile reads the file that "go env -w" writes.
func goEnvFile() map[string]string {
	name := os.Getenv("GOENV")
	if name == "off" {
		return nil
	}
	if name == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return nil
		}
		name = filepath.Join(dir, "go", "env")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	env := make(map[string]string)
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), "="); ok {
			env[name] = value
		}
	}
	return env
}

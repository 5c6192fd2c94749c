//go:build unix && !race

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testmodule"
)

// A fresh clone has all that the first command of the README needs: it draws a
// picture on a machine without a compiler, and says so, and on one with a compiler.
func TestFreshClone(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	clone := filepath.Join(root, "clone")
	cloneCheckout(t, clone)
	needTools(t, "make", "git")
	status := func() string {
		out, err := exec.Command("git", "-C", clone, "status", "--porcelain", "--ignored").Output()
		must(t, err)
		return string(out)
	}
	before := status()

	m := newMachine(t)
	m.useGoCaches()
	// So it is anyway where there is no C compiler; this way all is built once.
	m.env["CGO_ENABLED"] = "0"
	// In place of the checkout what is the same in the clone need not be built again.
	dir, mounts := testenv.Root(), []string{testenv.Root() + "=" + clone}
	if err := noNamespaces(t); err != nil {
		t.Log(err)
		dir, mounts = clone, nil
		m.env["GOFLAGS"] = quickBuild
	}
	demo := func(hide bool) *result {
		t.Helper()
		cmd := m.command("make", "demo")
		cmd.Dir = dir
		all := mounts
		if hide {
			all = append(hiddenCompilers(t), mounts...)
		}
		if len(all) > 0 || hide {
			cmd = m.withMounts(cmd, all...)
		}
		r := m.wait(cmd).ok()
		picture := filepath.Join(clone, "mandelbrot.png")
		if n := colours(decode(t, picture)); n < 1000 {
			t.Errorf("the picture has %d colours", n)
		}
		must(t, os.Remove(picture))
		return r
	}
	t.Run("with a compiler", func(t *testing.T) {
		goodCompiler(t)
		if r := demo(false); !strings.Contains(r.stdout, "running on cpu") && !strings.Contains(r.stdout, "running on cuda") {
			t.Errorf("make demo prints\n%s", r.stdout)
		}
	})
	t.Run("without", func(t *testing.T) {
		m.t = t
		m.env["PATH"] = pathOf(t, "go", "git", "make", "sh")
		r := demo(true)
		if !strings.Contains(r.stdout, "running on go") || !strings.Contains(r.stdout, "no C++ compiler and no GPU was found") {
			t.Errorf("make demo prints\n%s", r.stdout)
		}
	})
	// The picture was all.
	if after := status(); after != before {
		t.Errorf("before make demo:\n%safter it:\n%s", before, after)
	}
}

// The module as others get it: by the go command, from a proxy, with a version.
func TestReleasedModule(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	proxy := t.TempDir()
	release(t, proxy, "v0.9.0")
	m := newMachine(t)
	m.useGoCaches()
	own := m.env["GOMODCACHE"]
	m.env["GOMODCACHE"] = emptyModules(t)
	m.env["GOFLAGS"] = "-modcacherw " + withoutDebug + " " + quickBuild
	m.env["GOSUMDB"] = "off"
	m.env["CGO_ENABLED"] = "0"
	m.env["GOPROXY"] = fmt.Sprintf("file://%s,file://%s", proxy, filepath.Join(own, "cache", "download"))

	dir, err := newDir(t.Name())
	must(t, err)
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "stranger"))))
	for _, args := range [][]string{
		{"mod", "init", "example.com/stranger"},
		{"get", "github.com/qdgen/qd"},
	} {
		cmd := m.command("go", args...)
		cmd.Dir = dir
		m.wait(cmd).ok()
	}
	build := func(tags string) (program string) {
		t.Helper()
		program = filepath.Join(dir, "program"+tags)
		must(t, testmodule.Build("e2e-"+t.Name()+tags, program, func(path string) error {
			cmd := m.command("go", "build", "-tags="+tags, "-o", path, ".")
			cmd.Dir = dir
			m.wait(cmd).ok()
			return nil
		}))
		return program
	}
	program := build("")
	m.counting("")
	kernels := []string{"saxpy", "wave", "step", "count"}
	args := append([]string{"-device", "cpu"}, kernels...)
	m.run(program, args...).right("cpu", kernels...).compiled("saxpy", "wave", "Step", "count")
	m.wantCompiles(2)
	m.run(program, args...).right("cpu", kernels...).cached("saxpy", "wave", "Step", "count")

	// A released version stands for qdgen in the cache's keys, whatever program it
	// is part of. What distinguishes programs of the same source has to be in them
	// too: here, which files the build tags choose.
	edit(t, filepath.Join(dir, "kernels.go"), "func square(x float64) float64 {\n\treturn x * x\n}\n", "")
	for name, text := range map[string]string{
		"square.go": "//go:build !cube\n\npackage main\n\nfunc square(x float64) float64 { return x * x }\n",
		"cube.go":   "//go:build cube\n\npackage main\n\nfunc square(x float64) float64 { return x * x * x }\n",
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	build("")
	build("cube")
	m.run(program, "-device", "cpu", "wave").right("cpu", "wave")
	m.wantCompiles(0)
	for _, compiles := range []int{1, 0} {
		onGo := m.run(program+"cube", "-device", "go", "wave").ok().stdout
		onCPU := m.run(program+"cube", "-device", "cpu", "wave").ok().stdout
		if strings.Replace(onGo, " go ", " cpu ", 1) != onCPU || strings.Contains(onGo, expected(t, "wave")) {
			t.Errorf("with the tag: %s%s", onGo, onCPU)
		}
		m.wantCompiles(compiles)
		m.run(program, "-device", "cpu", "wave").right("cpu", "wave")
		m.wantCompiles(0)
	}
}

// quickBuild is for GOFLAGS where all of package qd is built anew for a test: the compiler
// does not optimize it, which is half of its work. Programs are built as ever.
const quickBuild = `'-gcflags=github.com/qdgen/qd/...=-N -l'`

// emptyModules is an empty directory for GOMODCACHE, which has the same path each time the test runs in this checkout:
// what is compiled there is known to the go command again. It has another path once there is another file, or source
// imports something else, for the go command keeps what it knows of the files of a module there, which never change.
// The directory is the test's alone while it runs, and removed behind it.
func emptyModules(t *testing.T) string {
	t.Helper()
	user, err := os.UserCacheDir()
	if err != nil {
		return filepath.Join(t.TempDir(), "modules")
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s", testenv.Root(), t.Name())
	for _, name := range checkoutFiles(t) {
		text, err := os.ReadFile(filepath.Join(testenv.Root(), name))
		must(t, err)
		text = indexed(name, text)
		fmt.Fprintf(h, " %s %d %s", name, len(text), text)
	}
	dir := filepath.Join(user, "qdgen-tests", "modules", fmt.Sprintf("%016x", h.Sum64()))
	must(t, os.MkdirAll(dir, 0o700))
	lock := flock.New(filepath.Join(dir, "lock"))
	if ok, err := lock.TryLock(); err != nil || !ok { // the same tests run twice at the same time
		return filepath.Join(t.TempDir(), "modules")
	}
	modules := filepath.Join(dir, "modules")
	t.Cleanup(func() {
		must(t, os.RemoveAll(modules))
		must(t, lock.Unlock())
	})
	must(t, os.RemoveAll(modules)) // of a run that was killed
	return modules
}

// sourceExtensions are those of files of which the go command keeps the build constraints.
var sourceExtensions = []string{".go", ".mod", ".c", ".h", ".s", ".S", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".m", ".f", ".F", ".f90", ".for", ".swig", ".swigcxx", ".syso"}

// indexed is the part of a file that the go command keeps to list packages: of Go the build constraints, the package
// and the imports, and of what is no source nothing. The rest it reads when it compiles.
func indexed(name string, text []byte) []byte {
	isTest := strings.HasSuffix(name, "_test.go") // which nobody runs there
	if isTest || !slices.Contains(sourceExtensions, filepath.Ext(name)) {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ImportsOnly)
	if filepath.Ext(name) != ".go" || err != nil || bytes.Contains(text, []byte("//go:embed")) {
		return text
	}
	end := f.Name.End()
	for _, spec := range f.Imports {
		end = max(end, spec.End())
	}
	return text[:fset.Position(end).Offset]
}

// useGoCaches has the machine's go command use what this one has built and downloaded.
func (m *machine) useGoCaches() {
	m.t.Helper()
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOTOOLCHAIN").Output()
	must(m.t, err)
	env := map[string]string{}
	must(m.t, json.Unmarshal(out, &env))
	for name, value := range env {
		m.env[name] = value
	}
	m.env["GOENV"] = "off"
}

// cloneCheckout clones this checkout and brings what is not committed along: the
// clone is what others would get if everything were committed that git does not ignore.
func cloneCheckout(t *testing.T, clone string) {
	t.Helper()
	root := testenv.Root()
	needTools(t, "git")
	// Not by a look at .git, which changes with each git status: go test would run this package again.
	top, err := exec.Command("git", "-C", root, "rev-parse", "--show-toplevel").Output()
	if err != nil {
		t.Skip("this checkout is not git's: ", err)
	}
	if within, err := filepath.EvalSymlinks(root); err != nil || strings.TrimSpace(string(top)) != within {
		t.Skipf("this checkout is not git's, but part of %s", top)
	}
	if out, err := exec.Command("git", "clone", "--quiet", root, clone).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	kept := checkoutFiles(t)
	for _, name := range kept {
		text, err := os.ReadFile(filepath.Join(root, name))
		must(t, err)
		to := filepath.Join(clone, name)
		if there, err := os.ReadFile(to); err == nil && bytes.Equal(text, there) {
			continue
		}
		info, err := os.Stat(filepath.Join(root, name))
		must(t, err)
		must(t, os.MkdirAll(filepath.Dir(to), 0o777))
		must(t, os.WriteFile(to, text, info.Mode().Perm()))
	}
	out, err := exec.Command("git", "-C", clone, "ls-files", "-z").Output()
	must(t, err)
	for name := range strings.SplitSeq(strings.Trim(string(out), "\x00"), "\x00") {
		if !slices.Contains(kept, name) {
			must(t, os.Remove(filepath.Join(clone, name)))
		}
	}
}

// checkoutFiles are the files of this checkout that are committed, or would be.
func checkoutFiles(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = testenv.Root()
	out, err := cmd.Output()
	if err != nil {
		t.Skip("git does not know this checkout: ", err)
	}
	var list []string
	for name := range strings.SplitSeq(strings.Trim(string(out), "\x00"), "\x00") {
		info, err := os.Lstat(filepath.Join(cmd.Dir, name))
		if err == nil && info.Mode().IsRegular() && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// release makes a version of this checkout in the directory of a module proxy.
func release(t *testing.T, proxy, version string) {
	t.Helper()
	dir := filepath.Join(proxy, "github.com", "qdgen", "qd", "@v")
	must(t, os.MkdirAll(dir, 0o777))
	var list []zip.File
	for _, name := range checkoutFiles(t) {
		list = append(list, zipFile{name})
	}
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	must(t, err)
	must(t, zip.Create(f, module.Version{Path: "github.com/qdgen/qd", Version: version}, list))
	must(t, f.Close())
	mod, err := os.ReadFile(filepath.Join(testenv.Root(), "go.mod"))
	must(t, err)
	writeFile(t, filepath.Join(dir, version+".mod"), string(mod))
	writeFile(t, filepath.Join(dir, version+".info"), fmt.Sprintf(`{"Version": %q, "Time": "2020-01-01T00:00:00Z"}`, version))
	writeFile(t, filepath.Join(dir, "list"), version+"\n")
}

// zipFile is a file of this checkout by its name in it.
type zipFile struct{ name string }

func (f zipFile) full() string                 { return filepath.Join(testenv.Root(), f.name) }
func (f zipFile) Path() string                 { return filepath.ToSlash(f.name) }
func (f zipFile) Lstat() (os.FileInfo, error)  { return os.Lstat(f.full()) }
func (f zipFile) Open() (io.ReadCloser, error) { return os.Open(f.full()) }

// needTools skips the test where one of the programs is missing.
func needTools(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
}

// pathOf is a PATH with those programs and no others.
func pathOf(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path, err := exec.LookPath(name)
		must(t, err)
		path, err = filepath.Abs(path)
		must(t, err)
		must(t, os.Symlink(path, filepath.Join(dir, name)))
	}
	return dir
}

//go:build unix && !race

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/qdgen/qd/internal/testenv"
)

// A fresh clone has all that the first command of the README needs: it draws a
// picture on a machine without a compiler, and says so, and on one with a compiler.
func TestFreshClone(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	clone := filepath.Join(root, "clone")
	cloneCheckout(t, clone)
	needTools(t, "make", "git")

	m := newMachine(t)
	m.useGoCaches()
	demo := func(hide bool) *result {
		t.Helper()
		cmd := m.command("make", "demo")
		cmd.Dir = clone
		if hide {
			cmd = m.withMounts(cmd, hiddenCompilers(t)...)
		}
		r := m.wait(cmd).ok()
		picture := filepath.Join(clone, "mandelbrot.png")
		if n := colours(decode(t, picture)); n < 10_000 {
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
	out, err := exec.Command("git", "-C", clone, "status", "--porcelain", "--ignored").Output()
	must(t, err)
	before, err := exec.Command("git", "-C", clone, "diff", "--name-only", "HEAD").Output()
	must(t, err)
	for line := range strings.Lines(string(out)) {
		// What differs because it was put there.
		if name := strings.TrimSpace(line[2:]); !slices.Contains(strings.Fields(string(before)), name) && strings.HasPrefix(line, "!!") {
			t.Errorf("make demo leaves %s", name)
		}
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
	m.env["GOMODCACHE"] = filepath.Join(m.dir, "modules")
	m.env["GOFLAGS"] = "-modcacherw"
	m.env["GOSUMDB"] = "off"
	m.env["CGO_ENABLED"] = "0"
	m.env["GOPROXY"] = fmt.Sprintf("file://%s,file://%s", proxy, filepath.Join(own, "cache", "download"))

	dir := filepath.Join(m.dir, "mine")
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "stranger"))))
	for _, args := range [][]string{
		{"mod", "init", "example.com/stranger"},
		{"get", "github.com/qdgen/qd"},
		{"build", "-o", "program", "."},
	} {
		cmd := m.command("go", args...)
		cmd.Dir = dir
		m.wait(cmd).ok()
	}
	program := filepath.Join(dir, "program")
	m.counting("")
	kernels := []string{"saxpy", "wave", "step", "count"}
	args := append([]string{"-device", "cpu"}, kernels...)
	m.run(program, args...).right("cpu", kernels...).compiled("saxpy", "wave", "Step", "count")
	m.wantCompiles(len(kernels))
	m.run(program, args...).right("cpu", kernels...).cached("saxpy", "wave", "Step", "count")

	// A released version stands for qdgen in the cache's keys, whatever program it
	// is part of. So these are found by the user's source alone, and it has to be
	// complete: another file, and another set of tags.
	edit(t, filepath.Join(dir, "kernels.go"), "func square(x float64) float64 {\n\treturn x * x\n}\n", "")
	results := map[string]bool{}
	for tag, body := range map[string]string{"!cube": "x * x", "cube": "x * x * x"} {
		writeFile(t, filepath.Join(dir, strings.Trim(tag, "!")+tag[:1]+".go"),
			fmt.Sprintf("//go:build %s\n\npackage main\n\nfunc square(x float64) float64 { return %s }\n", tag, body))
	}
	m.compiles()
	for i, tags := range []string{"", "cube", "", "cube"} {
		cmd := m.command("go", "build", "-tags="+tags, "-o", "program", ".")
		cmd.Dir = dir
		m.wait(cmd).ok()
		onGo := m.run(program, "-device", "go", "wave").ok().stdout
		onCPU := m.run(program, "-device", "cpu", "wave").ok().stdout
		if strings.Replace(onGo, " go ", " cpu ", 1) != onCPU {
			t.Errorf("with the tags %q: %s%s", tags, onGo, onCPU)
		}
		results[onCPU] = true
		if n := m.compiles(); n > 0 && i != 1 {
			t.Errorf("with the tags %q: %d compiles", tags, n)
		}
	}
	if len(results) != 2 {
		t.Errorf("the tag makes no difference: %v", results)
	}
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
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("this checkout is not git's: ", err)
	}
	needTools(t, "git")
	if out, err := exec.Command("git", "clone", "--quiet", "--no-hardlinks", root, clone).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	kept := checkoutFiles(t)
	for _, name := range kept {
		text, err := os.ReadFile(filepath.Join(root, name))
		must(t, err)
		info, err := os.Stat(filepath.Join(root, name))
		must(t, err)
		to := filepath.Join(clone, name)
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

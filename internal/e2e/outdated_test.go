//go:build unix && !race

package e2e

import (
	"fmt"
	"hash/fnv"
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

// An outdatedTest is the program outdated, which is generated and then edited.
type outdatedTest struct {
	*machine
	dir string
}

func newOutdatedTest(t *testing.T) *outdatedTest {
	t.Helper()
	goodCompiler(t)
	dir := copyProgram(t, "outdated")
	return &outdatedTest{newMachine(t), dir}
}

// build builds the program. It is there without its source: what go build takes out of names, and a place of its own.
func (o *outdatedTest) build(env ...string) (program string) {
	o.t.Helper()
	built := filepath.Join(o.dir, "program")
	must(o.t, testmodule.Build("e2e-"+o.t.Name(), built, func(path string) error {
		args := []string{"build", withoutDebug, "-gcflags=example.com/...=-trimpath=" + o.dir + "=>example.com/outdated", "-o", path, "."}
		return goCommand(o.dir, slices.Concat(inModule, env), args...)
	}))
	program = filepath.Join(o.machine.dir, "program")
	must(o.t, os.Rename(built, program))
	return program
}

// prints fails the test unless the program prints the same on every device.
func (o *outdatedTest) prints(program, want string) {
	o.t.Helper()
	for _, device := range []string{"go", "cpu"} {
		if r := o.run(program, "-device", device).ok(); r.stdout != want+"\n" {
			o.t.Errorf("device %s prints %swant %s", device, r.stdout, want)
		}
	}
}

// A file that is added to a package, or one that no kernel has reached, may come to declare what the other files
// mean by a name. That qd_gen.go is from before does not matter.
func TestAddedFile(t *testing.T) {
	t.Parallel()
	o := newOutdatedTest(t)
	writeFile(t, filepath.Join(o.dir, "other.go"), "package main\n\nfunc unused() {}\n")
	generate(t, o.dir, "./...")
	o.prints(o.build(), "[19 19]")
	writeFile(t, filepath.Join(o.dir, "added.go"), "package main\n\nfunc (t T) M() int { return 100 * t.V }\n\nfunc help(x int) int { return x + 1 }\n")
	edit(t, filepath.Join(o.dir, "main.go"), "func help(x int) int { return x + 1 }\n", "")
	o.prints(o.build(), "[1009 1009]")
	edit(t, filepath.Join(o.dir, "other.go"), "func unused() {}", "func max(x, y int) int { return 50 + x + y }")
	o.prints(o.build(), "[1059 1060]")
	generate(t, o.dir, "--check", "./...")
}

// The files of a package's tests are files of the package in the program that go test makes.
func TestAddedTestFile(t *testing.T) {
	t.Parallel()
	for _, generated := range []bool{false, true} {
		o := newOutdatedTest(t)
		if generated {
			generate(t, o.dir, "./...")
		}
		writeFile(t, filepath.Join(o.dir, "main_test.go"), `package main

import "testing"

func (t T) M() int { return 100 * t.V }

func TestRun(t *testing.T) {
	for _, device := range []string{"go", "cpu"} {
		if err := run(device); err != nil {
			t.Error(err)
		}
	}
}
`)
		program := filepath.Join(o.dir, "tests")
		must(t, testmodule.Build("e2e-"+t.Name(), program, func(path string) error {
			return goCommand(o.dir, inModule, "test", "-c", "-o", path, ".")
		}))
		if r := o.run(program).ok(); strings.Count(r.stdout, "[1009 1009]\n") != 2 {
			t.Errorf("generated %v: the tests print\n%s", generated, r.stdout)
		}
	}
}

// A package that embeds itself in parts, as a file of an older qdgen has it, is read from disk, and nowhere else.
func TestEmbeddedParts(t *testing.T) {
	t.Parallel()
	o := newOutdatedTest(t)
	generate(t, o.dir, "./...")
	edit(t, filepath.Join(o.dir, "qd_gen.go"), "//go:embed [^._]*.go", "//go:embed main.go")
	writeFile(t, filepath.Join(o.dir, "added.go"), "package main\n\nfunc (t T) M() int { return 100 * t.V }\n")
	built, err := buildProgram(o.dir)
	must(t, err)
	o.prints(built, "[1009 1009]")
	o.run(o.build(), "-device", "cpu").fails("*qd.SourceError", "main.sum", "some of the package's files", "run qdgen gen")
}

// Of a package that is being worked on, only what it embeds itself is what the program was built from.
func TestEditedHelper(t *testing.T) {
	t.Parallel()
	o := newOutdatedTest(t)
	const note = "kernels of example.com/outdated need a qd_gen.go in package example.com/outdated/lib too"
	if out := generate(t, o.dir); !strings.Contains(out, note) {
		t.Errorf("qdgen gen prints\n%s", out)
	}
	o.run(o.build(), "-device", "cpu").fails("*qd.Diagnostics", "main.go:24:", "example.com/outdated/lib is not available", "run qdgen gen ./...")
	if out := generate(t, o.dir, "./..."); out != "" {
		t.Errorf("qdgen gen ./... prints\n%s", out)
	}
	if out := generate(t, o.dir); out != "" {
		t.Errorf("where the files are there, qdgen gen prints\n%s", out)
	}
	edit(t, filepath.Join(o.dir, "lib", "lib.go"), "return 2 * x", "return 20 * x")
	o.prints(o.build(), "[37 37]")
	generate(t, o.dir, "--check", "./...")
}

// releaseScale makes versions of a module in the directory of a module proxy, v1.N.0 with a function that
// multiplies by N.
func releaseScale(t *testing.T, proxy, path string, numbers ...int) {
	t.Helper()
	versions := filepath.Join(proxy, path, "@v")
	must(t, os.MkdirAll(versions, 0o777))
	list := ""
	for _, n := range numbers {
		version := fmt.Sprintf("v1.%d.0", n)
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "go.mod"), "module "+path+"\n")
		writeFile(t, filepath.Join(dir, "scale.go"), fmt.Sprintf("package scale\n\nfunc By(x int) int { return %d * x }\n", n))
		f, err := os.Create(filepath.Join(versions, version+".zip"))
		must(t, err)
		must(t, zip.CreateFromDir(f, module.Version{Path: path, Version: version}, dir))
		must(t, f.Close())
		writeFile(t, filepath.Join(versions, version+".mod"), "module "+path+"\n")
		writeFile(t, filepath.Join(versions, version+".info"), fmt.Sprintf(`{"Version": %q}`, version))
		list += version + "\n"
	}
	writeFile(t, filepath.Join(versions, "list"), list)
}

// thisFile is this one, in the directory that tests run in.
const thisFile = "outdated_test.go"

// borrowModules is the directory of the go command for modules, for a test that downloads a module of a path that is
// its own. In another directory all that qd imports would have another path, and be compiled again, and with it most of
// qd. forget removes the module. Only one run of the test in this checkout has it at a time.
func borrowModules(t *testing.T, path string) (dir string, forget func()) {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	must(t, err)
	dir = strings.TrimSpace(string(out))
	lock := flock.New(thisFile) // one that is there anyway, and that the go command does not lock
	must(t, lock.Lock())
	forget = func() {
		for _, pattern := range []string{path + "@*", filepath.Join("cache", "download", path)} {
			places, err := filepath.Glob(filepath.Join(dir, pattern))
			must(t, err)
			for _, place := range places {
				must(t, os.RemoveAll(place))
			}
		}
	}
	forget() // of a run that was killed
	t.Cleanup(func() {
		forget()
		must(t, lock.Unlock())
	})
	return dir, forget
}

// TestBorrowedModules leaves nothing behind.
func TestBorrowedModules(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Run("borrow", func(t *testing.T) {
		borrowModules(t, "qdgen-none.example")
		free, err := flock.New(thisFile).TryLock()
		must(t, err)
		if free {
			t.Error("two tests have the modules at a time")
		}
	})
	left, err := os.ReadDir(dir)
	must(t, err)
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// The text of another module's package counts where the program was built with the version that it is of.
func TestOtherModuleVersion(t *testing.T) {
	t.Parallel()
	o := newOutdatedTest(t)
	h := fnv.New32a()
	fmt.Fprint(h, testenv.Root())
	path := fmt.Sprintf("qdgen-scale-%08x.example", h.Sum32())
	modules, forget := borrowModules(t, path)
	proxy := t.TempDir()
	releaseScale(t, proxy, path, 3, 4)
	env := slices.Concat(inModule, []string{"CGO_ENABLED=0", "GOSUMDB=off", "GOFLAGS=-mod=mod -modcacherw", "GOMODCACHE=" + modules, "GOPROXY=file://" + proxy})
	program, err := qdgenProgram()
	must(t, err)
	gen := func() {
		t.Helper()
		cmd := exec.Command(program, "gen", "./...")
		cmd.Dir, cmd.Env = o.dir, slices.Concat(os.Environ(), env)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("qdgen gen ./...: %v\n%s", err, out)
		}
	}
	must(t, goCommand(o.dir, env, "get", path+"@v1.3.0"))
	edit(t, filepath.Join(o.dir, "main.go"), "lib.Double(1)", "lib.Double(scale.By(1))")
	edit(t, filepath.Join(o.dir, "main.go"), `"example.com/outdated/lib"`, `"example.com/outdated/lib"`+"\n\tscale \""+path+`"`)
	gen()
	three := o.build(env...)
	must(t, os.Rename(three, three+"3"))
	must(t, goCommand(o.dir, env, "get", path+"@v1.4.0"))
	four := o.build(env...)
	must(t, os.Rename(four, four+"4"))
	gen()
	again := o.build(env...)
	forget()

	o.prints(three+"3", "[23 23]")
	o.run(four+"4", "-device", "cpu").fails("*qd.Diagnostics", path+"@v1.3.0, but was not built with that copy", "run qdgen gen")
	o.prints(again, "[25 25]")
}

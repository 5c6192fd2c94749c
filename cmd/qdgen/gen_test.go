package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/qdgen/qd/internal/origin"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testmodule"
)

var update = flag.Bool("update", false, "write the expected outputs anew")

// inModule are the settings of the go command in a module of newModule. Nothing is downloaded: what the module requires,
// this checkout does too.
var inModule = []string{"GOFLAGS=-mod=mod -ldflags=-w", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=0"}

// newModule writes the files of an archive as a module that uses this checkout. A
// directory with a go.mod is a module that it requires.
func newModule(t *testing.T, archive []byte) (dir string) {
	t.Helper()
	dir = testmodule.Dir(t)
	testmodule.Write(t, dir, "example.com/app")
	mod := read(t, filepath.Join(dir, "go.mod"))
	for _, f := range txtar.Parse(archive).Files {
		write(t, filepath.Join(dir, f.Name), string(f.Data))
		if sub, ok := strings.CutSuffix(f.Name, "/go.mod"); ok {
			mod += fmt.Sprintf("\nrequire example.com/%s v0.0.0\n\nreplace example.com/%[1]s => ./%[1]s\n", sub)
		}
	}
	write(t, filepath.Join(dir, "go.mod"), mod)
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// replace edits a file.
func replace(t *testing.T, name, old, text string) {
	t.Helper()
	before := read(t, name)
	if !strings.Contains(before, old) {
		t.Fatalf("%s has no %q", name, old)
	}
	write(t, name, strings.ReplaceAll(before, old, text))
}

// goTool runs the go command in a module.
func goTool(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cache := t.TempDir() // for programs that are run
	if err := testcache.Dir(cache); err != nil {
		t.Fatal(err)
	}
	cmd.Dir, cmd.Env = dir, slices.Concat(os.Environ(), inModule, []string{"QD_CACHE=" + cache})
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// buildIn builds the program of a module's directory. It does not link one that an earlier run has linked. The program is
// run with the variable, as emit --program does: else it would see that it is older than the files of this run, and build
// itself to compare.
func buildIn(t *testing.T, dir, program string) (variable string) {
	t.Helper()
	begun := time.Now()
	if err := os.Remove(program); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	goTool(t, dir, "run", "-exec="+binary+" "+copyProgram, ".", program)
	return origin.EnvBegun + "=" + origin.Begun(begun, program)
}

// app is the module of testdata/gen/app.txtar.
func app(t *testing.T) string {
	t.Helper()
	archive, err := os.ReadFile("testdata/gen/app.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return newModule(t, archive)
}

// generated are the files that gen writes for the module of app.
var generated = []string{"qd_gen.go", "lib/qd_gen.go", "plain/qd_gen.go", "vals/qd_gen.go"}

// aboutExt is what gen says of a package of another module that is in a directory.
var aboutExt = []string{"note: kernels of example.com/app/lib need a qd_gen.go in package example.com/ext too: name it on the command line"}

// What is generated is what is expected, compiles with what needs it, and is not changed by
// generating it again.
func TestGen(t *testing.T) {
	t.Parallel()
	dir := app(t)
	qdgen(t, dir, inModule, "gen", "./...").want(t, 0, nil, aboutExt)
	for _, name := range generated {
		golden := filepath.Join("testdata/gen", strings.ReplaceAll(strings.TrimSuffix(name, "qd_gen.go"), "/", "_")+"gen.golden")
		text := read(t, filepath.Join(dir, name))
		if *update {
			write(t, golden, text)
		}
		if want := read(t, golden); text != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, text, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "ext/qd_gen.go")); err == nil {
		t.Error("ext/qd_gen.go is there, which nobody has asked for")
	}
	goTool(t, dir, "vet", "./...")

	qdgen(t, dir, inModule, "gen", "--check", "./...").want(t, 0, nil, aboutExt)
	before, err := os.Stat(filepath.Join(dir, "lib/qd_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	qdgen(t, filepath.Join(dir, "lib"), inModule, "gen").want(t, 0, nil, aboutExt)
	after, err := os.Stat(filepath.Join(dir, "lib/qd_gen.go"))
	if err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("a current file was written again: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "vals/qd_gen.go")); err != nil {
		t.Fatal(err)
	}
	qdgen(t, filepath.Join(dir, "lib"), inModule, "gen").want(t, 0, nil, []string{"note: kernels of example.com/app/lib need a qd_gen.go in package example.com/app/vals too"})
	if left, _ := filepath.Glob(filepath.Join(dir, "lib", ".qd_gen*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A file that was generated before the source was edited, and does not compile any more, is
// found out of date and written anew.
func TestGenStale(t *testing.T) {
	t.Parallel()
	dir := app(t)
	qdgen(t, dir, inModule, "gen", "./...").want(t, 0, nil, aboutExt)
	lib := filepath.Join(dir, "lib/lib.go")
	before := read(t, filepath.Join(dir, "lib/qd_gen.go"))

	// A comment and another line change nothing.
	replace(t, lib, "//qd:kernel\nfunc Saxpy", "//\n// Nor the last.\n//\n//qd:kernel\nfunc Saxpy")
	qdgen(t, dir, inModule, "gen", "--check", "./lib").want(t, 1, []string{"lib/qd_gen.go is out of date: line ", "Nor the last."}, []string{"note: "})
	replace(t, lib, "// Nor the last.\n//\n", "")
	replace(t, lib, "const third", "// A comment.\n\nconst third")
	qdgen(t, dir, inModule, "gen", "--check", "./...").want(t, 0, nil, aboutExt)

	replace(t, lib, "Saxpy", "Axpy")
	replace(t, lib, "Scale", "Factor")
	replace(t, filepath.Join(dir, "lib/host.go"), "LaunchSaxpy", "LaunchAxpy")
	if err := os.Rename(filepath.Join(dir, "lib/types.go"), filepath.Join(dir, "lib/vec.go")); err != nil {
		t.Fatal(err)
	}
	qdgen(t, dir, inModule, "gen", "-check", "./...").want(t, 1, []string{"lib/qd_gen.go is out of date: line "}, aboutExt)
	if read(t, filepath.Join(dir, "lib/qd_gen.go")) != before {
		t.Error("--check has written the file")
	}
	qdgen(t, dir, inModule, "gen", "./...").want(t, 0, nil, aboutExt)
	goTool(t, dir, "vet", "./...")

	write(t, filepath.Join(dir, "vals/qd_gen.go"), "// Code generated by qdgen gen. DO NOT EDIT.\n\nnot Go at all")
	qdgen(t, dir, inModule, "gen", "--check", "./...").want(t, 1, []string{"vals/qd_gen.go is out of date: line 3 is\n\tnot Go at all\nbut should be\n\tpackage vals\n"}, aboutExt)
	qdgen(t, dir, inModule, "gen", "./...").want(t, 0, nil, aboutExt)
	if err := os.Remove(filepath.Join(dir, "vals/qd_gen.go")); err != nil {
		t.Fatal(err)
	}
	qdgen(t, dir, inModule, "gen", "--check", "./...").want(t, 1, []string{"vals/qd_gen.go does not exist\n"}, aboutExt)

	write(t, filepath.Join(dir, "vals/qd_gen.go"), "package vals // by hand\n")
	qdgen(t, dir, inModule, "gen", "--check", "./...").want(t, 1, []string{"vals/qd_gen.go was not written by qdgen gen\n"}, aboutExt)
	qdgen(t, dir, inModule, "gen", "./...").want(t, 1, nil, append(aboutExt, "vals/qd_gen.go was not written by qdgen gen; rename it, or remove it"))
}

// Static expressions have the values that docs/language.md says, on each device, in each process that
// finds them in the cache, and with a generated file that is out of date.
func TestGenBinding(t *testing.T) {
	t.Parallel()
	archive, err := os.ReadFile("testdata/gen/binding.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := newModule(t, archive)
	program := filepath.Join(dir, "program")
	env := append(os.Environ(), "QD_CACHE="+t.TempDir())
	build := func() { env = append(env, buildIn(t, dir, program)) }
	run := func(c string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, c)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	runs := func(initial, c int, compiled bool) {
		t.Helper()
		var want strings.Builder
		for _, device := range []string{"go", "cpu"} {
			for i := range 2 {
				c := c + i
				fmt.Fprintf(&want, "%s [%d %d 5 %d %d %d 1 %d] [17]\n", device, initial, c+1, []int{5, 20}[i], c*1000+1, 1+c, c)
			}
		}
		fmt.Fprintln(&want, compiled)
		if got := run(fmt.Sprint(c)); got != want.String() {
			t.Errorf("with %d:\n%swant\n%s", c, got, want.String())
		}
	}

	qdgen(t, dir, inModule, "gen").want(t, 0, nil, nil)
	build()
	runs(1700, 42, true)
	runs(1700, 42, false) // by the first key
	runs(1700, 50, true)  // by it there is a program of other values
	runs(1700, 42, false)

	replace(t, filepath.Join(dir, "main.go"), "C * 100", "C * 10")
	qdgen(t, dir, inModule, "gen", "--check").want(t, 1, []string{"qd_gen.go is out of date"}, nil)
	qdgen(t, dir, inModule, "vet", ".").want(t, 1, nil, []string{"main.go:32:19: qd.Static(C * 10) has its value from the initialization of the package, but it reads C, which is assigned at", "run qdgen gen in package example.com/app"})
	build()
	got := run("42")
	if n := strings.Count(got, "qd.Static(C * 10) has its value from the initialization of the package, but it reads C, which "); n != 2 || strings.Count(got, "run qdgen gen") != 2 {
		t.Errorf("with a generated file that is out of date:\n%s", got)
	}

	qdgen(t, dir, inModule, "gen").want(t, 0, nil, nil)
	qdgen(t, dir, inModule, "vet", ".").want(t, 0, nil, nil)
	build()
	runs(170, 42, true)
}

// The errors of all kernels are reported; files of other packages are written.
func TestGenErrors(t *testing.T) {
	t.Parallel()
	dir := app(t)
	write(t, filepath.Join(dir, "bad/bad.go"), `package bad

import "github.com/qdgen/qd"

//qd:kernel
func one(t qd.Thread, x []int) { go func() {}() }

//qd:kernel
func two(t qd.Thread, x []int) { x[t.ID()] = undefined }

// qd:kernel
func three(t qd.Thread, x []int) { x[t.ID()] = 1 }
`)
	r := qdgen(t, dir, inModule, "gen", "./...")
	r.want(t, 1, nil, []string{"bad/bad.go:6:34: go statements are not supported", "bad/bad.go:9:46: undefined: undefined", "bad/bad.go:11:1: // qd:kernel is not the directive"})
	for _, name := range generated {
		if !bytes.HasPrefix([]byte(read(t, filepath.Join(dir, name))), []byte("// Code generated by qdgen gen. DO NOT EDIT.\n")) {
			t.Errorf("%s is not generated", name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "bad/qd_gen.go")); err == nil {
		t.Error("a file was written for the package with errors")
	}
	qdgen(t, dir, inModule, "gen", "./plain").want(t, 1, nil, []string{"no kernels found"})
	qdgen(t, dir, inModule, "gen", "main.go").want(t, 2, nil, []string{"gen writes a file for a whole package"})
	qdgen(t, dir, inModule, "gen", "./nowhere").want(t, 1, nil, []string{"./nowhere does not exist"})
}

// In a module that does not require package qd nothing is a kernel. What the go command says of it is shown.
func TestGenWithoutRequirement(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module app\n\ngo 1.26.0\n")
	write(t, filepath.Join(dir, "main.go"), "package main\n\nimport \"github.com/qdgen/qd\"\n\n//qd:kernel\nfunc k(t qd.Thread, x []int) { x[t.ID()] = 1 }\n\nfunc main() {}\n")
	for _, args := range [][]string{{"gen"}, {"gen", "./..."}} {
		qdgen(t, dir, inModule, args...).want(t, 1, nil, []string{"main.go:3:8: ", " package github.com/qdgen/qd"})
	}
}

// What a file does not have is told, and what it is to have is where build constraints
// allow.
// TestGenStaticsOnOneLine warns of qd.Static that device go cannot tell apart.
func TestGenStaticsOnOneLine(t *testing.T) {
	t.Parallel()
	dir := newModule(t, []byte(`-- k.go --
package k

import "github.com/qdgen/qd"

var gain, offset, table = 2.0, 3.0, [2]float64{4, 5}

var count = 6

func scaled() float64 { return 10 * gain }

func set() { gain, offset, count = 7, 8, 9 }

//qd:kernel
func apart(t qd.Thread, n qd.Const[int], x []float64) {
	x[0] = qd.Static(gain) +
		qd.Static(offset)
	x[1] = qd.Static(gain) + float64(qd.Static(count))
	x[2] = qd.Static(table[0]) + qd.Static(table[1])
	x[3] = qd.Static(scaled())
}

//qd:kernel
func together(t qd.Thread, n qd.Const[int], x []float64) {
	x[0] = qd.Static(gain) + qd.Static(offset)
	x[1] = qd.Static(table[0]) * qd.Static(scaled())
	x[2] = qd.Static(gain) * float64(qd.Static(n.V))
}
`))
	r := qdgen(t, dir, inModule, "gen")
	r.want(t, 0, nil, []string{
		"note: k.go:24:9: device go cannot tell this qd.Static from another one on its line, and it reads gain, which is assigned at k.go:11; begin each on a separate line\n",
		"note: k.go:24:27: device go cannot tell this qd.Static from another one on its line, and it reads offset, which is assigned at k.go:11; begin each on a separate line\n",
		"note: k.go:25:31: device go cannot tell this qd.Static from another one on its line, and it reads gain, which is assigned at k.go:11; ",
		"note: k.go:26:9: device go cannot tell this qd.Static from another one on its line, and it reads gain, which is assigned at k.go:11; ",
	})
	if n := strings.Count(r.stderr, "note: "); n != 4 {
		t.Errorf("%d notes:\n%s", n, r.stderr)
	}
	qdgen(t, dir, inModule, "vet").want(t, 0, nil, []string{"warning: k.go:25:31: device go cannot tell this qd.Static from another one"})
}

func TestGenNotes(t *testing.T) {
	t.Parallel()
	dir := newModule(t, []byte(`-- k_linux.go --
package k

import "github.com/qdgen/qd"

type P struct{ n int }

//qd:kernel
func (p P) hidden(t qd.Thread, x []int) { x[t.ID()] = p.n }

//qd:kernel
func (p P) Other(t qd.Thread, x []int) { x[t.ID()] = p.n }

//qd:kernel
func (p P) Kernel(t qd.Thread, x []int) { x[t.ID()] = p.n + width }

//qd:kernel
func locals[T qd.Number](t qd.Thread, x []T, n qd.Const[int]) {
	type pair struct{ a, b int }
	p := pair{n.V, 2}
	f := func(i int) int { return i + 1 }
	x[t.ID()] = T(qd.Static(count(p.a) + p.b))
	x[t.ID()] += T(qd.Static(count(int(T(2)))))
	x[t.ID()] += T(qd.Static(f(3)))
	x[t.ID()] += T(qd.Static(count(n.V)))
	var a [3]int
	const size = len(a)
	x[t.ID()] += T(qd.Static(count(size)))
	const one = width2 - 1
	const width2 = 7
	x[t.ID()] += T(qd.Static(count(one + width2)))
}

const width2 = 2

func count(n int) int { return n }
-- width.go --
//go:build !windows

package k

var width = 3
`))
	r := qdgen(t, dir, inModule, "gen")
	r.want(t, 0, nil, []string{
		"note: k_linux.go:8:12: there is no launch function for P.hidden: a kernel that is a method needs an exported name",
		"note: k_linux.go:11:12: there is no launch function for P.Other: if a type has several kernels, only the one named Kernel has a launch function",
		"note: k_linux.go:21:16: qd.Static(count(p.a) + p.b) is left to the compiler of kernels: the type of p cannot be named outside of locals",
		"note: k_linux.go:22:17: qd.Static(count(int(T(2)))) is left to the compiler of kernels: it has types that cannot be named outside of locals",
		"note: k_linux.go:27:17: qd.Static(count(size)) is left to the compiler of kernels: constant size uses names that only locals has",
		"note: k_linux.go:30:17: qd.Static(count(one + width2)) is left to the compiler of kernels: width2 has two meanings in it and in the constants of locals that it needs",
	})
	if n := strings.Count(r.stderr, "note: "); n != 6 {
		t.Errorf("%d notes:\n%s", n, r.stderr)
	}
	text := read(t, filepath.Join(dir, "qd_gen.go"))
	for _, part := range []string{
		"\n//go:build !windows && linux\n", "//go:embed [^._]*.go\n", `"width": &width`,
		`"count(n.V)", func(n qd.Const[int]) int {`, "func LaunchP[X qdreg.SliceArg[int]](p P, dim qd.Dims, x X) error {",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("there is no %q in\n%s", part, text)
		}
	}
	goTool(t, dir, "vet", ".")
}

// The command runs as a tool of a module, as go generate has it run.
func TestGenAsTool(t *testing.T) {
	t.Parallel()
	dir := newModule(t, []byte("-- k.go --\npackage k\n\nimport \"github.com/qdgen/qd\"\n\n//go:generate go tool qdgen gen\n\n//qd:kernel\nfunc K(t qd.Thread, x []int) { x[t.ID()] = 1 }\n"))
	goTool(t, dir, "get", "-tool", "github.com/qdgen/qd/cmd/qdgen")
	goTool(t, dir, "generate", "./...")
	goTool(t, dir, "vet", "./...")
	if text := read(t, filepath.Join(dir, "qd_gen.go")); !strings.Contains(text, "func LaunchK[X qdreg.SliceArg[int]](dim qd.Dims, x X) error {") {
		t.Error(text)
	}
}

// What function literals read that are given to kernels as values is in generated files, wherever they stand.
func TestGenLiterals(t *testing.T) {
	t.Parallel()
	archive, err := os.ReadFile("testdata/gen/literals.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := newModule(t, archive)
	qdgen(t, dir, inModule, "gen", "./...").want(t, 0, nil, nil)
	program := filepath.Join(dir, "program")
	begun := buildIn(t, dir, program)
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "QD_CACHE="+t.TempDir(), begun)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const want = " 30 60 33 240 64 76 -67 83 -77 55\n 33 63 34 246 65 77 -68 84 -78 56\ntrue\ntrue\n"
	if string(out) != want+want {
		t.Errorf("%swant\n%s", out, want+want)
	}
}

// Function values that no kernel can call, because only the host can run them, bring nothing of the standard library into the
// file. Those that a kernel may call, because the call of the host is on one way alone, do.
func TestGenHostFunctions(t *testing.T) {
	t.Parallel()
	const text = `-- k.go --
package main

import (
	"math"
	"os"
	"time"

	"github.com/qdgen/qd"
)

//qd:kernel
func kernel(t qd.Thread, x []float64) { x[t.ID()]++ }

func pid() float64 {
	if n := os.Getpid(); n > 1 {
		return float64(n)
	}
	return math.Cbrt(1)
}

func elapsed() float64 { return math.Cbrt(float64(time.Since(time.Time{}))) }

func branches(x float64) float64 {
	if x > 1 {
		time.Sleep(1)
	} else {
		os.Exit(1)
	}
	return math.Cbrt(x)
}

func main() {
	f := pid
	for _, f = range []func() float64{elapsed, func() float64 { return math.Cbrt(float64(time.Now().UnixNano())) }} {
		f()
	}
	g := branches
	g(1)
	if err := qd.Launch(kernel, qd.Dim(1), []float64{1}); err != nil {
		panic(err)
	}
}
`
	const call = "qdreg.Standard("
	dir := newModule(t, []byte(text))
	qdgen(t, dir, inModule, "gen").want(t, 0, nil, nil)
	if file := read(t, filepath.Join(dir, "qd_gen.go")); strings.Contains(file, call) {
		t.Errorf("the standard library is in the file:\n%.1000s", file)
	}
	replace(t, filepath.Join(dir, "k.go"), "\t\tos.Exit(1)\n", "")
	qdgen(t, dir, inModule, "gen").want(t, 0, nil, nil)
	if file := read(t, filepath.Join(dir, "qd_gen.go")); !strings.Contains(file, call) {
		t.Error("math.Cbrt is not in the file")
	}
}

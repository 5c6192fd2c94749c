//go:build unix && !race

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testmodule"
)

// patience ends a process that hangs. It is no measure of anything.
const patience = 3 * time.Minute

// A machine is what a process finds around it.
type machine struct {
	t     *testing.T
	dir   string            // all of it
	tmp   string            // its directory for temporary files
	cache string            // its QD_CACHE
	env   map[string]string // its environment
	uid   int               // whom its processes belong to; 0 for the user of the test
}

// newMachine is a machine with an empty cache. It has what is in this one's PATH.
func newMachine(t *testing.T) *machine {
	t.Helper()
	dir := t.TempDir()
	m := &machine{t: t, dir: dir, tmp: filepath.Join(dir, "tmp"), cache: filepath.Join(dir, "cache")}
	m.env = map[string]string{
		"PATH":     os.Getenv("PATH"),
		"HOME":     filepath.Join(dir, "home"),
		"TMPDIR":   m.tmp,
		"QD_CACHE": m.cache,
		"QD_TOOLS": os.Getenv("QD_TOOLS"),
		"QD_LOG":   "info", // what was compiled, and what was found in the cache
	}
	for _, d := range []string{m.tmp, m.env["HOME"]} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// A result is what a process leaves.
type result struct {
	t      *testing.T
	status int
	stdout string
	stderr string
}

// command is a process of the machine, in a process group of its own.
func (m *machine) command(program string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(m.t.Context(), patience)
	m.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = m.dir
	for name, value := range m.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if m.uid != 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(m.uid), Gid: uint32(m.uid)}
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}

// run runs a program to its end.
func (m *machine) run(program string, args ...string) *result {
	m.t.Helper()
	return m.wait(m.command(program, args...))
}

// wait runs a command to its end.
func (m *machine) wait(cmd *exec.Cmd) *result {
	m.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatalf("%s: %v", cmd, err)
	}
	return &result{t: m.t, status: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
}

// ok fails the test at once unless the process ended well.
func (r *result) ok() *result {
	r.t.Helper()
	if r.status != 0 {
		r.t.Fatalf("status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	return r
}

// right fails the test unless the stranger's program ran the kernels on the device
// with the right results.
func (r *result) right(device string, kernels ...string) *result {
	r.t.Helper()
	r.ok()
	want := ""
	for _, k := range kernels {
		want += k + " " + device + " " + expected(r.t, k) + "\n"
	}
	if r.stdout != want {
		r.t.Fatalf("the program printed\n%swant\n%sand logged\n%s", r.stdout, want, r.stderr)
	}
	return r
}

// fails fails the test unless the stranger's program ended with status 1 and an
// error of the type, whose text says all of the words.
func (r *result) fails(kind string, words ...string) *result {
	r.t.Helper()
	if r.status != 1 {
		r.t.Fatalf("status %d, want 1\n%s%s", r.status, r.stdout, r.stderr)
	}
	// What is logged precedes the error.
	if !strings.HasPrefix(r.stderr, kind+"\n") && !strings.Contains(r.stderr, "\n"+kind+"\n") {
		r.t.Errorf("the error is no %s:\n%s", kind, r.stderr)
	}
	for _, w := range words {
		if !strings.Contains(r.stderr, w) {
			r.t.Errorf("the error does not say %q:\n%s", w, r.stderr)
		}
	}
	return r
}

// logs fails the test unless the process logged a line that matches.
func (r *result) logs(pattern string) *result {
	r.t.Helper()
	if !regexp.MustCompile(`(?m)` + pattern).MatchString(r.stderr) {
		r.t.Errorf("nothing logged matches %s:\n%s", pattern, r.stderr)
	}
	return r
}

// warned fails the test unless the process logged that many warnings.
func (r *result) warned(n int) *result {
	r.t.Helper()
	if got := strings.Count(r.stderr, " WARN "); got != n {
		r.t.Errorf("%d warnings, want %d:\n%s", got, n, r.stderr)
	}
	return r
}

// compiled and cached fail the test unless that is what happened to each kernel. Those of
// the stranger's main package that share a module may be in it.
func (r *result) compiled(kernels ...string) *result { return r.loaded("compiled", kernels) }
func (r *result) cached(kernels ...string) *result   { return r.loaded("cached", kernels) }

func (r *result) loaded(how string, kernels []string) *result {
	r.t.Helper()
	for _, k := range kernels {
		if slices.Contains([]string{"saxpy", "wave", "count", "speak"}, k) {
			k = "(main|" + k + ")"
		}
		r.logs(`^.{19} INFO module ` + k + ` [0-9a-f]{7} loaded on cpu in [0-9.]+(ms|µs|s) \(` + how + `\)$`)
	}
	return r
}

// didCompile reports whether a process logged that it has compiled.
func (r *result) didCompile() bool { return strings.Contains(r.stderr, "(compiled)\n") }

// Programs.

// copyProgram copies a program's source, testdata/name, into a directory of the test.
func copyProgram(t *testing.T, name string) (dir string) {
	t.Helper()
	dir, err := newDir(t.Name() + "-" + name)
	must(t, err)
	must(t, copySource(dir, name))
	return dir
}

// newDir makes a directory in workDir, another one each time and the same ones in each run.
func newDir(name string) (string, error) {
	name = testmodule.Plain(name)
	newDirs.Lock()
	n := newDirs.names[name]
	newDirs.names[name]++
	newDirs.Unlock()
	dir := filepath.Join(workDir, fmt.Sprintf("%s-%d", name, n))
	return dir, os.Mkdir(dir, 0o700)
}

var newDirs = struct {
	sync.Mutex
	names map[string]int
}{names: map[string]int{}}

// copySource copies a program's source, testdata/name, into a directory and makes it a module: example.com/name, which
// requires this checkout.
func copySource(dir, name string) error {
	root := testenv.Root()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		return err
	}
	mod := fmt.Sprintf("module example.com/%s\n\ngo 1.26.0\n\nrequire github.com/qdgen/qd v0.0.0\n\nreplace github.com/qdgen/qd => %s\n", name, root)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o666)
}

// inModule are the settings of the go command in a copied program's module, whose
// go.mod it completes. Nothing is downloaded: what the module requires, this
// checkout does too.
var inModule = []string{"GOFLAGS=-mod=mod -ldflags=-w", "GOPROXY=off", "GOWORK=off"}

// goCommand runs the go command in a directory.
func goCommand(dir string, env []string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(os.Environ(), []string{"CGO_ENABLED=0"}, env)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// buildProgram builds a module's program. Where nothing has changed since an earlier run, it finds what was linked then.
func buildProgram(dir string, flags ...string) (program string, err error) {
	program = filepath.Join(dir, "program")
	name, err := filepath.Rel(workDir, dir)
	if err != nil {
		return "", err
	}
	return program, testmodule.Build("e2e-"+name, program, func(path string) error {
		return goCommand(dir, inModule, slices.Concat([]string{"build", withoutDebug}, flags, []string{"-o", path, "."})...)
	})
}

// withoutDebug leaves out what only debuggers read: to write that is a third of a link.
const withoutDebug = "-ldflags=-w"

// stranger is the stranger's program, beside its source, which nobody may change.
func stranger(t *testing.T) string {
	t.Helper()
	program, err := strangerProgram()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

var strangerProgram = sync.OnceValues(func() (string, error) {
	dir, err := newDir("stranger")
	if err == nil {
		err = copySource(dir, "stranger")
	}
	if err != nil {
		return "", err
	}
	return buildProgram(dir)
})

// expected is the sum that the stranger's program prints for a kernel: what device
// "go" computes. For saxpy it is computed here too.
func expected(t *testing.T, kernel string) string {
	t.Helper()
	sums, err := expectedSums()
	if err != nil {
		t.Fatal(err)
	}
	if sums[kernel] == "" {
		t.Fatalf("the program has no kernel %q", kernel)
	}
	return sums[kernel]
}

var expectedSums = sync.OnceValues(func() (map[string]string, error) {
	program, err := strangerProgram()
	if err != nil {
		return nil, err
	}
	out, err := exec.Command(program, "-device", "go", "saxpy", "wave", "step", "count").Output()
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 3 && f[1] == "go" {
			sums[f[0]] = f[2]
		}
	}
	const n = 10_000
	y := make([]float32, n)
	for i := range y {
		y[i] = float32(n-i)/3 + float32(1.5)*(float32(i)/7)
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%x", y)
	if want := fmt.Sprintf("%016x", h.Sum64()); sums["saxpy"] != want {
		return nil, fmt.Errorf("device go gives %q for saxpy, want %s", sums["saxpy"], want)
	}
	return sums, nil
})

// Compilers.

// goodCompiler is the path of this machine's C++ compiler.
func goodCompiler(t *testing.T) string {
	t.Helper()
	c, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	return c.Path
}

// compiler makes a shell script the machine's compiler.
func (m *machine) compiler(script string) {
	m.t.Helper()
	path := filepath.Join(m.dir, "compiler")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
		m.t.Fatal(err)
	}
	m.env["QD_CXX"] = path
}

// counting makes the compiler that keeps what it makes the machine's, behind a script that records
// each compile, after that of before.
func (m *machine) counting(before string) {
	m.t.Helper()
	m.compiler(`case " $* " in *" -c "*) echo compile >> "` + m.record() + `"; ` + before + `;; esac
exec "` + keptCompiler(m.t) + `" "$@"`)
}

// record is the file that a counting compiler writes.
func (m *machine) record() string { return filepath.Join(m.dir, "compiles") }

// compiles is how often the counting compiler has compiled since the last call.
func (m *machine) compiles() int {
	m.t.Helper()
	text, err := os.ReadFile(m.record())
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err == nil {
		err = os.Remove(m.record())
	}
	if err != nil {
		m.t.Fatal(err)
	}
	return bytes.Count(text, []byte("\n"))
}

// wantCompiles fails the test unless the counting compiler has compiled n times
// since it was last asked.
func (m *machine) wantCompiles(n int) {
	m.t.Helper()
	if got := m.compiles(); got != n {
		m.t.Errorf("%d compiles, want %d", got, n)
	}
}

// Files.

// files are the paths of all files in a directory, relative to it.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			list = append(list, rel)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return list
}

// wantNoLeftovers fails the test if processes have left temporary files, in the
// system's place for them or in the cache.
func (m *machine) wantNoLeftovers() {
	m.t.Helper()
	for _, dir := range []string{m.tmp, filepath.Join(m.cache, "v1", "tmp"), filepath.Join(m.cache, "v1", "locks")} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			m.t.Fatal(err)
		}
		for _, e := range entries {
			m.t.Errorf("left behind: %s", filepath.Join(dir, e.Name()))
		}
	}
}

// edit replaces a text in a file that has it once.
func edit(t *testing.T, file, from, to string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), from) != 1 {
		t.Fatalf("%s has %q %d times", file, from, strings.Count(string(text), from))
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), from, to, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

//go:build unix && !race

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// newOrigin copies the program origin into a directory that no earlier run had. The go command knows when it has compiled a
// program, and it is to compile this one now.
func newOrigin(t *testing.T) (dir string) {
	t.Helper()
	goodCompiler(t)
	dir, err := os.MkdirTemp(workDir, "origin-")
	must(t, err)
	must(t, copySource(dir, "origin"))
	return dir
}

// buildOrigin builds it there.
func buildOrigin(t *testing.T, dir string, flags ...string) (program string) {
	t.Helper()
	program = filepath.Join(dir, "program")
	must(t, goCommand(dir, inModule, slices.Concat([]string{"build", withoutDebug}, flags, []string{"-o", program, "."})...))
	return program
}

// withGo lets a machine's programs ask the go command that has built them.
func (m *machine) withGo() *machine {
	m.t.Helper()
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		out, err := exec.Command("go", "env", name).Output()
		must(m.t, err)
		m.env[name] = strings.TrimSpace(string(out))
	}
	for _, setting := range inModule {
		name, value, _ := strings.Cut(setting, "=")
		m.env[name] = value
	}
	return m
}

// Of a program that runs for the first time after its files were written anew, the go command
// knows that it is what they make.
func TestRewrittenAfterBuild(t *testing.T) {
	t.Parallel()
	dir := newOrigin(t)
	o := newOriginTest(t, dir, buildOrigin(t, dir))
	o.takeBack()
	newMachine(t).run(o.program, "-device", "cpu", "scale").fails("*qd.SourceError", "after the program was built")
	newMachine(t).withGo().run(o.program, "-device", "cpu", "scale").right2("scale [9]\n")

	// It says too that something else has changed.
	o.edit("kernels.go", "const factor = 3", "const factor = 4")
	newMachine(t).withGo().run(o.program, "-device", "cpu", "scale").fails("*qd.SourceError", "go build makes a different program")
}

// right2 fails the test unless a program has ended well and printed a text.
func (r *result) right2(want string) {
	r.t.Helper()
	if r.ok(); r.stdout != want {
		r.t.Errorf("the program prints\n%s, want\n%s", r.stdout, want)
	}
}

// A program that is copied after an edit is older than its file's times say.
func TestEditBeforeCopy(t *testing.T) {
	t.Parallel()
	dir := newOrigin(t)
	o := newOriginTest(t, dir, buildOrigin(t, dir))
	o.edit("kernels.go", "const factor = 3", "const factor = 4")
	text, err := os.ReadFile(o.program)
	must(t, err)
	program := filepath.Join(t.TempDir(), "copy")
	must(t, os.WriteFile(program, text, 0o777))
	newMachine(t).withGo().run(program, "-device", "cpu", "scale").fails("*qd.SourceError", "kernels.go", "was changed at", "after the program was compiled")
	o.takeBack()
	newMachine(t).withGo().run(program, "-device", "cpu", "scale").right2("scale [9]\n")
}

// A directory whose files are older than the program may have got its name since.
func TestDirectorySwappedAfterBuild(t *testing.T) {
	t.Parallel()
	dir := newOrigin(t)
	lib, other, away := filepath.Join(dir, "lib"), filepath.Join(dir, "other"), filepath.Join(dir, "away")
	must(t, os.CopyFS(other, os.DirFS(lib)))
	edit(t, filepath.Join(other, "lib.go"), "return 2 * x", "return 5 * x")
	program := buildOrigin(t, dir)
	swap := func(from, to string) {
		t.Helper()
		must(t, os.Rename(lib, to))
		must(t, os.Rename(from, lib))
	}
	swap(other, away)
	newMachine(t).withGo().run(program, "-device", "cpu", "scale").fails("*qd.SourceError", "lib/lib.go", "go build makes a different program")
	// What is made in it hides that, and not from the go command.
	writeFile(t, filepath.Join(lib, "notes.txt"), "")
	newMachine(t).withGo().run(program, "-device", "cpu", "scale").fails("*qd.SourceError", "lib/lib.go", "go build makes a different program")
	swap(away, other)
	newMachine(t).withGo().run(program, "-device", "cpu", "scale").right2("scale [9]\n")
}

// A file may be saved after the go command has read it, and before the program is there.
func TestSavedWhileBuilding(t *testing.T) {
	t.Parallel()
	dir := newOrigin(t)
	file := filepath.Join(dir, "lib", "lib.go")
	text, err := os.ReadFile(file)
	must(t, err)
	tools := t.TempDir()
	edited := filepath.Join(tools, "edited.go")
	writeFile(t, edited, strings.Replace(string(text), "return 2 * x", "return 5 * x", 1))
	saver := filepath.Join(tools, "saver")
	must(t, os.WriteFile(saver, []byte("#!/bin/sh\ncase \"$*\" in *' -p main '*) cp "+edited+" "+file+";; esac\nexec \"$@\"\n"), 0o777))

	program := buildOrigin(t, dir, "-toolexec", saver)
	newMachine(t).withGo().run(program, "-device", "cpu", "scale").fails("*qd.SourceError", "lib/lib.go", "perhaps during the build of the program", "go build makes a different program")
	must(t, os.WriteFile(file, text, 0o666))
	newMachine(t).withGo().run(program, "-device", "cpu", "scale").right2("scale [9]\n")

	// With go run it is known when that began.
	m := newMachine(t).withGo()
	run := func(args ...string) *result {
		t.Helper()
		cmd := m.command("go", append([]string{"run"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, "CGO_ENABLED=0")
		return m.wait(cmd)
	}
	edit(t, filepath.Join(dir, "main.go"), `const note = "one"`, `const note = "two"`) // main is compiled anew
	args := []string{".", "-device", "cpu", "scale"}
	run(append([]string{"-toolexec", saver}, args...)...).fails("*qd.SourceError", "lib/lib.go", "after the go command that built the program began")
	must(t, os.WriteFile(file, text, 0o666))
	run(args...).right2("scale [9]\n")
}

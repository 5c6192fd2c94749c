package clang

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/testenv"
)

// script writes an executable shell script.
func script(t *testing.T, path, body string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the compilers of this test are shell scripts")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// fake returns a compiler that is a shell script.
func fake(t *testing.T, body string) *Compiler {
	t.Helper()
	t.Setenv("QD_CXX", script(t, filepath.Join(t.TempDir(), "fake c++"), body))
	c, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFailingCompilers(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       []string // in the error
	}{
		{"crash", "kill -SEGV $$", []string{"segmentation fault"}},
		{"killed", "kill -KILL $$", []string{"killed"}},
		{"garbage", `printf 'x\377\376y\n' >&2; exit 3`, []string{"exit status 3", "x\uFFFDy"}},
		{"silent failure", "exit 7", []string{"exit status 7", "QD_CXX names this program: make sure that it is a C++17 compiler"}},
		{"no linker", "echo 'clang: error: unable to execute command: Executable \"ld\" doesn'\\''t exist!' >&2; exit 1", []string{"the compiler finds no ld: correct PATH"}},
		{"no linker of gcc", "echo \"collect2: fatal error: cannot find 'ld'\" >&2; exit 1", []string{"the compiler finds no ld: correct PATH"}},
		{"no assembler", "echo \"c++: fatal error: cannot execute 'as': execvp: No such file or directory\" >&2; exit 1", []string{"the compiler finds no as: correct PATH"}},
		{"no C++", "echo \"gcc: fatal error: cannot execute 'cc1plus': execvp: No such file or directory\" >&2; exit 1", []string{"finds no cc1plus: correct PATH, or install it (Debian, Ubuntu: sudo apt-get install g++)"}},
		{"no output", "exit 0", []string{"reported success and wrote no output; QD_CXX names this program: make sure that it is a C++17 compiler"}},
		{"empty output", "for a; do case $a in kernel.o) : > kernel.o;; esac; done", []string{"reported success and wrote no output: the file is empty; QD_CXX names this program: make sure that it is"}},
		{"disk full", "echo 'clang: error: unable to open output file: No space left on device' >&2; exit 1", []string{"No space left on device"}},
		{"disk full for the linker", "echo 'ld: final link failed: No space left on device' >&2; echo 'clang: error: linker command failed with exit code 1' >&2; exit 1",
			[]string{"ld: final link failed: No space left on device: error: linker command failed"}},
		{"ICE", "echo 'kernel.cpp:3:1: internal compiler error: in expand_call' >&2; exit 4", []string{"kernel.cpp:3:1: internal compiler error: in expand_call"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := fake(t, tt.body).Shared(context.Background(), saxpy, "")
			var ce *CompileError
			if !errors.As(err, &ce) {
				t.Fatalf("error is %T %v", err, err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in the error: %v", want, err)
				}
			}
			if ce.Compiler == "" || ce.Command == "" {
				t.Errorf("compiler %q, command %q", ce.Compiler, ce.Command)
			}
		})
	}
}

// A compiler whose name does not tell its kind, and that hangs when it is asked, holds nobody up whose context ends.
func TestAwaitKind(t *testing.T) {
	c := fake(t, `case "$*" in *--version*) exec sleep 600;; esac; exit 1`)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	time.AfterFunc(20*time.Millisecond, func() { cancel(why) })
	if err := c.AwaitKind(ctx); err != why {
		t.Errorf("the error is %v", err)
	}
	c = fake(t, "echo clang version 99")
	ctx, cancel = context.WithCancelCause(t.Context())
	defer cancel(nil)
	if err := c.AwaitKind(ctx); err != nil || c.Kind() != Clang {
		t.Errorf("%v, and a compiler of kind %s", err, c.Kind())
	}
}

// A compiler that has no place for temporary files is not to blame, and the error says how it gets one.
func TestNoTemporaryDirectory(t *testing.T) {
	c := fake(t, "exit 0")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	_, err := c.Shared(context.Background(), saxpy, "")
	if err == nil || !strings.Contains(err.Error(), "has no directory to work in: ") || !strings.HasSuffix(err.Error(), "; set TMPDIR to a directory that can be written to") {
		t.Errorf("the error is %v", err)
	}
}

// A file that is no object makes the linker, then the driver fail, or succeed with
// something that cannot be loaded.
func TestCompilerThatWritesGarbage(t *testing.T) {
	body := `for a; do case $a in kernel.o|kernel.so) echo garbage > kernel.o; echo garbage > kernel.so;; esac; done`
	_, err := fake(t, body).Shared(context.Background(), saxpy, "")
	if err == nil || !strings.Contains(err.Error(), "not a shared library") {
		t.Errorf("error: %v", err)
	}
}

// The linker itself finds what modules use: the driver, which takes longer, is for
// systems where libraries lie elsewhere. A checked build has thread_local variables.
func TestLinkedWithoutDriver(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("on other systems the driver links")
	}
	real, err := Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	c := fake(t, `case " $* " in *" -shared "*) echo 'the driver is to link' >&2; exit 1;; esac; exec "`+real.Path+`" "$@"`)
	for name, src := range map[string]string{
		"nothing":  saxpy,
		"math":     sines,
		"threads'": `thread_local long stopped; extern "C" long stop(long x) { return stopped += x; }`,
	} {
		if _, err := c.Shared(context.Background(), src, ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEndlessOutput(t *testing.T) {
	c := fake(t, "yes 'kernel.cpp:1:1: error: no' | head -c 3000000 >&2; exit 1")
	_, err := c.Shared(context.Background(), saxpy, "")
	var ce *CompileError
	if !errors.As(err, &ce) {
		t.Fatalf("error is %T %v", err, err)
	}
	if len(ce.Log) > maxLog+100 || !strings.Contains(ce.Log, "dropped") {
		t.Errorf("the log has %d bytes", len(ce.Log))
	}
}

func TestNotExecutable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clang++")
	if err := os.WriteFile(path, []byte("\x7fELF, but no more of it"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QD_CXX", path)
	c, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Shared(context.Background(), saxpy, "")
	if err == nil || !strings.Contains(err.Error(), "cannot be run") {
		t.Errorf("error: %v", err)
	}
	if _, err := c.Version(); err == nil {
		t.Error("a file that cannot be run has a version")
	}
}

func TestNoPlaceToWork(t *testing.T) {
	_, err := fake(t, "exit 0").Shared(context.Background(), saxpy, filepath.Join(t.TempDir(), "missing"))
	var ce *CompileError
	if !errors.As(err, &ce) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error is %T %v", err, err)
	}
}

// An old compiler refuses flags; those that only make a module better are left out
// then, and stay in the cache key.
func TestOptionalFlagsRefused(t *testing.T) {
	dir := t.TempDir()
	calls := filepath.Join(dir, "calls")
	body := `
echo "$*" >> ` + calls + `
for a; do
	case $a in
	-fno-finite-loops) echo "clang: error: unknown argument: '$a'" >&2; exit 1;;
	-fno-semantic-interposition) echo "g++: error: unrecognized command line option '$a'" >&2; exit 1;;
	esac
done
echo "kernel.cpp:1:2: error: got through" >&2; exit 1`
	c := fake(t, body)
	identity := c.Identity()
	for range 2 {
		_, err := c.Shared(context.Background(), saxpy, "")
		if err == nil || !strings.Contains(err.Error(), "got through") {
			t.Fatalf("error: %v", err)
		}
	}
	log, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(log), "\n"); n != 5 {
		t.Errorf("%d runs, want 1 for what the compiler is, 3 until it is content and 1 for the second compile:\n%s", n, log)
	}
	if c.Identity() != identity || !strings.Contains(identity, "-fno-finite-loops") {
		t.Errorf("the identity changed to %s", c.Identity())
	}
}

func TestRequiredFlagRefused(t *testing.T) {
	_, err := fake(t, `echo "cc: error: unknown argument: '-fwrapv'" >&2; exit 1`).Shared(context.Background(), saxpy, "")
	if err == nil || !strings.Contains(err.Error(), "-fwrapv") {
		t.Errorf("error: %v", err)
	}
}

func TestFindOrder(t *testing.T) {
	t.Setenv("QD_CXX", "")
	old := llvmDirs
	t.Cleanup(func() { llvmDirs = old })
	llvmDirs = nil
	dir := t.TempDir()
	t.Setenv("PATH", dir)

	_, err := Find()
	var me *MissingError
	if !errors.As(err, &me) {
		t.Fatalf("error is %T %v", err, err)
	}
	for _, want := range []string{"clang++", "g++", "QD_CXX", "install", `"go"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in the error: %v", want, err)
		}
	}

	// Each is preferred to those before it.
	llvmDirs = []string{filepath.Join(dir, "llvm-*", "bin")}
	for _, name := range []string{"c++", "g++", "llvm-9/bin/clang++", "llvm-14/bin/clang++", "clang++-11", "clang++-14", "clang++-19", "clang", "clang++"} {
		path := script(t, filepath.Join(dir, name), "")
		c, err := Find()
		if err != nil {
			t.Fatalf("with %s: %v", name, err)
		}
		if c.Path != path {
			t.Errorf("with %s, found %s", name, c.Path)
		}
	}
}

func TestFindNamed(t *testing.T) {
	dir := t.TempDir()
	spaced := script(t, filepath.Join(dir, "my compiler"), "")
	plain := script(t, filepath.Join(dir, "clang++-99"), "")
	wrapper := script(t, filepath.Join(dir, "ccache"), "")
	t.Setenv("PATH", dir)
	for _, tt := range []struct {
		named, path, command, lastFlag string
	}{
		{spaced, spaced, spaced, "-fno-semantic-interposition"},
		{plain, plain, plain, "-fno-semantic-interposition"},
		{"clang++-99", plain, plain, "-fno-semantic-interposition"},
		{"clang++-99 -g -O1", plain, plain, "-O1"},
		{" ccache clang++-99 -O1 ", wrapper, wrapper + " clang++-99", "-O1"},
	} {
		t.Setenv("QD_CXX", tt.named)
		c, err := Find()
		if err != nil {
			t.Errorf("%s: %v", tt.named, err)
			continue
		}
		if got := strings.Join(c.command(), " "); c.Path != tt.path || got != tt.command {
			t.Errorf("%s: path %s, command %s", tt.named, c.Path, got)
		}
		if flags := c.Flags(); flags[len(flags)-1] != tt.lastFlag {
			t.Errorf("%s: flags %q", tt.named, flags)
		}
	}
	// What flags ask for is compiled for: the last of them.
	own, _ := hostArch()
	for flags, want := range map[string]string{
		"-O1": own, "-march=x86-64-v2": "x86-64-v2", "-march=native": own, "-march=x86-64-v2 -O1 -march=x86-64": "x86-64", "-march=x86-64 -march=native": own,
		"-mcpu=apple-m1": "apple-m1",
	} {
		t.Setenv("QD_CXX", "clang++-99 "+flags)
		c, err := Find()
		if err != nil {
			t.Fatal(err)
		}
		if c.Arch() != want || Arch() != want {
			t.Errorf("%s: for %s, and %s without a compiler, want %s", flags, c.Arch(), Arch(), want)
		}
	}
	for _, named := range []string{"no-such-compiler", filepath.Join(dir, "none"), "ccache no-such-compiler -g"} {
		t.Setenv("QD_CXX", named)
		_, err := Find()
		var me *MissingError
		if !errors.As(err, &me) || !strings.Contains(err.Error(), named) || !strings.Contains(err.Error(), "QD_CXX") {
			t.Errorf("%s: error is %T %v", named, err, err)
		}
	}
}

func TestIdentity(t *testing.T) {
	dir := t.TempDir()
	real := script(t, filepath.Join(dir, "real", "clang-14"), "touch "+filepath.Join(dir, "ran"))
	link := filepath.Join(dir, "clang++")
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	identity := func(named string) string {
		t.Setenv("QD_CXX", named)
		c, err := Find()
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind() != Clang {
			t.Errorf("%s is of kind %s", named, c.Kind())
		}
		return c.Identity()
	}
	first := identity(link)
	if !strings.Contains(first, "-ffp-contract=off") || !strings.Contains(first, filepath.Join("real", "clang-14")) {
		t.Errorf("identity is %s", first)
	}
	if identity(link) != first {
		t.Error("two finds of one compiler differ")
	}
	if identity(link+" -O1") == first {
		t.Error("another flag, the same identity")
	}
	script(t, real, "# another version\ntouch "+filepath.Join(dir, "ran"))
	if identity(link) == first {
		t.Error("another compiler behind the link, the same identity")
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("the compiler was run to identify it")
	}
}

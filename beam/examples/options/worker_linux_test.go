package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testremote"
)

// Workers that were built with -trimpath, and have neither a compiler nor the source, run on device cpu with the
// modules of the shared cache. Where it has none, they run on device go.
func TestWorkersWithoutCompiler(t *testing.T) {
	if _, err := clang.Find(); err != nil {
		testenv.Missing(t, err)
	}
	program := filepath.Join(t.TempDir(), "options")
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	// What -trimpath does, for this package: the others need not be compiled anew for the test.
	build := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-trimpath="+dir+"=>example.com/options", "-tags=qdremote", "-ldflags=-s -w", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	remote := new(testremote.Memory).Start(t)
	without := hidingCompilers(t)
	run := func(before ...string) (table, log string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		dir := t.TempDir()
		args := append(before, program, "-per", "1", "-paths", "500", "-o", filepath.Join(dir, "table"))
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = []string{"HOME=" + dir, "TMPDIR=" + dir, "PATH=" + os.Getenv("PATH"), "QD_LOG=info", "QD_CACHE=" + filepath.Join(dir, "cache"),
			"QD_CACHE_REMOTE=" + remote, "QD_CACHE_REMOTE_WAIT=1m"}
		if before != nil {
			cmd.Env = append(cmd.Env, "PATH=/nowhere")
		}
		var out, said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &said
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s%s", err, out.String(), said.String())
		}
		text, err := os.ReadFile(filepath.Join(dir, "table"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text), said.String()
	}

	onGo, log := run(without...)
	if strings.Contains(log, "loaded on cpu") {
		t.Errorf("a worker with nothing has run on cpu:\n%s", log)
	}
	for try := 0; ; try++ { // what a program has no time to upload it leaves
		_, log = run()
		if !strings.Contains(log, "loaded on cpu") {
			t.Fatalf("with a compiler:\n%s", log)
		}
		if !strings.Contains(log, "(compiled)") || try == 10 {
			break
		}
	}
	table, log := run(without...)
	if strings.Count(log, "loaded on cpu") < 2 || strings.Contains(log, "(compiled)") {
		t.Errorf("the workers have not run on cpu:\n%s", log)
	}
	if table != onGo {
		t.Errorf("device cpu computes\n%s\nand device go\n%s", table, onGo)
	}
}

// hidingCompilers is a command before another one, which sees no compiler where they are installed beside PATH.
func hidingCompilers(t *testing.T) []string {
	hide := `set -e; (PATH=/bin:/sbin; for d in /usr/lib/llvm-* /usr/lib/llvm; do if [ -d $d ]; then mount -t tmpfs none $d; fi; done); exec "$@"`
	command := []string{"/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", hide, "sh"}
	if out, err := exec.CommandContext(t.Context(), command[0], append(command[1:], "/bin/true")...).CombinedOutput(); err != nil {
		t.Skipf("processes cannot have mounts of their own here: %v %s", err, out)
	}
	return command
}

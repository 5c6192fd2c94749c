package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/testenv"
)

// What a program has built and kept changes nothing about what emit prints: with a warm
// cache all that compilers make is printed, as often as one asks, and the cache stays as
// it is.
func TestEmitIsNeverSuppressedByTheCache(t *testing.T) {
	if _, err := clang.Find(); err != nil {
		testenv.Missing(t, err)
	}
	dir := filepath.Join(t.TempDir(), "cache")
	env := append(nvrtcs(t)["the newest"], "QD_CACHE="+dir, "QD_DEVICE=cpu", "QD_LOG=info")
	run := func(want string) {
		t.Helper()
		cmd := exec.Command("go", "run", ".", "-o", os.DevNull)
		cmd.Dir = "../../examples/saxpy"
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("%v, without %q:\n%s", err, want, out)
		}
	}
	run("(compiled)")
	run("(cached)")
	keys := func() string {
		t.Helper()
		c, err := cache.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := c.List()
		if err != nil || len(entries) == 0 {
			t.Fatalf("%d modules in the cache, %v", len(entries), err)
		}
		var list []string
		for _, e := range entries {
			list = append(list, e.Key.String())
		}
		return strings.Join(list, " ")
	}
	before := keys()
	args := map[string][]string{"resources": {"--resources"}}
	for _, target := range []string{"ptx", "sass", "asm", "ll"} {
		args[target] = []string{"--target", target}
	}
	env = append(env, fakeDisassembler(t, "saxpy:\n", 0)...)
	cold := append(env, "QD_CACHE="+t.TempDir())
	for name, a := range args {
		a = append([]string{"emit", "../../examples/saxpy"}, a...)
		first := qdgen(t, ".", env, a...)
		if first.exit != exitOK || !strings.Contains(first.stdout, "saxpy") {
			t.Errorf("%s: exit status %d\n%s%s", name, first.exit, first.stderr, first.stdout)
		}
		for what, again := range map[string]result{"again": qdgen(t, ".", env, a...), "with an empty cache": qdgen(t, ".", cold, a...)} {
			if again != first {
				t.Errorf("%s: %s it prints\n%s%s\nand at first\n%s%s", name, what, again.stderr, again.stdout, first.stderr, first.stdout)
			}
		}
	}
	if after := keys(); after != before {
		t.Errorf("the cache had %s and has %s", before, after)
	}
}

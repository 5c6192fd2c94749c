//go:build unix && !race

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testremote"
)

// withoutCompiler runs a program where no compiler is to be found.
func (m *machine) withoutCompiler(program string, args ...string) *result {
	m.t.Helper()
	m.env["PATH"] = filepath.Join(m.dir, "empty")
	return m.wait(m.withMounts(m.command(program, args...), append(hiddenCompilers(m.t), m.dir+"/empty=4k")...))
}

// lacksModule fails the test unless the program has ended with an error that says that there is neither a module nor a compiler.
func (r *result) lacksModule() {
	r.t.Helper()
	for _, want := range []string{"device cpu", "the cache has no module of kernel", "no C++17 compiler found", "install clang"} {
		if r.status != 1 || !strings.Contains(r.stderr, want) {
			r.t.Errorf("status %d, without %q:\n%s", r.status, want, r.stderr)
		}
	}
}

// A program with generated files, built with -trimpath, runs on device cpu of a machine that has neither its source nor
// a compiler, if the remote cache has its modules: kernels with constants, closures, gradients, Grid kernels, and
// several in one module.
func TestNoCompilerRemote(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	dir := copyProgram(t, "shipped")
	generate(t, dir, "./...")
	built, err := buildProgram(dir, "-tags=qdremote", "-gcflags=example.com/...=-trimpath="+dir+"=>example.com/shipped")
	must(t, err)
	key := filepath.Join(t.TempDir(), "key.pem")
	command, err := qdgenProgram()
	must(t, err)
	if out, err := exec.Command(command, "cache", "key", key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	url := new(testremote.Memory).Start(t)
	machineWith := func(t *testing.T, key string) *machine {
		m := newMachine(t)
		m.env["QD_CACHE_REMOTE"], m.env["QD_CACHE_REMOTE_WAIT"], m.env["QD_CACHE_KEY"] = url, "1m", key
		return m
	}
	program := filepath.Join(t.TempDir(), "shipped")
	must(t, os.Rename(built, program))
	must(t, os.RemoveAll(dir))

	t.Run("nothing there", func(t *testing.T) {
		m := machineWith(t, key+".pub")
		m.withoutCompiler(program, "-device", "cpu").lacksModule()
		if r := m.withoutCompiler(program).ok(); r.stdout != shippedPrints || strings.Contains(r.stderr, "on cpu") {
			t.Errorf("the default device prints\n%s\n%s", r.stdout, r.stderr)
		}
	})
	builder := machineWith(t, key)
	builder.run(program, "-device", "cpu").ok()
	builder.run(command, "cache", "push", "--remote").ok() // what the program had no time for

	for name, key := range map[string]string{"unsigned is enough": "", "signed": key + ".pub"} {
		t.Run(name, func(t *testing.T) {
			m := machineWith(t, key)
			for _, url := range []string{url, "off"} { // then from the local cache alone
				m.env["QD_CACHE_REMOTE"] = url
				r := m.withoutCompiler(program, "-device", "cpu").ok()
				if r.stdout != shippedPrints || strings.Contains(r.stderr, "(compiled)") || !strings.Contains(r.stderr, "loaded on cpu") {
					t.Errorf("with the remote %q it prints\n%s\n%s", url, r.stdout, r.stderr)
				}
			}
		})
	}
	t.Run("signed by somebody else", func(t *testing.T) {
		other := filepath.Join(t.TempDir(), "other.pem")
		if out, err := exec.Command(command, "cache", "key", other).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		machineWith(t, other+".pub").withoutCompiler(program, "-device", "cpu").lacksModule()
	})
	t.Run("flags of the user", func(t *testing.T) { // such a module is for nobody else
		m := newMachine(t)
		m.env["QD_CXX"] = goodCompiler(t) + " -ffast-math"
		m.run(program, "-device", "cpu").ok()
		delete(m.env, "QD_CXX")
		m.withoutCompiler(program, "-device", "cpu").lacksModule()
	})
}

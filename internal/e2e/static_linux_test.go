//go:build !race

package e2e

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A program that was built with the tag qdgo needs no file of the machine, not even a dynamic linker: it runs its
// kernels as Go in an empty root directory.
func TestStaticProgram(t *testing.T) {
	t.Parallel()
	dir := copyProgram(t, "stranger")
	program, err := buildProgram(dir, "-tags=qdgo")
	must(t, err)
	f, err := elf.Open(program)
	must(t, err)
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("the program is linked dynamically: it has %v", p.Type)
		}
	}

	run := func(args ...string) (string, error) {
		root, err := os.MkdirTemp(filepath.Dir(program), "root")
		must(t, err)
		must(t, os.Link(program, filepath.Join(root, "program")))
		cmd := exec.Command("/program", args...)
		cmd.Dir, cmd.Env = "/", []string{}
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
		if os.Getuid() != 0 { // who alone may do that
			cmd = exec.Command(program, args...)
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, kernel := range []string{"saxpy", "wave", "count"} {
		out, err := run(kernel)
		if err != nil || strings.TrimSpace(out) != kernel+" go "+expected(t, kernel) {
			t.Errorf("%s: %v %s", kernel, err, out)
		}
	}
	for _, device := range []string{"cpu", "cuda:0"} {
		if out, err := run("-device", device, "saxpy"); err == nil || !strings.Contains(out, "the program was built with the tag qdgo") {
			t.Errorf("device %s: %v %s", device, err, out)
		}
	}
}

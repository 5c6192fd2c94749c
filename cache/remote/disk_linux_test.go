package remote

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testremote"
)

// inNamespace runs the test again in a process that may mount, and reports whether it is that process.
func inNamespace(t *testing.T) bool {
	t.Helper()
	const namespaceVar = "QD_REMOTE_TEST_NAMESPACE"
	if os.Getenv(namespaceVar) == t.Name() {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), namespaceVar+"="+t.Name())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil && !errors.As(err, new(*exec.ExitError)):
		t.Skipf("no namespaces here: %v", err)
	case strings.Contains(string(out), "\n--- SKIP"):
		t.Skipf("%s", out)
	case err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Errorf("in a namespace: %v\n%s", err, out)
	}
	return false
}

// A full disk costs a warning, and what is right comes from the remote all the same.
func TestFullDisk(t *testing.T) {
	if !inNamespace(t) {
		return
	}
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "mode=700,size=16384"); err != nil {
		t.Skipf("mounting is not allowed here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	log := testenv.Logged(t)
	url := testServer(t, &testremote.Memory{})
	a := newMachine(t, url)
	a.compiles("k", true)
	a.mustFlush()
	b := machineIn(t, dir, url)
	b.compiles("k", false)
	b.compiles("k2", true)
	b.mustFlush()
	log.Want(t, "not kept")
	newMachine(t, url).compiles("k2", false)
}

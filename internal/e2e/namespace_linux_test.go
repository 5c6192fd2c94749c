//go:build !race

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// mountsVar has, in a process that is to run a program with file systems of its
// own, their places and sizes: "DIR=8k:DIR=4k". A size may be followed by ",noexec". In place of a size
// there may be another directory, which is seen there: "DIR=/other".
const mountsVar = "QD_E2E_MOUNTS"

func init() {
	runHelper = func() {
		if mounts := os.Getenv(mountsVar); mounts != "" {
			mountAndExec(mounts)
		}
	}
}

// mountAndExec mounts small file systems, and directories, and becomes the program of its arguments.
func mountAndExec(mounts string) {
	within, err := os.Getwd()
	if err == nil {
		err = os.Unsetenv(mountsVar)
	}
	for mount := range strings.SplitSeq(mounts, ":") {
		dir, size, _ := strings.Cut(mount, "=")
		if filepath.IsAbs(size) {
			if err == nil {
				err = syscall.Mount(size, dir, "", syscall.MS_BIND|syscall.MS_REC, "")
			}
			continue
		}
		if err == nil {
			err = os.MkdirAll(dir, 0o700)
		}
		size, noexec := strings.CutSuffix(size, ",noexec")
		var flags uintptr
		if noexec {
			flags = syscall.MS_NOEXEC
		}
		if err == nil {
			err = syscall.Mount("none", dir, "tmpfs", flags, "mode=700,size="+size)
		}
	}
	if err == nil {
		err = os.Chdir(within) // what is there now
	}
	if err == nil {
		err = syscall.Exec(os.Args[1], os.Args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "e2e:", err)
	os.Exit(2)
}

// withMounts gives a command file systems of its own: the mounts are "DIR=SIZE",
// empty file systems of that size, in the place of what others see there; with
// "DIR=SIZE,noexec" no code can be run from it. With "DIR=/other" the files of another directory are there.
func (m *machine) withMounts(cmd *exec.Cmd, mounts ...string) *exec.Cmd {
	m.t.Helper()
	if err := noNamespaces(m.t); err != nil {
		m.t.Skip(err)
	}
	self, err := os.Executable()
	if err != nil {
		m.t.Fatal(err)
	}
	cmd.Args = append([]string{self, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = self
	cmd.Env = append(cmd.Env, mountsVar+"="+strings.Join(mounts, ":"))
	inNamespace(cmd)
	return cmd
}

// inNamespace puts a command into a user and a mount namespace of its own.
func inNamespace(cmd *exec.Cmd) {
	cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS
	cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
}

// noNamespaces says why a process cannot have file systems of its own, nil if it can.
func noNamespaces(t *testing.T) error {
	t.Helper()
	cmd := exec.Command(os.Args[0], "/bin/true")
	cmd.Env = append(os.Environ(), mountsVar+"="+t.TempDir()+"=4k")
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	inNamespace(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("processes cannot have mounts of their own here: %v %s", err, out)
	}
	return nil
}

// hiddenCompilers are mounts that leave no compiler outside of PATH to be found.
func hiddenCompilers(t *testing.T) []string {
	t.Helper()
	var mounts []string
	for _, pattern := range []string{"/usr/lib/llvm-*", "/usr/lib/llvm"} {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			mounts = append(mounts, dir+"=4k")
		}
	}
	return mounts
}

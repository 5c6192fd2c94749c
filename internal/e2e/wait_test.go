//go:build unix && !race

package e2e

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// waitForPID waits until a process has written its number into a file.
func waitForPID(t *testing.T, file string) int {
	t.Helper()
	var text []byte
	eventually(t, file+" is written", func() bool {
		var err error
		text, err = os.ReadFile(file)
		return err == nil
	})
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// endOrphan waits until a process is no more whose parent has ended. Linux sees to
// that; elsewhere the test does.
func endOrphan(t *testing.T, pid int) {
	t.Helper()
	defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
	if runtime.GOOS == "linux" {
		eventually(t, "the process ends", func() bool { return !alive(pid) })
	}
}

// alive reports whether a process runs. One that has ended and that nobody has asked
// about is a zombie, which does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true // not every system has such files
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// eventually waits for a condition to become true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience / 6); ; time.Sleep(5 * time.Millisecond) {
		if is() {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("waiting in vain until %s", what)
		}
	}
}

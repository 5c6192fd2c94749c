// Under the race detector the instruction that faults may be one of its own.

//go:build !race

package cpu

import (
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

//go:noinline
func read(p *int) int { return *p }

// A signal of an instruction that is known as a kernel's is followed by the kernel's message, and by what Go does. The
// instruction is one of Go's here, so that no compiler is needed.
func TestCrashHandler(t *testing.T) {
	if !(runtime.GOOS == "linux" || runtime.GOOS == "darwin") || !slices.Contains([]string{"amd64", "arm64"}, runtime.GOARCH) {
		t.Skip("there is no handler for this system")
	}
	const variable, message = "QD_TEST_CRASH_HANDLER", "kernel read has crashed\n"
	if os.Getenv(variable) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCrashHandler$")
		cmd.Env = append(os.Environ(), variable+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Count(string(out), "has crashed") != 1 || !strings.Contains(string(out), message) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	if !handleCrashes() {
		t.Fatal("no handler")
	}
	at := reflect.ValueOf(read).Pointer()
	running := new(int64)
	crashables = &[]Crashable{
		{from: 0, to: at, text: unsafe.StringData("other has crashed\n"), n: 18},
		{from: at, to: at + 16, text: unsafe.StringData("shared has crashed\n"), n: 19, shared: running},
		{from: at, to: at + 16, text: unsafe.StringData(message), n: uintptr(len(message))},
	}
	for range 2 { // the message is written once
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			read(nil)
		}()
	}
}

package fakenvrtc_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/fakenvrtc"
)

func TestMain(m *testing.M) {
	fakenvrtc.Main()
	os.Exit(m.Run())
}

// One process compiles source after source, also after one that is wrong. Another one takes its place if it has died.
func TestHelpers(t *testing.T) {
	const inside = "QD_TEST_FAKENVRTC_INSIDE"
	if os.Getenv(inside) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestHelpers$", "-test.v")
		cmd.Env = append(fakenvrtc.Env(t), inside+"=1") // C reads what a process begins with
		out, err := cmd.CombinedOutput()
		switch {
		case err != nil:
			t.Errorf("%v\n%s", err, out)
		case strings.Contains(string(out), "--- SKIP"):
			t.Skipf("%s", out)
		}
		return
	}
	const right = "struct k_args { int* x; };\nextern \"C\" __global__ void k(const k_args args) { args.x[0] = 1; }\n"
	if got := compile(t, right); got != 0 {
		t.Fatalf("the result is %d", got)
	}
	first := children(t)
	if got := compile(t, "no C++"); got == 0 {
		t.Error("what is no C++ was compiled")
	}
	if got := compile(t, right); got != 0 {
		t.Errorf("after an error, the result is %d", got)
	}
	if again := children(t); len(first) != 1 || len(again) != 1 || again[0] != first[0] {
		t.Fatalf("the processes are %v, and then %v", first, again)
	}
	p, err := os.FindProcess(first[0])
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := compile(t, right); got != 0 {
		t.Errorf("after the process has been killed, the result is %d", got)
	}
}

// compile compiles a source, and gives what NVRTC does.
func compile(t *testing.T, source string) int32 {
	t.Helper()
	lib, err := dl.Open(os.Getenv("QD_NVRTC"))
	if err != nil {
		t.Fatal(err)
	}
	symbol := func(name string) uintptr {
		fn, err := lib.Symbol(name)
		if err != nil {
			t.Fatal(err)
		}
		return fn
	}
	text := append([]byte(source), 0)
	program := new(uintptr)
	dl.Call(symbol("nvrtcCreateProgram"), uintptr(unsafe.Pointer(program)), uintptr(unsafe.Pointer(&text[0])), 0, 0, 0, 0)
	result := dl.Call(symbol("nvrtcCompileProgram"), *program, 0, 0)
	dl.Call(symbol("nvrtcDestroyProgram"), uintptr(unsafe.Pointer(program)))
	return int32(result)
}

// children are the processes that this one has started.
func children(t *testing.T) (pids []int) {
	t.Helper()
	files, _ := filepath.Glob("/proc/self/task/*/children")
	if len(files) == 0 {
		t.Skip("this system does not tell the children of a process")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		for _, word := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

package qd_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func crashes(t qd.Thread, at int, x []float32) { x[at+t.ID()] = 1 }

//qd:kernel
func crashesInCopy(t qd.Thread, at int, x []float32) { copy(x[at:at+len(x)], x) }

//qd:kernel
func crashesBeside(t qd.Thread, at int, x []float32) { x[at+t.ID()] += 2 }

//qd:kernel
func crashesInGrid(g qd.Grid, at int, x []float32) {
	g.For(len(x), func(i int) { x[at+i] = 3 })
}

// crash is what a process does that a test starts.
func crash(what string) {
	dev, err := qd.Open("cpu")
	if err != nil {
		panic(err)
	}
	x := make([]float32, 1000)
	far := huge(44)
	recovers := func() (recovered bool) { // a panic of Go's own, which is a signal too
		defer func() { recovered = recover() != nil }()
		var p *[4]int
		p[1]++
		return false
	}
	launch := func(kernel any, at int) {
		if err := dev.Launch(kernel, qd.Dim(1), at, x); err != nil {
			panic(err)
		}
		if !recovers() {
			panic("no panic")
		}
	}
	switch what {
	case "crashes":
		launch(crashes, 0)
		launch(crashes, far)
	case "crashesInCopy":
		launch(crashesInCopy, 0)
		launch(crashesInCopy, far)
	case "crashesBeside":
		if err := qd.Build(qd.NewKernel(crashes).WithDevice(dev), qd.NewKernel(crashesBeside).WithDevice(dev)); err != nil {
			panic(err)
		}
		launch(crashes, 0)
		launch(crashesBeside, far)
	case "crashesInGrid":
		if err := dev.Run(crashesInGrid, 0, x); err != nil {
			panic(err)
		}
		panic(dev.Run(crashesInGrid, far, x))
	case "none":
		launch(crashes, 0)
		var p *int
		*p = 1
	}
}

// A kernel that crashes says that it has before the program ends.
func TestLaunchCrash(t *testing.T) {
	const variable = "QD_TEST_CRASH"
	if what := os.Getenv(variable); what != "" {
		crash(what)
		return
	}
	if !(runtime.GOOS == "linux" || runtime.GOOS == "darwin") || !(runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") || os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		t.Skip("there is a handler for Linux and macOS, on amd64 and arm64")
	}
	if _, err := qd.Open("cpu"); err != nil {
		t.Skip(err)
	}
	for _, what := range []string{"crashes", "crashesInCopy", "crashesBeside", "crashesInGrid", "none"} {
		t.Run(what, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestLaunchCrash$")
			cmd.Env = append(os.Environ(), variable+"="+what, "QD_CHECK=")
			text, err := cmd.CombinedOutput()
			out := string(text)
			if err == nil {
				t.Fatalf("nothing has happened: %s", out)
			}
			message := "qd: kernel " + what + " has crashed on device cpu: it accessed memory that is not its own, such as elements past the end of a slice, or a function called itself too often for the stack. Run the program with QD_CHECK=1 to see where.\n"
			n := 1
			if what == "none" {
				n = 0
			}
			if strings.Count(out, "has crashed") != n || n == 1 && !strings.Contains(out, message) {
				t.Errorf("the message is not there: %.600s", out)
			}
			if n == 1 && !strings.Contains(out, "SIGSEGV") && !strings.Contains(out, "SIGBUS") || !strings.Contains(out, "goroutine ") { // what Go says
				t.Errorf("Go's message is not there: %.600s", out)
			}
		})
	}
}

package corpus

import (
	"bytes"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/qdgen/qd"
	kernels "github.com/qdgen/qd/internal/corpus/kernels"
	"github.com/qdgen/qd/internal/testenv"
)

// TestGo runs the kernels as Go. With -update this gives the expected results.
func TestGo(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the expected results are those of Go on amd64; elsewhere Go may fuse operations and convert floats differently")
	}
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	forEachKernel(t, func(t *testing.T, _ *File, k *Kernel) {
		for _, l := range k.Launches {
			if l.Hand != "" {
				continue
			}
			args, stdout, err := launch(dev, l)
			if err != nil {
				t.Errorf("%s: %v", l.Name, err)
				continue
			}
			if *update {
				l.Result, l.Stdout = l.FormatResult(args), l.FormatStdout(stdout)
			}
			check(t, l, args, stdout)
		}
	})
}

// TestCPU runs the kernels as compiled C++.
func TestCPU(t *testing.T) { testDevice(t, "cpu") }

// TestCUDA runs the kernels on a GPU, where there is one.
func TestCUDA(t *testing.T) {
	if _, err := qd.Open("cuda:0"); err != nil {
		t.Skip(err)
	}
	testDevice(t, "cuda:0")
}

// testDevice runs the kernels on a device and compares with what Go gives.
func testDevice(t *testing.T, name string) {
	dev, err := qd.Open(name)
	if missing := (*qd.MissingError)(nil); errors.As(err, &missing) {
		testenv.Missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	forEachKernel(t, func(t *testing.T, _ *File, k *Kernel) {
		for _, l := range k.Launches {
			args, stdout, err := launch(dev, l)
			if err != nil {
				t.Errorf("%s: %v", l.Name, err)
				continue
			}
			check(t, l, args, stdout)
		}
	})
}

// printing is held while a kernel runs that prints: where kernels print is the
// same for all devices.
var printing sync.Mutex

// launch runs one launch of the corpus on a device, and gives the arguments as
// they are after it and what it printed.
func launch(dev *qd.Device, l *Launch) (args []any, stdout string, err error) {
	args = l.Args()
	kernel, dim := kernels.Funcs[l.Kernel.Name], qd.Dim(l.Dims...)
	if !l.Kernel.Prints {
		return args, "", dev.Launch(kernel, dim, args...)
	}
	printing.Lock()
	defer printing.Unlock()
	var b bytes.Buffer
	old := qd.SetOutput(&b)
	defer qd.SetOutput(old)
	if err = dev.Launch(kernel, dim, args...); err == nil {
		err = dev.Wait()
	}
	return args, b.String(), err
}

// check compares what a launch left with what is expected.
func check(t *testing.T, l *Launch, args []any, stdout string) {
	t.Helper()
	if err := l.CheckResult(args); err != nil {
		t.Errorf("%s: %v", l.Name, err)
	}
	if err := l.CheckStdout(stdout); err != nil {
		t.Errorf("%s: %v", l.Name, err)
	}
}

package corpus

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/clang"
	kernels "github.com/qdgen/qd/internal/corpus/kernels"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testenv"
)

// TestGo runs the kernels as Go. With -update this gives the expected results;
// with -race it shows that the kernels have no data races.
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
				t.Errorf("launch %s: %v", cmp.Or(l.Name, l.Kernel.Name), err)
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
func TestCPU(t *testing.T) {
	compiles(t)
	testDevice(t, "cpu")
}

// TestChecked runs checked builds of them, which give the same: nothing in the
// corpus is out of range.
func TestChecked(t *testing.T) {
	compiles(t)
	testDevice(t, "cpu", (*qd.Device).Checked)
}

// TestCUDA runs the kernels on a GPU, where there is one.
func TestCUDA(t *testing.T) {
	if _, err := qd.Open("cuda:0"); err != nil {
		t.Skip(err)
	}
	testDevice(t, "cuda:0")
}

// TestCUDAOnHost runs TestCUDA in a process in which the CUDA driver and NVRTC are
// fakes that run the emitted CUDA on the host.
func TestCUDAOnHost(t *testing.T) {
	compiles(t)
	onFakeGPU(t, "TestCUDA")
}

// onFakeGPU runs a test of all kernels in such a process.
func onFakeGPU(t *testing.T, test string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^"+test+"$")
	cmd.Env = fakenvrtc.Env(t)
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+test+"/prog_saxpy")) {
		t.Errorf("%v\n%s", err, failures(out))
	}
}

// TestGCC runs some kernels of TestCPU in a process with g++, which compiles another text
// than clang: those of vectors and matrices.
func TestGCC(t *testing.T) {
	compiles(t)
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^TestCPU$/^(literal_of_itself|array_values|struct_fields|mat_arith|order_memory|products_beside)$")
	cmd.Env = append(os.Environ(), "QD_CXX=g++")
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestCPU/literal_of_itself")) {
		t.Errorf("%v\n%s", err, failures(out))
	}
}

// TestLanes runs kernels with loops, exits and divergence in processes in which all kernels that can have vectors have
// them: a thread's result does not depend on how many run at once. QD_LANES=8 go test -run TestCPU runs all kernels so.
func TestLanes(t *testing.T) {
	compiles(t)
	c, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	for _, lanes := range []string{"4", "16"} {
		cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^TestCPU$/^(for_|if_|switch_|return_|loop|convert_|shift_|block_|shared_|lanes_|atomic_)")
		// The vectors are in the text. What the compiler makes of such a text at its best is in TestCPU.
		cmd.Env = append(os.Environ(), "QD_LANES="+lanes, "QD_CXX="+cmp.Or(os.Getenv("QD_CXX"), c.Path)+" -O1")
		out, err := cmd.CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte("--- PASS: TestCPU/for_continue_post")) {
			t.Errorf("%s lanes: %v\n%s", lanes, err, failures(out))
		}
	}
}

// TestInterchange runs the kernels of several dimensions in a process in which all launches have their last two axes
// interchanged: what a kernel gives does not depend on the axis along which vectors lie.
func TestInterchange(t *testing.T) {
	compiles(t)
	c, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	var names []string
	for _, f := range files {
		for _, k := range f.Kernels {
			if slices.ContainsFunc(k.Launches, func(l *Launch) bool { return len(l.Dims) > 1 }) && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-interchange", "-test.run=^TestCPU$/^("+strings.Join(names, "|")+")$")
	cmd.Env = append(os.Environ(), "QD_CXX="+cmp.Or(os.Getenv("QD_CXX"), c.Path)+" -O1")
	out, err := cmd.CombinedOutput()
	if passed := bytes.Count(out, []byte("    --- PASS: TestCPU/")); err != nil || passed < len(names) || passed < 30 {
		t.Errorf("%d of %d have passed, %v\n%s", passed, len(names), err, failures(out))
	}
}

// failures are the lines of a verbose test's output that are not about what passed.
func failures(out []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(out)) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		if word != "--- PASS" && !strings.HasPrefix(line, "=== ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// compiles marks a test that spends its time in a compiler: such tests run beside
// each other, and not under the race detector, which has nothing to see in them.
func compiles(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("the race detector sees nothing of compiled kernels; TestGo is what it is for")
	}
	t.Parallel()
}

// openDevice opens a device that a test is for.
func openDevice(t *testing.T, name string) *qd.Device {
	t.Helper()
	dev, err := qd.Open(name)
	if missing := (*qd.MissingError)(nil); errors.As(err, &missing) {
		testenv.Missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dev
}

// testDevice runs the kernels on a device, or what is made of it, and compares with
// what Go gives.
func testDevice(t *testing.T, name string, build ...func(*qd.Device) *qd.Device) {
	dev := openDevice(t, name)
	for _, f := range build {
		dev = f(dev)
	}
	// A kernel is compiled together with its neighbours that nobody has launched before. One by one, these are the same in
	// each run, so that what the compiler makes of them is found.
	oneByOne(t, func(t *testing.T, _ *File, k *Kernel) {
		for _, l := range k.Launches {
			if l.Hand != "" && len(build) > 0 {
				continue // where Go panics
			}
			args, stdout, err := launch(dev, l)
			if err != nil {
				t.Errorf("launch %s: %v", cmp.Or(l.Name, l.Kernel.Name), err)
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
	kernel := kernels.Funcs[l.Kernel.Name]
	if l.Block != 0 {
		kernel = qd.NewKernel(kernel).WithBlockDim(l.Block)
	}
	run := func() error { return dev.Launch(kernel, qd.Dim(l.Dims...), args...) }
	if l.Kernel.Grid {
		run = func() error { return dev.Run(kernel, args...) }
	}
	if !l.Kernel.Prints {
		return args, "", run()
	}
	printing.Lock()
	defer printing.Unlock()
	var b bytes.Buffer
	old := qd.SetOutput(&b)
	defer qd.SetOutput(old)
	if err = run(); err == nil {
		err = dev.Wait()
	}
	return args, b.String(), err
}

// check compares what a launch left with what is expected.
func check(t *testing.T, l *Launch, args []any, stdout string) {
	t.Helper()
	if err := l.CheckResult(args); err != nil {
		t.Errorf("launch %s: %v", cmp.Or(l.Name, l.Kernel.Name), err)
	}
	if err := l.CheckStdout(stdout); err != nil {
		t.Errorf("launch %s: %v", cmp.Or(l.Name, l.Kernel.Name), err)
	}
}

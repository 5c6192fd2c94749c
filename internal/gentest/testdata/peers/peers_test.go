package peers

import (
	"errors"
	"os"
	"os/exec"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
)

func TestMain(m *testing.M) {
	fakenvrtc.Main()
	testenv.Setup()
	os.Exit(runTests(m))
}

// runTests runs the tests with a cache of their own, which has what compilers have made of the same
// texts in earlier runs: some count what is compiled for a launch, or made ready.
func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "qd-peers-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := testcache.Dir(dir); err != nil {
		panic(err)
	}
	os.Setenv("QD_CACHE", dir)
	for _, name := range []string{"QD_DEVICE", "QD_CACHE_SIZE", "QD_CHECK"} {
		os.Unsetenv(name)
	}
	return m.Run()
}

// A peerCase is a behaviour that a peer's test suite checks.
type peerCase struct {
	origin string // the test's name there
	checks string // what it checks
	note   string // what is different here, on purpose; "" for nothing
	run    func(c *check)
}

// A suite is a peer's file of tests.
type suite struct {
	name  string // "warp/test_static.py"
	cases []peerCase
}

// suites are all of them, in the order of docs/peers.md.
var suites = []suite{
	{"warp/test_static.py", warpStatic},
	{"warp/test_codegen.py", warpCodegen},
	{"warp/test_compile_consts.py", warpConsts},
	{"warp/test_module_hashing.py", warpHashing},
	{"warp/test_generics.py", warpGenerics},
	{"warp/test_codegen_instancing.py", warpInstancing},
	{"warp/test_vec.py, test_vec_*.py", warpVec},
	{"warp/test_mat.py, test_mat_*.py", warpMat},
	{"warp/test_mat.py: what solves and decomposes", warpMatLinalg},
	{"warp/test_quat.py, test_math.py", warpQuat},
	{"warp/test_grad_debug.py", warpGradDebug},
	{"quadrants/test_static.py", quadrantsStatic},
	{"quadrants/test_kernel_templates.py", quadrantsTemplates},
	{"quadrants/test_linalg.py", quadrantsLinalg},
	{"quadrants/test_matrix.py", quadrantsMatrix},
	{"quadrants/test_svd.py", quadrantsSVD},
	{"quadrants/test_unpacked.py", quadrantsUnpacked},
	{"triton/test_cache.py", tritonCache},
	{"triton/test_core.py", tritonCore},
	{"triton/test_core.py: order, scans, products, loads and stores", tritonRows},
	{"triton/test_autotuner.py", tritonTuner},
	{"what peers get wrong", whatPeersGetWrong},
	{"what else may go wrong", beyond},
}

// A check is one case on one device.
type check struct {
	*testing.T
	dev *qd.Device
}

// TestPeers runs all cases on devices go and cpu.
func TestPeers(t *testing.T) {
	for _, name := range []string{"go", "cpu"} {
		t.Run(name, func(t *testing.T) { runSuites(t, name, suites) })
	}
}

// vectorSuites are those of vectors, matrices and tiles.
func vectorSuites() (list []suite) {
	for _, s := range suites {
		if strings.Contains(s.name, "vec") || strings.Contains(s.name, "mat") || strings.Contains(s.name, "quat") ||
			strings.Contains(s.name, "linalg") || strings.Contains(s.name, "svd") || strings.Contains(s.name, "unpacked") || strings.Contains(s.name, "core") {
			list = append(list, s)
		}
	}
	return list
}

// TestCUDAText runs the cases of vectors and matrices as emitted CUDA, in a process in which
// device "cuda:0" exists: behind it are a driver and an NVRTC that run the text on the host.
func TestCUDAText(t *testing.T) {
	if os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		runSuites(t, "cuda:0", vectorSuites())
		return
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^TestCUDAText$")
	cmd.Env = fakenvrtc.Env(t)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestCUDAText/quadrants/test_svd.py") {
		t.Errorf("%v\n%s", err, out)
	}
}

// runSuites runs suites on a device.
func runSuites(t *testing.T, device string, suites []suite) {
	dev, err := qd.Open(device)
	if err != nil {
		testenv.Missing(t, err)
	}
	for _, s := range suites {
		t.Run(s.name, func(t *testing.T) {
			for _, p := range s.cases {
				if p.run != nil {
					t.Run(p.origin, func(t *testing.T) {
						defer func() {
							if r := recover(); r != nil {
								t.Errorf("panic: %v\n%s", r, debug.Stack())
							}
						}()
						p.run(&check{t, dev})
					})
				}
			}
		})
	}
}

// must fails the case at an error.
func (c *check) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

// launch launches a kernel over n threads.
func (c *check) launch(kernel any, n int, args ...any) {
	c.Helper()
	c.must(c.dev.Launch(kernel, qd.Dim(n), args...))
}

// gives launches a kernel of one thread, whose last parameter is a slice for results,
// and compares them.
func gives[T any](c *check, want []T, kernel any, args ...any) {
	c.Helper()
	out := make([]T, len(want))
	c.launch(kernel, 1, append(args, out)...)
	equal(c, out, want)
}

func equal[T any](c *check, got, want T) {
	c.Helper()
	if !reflect.DeepEqual(got, want) {
		c.Errorf("%v, want %v", got, want)
	}
}

// refuses launches a kernel that must be refused, with a message that has the words.
func (c *check) refuses(words string, kernel any, args ...any) {
	c.Helper()
	err := c.dev.Launch(kernel, qd.Dim(1), args...)
	var found *qd.Diagnostics
	if !errors.As(err, &found) {
		c.Errorf("it is not refused: %v", err)
		return
	}
	if !strings.Contains(err.Error(), words) {
		c.Errorf("the error does not say %q:\n%v", words, err)
	}
	for _, d := range found.List {
		if d.Pos.Line == 0 {
			c.Errorf("an error without position: %v", d)
		}
		if d.Hint == "" {
			c.Errorf("an error without advice: %v", d)
		}
	}
}

// specializes runs f and fails the case unless it made so many specializations ready.
// Device go has none to make.
func (c *check) specializes(n int, f func()) {
	c.Helper()
	before := qd.Stats()
	f()
	after := qd.Stats()
	if got := int(after.Specializations - before.Specializations); c.dev.String() != "go" && got != n {
		c.Errorf("%d specializations, want %d", got, n)
	}
}

// same runs f, which launches what is the same as something launched before, and fails
// the case if anything is compiled for it, found in the cache, or loaded.
func (c *check) same(f func()) {
	c.Helper()
	before := qd.Stats()
	f()
	after := qd.Stats()
	if after.Compiled != before.Compiled || after.Loaded != before.Loaded {
		c.Errorf("compiled %d times, loaded %d modules, want none", after.Compiled-before.Compiled, after.Loaded-before.Loaded)
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/origin"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testmodule"
	"github.com/qdgen/qd/nvrtc"
)

// binary is the command qdgen, which is built where it is needed first; the directory is removed after the tests.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "seeds-")
	if err != nil {
		return "", err
	}
	binaryDir = dir
	name := filepath.Join(dir, "qdgen.exe")
	return name, testmodule.GoBuild("seeds-qdgen", name, "", nil, "-ldflags=-w", "github.com/qdgen/qd/cmd/qdgen")
})

var binaryDir string

// qdgen runs the command in a directory. The results are what it prints to standard output and to standard error.
func qdgen(t *testing.T, dir string, env []string, args ...string) (stdout, stderr string) {
	t.Helper()
	name, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		t.Fatalf("qdgen %s: %v\n%s", strings.Join(args, " "), err, &messages)
	}
	return out.String(), messages.String()
}

func needsNVRTC(t *testing.T) {
	t.Helper()
	if _, err := nvrtc.Find(); err != nil {
		testenv.Missing(t, err)
	}
}

// vet runs qdgen vet over a program, which has to end with an exit status. The results are what it prints to standard error.
func vet(t *testing.T, dir string, exit int) string {
	t.Helper()
	name, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), name, "vet", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), inModule...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != exit {
		t.Fatalf("qdgen vet: %v\n%s", err, out)
	}
	return string(out)
}

// has fails the test where a text lacks a part.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("there is no %q in\n%s", p, text)
		}
	}
}

// A commandCase is what a document says of the tools around the kernels.
type commandCase struct {
	Name string
	run  func(t *testing.T)
}

var commandCases = []commandCase{
	{Name: "warp/command/cache", run: cacheCommands},
	{Name: "warp/command/ssa", run: singleAssignment},
	{Name: "warp/command/compilers", run: nativeCompilers},
	{Name: "triton/command/const", run: givenConstant},
	{Name: "quadrants/command/large", run: largeValues},
	{Name: "quadrants/command/sizes", run: otherSizes},
	{Name: "quadrants/command/ptx", run: localMemory},
	{Name: "quadrants/command/resources", run: spills},
	{Name: "quadrants/command/ll", run: allocas},
	{Name: "quadrants/command/cached", run: printedAgain},
	{Name: "quadrants/command/vet", run: serialLoop},
}

func TestCommands(t *testing.T) {
	for _, c := range commandCases {
		t.Run(c.Name, c.run)
	}
}

// cacheCommands looks for what a sample has built: where the cache is, what is in it, the source beside the
// module; and builds it again when the cache has been cleared.
func cacheCommands(t *testing.T) {
	needsCompiler(t)
	dir := filepath.Join(t.TempDir(), "cache")
	env := []string{"QD_DEVICE=cpu", "QD_CACHE=" + dir}
	build := func(how string) {
		t.Helper()
		has(t, start(t, env, "warp/static/functions").log, "loaded on cpu in", "("+how+")")
	}
	build("compiled")
	if out, _ := qdgen(t, ".", env, "cache", "path"); strings.TrimSpace(out) != dir {
		t.Errorf("the cache is %s, want %s", out, dir)
	}
	out, _ := qdgen(t, ".", env, "cache", "list")
	has(t, out, "warp.operate", "3 modules")
	c, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.List()
	if err != nil || len(list) != 3 {
		t.Fatalf("%d modules, %v", len(list), err)
	}
	for _, e := range list {
		source, err := c.Source(e.Key)
		if err != nil {
			t.Fatal(err)
		}
		has(t, source, "operate")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	build("cached")
	qdgen(t, ".", env, "cache", "clear")
	build("compiled")
}

// singleAssignment looks for names that are defined twice in the intermediate representation.
func singleAssignment(t *testing.T) {
	out, _ := qdgen(t, ".", nil, "emit", "./warp", "--target", "ssa", "--kernel", "callsMyFunc")
	for _, function := range strings.Split(out, "\n}\n") {
		defined := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)^\s+(\S+):\S+ = `).FindAllStringSubmatch(function, -1) {
			if defined[m[1]] {
				t.Errorf("%s is defined twice in\n%s", m[1], function)
			}
			defined[m[1]] = true
		}
	}
	has(t, out, "c.v3:float32 = mul v2, a.v0", "func myFunc(", "kernel callsMyFunc(")
}

// nativeCompilers has a kernel compiled for the CPU and for a GPU, by clang and by NVRTC.
func nativeCompilers(t *testing.T) {
	needsCompiler(t)
	needsNVRTC(t)
	out, _ := qdgen(t, ".", nil, "emit", "./warp", "--target", "asm", "--kernel", "writeArgument")
	has(t, out, "writeArgument", "$42")
	out, _ = qdgen(t, ".", nil, "emit", "./warp", "--target", "ptx", "--kernel", "writeArgument", "--arch", "sm_90")
	has(t, out, ".target sm_90", ".visible .entry writeArgument(", "42")
}

// givenConstant prints the specialization for a value that no launch of the package has.
func givenConstant(t *testing.T) {
	out, _ := qdgen(t, ".", nil, "emit", "./triton", "--kernel", "sized", "--const", "size=96")
	has(t, out, "lane < 96")
}

// newProgram is a directory with a module that has a file main.go, and qd for a dependency.
func newProgram(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = testmodule.Dir(t)
	testmodule.Write(t, dir, "example.com/app")
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// inModule are the settings of the go command in a module of newProgram. Nothing is downloaded.
var inModule = []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}

// largeValues has values of 144 elements, of more, and of more in an array of a launch: only the second is warned of.
func largeValues(t *testing.T) {
	dir := newProgram(t, `package main

import "github.com/qdgen/qd"

type row struct { r [145]float32 }

//qd:kernel
func just(t qd.Thread, x []float32) {
	var m [144]float32
	for i := range qd.Static(144) { m[i] = x[i] }
	x[0] = m[143]
}

//qd:kernel
func tooLarge(t qd.Thread, x []float32) {
	var m [145]float32
	for i := range qd.Static(145) { m[i] = x[i] }
	x[0] = m[144]
}

//qd:kernel
func inMemory(t qd.Thread, x qd.View2[float32]) { x.Set(0, 0, x.At(63, 63)) }

func main() {}
`)
	for kernel, warned := range map[string]bool{"just": false, "tooLarge": true, "inMemory": false} {
		_, messages := qdgen(t, dir, inModule, "emit", "--kernel", kernel)
		if warned != strings.Contains(messages, "warning: ") {
			t.Errorf("%s: %s", kernel, messages)
		}
		if warned {
			has(t, messages, "145 elements", "main.go:16:")
		}
	}
}

// otherSizes makes a 12x12 matrix, which is the largest with an inverse, and a 6x6 one, the largest with
// eigenvalues, and runs a program with them on each device.
func otherSizes(t *testing.T) {
	dir := newProgram(t, `package main

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func large(t qd.Thread, scale float64, out []float64) {
	var m Mat12
	for i := range m {
		m[i][11-i] = scale
	}
	out[0] = m.Inverse()[0][11]
	var s Mat6
	for i := range s {
		s[i][i] = float64(6 - i)
	}
	w, _ := s.SymEig()
	out[1], out[2] = w[0], w[5]
}

func main() {
	out := make([]float64, 3)
	if err := qd.Launch(large, qd.Dim(1), 4, out); err != nil {
		panic(err)
	}
	fmt.Printf("%.6f\n", out)
}
`)
	qdgen(t, dir, inModule, "types", "--elem", "float64", "Vec12", "Mat12", "Vec6", "Mat6", "Vec13", "Mat13", "Vec7", "Mat7")
	made, err := os.ReadFile(filepath.Join(dir, "qd_types.go"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, string(made), "func (m Mat12) Inverse()", "func (m Mat6) SymEig()", "func (m Mat7) Inverse()")
	for _, method := range []string{"func (m Mat13) Inverse()", "func (m Mat7) SymEig()"} {
		if strings.Contains(string(made), method) {
			t.Errorf("there is %s", method)
		}
	}
	program := filepath.Join(dir, "app.exe")
	begun := time.Now()
	if err := testmodule.GoBuild("seeds-"+t.Name(), program, dir, append(os.Environ(), inModule...), "-ldflags=-w", "."); err != nil {
		t.Fatal(err)
	}
	for dev, env := range devices(t) {
		run := exec.CommandContext(t.Context(), program)
		// Else it sees files that are newer than what the go command has kept of an earlier run, and builds itself to compare.
		run.Env = append(append(os.Environ(), env...), origin.EnvBegun+"="+origin.Begun(begun, program))
		if out, err := run.CombinedOutput(); err != nil || string(out) != "[0.250000 1.000000 6.000000]\n" {
			t.Errorf("%s: %v\n%s", dev, err, out)
		}
	}
}

// localMemory looks for the instructions that load from local memory and store to it.
func localMemory(t *testing.T) {
	needsNVRTC(t)
	local := regexp.MustCompile(`(ld|st)\.local`)
	for kernel, want := range map[string]bool{"./quadrants pickFromRow": true, "./quadrants sumOfRow": false, "./quadrants dotOfTiles": false} {
		pkg, name, _ := strings.Cut(kernel, " ")
		out, _ := qdgen(t, ".", nil, "emit", pkg, "--kernel", name, "--target", "ptx")
		has(t, out, ".entry "+name)
		if local.MatchString(out) != want {
			t.Errorf("%s: instructions on local memory: %v, want %v\n%s", name, !want, want, out)
		}
	}
}

// spills reads the registers and the spills of kernels, for two architectures, and the places in the source.
func spills(t *testing.T) {
	needsNVRTC(t)
	out, warnings := qdgen(t, ".", nil, "emit", "./cases/quadrants", "--resources", "--kernel", "manyAlive", "--arch", "sm_80,sm_90")
	for _, arch := range []string{"sm_80", "sm_90"} {
		if !regexp.MustCompile(`(?m)^manyAlive +` + arch + ` +255 +[1-9]\d* +[1-9]\d* +[1-9]\d* `).MatchString(out) {
			t.Errorf("%s does not spill:\n%s", arch, out)
		}
	}
	has(t, warnings, "spills.go:", "registers run out here")
	out, warnings = qdgen(t, ".", nil, "emit", "./quadrants", "--resources", "--kernel", "sumOfRow", "--kernel", "pickFromRow", "--arch", "sm_90")
	if !regexp.MustCompile(`(?m)^sumOfRow +sm_90 +\d+ +0 +0 +0 `).MatchString(out) || !regexp.MustCompile(`(?m)^pickFromRow +sm_90 +\d+ +128 +0 +0 `).MatchString(out) {
		t.Errorf("not the frames that were expected:\n%s", out)
	}
	has(t, warnings, "matrix.go:", "row, packedTile, is in local memory, 128 bytes for each thread")
}

// allocas looks for stack slots that are left in the optimized LLVM IR for the CPU.
func allocas(t *testing.T) {
	needsCompiler(t)
	for kernel, want := range map[string]bool{"pickFromRow": true, "sumOfRow": false} {
		out, _ := qdgen(t, ".", nil, "emit", "./quadrants", "--kernel", kernel, "--target", "ll")
		has(t, out, kernel)
		if strings.Contains(out, "alloca") != want {
			t.Errorf("%s: stack slots: %v, want %v", kernel, !want, want)
		}
	}
}

// printedAgain prints the code of a kernel that the cache has.
func printedAgain(t *testing.T) {
	needsCompiler(t)
	env := []string{"QD_DEVICE=cpu", "QD_CACHE=" + t.TempDir()}
	start(t, env, "quadrants/matrix/tile")
	first, _ := qdgen(t, ".", env, "emit", "./quadrants", "--kernel", "sumOfRow", "--target", "asm")
	has(t, first, "sumOfRow")
	if again, _ := qdgen(t, ".", env, "emit", "./quadrants", "--kernel", "sumOfRow", "--target", "asm"); again != first {
		t.Error("the second call prints other code")
	}
}

// serialLoop writes a loop at the top level of a kernel as Quadrants does, which vet warns of, and a static condition on a
// value of the data, which it refuses.
func serialLoop(t *testing.T) {
	const program = `package main

import "github.com/qdgen/qd"

//qd:kernel
func compute(g qd.Grid, n int, a []int) {
	for i := range n {
		a[i] = i * 2
	}
	g.For(n, func(i int) {
		if qd.Static(%s) {
			a[i]++
		}
	})
}

func main() {}
`
	out := vet(t, newProgram(t, fmt.Sprintf(program, "1 < 2")), 0)
	has(t, out, "warning: main.go:7:2: the iterations of this loop are independent, but it runs once, in order", "help: write g.For(n, func(i int) { ... })")
	out = vet(t, newProgram(t, fmt.Sprintf(program, "a[i] > 2")), 1)
	has(t, out, "main.go:11:16: argument of qd.Static is not known at compile time: the elements of a are read when the kernel runs")
}

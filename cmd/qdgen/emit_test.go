package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
)

func TestEmitTargets(t *testing.T) {
	tests := []struct {
		target string
		args   []string
		stdout []string
	}{
		{"cuda", nil, []string{`extern "C" __global__ void saxpy(const saxpy_args args)`, "// main.go:20: y[i] += a * x[i]\n    y[i] += a * x[i];\n"}},
		{"cuda", []string{"--line-directives"}, []string{"#line 20 \"", "examples/saxpy/main.go\"\n"}},
		{"cpp", nil, []string{`extern "C" void saxpy(const saxpy_args* args, int64 begin, int64 end)`, "    y[i] += a * x[i];\n"}},
		{"ssa", nil, []string{"kernel saxpy(t.v0:thread, a.v1:float32", "\treturn\n"}},
		{"ssa", []string{"--after", "outline"}, []string{"kernel saxpy(t.v0:thread"}},
		{"ssa", []string{"--after", "cse"}, []string{"kernel saxpy(t.v0:thread"}},
		{"ssa", []string{"--after", "all"}, []string{"== after lower\n", "== after optimize: fold\n", "== after optimize: dce\n", "== after settle\n"}},
		{"cpp", []string{"--after", "number"}, []string{"kernel saxpy(t.v0:thread"}},
		{"cpp", []string{"--after", "fission"}, []string{"kernel saxpy(t.v0:thread"}},
		{"cuda", []string{"--after", "hoist", "--checked"}, []string{"check index i", "kernel saxpy.hoisted("}},
		{"cpp", []string{"--after", "all"}, []string{"== after lower\n", "== after fission\n"}},
		{"cpp", []string{"--checked"}, []string{"qd::CheckIndex(i, y.len", "void saxpy_hoisted("}},
		{"ssa", []string{"--checked"}, []string{"check index i"}},
		{"asm", nil, []string{"saxpy:"}},
		{"ll", nil, []string{"define", "@saxpy("}},
	}
	for _, tt := range tests {
		t.Run(strings.Join(append([]string{tt.target}, tt.args...), " "), func(t *testing.T) {
			args := append([]string{"emit", "../../examples/saxpy", "--target", tt.target}, tt.args...)
			qdgen(t, ".", nil, args...).want(t, 0, tt.stdout, nil)
		})
	}
}

// Kernels are emitted on all cores, and printed in their order all the same.
func TestEmitOnCores(t *testing.T) {
	for _, args := range [][]string{{"--target", "cuda"}, {"--target", "ssa", "--after", "all"}} {
		args = append([]string{"emit", "../../examples/heat"}, args...)
		one := qdgen(t, ".", []string{"GOMAXPROCS=1"}, args...)
		if four := qdgen(t, ".", []string{"GOMAXPROCS=4"}, args...); four != one {
			t.Errorf("%v: on one core\n%s\nand on four\n%s", args, one.stdout, four.stdout)
		}
		one.want(t, 0, []string{"diffuse(", "burn("}, nil)
	}
}

// PTX needs NVRTC and no GPU.
func TestEmitPTX(t *testing.T) {
	if _, err := nvrtc.Find(); err != nil {
		testenv.Missing(t, err)
	}
	for _, arch := range []string{"sm_80", "compute_90"} {
		args := []string{"emit", "../../examples/saxpy", "--target", "ptx", "--arch", arch}
		_, number, _ := strings.Cut(arch, "_")
		qdgen(t, ".", nil, args...).want(t, 0, []string{".visible .entry saxpy(", ".target sm_" + number}, nil)
	}
	qdgen(t, ".", nil, "emit", "../../examples/saxpy", "--target", "ptx", "--arch", "sm_10").want(t, 1, nil, []string{"sm_10"})
}

func TestEmitSelection(t *testing.T) {
	t.Run("grid", func(t *testing.T) {
		r := qdgen(t, ".", nil, "emit", "../../examples/fluid")
		r.want(t, 0, []string{"// kernels step.1, step.2, ", "void step_1(", "void step_5(", "// What the host runs:\n", "launch step.4 over"}, nil)
	})
	t.Run("all", func(t *testing.T) {
		qdgen(t, ".", nil, "emit", "../../examples/heat").want(t, 0, []string{"void diffuse(", "void burn("}, nil)
	})
	t.Run("one", func(t *testing.T) {
		r := qdgen(t, ".", nil, "emit", "../../examples/heat", "--kernel", "burn")
		r.want(t, 0, []string{"void burn("}, nil)
		if strings.Contains(r.stdout, "diffuse") {
			t.Errorf("the other kernel is printed too:\n%s", r.stdout)
		}
	})
	t.Run("current directory", func(t *testing.T) {
		qdgen(t, "../../examples/heat", nil, "emit").want(t, 0, []string{"void diffuse(", "void burn("}, nil)
	})
	t.Run("pattern", func(t *testing.T) {
		qdgen(t, "../../examples", nil, "emit", "./blur/...", "./heat", "./mandelbrot", "./s...y").want(t, 0, []string{"void saxpy(", "void escape(", "void rows(", "void diffuse("}, nil)
	})
	t.Run("json", func(t *testing.T) {
		r := qdgen(t, ".", nil, "emit", "../../examples/heat", "--json", "--target", "cpp")
		var got []emitted
		r.parse(t, &got)
		if len(got) != 2 || got[0].Kernel != "diffuse" || got[1].Kernel != "burn" || got[0].Package != "github.com/qdgen/qd/examples/heat" ||
			got[0].Target != "cpp" || !strings.Contains(got[0].Text, "void diffuse(") {
			t.Errorf("%+v", got)
		}
	})
	t.Run("files", func(t *testing.T) {
		dir := t.TempDir()
		qdgen(t, ".", nil, "emit", "../../examples/heat", "-o", dir).want(t, 0, nil, nil)
		text, err := os.ReadFile(filepath.Join(dir, "github.com/qdgen/qd/examples/heat/burn.cu"))
		if err != nil || !strings.Contains(string(text), "void burn(") {
			t.Errorf("%v\n%s", err, text)
		}
	})
}

// The same text wherever the command runs.
func TestEmitFromElsewhere(t *testing.T) {
	here := qdgen(t, ".", nil, "emit", "../../examples/heat")
	there := qdgen(t, "../..", nil, "emit", "github.com/qdgen/qd/examples/heat")
	if here.stdout != there.stdout || here.stdout == "" {
		t.Errorf("from here:\n%s\nfrom there:\n%s", here.stdout, there.stdout)
	}
}

func TestEmitErrors(t *testing.T) {
	empty := t.TempDir()
	if err := os.WriteFile(filepath.Join(empty, "go.mod"), []byte("module example.com/empty\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(empty, "main.go"), []byte("package main\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	prose := t.TempDir()
	misspelled := map[string]string{
		"go.mod":    "module example.com/prose\n",
		"kernel.go": "package prose\n\nimport \"github.com/qdgen/qd\"\n\n// qd:kernel\nfunc copies(t qd.Thread, x, y []int) { x[t.ID()] = y[t.ID()] }\n",
	}
	for name, text := range misspelled {
		if err := os.WriteFile(filepath.Join(prose, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name   string
		dir    string
		env    []string
		args   []string
		exit   int
		stderr []string
	}{
		{"refused", ".", nil, []string{"emit", "./testdata/refused"}, 1, []string{"testdata/refused/kernel.go:10:12: a kernel cannot allocate memory: the capacity len(x) is not known at compile time\n", "kernel.go:11:2: ", "help: "}},
		{"unknown kernel", ".", nil, []string{"emit", "../../examples/heat", "--kernel", "saxpy"}, 1, []string{"no kernel is named saxpy; there are diffuse, burn"}},
		{"unknown second kernel", ".", nil, []string{"emit", "../../examples/heat", "--kernel", "burn", "--kernel", "saxpy"}, 1, []string{"no kernel is named saxpy; there are diffuse, burn"}},
		{"no kernels", empty, nil, []string{"emit"}, 1, []string{"no kernels found", "//qd:kernel and a qd.Thread, a qd.Block or a qd.Grid as its first parameter"}},
		{"misspelled directive", prose, nil, []string{"emit"}, 1, []string{"kernel.go:5:1: // qd:kernel is not the directive that makes copies a kernel\n", "help: write //qd:kernel alone"}},
		{"two outputs", ".", nil, []string{"emit", "../../examples/heat", "--json", "-o", empty}, 2, []string{"--json and --output exclude each other", "--help"}},
		{"unknown target", ".", nil, []string{"emit", "../../examples/heat", "--target", "metal"}, 2, []string{"--target metal: the targets are cuda, cpp", "--help"}},
		{"unknown pass", ".", nil, []string{"emit", "../../examples/heat", "--target", "ssa", "--after", "x"}, 2, []string{"--after x: there is no such stage or pass; these are\n  lower ", "  fission ", "--help"}},
		{"stage of another target", ".", nil, []string{"emit", "../../examples/heat", "--target", "cuda", "--after", "fission"}, 2, []string{"--after fission: target cuda has no such stage", "--help"}},
		{"SSA of PTX", ".", nil, []string{"emit", "../../examples/heat", "--target", "ptx", "--after", "fold"}, 2, []string{"--after and --target ptx exclude each other", "--help"}},
		{"unknown flag", ".", nil, []string{"emit", "--colour"}, 2, []string{"unknown flag: --colour", "--help"}},
		{"no compiler", ".", []string{"QD_CXX=/nowhere/clang"}, []string{"emit", "../../examples/heat", "--target", "asm"}, 1, []string{"QD_CXX names", "/nowhere/clang"}},
		{"no NVRTC", ".", []string{"QD_NVRTC=/nowhere"}, []string{"emit", "../../examples/heat", "--target", "ptx"}, 1, []string{"/nowhere"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			qdgen(t, tt.dir, tt.env, tt.args...).want(t, tt.exit, nil, tt.stderr)
		})
	}
}

// What cannot be written is an error, not half an answer with status 0.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for _, args := range [][]string{{"emit", "../../examples/saxpy"}, {"doctor"}} {
		cmd := exec.Command(binary, args...)
		cmd.Stdout = full
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("%s: writing to a full disk: %v", args[0], err)
		}
	}
}

func TestDoctor(t *testing.T) {
	dir := t.TempDir()
	t.Run("text", func(t *testing.T) {
		qdgen(t, ".", []string{"QD_CACHE=" + dir}, "doctor").want(t, 0, []string{"ok  device go", "C++ compiler", "NVRTC", dir, "default device"}, nil)
	})
	t.Run("json", func(t *testing.T) {
		var got []finding
		qdgen(t, ".", nil, "doctor", "--json").parse(t, &got)
		if len(got) < 6 || got[1].Name != "device go" || !got[1].OK {
			t.Errorf("%+v", got)
		}
	})
	t.Run("nothing there", func(t *testing.T) {
		r := qdgen(t, ".", []string{"QD_CXX=/nowhere", "QD_NVRTC=/nowhere", "QD_CUDA_DRIVER=/nowhere"}, "doctor")
		r.want(t, 0, []string{"--  C++ compiler    QD_CXX names", "--  NVIDIA driver", "--  NVRTC", "go: the Go functions"}, []string{"the default device is not cpu"})
	})
	t.Run("default that is not there", func(t *testing.T) {
		r := qdgen(t, ".", []string{"QD_DEVICE=gpu"}, "doctor")
		if r.exit != 1 || !strings.Contains(r.stdout, "--  default device") {
			t.Errorf("%+v", r)
		}
	})
}

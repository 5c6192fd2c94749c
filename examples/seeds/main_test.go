package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
)

// TestMain makes the test binary the program itself where a test has started it with
// QD_SEED in its environment.
func TestMain(m *testing.M) {
	fakenvrtc.Main()
	if name := os.Getenv("QD_SEED"); name != "" {
		os.Args = append(os.Args[:1], strings.Fields(name)...)
		main()
		os.Exit(0)
	}
	testenv.Setup()
	code := m.Run()
	os.RemoveAll(binaryDir)
	os.Exit(code)
}

// outputs are what the samples say that they print, by name.
func outputs(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, dir := range []string{
		"warp", "quadrants", "cute", "triton",
		"cases/warp", "cases/quadrants", "cases/cute", "cases/triton",
	} {
		fset := token.NewFileSet()
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		runs := map[string]string{} // the comments, by function
		var table *ast.CompositeLit
		for _, name := range files {
			f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					for _, c := range f.Comments {
						if n.Pos() < c.Pos() && c.End() < n.End() && strings.HasPrefix(c.Text(), "Output:\n") {
							runs[n.Name.Name] = strings.TrimPrefix(c.Text(), "Output:\n")
						}
					}
				case *ast.ValueSpec:
					if name := n.Names[0].Name; name == "Samples" || name == "Cases" {
						table = n.Values[0].(*ast.CompositeLit)
					}
				}
				return true
			})
		}
		for _, e := range table.Elts {
			fields := e.(*ast.CompositeLit).Elts
			name := fields[0].(*ast.KeyValueExpr).Value.(*ast.BasicLit).Value
			run := fields[1].(*ast.KeyValueExpr).Value.(*ast.Ident).Name
			text, ok := runs[run]
			if !ok {
				t.Errorf("%s: %s does not say what it prints", dir, run)
			}
			found[strings.Trim(name, `"`)] = text
		}
	}
	return found
}

// A run is what a process of the program has printed and logged.
type run struct{ stdout, log string }

// start runs samples in a process of their own.
func start(t *testing.T, env []string, names ...string) run {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(slices.Concat(os.Environ(), env), "QD_SEED="+strings.Join(names, " "), "QD_CHECK=", "QD_LOG=info")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s%s", names, err, &stdout, &stderr)
	}
	return run{stdout.String(), stderr.String()}
}

func needsCompiler(t *testing.T) {
	t.Helper()
	if _, err := clang.Find(); err != nil {
		testenv.Missing(t, err)
	}
}

// devices are the environments of processes that run samples on each device: as Go, as C++, and
// as CUDA, behind stand-ins for the driver and for NVRTC.
func devices(t *testing.T) map[string][]string {
	t.Helper()
	needsCompiler(t)
	kept := t.TempDir()
	if err := testcache.Dir(kept); err != nil {
		t.Fatal(err)
	}
	return map[string][]string{
		"go":   {"QD_DEVICE=go", "QD_CACHE=" + t.TempDir()},
		"cpu":  {"QD_DEVICE=cpu", "QD_CACHE=" + kept},
		"cuda": append(fakenvrtc.Env(t), "QD_DEVICE=cuda:0"), // the stand-in for NVRTC is a part of what is tested
	}
}

// TestSamples runs each sample and case on each device, and compares what it prints with
// what it says.
func TestSamples(t *testing.T) {
	want := outputs(t)
	for dev, env := range devices(t) {
		t.Run(dev, func(t *testing.T) {
			for _, s := range samples {
				t.Run(s.Name, func(t *testing.T) {
					if got := start(t, env, s.Name); got.stdout != want[s.Name] {
						t.Errorf("it prints\n%swant\n%s%s", got.stdout, want[s.Name], got.log)
					}
				})
			}
		})
	}
}

// loaded finds the lines that report a module.
var loaded = regexp.MustCompile(`(?m)INFO module (\S+) [0-9a-f]{7} loaded on cpu in \S+ \((compiled|cached)\)$`)

// modules are the modules that a process has loaded, "warp (compiled)".
func (r run) modules() (list []string) {
	for _, m := range loaded.FindAllStringSubmatch(r.log, -1) {
		list = append(list, fmt.Sprintf("%s (%s)", m[1], m[2]))
	}
	return list
}

// A logCase is what the log says of samples that run in one process.
type logCase struct {
	Name    string
	samples []string
	modules int // that are loaded
}

var logCases = []logCase{
	{Name: "warp/log/interspersed", samples: []string{"warp/modules/interspersed"}, modules: 1},   // Warp: 2
	{Name: "warp/log/defined-first", samples: []string{"warp/modules/defined-first"}, modules: 1}, // Warp: 1
	{Name: "warp/log/loop", samples: []string{"warp/modules/loop"}, modules: 1},                   // Warp: 1
	{Name: "warp/log/updated", samples: []string{"warp/constants/updated"}, modules: 2},           // Warp: 2, where the module is marked
	{Name: "warp/log/functions", samples: []string{"warp/static/functions"}, modules: 3},          // Warp: 3
	{Name: "warp/log/reload", samples: []string{"warp/reload/interspersed"}, modules: 3},          // Warp: 3, each with all kernels so far
	{Name: "warp/log/made-first", samples: []string{"warp/reload/made-first"}, modules: 1},        // Warp: 1
	{Name: "warp/log/identical", samples: []string{"warp/reload/identical"}, modules: 1},          // Warp: 1
	{Name: "triton/log/sizes", samples: []string{"triton/specialization"}, modules: 2},
	{Name: "quadrants/log/package", samples: []string{"quadrants/matrix/create", "quadrants/matrix/transform", "quadrants/matrix/tile"}, modules: 2}, // Thread and Grid kernels
}

// TestLog runs samples twice, with a cache that is empty at first, and counts the
// modules that the log reports: none is built or
// loaded again for a kernel that comes later.
func TestLog(t *testing.T) {
	needsCompiler(t)
	for _, tt := range logCases {
		t.Run(tt.Name, func(t *testing.T) {
			cache := t.TempDir()
			for _, how := range []string{"compiled", "cached"} {
				r := start(t, []string{"QD_DEVICE=cpu", "QD_CACHE=" + cache}, tt.samples...)
				got := r.modules()
				if len(got) != tt.modules {
					t.Errorf("%d modules are loaded, want %d:\n%s", len(got), tt.modules, r.log)
				}
				for _, m := range got {
					if !strings.HasSuffix(m, "("+how+")") {
						t.Errorf("%s, want it %s", m, how)
					}
				}
			}
		})
	}
}

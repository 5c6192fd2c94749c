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
	os.Exit(m.Run())
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
	return map[string][]string{
		"go":   {"QD_DEVICE=go", "QD_CACHE=" + t.TempDir()},
		"cpu":  {"QD_DEVICE=cpu", "QD_CACHE=" + t.TempDir()},
		"cuda": append(fakenvrtc.Env(t), "QD_DEVICE=cuda:0"),
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

// TestLog runs samples twice, with a cache that is empty at first, and compares the
// modules that the log reports with those that Warp's page shows: none of ours is built or
// loaded again for a kernel that comes later.
func TestLog(t *testing.T) {
	needsCompiler(t)
	for _, tt := range []struct {
		sample string
		warp   int // modules that Warp loads
		ours   int
	}{
		{"warp/modules/interspersed", 2, 1},
		{"warp/modules/defined-first", 1, 1},
		{"warp/modules/loop", 1, 1},
		{"warp/constants/updated", 2, 2},
		{"warp/static/functions", 3, 3},
		{"warp/reload/interspersed", 3, 3},
		{"warp/reload/made-first", 1, 3}, // one each, at the same time
		{"warp/reload/identical", 1, 1},
		{"quadrants/matrix/create quadrants/matrix/transform quadrants/matrix/tile", 2, 2}, // Thread and Grid kernels
	} {
		t.Run(tt.sample, func(t *testing.T) {
			cache := t.TempDir()
			for _, how := range []string{"compiled", "cached"} {
				r := start(t, []string{"QD_DEVICE=cpu", "QD_CACHE=" + cache}, tt.sample)
				got := r.modules()
				if len(got) != tt.ours {
					t.Errorf("%d modules are loaded, want %d:\n%s", len(got), tt.ours, r.log)
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

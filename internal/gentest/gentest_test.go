package gentest

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// packages are those with tests. The pattern ./testdata/... would match none.
var packages = []string{"./testdata/bigtypes/...", "./testdata/matrices", "./testdata/peers/..."}

// TestPackages generates what the packages need, has vet look at them, and runs their tests, with the
// flags that it has itself.
func TestPackages(t *testing.T) {
	testenv.Setup()
	goCommand(t, "generate")
	inputs(t)
	goCommand(t, "vet")
	goCommand(t, "test", append(testFlags(), "-vet=off")...)
}

// goCommand runs the go command on the packages. The test's output has what it writes.
func goCommand(t *testing.T, name string, flags ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", slices.Concat([]string{name}, flags, packages)...)
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
}

// testFlags are the flags of this test for those that it runs, without those which are about one
// process: files, and the names of tests.
func testFlags() (list []string) {
	flag.Visit(func(f *flag.Flag) {
		switch name := strings.TrimPrefix(f.Name, "test."); name {
		case "count", "cpu", "failfast", "parallel", "short", "timeout":
			list = append(list, "-"+name+"="+f.Value.String())
		}
	})
	if testing.Verbose() {
		list = append(list, "-v")
	}
	return list
}

// inputs looks at all that decides about the result: the files of the packages, of qdgen and of what both
// are made of, their directories, which may get new files, and the environment. The go command
// keeps the result of a test until something has changed that the test has looked at, and does not know
// what the commands that a test starts have looked at.
func inputs(t *testing.T) {
	t.Helper()
	root := testenv.Root()
	files := append(sourceFiles(t), filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum"), filepath.Join(root, "docs", "peers.md"),
		filepath.Join(root, "ssa", "gradient", "testdata", "peers.txt"))
	// Of a package that the packages import, of one that only qdgen does, and what is generated.
	for _, want := range []string{"frontend/doc.go", "cmd/qdgen/main.go", "cmd/qdgen/vectypes/doc.go",
		"internal/gentest/testdata/bigtypes/big32/qd_types.go", "internal/gentest/testdata/matrices/solve_test.go"} {
		if !slices.Contains(files, filepath.Join(root, filepath.FromSlash(want))) {
			t.Errorf("%s is not among the files", want)
		}
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Error(err)
			continue
		}
		f.Close()
		if _, err := os.Stat(filepath.Dir(name)); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"CGO_ENABLED", "GOFLAGS", "LD_LIBRARY_PATH", "PATH", "QD_CXX", "QD_NVRTC", "QD_TEST_REQUIRE", "QD_TOOLS"} {
		os.Getenv(name)
	}
}

// sourceFiles are the files of this module that the tests of the packages and qdgen are built from.
func sourceFiles(t *testing.T) (files []string) {
	t.Helper()
	const format = `{{with .Module}}{{if .Main}}{{range $.GoFiles}}{{$.Dir}}	{{.}}
{{end}}{{range $.EmbedFiles}}{{$.Dir}}	{{.}}
{{end}}{{end}}{{end}}`
	cmd := exec.CommandContext(t.Context(), "go", slices.Concat([]string{"list", "-deps", "-test", "-f", format}, packages, []string{"../../cmd/qdgen"})...)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	for line := range strings.Lines(string(out)) {
		dir, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !filepath.IsAbs(name) { // as that is which the go command makes for the main package of a test
			files = append(files, filepath.Join(dir, name))
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

//go:build unix && !race

package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testmodule"
)

var update = flag.Bool("update", false, "rewrite the table of packages")

const packagesDoc = "../../docs/packages.md"

// TestPackages calls functions of other people's packages from kernels, and keeps docs/packages.md: what runs, with the
// same results on devices go and cpu, and what is refused. The packages are those of the standard library and, where the
// Go proxy or the module cache has them, those of modules that this one does not depend on.
func TestPackages(t *testing.T) {
	doc, err := os.ReadFile(packagesDoc)
	if err != nil && !*update {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("# Packages in kernels\n\nFunctions of other people's packages, called from kernels. `go test ./internal/e2e -run TestPackages -update` makes\nthis table: each function runs on device `cpu` and as compiled Go, with the same results, or is refused, for the first\nreason that is given. The program has the file that `qdgen gen` writes. A function in assembly is compiled from the Go\nthat its package has for other builds (tags `purego`, `noasm`, other architectures), which may round differently.\n")
	for _, list := range []struct{ name, title string }{{"standard", "The standard library"}, {"modules", "Modules"}} {
		t.Run(list.name, func(t *testing.T) {
			got := packageTable(t, list.name, list.title)
			text.WriteString("\n" + got)
			if !*update && !bytes.Contains(doc, []byte(got)) {
				t.Errorf("%s does not have this table; run the test with -update:\n%s", packagesDoc, got)
			}
		})
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(packagesDoc, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// packageTable runs the functions of a list, and gives their table.
func packageTable(t *testing.T, list, title string) string {
	const from = "testdata/packages"
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	dir, err := newDir(t.Name())
	must(t, err)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", read("go.mod.txt")+"\nreplace github.com/qdgen/qd => "+testenv.Root()+"\n")
	write("go.sum", read("go.sum.txt"))
	write("main.go", read("main.go.txt"))
	write("kernels.go", packageKernels(read(list+".txt")))
	// Exported variables of other packages are known to a program with the generated file.
	qdgen, err := qdgenProgram()
	must(t, err)
	gen := exec.Command(qdgen, "gen", ".")
	gen.Dir, gen.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod")
	if out, err := gen.CombinedOutput(); err != nil {
		missingModules(t, list, out)
		t.Fatalf("qdgen gen: %v\n%s", err, out)
	}
	program := filepath.Join(dir, "packages")
	must(t, testmodule.Build("e2e-"+t.Name(), program, func(path string) error {
		build := exec.Command("go", "build", "-mod=mod", withoutDebug, "-o", path, ".")
		build.Dir = dir
		out, err := build.CombinedOutput()
		if err != nil {
			missingModules(t, list, out)
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	}))
	cache := t.TempDir()
	must(t, testcache.Dir(cache))
	run := exec.Command(program)
	// Without the go command's cache the program takes the time at which it was linked for that of its source: that is older, as
	// an earlier run has compiled it, than the files of this one.
	run.Dir, run.Env = dir, append(os.Environ(), "QD_CACHE="+cache, "GOCACHE="+t.TempDir())
	run.Stderr = os.Stderr
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var rows strings.Builder
	runs, all := 0, 0
	for line := range bytes.Lines(out) {
		var f [3]string
		if err := json.Unmarshal(line, &f); err != nil {
			t.Fatal(err)
		}
		if f[2] != "" {
			t.Error("results differ: ", f[2])
		}
		all++
		if f[1] == "" {
			runs++
			f[1] = "runs"
		}
		fmt.Fprintf(&rows, "| `%s` | %s |\n", f[0], reason(f[1]))
	}
	return fmt.Sprintf("## %s\n\n%d of %d functions run.\n\n| function | |\n| --- | --- |\n%s", title, runs, all, rows.String())
}

// missingModules ends the test where no modules can be had, as what the go command prints says.
func missingModules(t *testing.T, list string, out []byte) {
	t.Helper()
	if list == "modules" && regexp.MustCompile(`dial tcp|no such host|connection refused|403 Forbidden|module lookup disabled`).Match(out) {
		testenv.Missing(t, fmt.Errorf("the modules are not to be had: %s", out))
	}
}

// place matches where an error is, of which the base name and the line are kept.
var place = regexp.MustCompile(`^(?:qd: )?\S*?([^/\s]+\.go:\d+):\d+: `)

// reason is the first line of an error, without what differs from machine to machine.
func reason(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	first = place.ReplaceAllString(first, "$1: ")
	first = regexp.MustCompile(`(kernels\.go):\d+`).ReplaceAllString(first, "$1")
	first = regexp.MustCompile(`/\S*/([^/\s]+\.go)`).ReplaceAllString(first, "$1")
	return strings.ReplaceAll(first, "|", `\|`)
}

// packageKernels are the kernels of a list, without the directive, for qdgen gen refuses packages with kernels that cannot be
// compiled: lines with the name of a function and the statements that call it.
func packageKernels(list string) string {
	var imports, kernels, table strings.Builder
	n := 0
	body := list
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		name, code, ok := strings.Cut(line, ": ")
		if spec, isImport := strings.CutPrefix(line, "import "); isImport {
			name, from, renamed := strings.Cut(spec, "=")
			if !renamed {
				from = name
				name = path.Base(from)
				if regexp.MustCompile(`^v\d+$`).MatchString(name) {
					name = path.Base(path.Dir(from))
				}
			}
			if strings.Contains(body, name+".") {
				fmt.Fprintf(&imports, "\t%s %q\n", name, from)
			}
			continue
		}
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		n++
		fmt.Fprintf(&kernels, "func kernel%d(t qd.Thread, u []uint64, f []float64) {\n\ti := t.ID()\n\t_ = i\n\t%s\n}\n\n", n, code)
		fmt.Fprintf(&table, "\t{%q, kernel%d},\n", name, n)
	}
	if strings.Contains(list, "crc64Table") {
		kernels.WriteString("var crc64Table = crc64.MakeTable(crc64.ISO)\n\n")
	}
	return "package main\n\nimport (\n" + imports.String() + "\n\t\"github.com/qdgen/qd\"\n)\n\n" + kernels.String() + "var functions = []function{\n" + table.String() + "}\n"
}

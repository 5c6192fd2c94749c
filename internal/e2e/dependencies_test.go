package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// A program that uses qdgen contains and compiles what qdgen needs, and no more: nothing that talks to
// the network, and of other modules those that docs/RATIONALE.md gives a reason for.
func TestDependencies(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "./examples/saxpy")
	cmd.Dir = testenv.Root()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	unwanted := regexp.MustCompile(`^(net|net/.*|crypto/tls|crypto/x509|html/.*|text/template|testing|plugin|database/.*|go/importer|` +
		`image/gif|image/color/palette|compress/lzw|github\.com/qdgen/qd/([fiu](32|64)|bools|mathx))$`)
	modules := regexp.MustCompile(`^(github\.com/(qdgen/qd|ebitengine/purego|gofrs/flock|klauspost/compress)|golang\.org/x/(mod|sys))(/|$)`)
	list := strings.Fields(string(out))
	if len(list) < 50 {
		t.Fatalf("go list names %d packages", len(list))
	}
	for _, path := range list {
		first, _, _ := strings.Cut(path, "/")
		if unwanted.MatchString(path) || strings.Contains(first, ".") && !modules.MatchString(path) {
			t.Errorf("examples/saxpy contains package %s", path)
		}
	}
}

// With an empty build cache a user waits for Go's compiler to compile qdgen. What it compiles is more than what is
// written: it makes a wrapper of each method that a type has from what it embeds, and compiles generic code anew in
// each package that uses it, sync.Map and the sorts of package slices above all: so no package has a sync.Map, and
// package memo takes its place. 21,800 functions were made of 4,800 that way. Recorded launches, gradients, lanes,
// tuning, tapes and tiles have added 4,400 since there were 11,500; gradients of Grid and Block kernels, products in
// registers, complex numbers and interfaces 1,100 more; initializers of packages, recursion, remarks, remote caches,
// goto and tables of other packages 1,200; pointers to known structs, assembly, indices of 32 bits and recursion with
// function literals 400; types that lead to themselves, pointers by way of unsafe.Pointer and tables that other
// packages are given 350; loops of kernels in strips, calls with known arguments and with known strings, and a package
// of its own for the rewriting of syntax 400; gradients of stencils 200; texts of panics, appends that make arrays,
// checks before backward kernels and launches that use memory again 500; the translation out of SSA with its checker, and
// what follows variables of the standard library, 200; turns that threads share 100; lanes for all kernels of threads 50;
// files that are kept as they were read 100; loops that count, and work divided between cores, 40; lanes in groups 50;
// checks that lanes make, and that launches answer for blocks, 80; waits and graphs that end with a context, or with several,
// writers that fail and zero values that say what to do 80; kernels besides others that are built anew after a failure,
// and tables that are made once, 10; the order of calls in initializers,
// faults of a launch's own, copies of tables, and one way to wait for another goroutine's work, 520.
// Some 2,000 are the wrappers of what the types of the front end embed.
func TestFunctionsOfPackages(t *testing.T) {
	t.Parallel()
	const most = 23_200
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-export", "-f", `{{with .Module}}{{if .Main}}{{$.Export}}{{end}}{{end}}`, "./examples/saxpy")
	cmd.Dir, cmd.Env = testenv.Root(), append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	objects := strings.Fields(string(out))
	list, err := exec.CommandContext(t.Context(), "go", append([]string{"tool", "nm", "-sort", "none"}, objects...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	functions := strings.Count(string(list), " T ")
	t.Logf("%d functions in %d packages", functions, len(objects))
	if functions < 1000 || functions > most {
		t.Errorf("the compiler makes %d functions of the packages that saxpy has from us, want 1000 to %d", functions, most)
	}
}

// A sync.Map makes 120 functions in its package, and in each that imports a type with one.
func TestNoSyncMap(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", `{{with .Module}}{{if .Main}}{{range $.GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`, "./examples/saxpy")
	cmd.Dir = testenv.Root()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := strings.Fields(string(out))
	if len(files) < 300 {
		t.Fatalf("examples/saxpy has %d files of ours", len(files))
	}
	used := regexp.MustCompile(`(?m)^[^/\n]*\bsync\.Map\b`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if used.Match(text) {
			t.Errorf("%s has a sync.Map: use memo.Map", name)
		}
	}
}

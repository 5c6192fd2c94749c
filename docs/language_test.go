// Package docs_test compiles and runs the programs in the documentation.
package docs_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/library"
	"github.com/qdgen/qd/internal/origin"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testmodule"
)

// A block is one program of a page: a Go block, and what the text block after it
// says that it prints.
type block struct {
	page   string
	line   int // of its first line of code
	code   string
	output string
	shown  bool // there is an output
}

func (b *block) name() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

// pkg is the name of the package that the block is made.
func (b *block) pkg() string {
	page, _, _ := strings.Cut(b.page, ".")
	return strings.ReplaceAll(page, "-", "") + strconv.Itoa(b.line)
}

// readBlocks finds the blocks of a page.
func readBlocks(t *testing.T, page string) []*block {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []*block
	var last *block
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		kind, ok := strings.CutPrefix(lines[i], "```")
		if !ok {
			if strings.HasPrefix(lines[i], "#") {
				last = nil // an output belongs to a program of its section
			}
			continue
		}
		end := i + 1 + slices.Index(lines[i+1:], "```")
		if end <= i {
			t.Fatalf("%s:%d: the block has no end", page, i+1)
		}
		body := strings.Join(lines[i+1:end], "\n") + "\n"
		switch kind {
		case "go":
			last = &block{page: page, line: i + 2, code: body}
			blocks = append(blocks, last)
		case "text":
			if last == nil || last.shown {
				t.Fatalf("%s:%d: an output without a program", page, i+1)
			}
			last.output, last.shown = body, true
		}
		i = end
	}
	return blocks
}

// standard are the packages that programs of the pages may use by their name alone.
var standard = map[string]string{
	"bools": load.BoolsPath, "f32": load.QDPath + "/f32", "f64": load.QDPath + "/f64", "i32": load.QDPath + "/i32", "u32": load.QDPath + "/u32", "tile": load.TilePath, "mathx": load.MathPath, "par": load.QDPath + "/par", "parslice": load.QDPath + "/par/parslice",
	"bits": "math/bits", "cmp": "cmp", "cmplx": "math/cmplx", "errors": "errors", "fmt": "fmt", "image": "image", "iter": "iter", "log": "log", "math": "math", "os": "os", "rand": "math/rand/v2", "slices": "slices", "qd": load.QDPath,
}

// file is a block as a Go file of a package: what it leaves out, a package clause and
// imports, is put in front, on one line. Its main becomes Main.
func (b *block) file() ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", "package p; "+b.code, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", b.name(), err)
	}
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && standard[id.Name] != "" {
				used[id.Name] = true
			}
		}
		return true
	})
	var head strings.Builder
	head.WriteString("package " + b.pkg() + "; ")
	for _, name := range slices.Sorted(maps.Keys(used)) {
		fmt.Fprintf(&head, "import %q; ", standard[name])
	}
	code := strings.Replace(b.code, "func main()", "func Main()", 1)
	return []byte(head.String() + "\n" + code), nil
}

// runnable reports whether the block is a program, and not only declarations.
func (b *block) runnable() bool { return strings.Contains(b.code, "func main()") }

// refusals are the messages that comments "// refused: message" in a block expect, by
// line of its file.
func (b *block) refusals() map[int]string {
	want := map[int]string{}
	pattern := regexp.MustCompile(`// refused: (.*)$`)
	for i, l := range strings.Split(b.code, "\n") {
		if m := pattern.FindStringSubmatch(l); m != nil {
			want[i+2] = m[1]
		}
	}
	return want
}

var pages = []string{"language.md", "coming-from-python.md", "first-steps.md"}

// TestBlocksAreFormatted holds the programs of the pages to gofmt.
func TestBlocksAreFormatted(t *testing.T) {
	for _, page := range pages {
		for _, b := range readBlocks(t, page) {
			const clause = "package p\n\n"
			out, err := format.Source([]byte(clause + b.code))
			if err != nil {
				t.Errorf("%s: %v", b.name(), err)
			} else if got := strings.TrimPrefix(string(out), clause); got != b.code {
				t.Errorf("%s is not as gofmt writes it:\n%s", b.name(), got)
			}
		}
	}
}

// TestPrograms runs every program of the pages on the devices that there are and
// compares what it prints with what the page says.
func TestPrograms(t *testing.T) {
	testenv.Setup()
	cache := t.TempDir()
	if err := testcache.Dir(cache); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QD_CACHE", cache)
	var blocks []*block
	for _, page := range pages {
		for _, b := range readBlocks(t, page) {
			if len(b.refusals()) == 0 {
				blocks = append(blocks, b)
			}
		}
	}
	program, begun := buildProgram(t, blocks)
	// Else a program sees files of this run that are newer than what the go command has kept of an earlier one, and builds
	// itself to compare.
	t.Setenv(origin.EnvBegun, origin.Begun(begun, program))
	for _, dev := range []string{"go", "cpu"} {
		t.Run(dev, func(t *testing.T) {
			if dev == "cpu" {
				if _, err := clang.Find(); err != nil {
					testenv.Missing(t, err)
				}
			}
			for _, b := range blocks {
				if !b.runnable() {
					continue
				}
				t.Run(b.name(), func(t *testing.T) { b.run(t, program, dev) })
			}
		})
	}
}

func (b *block) run(t *testing.T, program, dev string) {
	if !b.shown {
		t.Fatal("the page does not say what the program prints")
	}
	cmd := exec.CommandContext(t.Context(), program, b.pkg())
	cmd.Env = append(os.Environ(), "QD_DEVICE="+dev)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &stdout, &stderr)
	}
	if stdout.String() != b.output {
		t.Errorf("it prints\n%s\nand the page says\n%s", &stdout, b.output)
	}
}

// buildProgram makes one program of all blocks, which runs the one it is given the
// name of, and gives its path and the time at which its source was whole and the build began.
func buildProgram(t *testing.T, blocks []*block) (program string, begun time.Time) {
	t.Helper()
	dir := testmodule.Dir(t)
	testmodule.Write(t, dir, "example.com/pages")
	write := func(name string, text []byte) {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, text, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	main := "package main\n\nimport (\n\t\"os\"\n\n"
	var cases strings.Builder
	for _, b := range blocks {
		text, err := b.file()
		if err != nil {
			t.Fatal(err)
		}
		write(filepath.Join(b.pkg(), "block.go"), text)
		if b.runnable() {
			main += fmt.Sprintf("\t\"example.com/pages/%s\"\n", b.pkg())
			fmt.Fprintf(&cases, "\tcase %q:\n\t\t%s.Main()\n", b.pkg(), b.pkg())
		}
	}
	write("main.go", []byte(main+")\n\nfunc main() {\n\tswitch os.Args[1] {\n"+cases.String()+"\t}\n}\n"))
	// Dozens of packages are compiled for the first and the last time: without optimizations,
	// which take longest, and with the same flags each time.
	env := append(os.Environ(), "GOFLAGS='-gcflags=example.com/pages/...=-N -l'")
	// The file that a program needs for variables that it assigns to.
	gen := exec.CommandContext(t.Context(), "go", "run", "-mod=mod", load.QDPath+"/cmd/qdgen", "gen", "./...")
	gen.Dir = dir
	gen.Env = env
	if out, err := gen.CombinedOutput(); err != nil {
		t.Fatalf("qdgen gen: %v\n%s", err, out)
	}
	program, begun = filepath.Join(dir, "pages.exe"), time.Now()
	if err := testmodule.GoBuild("docs-"+t.Name(), program, dir, env, "-mod=mod", "-ldflags=-w", "."); err != nil {
		t.Fatal(err)
	}
	vet := exec.CommandContext(t.Context(), "go", "vet", "-mod=mod", "./...")
	vet.Dir = dir
	vet.Env = env
	if out, err := vet.CombinedOutput(); err != nil {
		t.Fatalf("go vet: %v\n%s", err, out)
	}
	return program, begun
}

// TestRefusals compiles the kernels of the pages that are there to be refused, and
// compares the messages with the comments beside the lines.
func TestRefusals(t *testing.T) {
	for _, page := range pages {
		for _, b := range readBlocks(t, page) {
			want := b.refusals()
			if len(want) == 0 {
				continue
			}
			t.Run(b.name(), func(t *testing.T) {
				text, err := b.file()
				if err != nil {
					t.Fatal(err)
				}
				src := load.Chain(load.Map{b.pkg(): {Path: b.pkg(), Files: []load.File{{Name: b.pkg() + ".go", Src: text}}}}, library.Sources())
				refs, err := frontend.Kernels(src, b.pkg())
				if err != nil {
					t.Fatal(err)
				}
				_, _, err = frontend.CompileWith(frontend.Options{Symbolic: true}, src, refs...)
				var found *diag.Diagnostics
				if !errors.As(err, &found) {
					t.Fatalf("the kernels are not refused: %v", err)
				}
				for _, d := range found.List {
					if w, ok := want[d.Pos.Line]; !ok || !strings.Contains(d.Msg, w) {
						t.Errorf("unexpected: %v", d)
					} else {
						delete(want, d.Pos.Line)
					}
				}
				for line, w := range want {
					t.Errorf("line %d is not refused: %s", line, w)
				}
			})
		}
	}
}

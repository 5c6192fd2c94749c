package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// expectations are the patterns in the "want" comments of a directory's files, or in those that begin with another
// word, by "file:line", relative to the working directory.
func expectations(t *testing.T, word string, dirs ...string) map[string][]string {
	t.Helper()
	pattern := regexp.MustCompile("`([^`]*)`")
	want := make(map[string][]string)
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(f)
			for n := 1; lines.Scan(); n++ {
				_, comment, ok := strings.Cut(lines.Text(), "// "+word+" ")
				if !ok {
					continue
				}
				at := fmt.Sprintf("%s:%d", filepath.ToSlash(name), n)
				for _, m := range pattern.FindAllStringSubmatch(comment, -1) {
					want[at] = append(want[at], m[1])
				}
			}
			f.Close()
		}
	}
	if len(want) == 0 {
		t.Fatal("nothing is expected")
	}
	return want
}

// compareFound takes what was found, by "file:line", from what is expected.
func compareFound(t *testing.T, want map[string][]string, at, message string) {
	t.Helper()
	for i, w := range want[at] {
		if regexp.MustCompile(w).MatchString(message) {
			want[at] = append(want[at][:i], want[at][i+1:]...)
			return
		}
	}
	t.Errorf("%s: unexpected: %s", at, message)
}

func reportMissing(t *testing.T, want map[string][]string) {
	t.Helper()
	for at, rest := range want {
		for _, w := range rest {
			t.Errorf("%s: nothing matches %s", at, w)
		}
	}
}

func TestVet(t *testing.T) {
	dirs := []string{"testdata/vet", "testdata/vet/dep"}
	want := map[string]map[string][]string{"error": expectations(t, "want", dirs...), "note": expectations(t, "note", dirs...), "warning": expectations(t, "warning", dirs...)}
	r := qdgen(t, ".", nil, "vet", "--json", "./testdata/vet")
	if r.exit != 1 {
		t.Errorf("exit status %d\n%s", r.exit, r.stderr)
	}
	var found []problem
	r.parse(t, &found)
	for _, p := range found {
		compareFound(t, want[p.Severity], fmt.Sprintf("%s:%d", filepath.ToSlash(p.File), p.Line), p.Message)
	}
	for _, w := range want {
		reportMissing(t, w)
	}
}

// Go vet runs the same analyzer in its own way: on one package at a time, with what
// the compiler has left of the others.
func TestVetTool(t *testing.T) {
	want := expectations(t, "want", "testdata/vet", "testdata/vet/dep")
	out, err := exec.CommandContext(t.Context(), "go", "vet", "-vettool="+binary, "./testdata/vet").CombinedOutput()
	if err == nil {
		t.Error("go vet succeeds")
	}
	line := regexp.MustCompile(`^(?:vet: )?(\S+\.go:\d+):\d+: (.*)$`)
	for l := range strings.Lines(string(out)) {
		if m := line.FindStringSubmatch(strings.TrimRight(l, "\n")); m != nil {
			at := strings.TrimPrefix(m[1], "cmd/qdgen/")
			compareFound(t, want, strings.TrimPrefix(at, "./"), m[2])
		} else if !strings.HasPrefix(l, "#") {
			t.Errorf("go vet printed %q", l)
		}
	}
	reportMissing(t, want)
}

// What is hardly meant is told, and is no failure. A type of very many elements is told of
// once, in the file that the user wrote, by emit too.
func TestVetWarns(t *testing.T) {
	dir := newModule(t, []byte(`-- good/k.go --
package good

import "github.com/qdgen/qd"; import "github.com/qdgen/qd/f32"

//qd:kernel
func first(t qd.Thread, x []Mat13) { x[0] = x[1].Mul(x[2]).Transpose() }

//qd:kernel
func second(t qd.Thread, x []Mat13, v []f32.Vec3) {
	y := v[0]
	y.Normalize()
	v[1] = y
	m := x[0]
	x[1] = m.Mul(m)
}
-- bad/k.go --
package bad

import "github.com/qdgen/qd"; import "github.com/qdgen/qd/f32"

//qd:kernel
func third(t qd.Thread, v []f32.Vec3) {
	v[0].Normalize()
	println(1)
}
`))
	qdgen(t, filepath.Join(dir, "good"), inModule, "types", "--elem", "float32", "Mat13").want(t, 0, nil, nil)
	enter(t, dir, inModule)
	const large = "warning: good/k.go:6:45: a value in the call of x[1].Mul has type Mat13 with 169 elements: "
	const dropped = "warning: good/k.go:11:2: the result of y.Normalize is not used, and y does not change\n\t\ty.Normalize()\n\t\t^\nhelp: "
	for _, args := range [][]string{{"vet", "./good"}, {"emit", "./good", "-o", "made"}} {
		r := qdgen(t, ".", nil, args...)
		r.want(t, exitOK, nil, []string{large, dropped})
		if n := strings.Count(r.stderr, "warning: "); n != 2 {
			t.Errorf("%v: %d warnings:\n%s", args, n, r.stderr)
		}
	}
	qdgen(t, ".", nil, "vet", "./bad").want(t, exitError, nil, []string{"warning: bad/k.go:7:2: the result of v[0].Normalize", "\nbad/k.go:8:2: "})
	for _, test := range []struct {
		pkg        string
		exit       int
		severities []string
	}{{"./good", exitOK, []string{"warning", "warning"}}, {"./bad", exitError, []string{"error", "warning"}}} {
		r := qdgen(t, ".", nil, "vet", "--json", test.pkg)
		var found []problem
		r.parse(t, &found)
		var severities []string
		for _, p := range found {
			severities = append(severities, p.Severity)
		}
		if r.exit != test.exit || !slices.Equal(severities, test.severities) {
			t.Errorf("%s: exit status %d, severities %v", test.pkg, r.exit, severities)
		}
	}
	goTool(t, dir, "vet", "-vettool="+binary, "./good")
}

func TestVetFindsNothing(t *testing.T) {
	// Not examples/seeds: it has kernels that show what is refused.
	args := []string{"vet"}
	for _, name := range []string{"blur", "fluid", "heat", "mandelbrot", "mpm", "raymarch", "saxpy"} {
		args = append(args, "../../examples/"+name)
	}
	qdgen(t, ".", nil, args...).want(t, 0, nil, nil)
	qdgen(t, ".", nil, "vet", "--json", "../../examples/saxpy").want(t, 0, []string{"[]\n"}, nil)
	qdgen(t, ".", nil, "vet", ".").want(t, 0, nil, nil) // without a kernel
}

// What Go's type checker has against a kernel is found like the rest, each at its line, and
// what it has against other code is left to go build.
func TestVetIllTyped(t *testing.T) {
	dir := newModule(t, []byte(`-- typed/k.go --
package typed

import "github.com/qdgen/qd"; import "github.com/qdgen/qd/f32"

//qd:kernel
func k(t qd.Thread, x []f32.Vec3) {
	x[0] = x[0].Normalise()
	x[1] = x[0] + x[2]
	_ = f32.Vec5{}
}
-- syntax/k.go --
package syntax

import "github.com/qdgen/qd"; import "github.com/qdgen/qd/f32"

//qd:kernel
func k(t qd.Thread, x []f32.Vec3) {
	x[0] = }
}
-- other/k.go --
package other

import "github.com/qdgen/qd"; import "github.com/qdgen/qd/f32"

//qd:kernel
func k(t qd.Thread, x []f32.Vec3) { x[0] = x[1] }

func other() { nope() }
`))
	qdgen(t, dir, inModule, "vet", "./typed").want(t, exitError, nil, []string{
		"typed/k.go:7:14: x[0].Normalise undefined (type f32.Vec3 has no field or method Normalise)\n\t\tx[0] = x[0].Normalise()\n\t\t            ^\n",
		"typed/k.go:8:9: invalid operation: operator + not defined on x[0] (variable of array type f32.Vec3)\n",
		"typed/k.go:9:6: f32.Vec5 is not available in kernels\n\t\t_ = f32.Vec5{}\n\t\t    ^\nhelp: vectors and matrices up to 4x4 are in packages f32, f64, i32 and u32: qdgen types --elem float32 Vec5 writes this one into your package",
	})
	qdgen(t, dir, inModule, "vet", "./syntax").want(t, exitError, nil, []string{"syntax/k.go:7:9: syntax error: "})
	qdgen(t, dir, inModule, "vet", "./other").want(t, exitOK, nil, nil)
}

func TestVetShowsTheLine(t *testing.T) {
	qdgen(t, ".", nil, "vet", "./testdata/refused").want(t, 1, nil, []string{"kernel.go:", "^", "help: "})
	qdgen(t, ".", nil, "vet", "./nowhere").want(t, 1, nil, []string{"nowhere"})
	qdgen(t, ".", nil, "vet", "--nonsense").want(t, 2, nil, []string{"--nonsense"})
}

// What keeps the go command from listing packages is an error.
func TestVetUnlisted(t *testing.T) {
	dir := newModule(t, []byte("-- k.go --\npackage k\n\nimport \"github.com/qdgen/qd\"; import \"github.com/qdgen/qd/f32\"\n\n//qd:kernel\nfunc k(t qd.Thread, x []int) {}\n"))
	write(t, filepath.Join(dir, "go.mod"), "module example.com/app\n\ngo 1.26.0\n\nrequire github.com/qdgen/qd v0.0.0\n\nreplace github.com/qdgen/qd => "+testenv.Root()+"\n")
	for _, command := range []string{"vet", "gen", "emit"} {
		qdgen(t, dir, []string{"GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off"}, command, "./...").want(t, 1, nil, []string{"updates to go.mod needed"})
	}
}

// Generic kernels are looked at with the types that packages beside theirs launch them with.
func TestVetLaunchedElsewhere(t *testing.T) {
	t.Parallel()
	dir := newModule(t, []byte(`-- lib/lib.go --
package lib

import "github.com/qdgen/qd"

type Number interface{ Value() float32 }

//qd:kernel
func Sum[T Number](t qd.Thread, x []T, out []float32) { out[t.ID()] = x[t.ID()].Value() }

type Pair struct{ A, B float32 }

//qd:kernel
func Pick[T any](t qd.Thread, x []T) {
	switch any(x[t.ID()]).(type) {
	case Pair:
	default:
		qd.StaticAssert(false, "only for pairs")
	}
}

type Map[F Number] struct{ F F }

//qd:kernel
func (m Map[F]) Kernel(t qd.Thread, x []float32) { x[t.ID()] = m.F.Value() }
-- main.go --
package main

import (
	"github.com/qdgen/qd"

	"example.com/app/lib"
)

type number struct{ p *float32 }

func (n number) Value() float32 { return *n.p }

type text struct{}

func (text) Value() float32 {
	go func() {}()
	return 1
}

func main() {
	n := make([]float32, 1)
	_ = qd.Launch(lib.Sum[number], qd.Dim(1), []number{{&n[0]}}, n)
	_ = qd.Launch(lib.Pick[lib.Pair], qd.Dim(1), []lib.Pair{{}})
	_ = qd.Launch(lib.Map[text]{}, qd.Dim(1), n)
}
`))
	r := qdgen(t, dir, inModule, "vet", "./...")
	r.want(t, 1, nil, []string{"lib/lib.go:8:", "main.go:16:2: go statements are not supported"})
	if strings.Contains(r.stderr, "only for pairs") || strings.Count(r.stderr, "go statements") != 1 {
		t.Errorf("%s", r.stderr)
	}
	qdgen(t, dir, inModule, "vet", "./lib").want(t, 1, nil, []string{"only for pairs"})
}

// The launch functions that qdgen gen writes launch nothing themselves. Their calls do.
func TestVetLaunchFunctions(t *testing.T) {
	const program = `-- k.go --
package k

import "github.com/qdgen/qd"

type map_ struct{ c int }

//qd:kernel
func flagged(t qd.Thread, n int, flag qd.Const[bool], x []int) {
	if flag.V {
		x = make([]int, n)
	}
}

//qd:kernel
func (m map_) Kernel(t qd.Thread, size qd.Const[int32], x []int) {
	if size.V > 4 {
		x = make([]int, x[m.c])
	}
}

func launches(x []int) {
	_ = launchFlagged(qd.Dim(1), 4, %s, x)
	_ = launchMap_(map_{1}, qd.Dim(1), 3, x)
}
`
	for _, flag := range []string{"false", "true", "len(x) > 1"} {
		dir := newModule(t, []byte(strings.Replace(program, "%s", flag, 1)))
		if r := qdgen(t, dir, inModule, "gen"); r.exit != exitOK {
			t.Fatal(r.stderr)
		}
		r := qdgen(t, dir, inModule, "vet")
		const message = "k.go:10:7: a kernel cannot allocate memory: the capacity n is not known at compile time"
		switch flag {
		case "false":
			r.want(t, exitOK, nil, nil)
		case "true":
			r.want(t, exitError, nil, []string{message + "\n"})
		default:
			r.want(t, exitOK, nil, []string{"note: " + message + ", with some of the values that a launch may give at compile time\n"})
		}
	}
}

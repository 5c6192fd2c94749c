package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// qdSource stands in for the kernel-facing files of package qd.
const qdSource = `package qd

import (
	"fmt"
	"math"
	"os"
	"unsafe"
)

type Float interface{ ~float32 | ~float64 }

type Thread struct{ at *place }

type place struct{ flat int }

func (t Thread) ID() int           { return t.at.flat }
func (t Thread) ID2() (i, j int)   { return 0, 0 }
func (t Thread) ID3() (i, j, k int) { return 0, 0, 0 }
func (t Thread) ID4() (i, j, k, l int) { return 0, 0, 0, 0 }
func (t Thread) Dim(axis int) int  { return 0 }

func Sqrt[T Float](x T) T { return T(math.Sqrt(float64(x))) }

func AtomicAdd[T int | float32 | float64](p *T, v T) (old T) { _ = unsafe.Pointer(p); return v }

func Printf(format string, args ...any) { fmt.Fprintf(os.Stdout, format, args...) }

var output = os.Stdout
`

// sources makes Sources of file texts by "import/path/file.go", with package qd.
func sources(files map[string]string) Map {
	m := Map{QDPath: {Path: QDPath, Files: []File{{Name: "qd/qd.go", Src: []byte(qdSource)}}}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := name[:strings.LastIndexByte(name, '/')]
		if m[path] == nil {
			m[path] = &Package{Path: path}
		}
		m[path].Files = append(m[path].Files, File{Name: name, Src: []byte(files[name])})
	}
	return m
}

const saxpy = `package k

import "github.com/qdgen/qd"

//qd:kernel
func saxpy(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	y[i] += a * x[i]
}
`

func mustCheck(t testing.TB, src Sources, refs ...Ref) *Program {
	t.Helper()
	p, err := Check(src, refs...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// funcNames are the full names of a program's functions, sorted.
func funcNames(p *Program) []string {
	var names []string
	for obj, f := range p.Funcs {
		if f.Obj != obj {
			names = append(names, "WRONG OBJ "+obj.FullName())
		}
		names = append(names, obj.FullName())
	}
	slices.Sort(names)
	return names
}

func TestCheck(t *testing.T) {
	p := mustCheck(t, sources(map[string]string{"k/k.go": saxpy}), Ref{Pkg: "k", Name: "saxpy"})
	k := p.Kernels[0]
	if got := k.Obj.Signature().String(); got != "func(t github.com/qdgen/qd.Thread, a float32, x []float32, y []float32)" {
		t.Error(got)
	}
	if k.File.Name != "k/k.go" || k.Pkg.Path() != "k" || p.Funcs[k.Obj] != k {
		t.Errorf("%+v", k)
	}
	if got := p.Line(k.Decl.Body.List[1].Pos()); got != "\ty[i] += a * x[i]" {
		t.Errorf("line %q", got)
	}
	id := k.Obj.Signature().Params().At(0).Type().(*types.Named).Method(0)
	if got := p.Fset.Position(id.Pos()).String(); got != "qd/qd.go:16:17" {
		t.Errorf("position of a library's object: %s", got)
	}
	if len(p.Packages) != 1 || p.Packages[0].Path != "k" || len(p.Packages[0].Files) != 1 || string(p.Packages[0].Files[0].Src) != saxpy {
		t.Errorf("packages %v", p.Packages)
	}
	d := p.Diagnostic(k.Decl.Name.Pos(), token.NoPos, "do %d", "x%d", 3)
	if d.Pos.String() != "k/k.go:6:6" || d.End.Column != 11 || d.Msg != "x3" || d.Hint != "do %d" || d.Line == "" {
		t.Errorf("%+v", d)
	}
}

// TestReached checks what is taken to be reached from function k of package a,
// and that nothing else can make a Check fail.
func TestReached(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string // besides a.k
		pkgs  string // packages whose files matter, besides a
	}{
		{"call", map[string]string{
			"a/a.go": "package a; func k() { f() }; func f() { g() }; func g() {}; func h() { undefined() }",
		}, "a.f a.g", ""},
		{"across files", map[string]string{
			"a/a.go": "package a; func k() { f() }",
			"a/b.go": "package a; import \"os\"; func f() { }; func h() { os.Exit(1) }; var x = os.Args",
		}, "a.f", ""},
		{"shadowed", map[string]string{
			"a/a.go": "package a; func k(f int) { g := f; g++; { h := 1; _ = h }; for i := range 3 { _ = i } }; func f() { bad }; func g() { bad }; func h() { bad }; func i() { bad }",
		}, "", ""},
		{"shadowed later", map[string]string{
			"a/a.go": "package a; func k() { { f := f(); _ = f }; { x := 1; _ = x }; x() }; func f() int { return 1 }; func x() {}",
		}, "a.f a.x", ""},
		{"function value", map[string]string{
			"a/a.go": "package a; func k() { h := f; h() }; func f() {}",
		}, "a.f", ""},
		{"in a literal", map[string]string{
			"a/a.go": "package a; func k() { h := func(g int) { f(); _ = g }; h(1) }; func f() {}; func g() { bad }",
		}, "a.f", ""},
		{"recursion", map[string]string{
			"a/a.go": "package a; func k() { f(1) }; func f(n int) { if n > 0 { f(n-1) } }",
		}, "a.f", ""},
		{"generic", map[string]string{
			"a/a.go": "package a; type num interface{ ~int | ~float32 }; func k() { _ = f(1) + int(f[float32](2)) }; func f[T num](x T) T { return g(x) }; func g[T num](x T) T { return x }",
		}, "a.f a.g", ""},
		{"methods", map[string]string{
			"a/a.go": "package a; type t struct{}; func (t) m() {}; func (*t) n() {}; func (t) o() { bad }; func k() { var x t; x.m(); x.n() }",
		}, "(*a.t).n (a.t).m", ""},
		{"method by name only", map[string]string{
			"a/a.go": "package a; type t struct{}; func (t) m() {}; type u struct{}; func (u) m() { bad }; func k() { var x t; x.m(); var y u; _ = y }",
		}, "(a.t).m", ""},
		{"method expression", map[string]string{
			"a/a.go": "package a; type t struct{}; func (t) m() {}; func k() { t.m(t{}) }",
		}, "(a.t).m", ""},
		{"promoted method", map[string]string{
			"a/a.go": "package a; type t struct{}; func (t) m() {}; type u struct{ t }; func k() { var x u; x.m() }",
		}, "(a.t).m", ""},
		{"method through an alias", map[string]string{
			"a/a.go": "package a; type t struct{}; type al = t; func (al) m() {}; func k() { var x t; x.m() }",
		}, "(a.al).m", ""},
		{"generic method", map[string]string{
			"a/a.go": "package a; type t[E any] struct{ e E }; func (x t[E]) m() E { return x.n() }; func (x *t[F]) n() F { return x.e }; func k() { x := t[int]{1}; _ = x.m() }",
		}, "(*a.t[F]).n (a.t[E]).m", ""},
		{"method of a constraint", map[string]string{
			"a/a.go": "package a; type c interface{ m() }; type t struct{}; func (t) m() {}; func k() { f(t{}) }; func f[T c](x T) { x.m() }",
		}, "(a.t).m a.f", ""},
		{"method of a result", map[string]string{
			"a/a.go": "package a; type t struct{}; func (t) m() {}; func f() (r t) { return }; func k() { f().m() }",
		}, "(a.t).m a.f", ""},
		{"variables", map[string]string{
			"a/a.go": "package a; import \"os\"; var v = f(); var w, x = 1, v; var y int = len(os.Args); func f() int { return undefined }; func k() { _ = x + y }",
		}, "", ""},
		{"constants", map[string]string{
			"a/a.go": "package a; const ( c0 = iota; c1; c2 ); const arr = 3; func k() { var x [arr]int; x[c2] = c1 }",
		}, "", ""},
		{"field and key names", map[string]string{
			"a/a.go": "package a; type t struct{ f int }; func f() { bad }; func k() { x := t{f: 1}; _ = x.f }",
		}, "", ""},
		{"constant key", map[string]string{
			"a/a.go": "package a; const c = 2; func k() { x := [...]int{c: 1}; _ = x }",
		}, "", ""},
		{"labels", map[string]string{
			"a/a.go": "package a; func f() { bad }; func k() {\nf: for { break f }\n}",
		}, "", ""},
		{"init and main", map[string]string{
			"a/a.go": "package a; func init() { bad }; func init() { bad }; func main() { bad }; func _() { bad }; func k() {}",
		}, "", ""},
		{"other package", map[string]string{
			"a/a.go":       "package a; import \"x.org/b\"; func k() { b.F() }",
			"x.org/b/b.go": "package b; import \"x.org/c\"; func F() { c.F() }; func G() { bad }",
			"x.org/c/c.go": "package c; func F() {}",
		}, "x.org/b.F x.org/c.F", "x.org/b x.org/c"},
		{"other package not reached", map[string]string{
			"a/a.go":       "package a; import \"x.org/b\"; func k() {}; func f() { b.F() }; var x = b.X",
			"x.org/b/b.go": "package b; func F() {}; var X int",
		}, "", ""},
		{"renamed import", map[string]string{
			"a/a.go":       "package a; import q \"x.org/b\"; func k() { q.F() }",
			"x.org/b/b.go": "package b; func F() {}",
		}, "x.org/b.F", "x.org/b"},
		{"dot import", map[string]string{
			"a/a.go":       "package a; import . \"x.org/b\"; func k() { F() }",
			"x.org/b/b.go": "package b; func F() {}",
		}, "x.org/b.F", "x.org/b"},
		{"odd package names", map[string]string{
			"a/a.go":          "package a; import ( \"x.org/go-b\"; \"x.org/c/v2\"; \"x.org/d.v3\"; \"x.org/odd\" ); func k() { b.F(); c.F(); d.F(); even.F() }",
			"x.org/go-b/b.go": "package b; func F() {}",
			"x.org/c/v2/c.go": "package c; func F() {}",
			"x.org/d.v3/d.go": "package d; func F() {}",
			"x.org/odd/e.go":  "package even; func F() {}",
		}, "x.org/c/v2.F x.org/d.v3.F x.org/go-b.F x.org/odd.F", "x.org/c/v2 x.org/d.v3 x.org/go-b x.org/odd"},
		{"misleading package names", map[string]string{
			"a/a.go":         "package a; import ( \"x.org/b-c\"; \"x.org/d\" ); func k() { b.F(); c.F() }",
			"x.org/b-c/b.go": "package c; func F() {}",
			"x.org/d/d.go":   "package b; func F() {}",
		}, "x.org/b-c.F x.org/d.F", "x.org/b-c x.org/d"},
		{"type of another package", map[string]string{
			"a/a.go":       "package a; import \"x.org/b\"; func k() { var v b.T; v.M(); f(b.U{}) }; func f[S interface{ M() }](x S) { x.M() }",
			"x.org/b/b.go": "package b; type T struct{}; func (T) M() {}; func (T) N() { bad }; type U struct{ T }",
		}, "(x.org/b.T).M a.f", "x.org/b"},
		{"import shadowed by a local", map[string]string{
			"a/a.go":       "package a; import \"x.org/b\"; type t struct{}; func (t) F() {}; func k() { var b t; b.F() }; func g() { b.F() }",
			"x.org/b/b.go": "package b; func F() { bad }",
		}, "(a.t).F", ""},
		{"methods of a mentioned type need nothing", map[string]string{
			"a/a.go":       "package a; import \"x.org/b\"; type t struct{ x int }; func (t) m(b.T) os.File { bad }; func k() { var v t; v.x = 1 }",
			"x.org/b/b.go": "package b; type T struct{}",
		}, "", ""},
		{"build constraints", map[string]string{
			"a/a.go":         "package a; func k() { f() }",
			"a/b.go":         "//go:build !qd_never\n\npackage a; func f() {}",
			"a/c.go":         "//go:build qd_never\n\npackage a; func f() { bad }",
			"a/d_plan9.go":   "package a; func f() { bad }",
			"a/e.go":         "//go:build ignore\n\npackage main; func f() { bad }",
			"a/with_name.go": "package a",
		}, "a.f", ""},
		{"math", map[string]string{
			"a/a.go": "package a; import ( \"math\"; \"math/bits\" ); func k() { _ = math.Sqrt(math.Pi) + float64(bits.OnesCount(3)) }",
		}, "", ""},
		{"qd", map[string]string{
			"a/a.go": "package a; import \"github.com/qdgen/qd\"; func k() { var t qd.Thread; _ = qd.Sqrt(float32(t.ID())) }",
		}, "", ""},
		{"broken file aside", map[string]string{
			"a/a.go": "package a; func k() {}",
			"a/b.go": "package a; func f() { ( }",
		}, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := mustCheck(t, sources(test.files), Ref{Pkg: "a", Name: "k"})
			names := slices.DeleteFunc(funcNames(p), func(s string) bool { return s == "a.k" })
			if got := strings.Join(names, " "); got != test.want {
				t.Errorf("reached %s\nwant    %s", got, test.want)
			}
			var pkgs []string
			for _, pkg := range p.Packages {
				if pkg.Path != "a" {
					pkgs = append(pkgs, pkg.Path)
				}
			}
			if got := strings.Join(pkgs, " "); got != test.pkgs {
				t.Errorf("packages %s\nwant     %s", got, test.pkgs)
			}
			for _, f := range p.Funcs {
				checkTyped(t, p, f)
			}
		})
	}
}

// checkTyped checks that every identifier in a reached function has an object.
func checkTyped(t *testing.T, p *Program, f *Function) {
	ast.Inspect(f.Decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name != "_" && p.Info.Uses[id] == nil {
			// The variable of a type switch is declared, as nothing in particular.
			if _, ok := p.Info.Defs[id]; !ok {
				t.Errorf("%s: %s has no object", p.Fset.Position(id.Pos()), id.Name)
			}
		}
		if x, ok := n.(ast.Expr); ok {
			if tv, ok := p.Info.Types[x]; ok && invalid(tv.Type) {
				t.Errorf("%s: %s has no type", p.Fset.Position(x.Pos()), types.ExprString(x))
			}
		}
		return true
	})
}

func TestInstances(t *testing.T) {
	p := mustCheck(t, sources(map[string]string{
		"a/a.go": "package a; func k() { _ = f(1); _ = f[float32](2) }; func f[T any](x T) T { return x }",
	}), Ref{Pkg: "a", Name: "k"})
	var got []string
	for id, inst := range p.Info.Instances {
		got = append(got, id.Name+" "+inst.TypeArgs.At(0).String())
	}
	slices.Sort(got)
	if !slices.Equal(got, []string{"f float32", "f int"}) {
		t.Error(got)
	}
}

// TestSeveral checks kernels of several packages at once, one of them twice.
func TestSeveral(t *testing.T) {
	src := sources(map[string]string{
		"a/a.go":       "package a; import \"x.org/b\"; func k1() { b.F() }; func k2() {}",
		"x.org/b/b.go": "package b; func F() {}; func K() { F() }",
	})
	p := mustCheck(t, src, Ref{Pkg: "a", Name: "k2"}, Ref{Pkg: "x.org/b", Name: "K"}, Ref{Pkg: "a", Name: "k1"}, Ref{Pkg: "a", Name: "k2"})
	var got []string
	for _, k := range p.Kernels {
		got = append(got, k.Obj.Name())
	}
	if !slices.Equal(got, []string{"k2", "K", "k1", "k2"}) {
		t.Error(got)
	}
	if len(p.Funcs) != 4 {
		t.Error(funcNames(p))
	}
}

// TestConcurrent shares what is kept between Checks; run it with -race.
func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			src := sources(map[string]string{"k/k.go": saxpy})
			if i%4 == 0 {
				src[QDPath].Files[0].Src = []byte(qdSource + "\nconst Other = 1\n")
			}
			for range 20 {
				if _, err := Check(src, Ref{Pkg: "k", Name: "saxpy"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// TestParallelParse checks that positions do not depend on how files are parsed.
func TestParallelParse(t *testing.T) {
	files := map[string]string{"k/k.go": saxpy}
	for i := range 20 {
		files[fmt.Sprintf("k/f%d.go", i)] = fmt.Sprintf("package k\n\n// %s\nfunc f%d() {}\n", strings.Repeat("x", 2*parallelSize/20), i)
	}
	var first token.Pos
	for range 10 {
		p := mustCheck(t, sources(files), Ref{Pkg: "k", Name: "saxpy"})
		pos := p.Kernels[0].Decl.Pos()
		if first == 0 {
			first = pos
		}
		if pos != first || p.Fset.Position(pos).String() != "k/k.go:6:1" {
			t.Fatalf("%d, %s, before %d", pos, p.Fset.Position(pos), first)
		}
	}
}

package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// realOwn are this module's packages for kernels as programs have them: the files that they embed.
func realOwn(t testing.TB) Map {
	t.Helper()
	all := Map{QDPath: embedded(t, QDPath, "sources.go")}
	for _, path := range OwnPaths[1:] {
		all[path] = embedded(t, path, "source.go")
	}
	return all
}

// embedded are the files that a Go file of one of this module's packages embeds.
func embedded(t testing.TB, path, by string) *Package {
	t.Helper()
	names, err := testenv.Embedded(filepath.Join(testenv.Root(), strings.TrimPrefix(path, QDPath), by))
	if err != nil {
		t.Fatal(err)
	}
	p := &Package{Path: path}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p.Files = append(p.Files, File{Name: path + "/" + filepath.Base(name), Src: src})
	}
	return p
}

// TestPartIndex compares what is found of a package by its text with what a parser finds.
func TestPartIndex(t *testing.T) {
	for path, src := range realOwn(t) {
		t.Run(path, func(t *testing.T) { checkPartIndex(t, src) })
	}
}

func checkPartIndex(t *testing.T, src *Package) {
	p, _ := parsePackage(src, baseOf(src.Path), parseMode, false, func(*File) bool { return false })
	x := newPartIndex(src, baseOf(src.Path))
	want, got := make(map[string]token.Pos), make(map[string]token.Pos)
	for name, list := range p.decls {
		for _, d := range list {
			if d.fn != nil {
				want[name] = d.fn.Pos()
			} else {
				want[name] = d.group.Pos()
			}
		}
	}
	for name, d := range x.decls {
		got[name] = token.Pos(d.file.base + d.start)
	}
	for recv, list := range p.methods {
		for _, d := range list {
			want[recv+"."+strings.ToLower(d.fn.Name.Name)] = d.fn.Pos()
		}
	}
	for recv := range x.methods {
		for name, list := range x.of(recv) {
			for _, d := range list {
				got[recv+"."+name] = token.Pos(d.file.base + d.start)
			}
		}
	}
	if len(want) < 10 {
		t.Errorf("only %d declarations", len(want))
	}
	for name, pos := range want {
		if got[name] != pos {
			t.Errorf("%s is at %d, but found at %d", name, pos, got[name])
		}
	}
	for name := range got {
		if want[name] == 0 {
			t.Errorf("%s is found but not declared", name)
		}
	}
	// Parsed alone, declarations have the positions that they have in their files.
	fset := token.NewFileSet()
	for _, f := range x.files {
		fset.AddExistingFiles(f.source(nil).tok)
	}
	number := 0
	for _, d := range x.all() {
		x.parse(d)
		at := fset.Position(d.decl.Pos())
		line := strings.Split(string(d.file.Src), "\n")[at.Line-1]
		if at.Filename != d.file.Name || at.Column != 1 || !strings.HasPrefix(string(d.file.Src[d.start:]), line) || d.number != number {
			t.Errorf("a declaration is at %v instead of where there is %s", at, line)
		}
		number++
	}
}

// all are the declarations of a package.
func (x *partIndex) all() (list []*part) {
	for _, f := range x.files {
		for i := range f.parts {
			list = append(list, &f.parts[i])
		}
	}
	return list
}

// TestReachedParts checks which parts of package qd, and of one that imports it, a program gets.
func TestReachedParts(t *testing.T) {
	const qd = `package qd

import "math"

type Thread struct{ flat int }

func (t Thread) ID() int { return t.flat }

type (
	Number interface{ ~float32 | ~float64 }
	Shape  interface {
		Area() float64
	}
)

type Vec[T Number] [2]T

type Vecf = Vec[float32]

func (v Vec[T]) X() T { return v[0] }

func (v Vec[T]) Dot(o Vec[T]) T { return v[0]*o[0] + v[1]*o.X() }

func (v *Vec[T]) Set(x T) { v[0], v[1] = x, sq(x) }

func (v Vec[T]) Area() float64 { return math.Sqrt(float64(v[0])) }

const (
	One, Two = iota, 2
	Three    = 3
)

var Table = [2]int{One, Three}

func sq[T Number](x T) T { return x * x }

func Sum(list []Vecf) (s float32) {
	for _, v := range list {
		s += v.Dot(v)
	}
	return s
}
`
	const f32 = `package f32

import "github.com/qdgen/qd"

type Vec3 [3]float32

func (v Vec3) Less(o Vec3) qd.Vecf { return qd.Vecf{v[0], qd.Sum(nil)} }

func (v Vec3) Neg() Vec3 { return Vec3{-v[0]} }
`
	all := Map{QDPath: {Path: QDPath, Files: []File{{Name: "qd/qd.go", Src: []byte(qd)}}}}
	all[QDPath+"/f32"] = &Package{Path: QDPath + "/f32", Files: []File{{Name: "qd/f32/f32.go", Src: []byte(f32)}}}
	for _, c := range []struct{ body, want string }{ // Area is there for Shape, which stands beside Number
		{"", "Thread"},
		{"x[0] = float32(t.ID())", "Thread Thread.ID"},
		{"var v qd.Vecf; x[0] = v[1]", "Number,Shape Thread Vec Vec.Area Vecf"},
		{"var v qd.Vecf; x[0] = v.X()", "Number,Shape Thread Vec Vec.Area Vec.X Vecf"},
		{"var v qd.Vecf; x[0] = v.Dot(v)", "Number,Shape Thread Vec Vec.Area Vec.Dot Vec.X Vecf"},
		{"var v qd.Vecf; v.Set(1); x[0] = v[0]", "Number,Shape Thread Vec Vec.Area Vec.Set Vecf sq"},
		{"x[0] = float32(qd.Table[0])", "One,Two,Three Table Thread"},
		{"x[0] = qd.Sum(nil)", "Number,Shape Sum Thread Vec Vec.Area Vec.Dot Vec.X Vecf"},
		{"x[0] = f32.Vec3{1}.Neg()[0]", "Thread Vec3 Vec3.Neg"},
		{"x[0] = f32.Vec3{1}.Less(f32.Vec3{})[0]", "Number,Shape Sum Thread Vec Vec.Area Vec.Dot Vec.X Vec3 Vec3.Less Vecf"},
	} {
		latestOwn.ownPackages = nil
		all["k"] = &Package{Path: "k", Files: []File{{Name: "k/k.go", Src: []byte("package k\n\nimport (\n\"" + QDPath + "\"\n\"" + QDPath + "/f32\"\n)\n\nfunc k(t qd.Thread, x []float32) { " + c.body + " }\n")}}}
		p := mustCheck(t, all, Ref{Pkg: "k", Name: "k"})
		var got []string
		for d := range latestOwn.parts {
			switch decl := d.decl.(type) {
			case *ast.FuncDecl:
				got = append(got, FuncName(decl))
			case *ast.GenDecl:
				var names []string
				for _, spec := range decl.Specs {
					for _, id := range specNames(spec) {
						names = append(names, id.Name)
					}
				}
				got = append(got, strings.Join(names, ","))
			}
		}
		slices.Sort(got)
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: reached %s, want %s", c.body, got, c.want)
		}
		for path, lib := range p.libs {
			for _, f := range lib.funcs {
				if f.Pkg != lib.types {
					t.Errorf("%s: %s is of another variant of package %s", c.body, f.Obj.Name(), path)
				}
			}
		}
	}
}

// TestPartsGrow checks that programs share one package f32 once it has all that they need,
// and that a program keeps the one that it was checked with.
func TestPartsGrow(t *testing.T) {
	latestOwn.ownPackages = nil
	src := realOwn(t)
	check := func(body string) *Program {
		src["k"] = &Package{Path: "k", Files: []File{{Name: "k/k.go", Src: []byte("package k\n\nimport (\n\"" + QDPath + "\"\n\"" + QDPath + "/f32\"\n)\n\nfunc k(t qd.Thread, x []float32, v []f32.Vec3) { " + body + " }\n")}}}
		return mustCheck(t, src, Ref{Pkg: "k", Name: "k"})
	}
	f32 := func(p *Program) *library { return p.libs[QDPath+"/f32"] }
	small := check("x[0] = v[0].Dot(v[1])")
	large := check("x[t.ID()] = v[0].Cross(v[1]).ZYX().Dot(v[0])")
	again := check("x[0] = v[0].Dot(v[1])")
	if f32(small) == f32(large) || f32(large) != f32(again) {
		t.Error("programs do not share the latest package f32, and only that")
	}
	if n := len(f32(small).funcs); n != 1 {
		t.Errorf("the first program has %d functions of package f32, not just Dot", n)
	}
}

// TestPartsAll checks that programs that need ever more of package f32 do not have it checked as often: soon they share
// all of it, with its own errors where they were.
func TestPartsAll(t *testing.T) {
	latestOwn.ownPackages = nil
	src := realOwn(t)
	variants := map[*library]bool{}
	last := 0
	axes := "XYZW"
	for i := range 256 {
		name := string([]byte{axes[i>>6&3], axes[i>>4&3], axes[i>>2&3], axes[i&3]})
		src["k"] = &Package{Path: "k", Files: []File{{Name: "k/k.go", Src: []byte("package k\n\nimport (\n\"" + QDPath + "\"\n\"" + QDPath + "/f32\"\n)\n\nfunc k(t qd.Thread, x []f32.Vec4) { x[0] = x[1]." + name + "() }\n")}}}
		p := mustCheck(t, src, Ref{Pkg: "k", Name: "k"})
		lib := p.libs[QDPath+"/f32"]
		if method, _, _ := types.LookupFieldOrMethod(lib.types.Scope().Lookup("Vec4").Type(), true, lib.types, name); lib.funcs[method.(*types.Func)] == nil {
			t.Fatalf("the package lacks %s", name)
		}
		if !variants[lib] {
			variants[lib] = true
			last = i
		}
	}
	if last > 200 {
		t.Errorf("program %d still needs a package of its own, which is the %d.", last, len(variants))
	}
	if size, checked := latestOwn.size(), latestOwn.checked; checked < size/2 || checked > 3*size {
		t.Errorf("%d bytes were checked of %d", checked, size)
	}
}

// TestMissingMethod checks that errors about methods of package qd's types are those of Go.
func TestMissingMethod(t *testing.T) {
	src := realOwn(t)
	for _, c := range []struct{ body, want string }{
		{"x[0] = v[0].XYQ()[0]", "v[0].XYQ undefined (type f32.Vec3 has no field or method XYQ)"},
		{"x[0] = v[0].Xyz()[0]", "v[0].Xyz undefined (type f32.Vec3 has no field or method Xyz, but does have method XYZ)"},
		{"x[0] = v[0].XW()[0]", "v[0].XW undefined (type f32.Vec3 has no field or method XW)"},
		{"x[0] = area(v[0])", "V (type f32.Vec3) does not satisfy measured (missing method Area)"},
		{"var w f32.Vec9; x[0] = w[0]", "f32.Vec9 is not available in kernels"},
		{"x[0] = total(v[0], v[1])", ""},
	} {
		src["k"] = &Package{Path: "k", Files: []File{{Name: "k/k.go", Src: []byte(`package k

import (
	"` + QDPath + `"
	"` + QDPath + `/f32"
)

type measured interface{ Area() float32 }

func area[V measured](v V) float32 { return v.Area() }

type summed[V any] interface{ Dot(V) float32 }

func total[V summed[V]](v, w V) float32 { return v.Dot(w) }

func k(t qd.Thread, x []float32, v []f32.Vec3) { ` + c.body + " }\n")}}}
		_, err := Check(src, Ref{Pkg: "k", Name: "k"})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.body, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}

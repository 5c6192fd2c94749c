package listed

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"
)

// module writes a module of a few packages into a new directory, which becomes the working directory.
func module(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(`-- go.mod --
module example.com/app

go 1.26.0
-- main.go --
package main

import (
	"fmt"
	str "strings"

	"example.com/app/lib"
)

func main() { fmt.Println(str.ToUpper(lib.Name), lib.Of(1)) }
-- lib/lib.go --
package lib

import "unsafe"

var Name = "name"

type Pair[T any] struct{ A, B T }

func Of[T any](x T) Pair[T] { return Pair[T]{x, x} }

const Size = unsafe.Sizeof(Pair[uintptr]{})
-- lib/lib_plan9.go --
package lib
-- lib/lib.s --
// No assembly.
-- lib/lib_test.go --
package lib

import (
	"testing"

	"example.com/app/other"
)

func TestOf(t *testing.T) { other.Use(t) }
-- lib/outside_test.go --
package lib_test

import (
	"testing"

	"example.com/app/lib"
	"example.com/app/user"
)

func TestSum(t *testing.T) { var _ lib.Pair[int] = user.Pair() }
-- user/user.go --
package user

import "example.com/app/lib"

func Pair() lib.Pair[int] { return lib.Of(1) }
-- other/other.go --
package other

import "testing"

func Use(testing.TB) {}
-- empty/empty.go --
package empty
-- wrong/wrong.go --
package wrong

import "example.com/app/lib"

func Wrong() int { return lib.Name + undefined }

func Right() lib.Pair[int8] { return lib.Of(int8(1)) }
-- wrong/user/user.go --
package user

import "example.com/app/wrong"

var P = wrong.Right().A
-- syntax/syntax.go --
package syntax

func f( {
-- missing/missing.go --
package missing

import "example.com/app/nowhere"

var X = nowhere.X
-- cycle/cycle.go --
package cycle

import "example.com/app/cycle/other"

var X = other.X
-- cycle/other/other.go --
package other

import "example.com/app/cycle"

var X = cycle.X
-- mixed/a.go --
package a
-- mixed/b.go --
package b
`)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
}

// queries are lists of a module.
var queries = []Query{
	{}, {Patterns: []string{"./lib", "./user"}}, {Patterns: []string{"./lib/lib.go"}}, {Patterns: []string{"./empty"}},
	{Patterns: []string{"./lib", "./user", "./other"}, Tests: true}, {Patterns: []string{"fmt"}}, {Patterns: []string{"unsafe"}},
	{Patterns: []string{"./wrong/..."}}, {Patterns: []string{"./syntax"}}, {Patterns: []string{"./missing"}}, {Patterns: []string{"./cycle/..."}},
	{Patterns: []string{"./mixed"}}, {Patterns: []string{"./nowhere"}}, {Patterns: []string{"example.com/nowhere"}}, {Patterns: []string{"./nowhere/..."}},
	{Patterns: []string{"nowhere.go"}}, {Patterns: []string{"file=lib/lib.go"}}, {Patterns: []string{"./..."}, Tests: true},
}

// difference are the lines that only one of two texts has.
func difference(got, want string) string {
	var b strings.Builder
	only := func(what, text, other string) {
		lines := strings.Split(other, "\n")
		for line := range strings.SplitSeq(text, "\n") {
			if !slices.Contains(lines, line) {
				fmt.Fprintf(&b, "%s: %.2000s\n", what, line)
			}
		}
	}
	only("got", got, want)
	only("want", want, got)
	return b.String()
}

// describe tells all of packages that qdgen may use.
func describe(roots []*packages.Package, err error) string {
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, p := range roots {
		fmt.Fprintln(&b, "root", p.ID)
	}
	var all []string
	packages.Visit(roots, nil, func(p *packages.Package) {
		var imports []string
		for path, i := range p.Imports {
			imports = append(imports, path+"="+i.ID)
		}
		slices.Sort(imports)
		module := ""
		if p.Module != nil {
			module = fmt.Sprint(p.Module.Path, p.Module.Version, p.Module.Main, p.Module.GoVersion)
		}
		all = append(all, fmt.Sprintf("%s %s %s %q %q %q %q %v %v", p.ID, p.PkgPath, p.Name, p.GoFiles, p.OtherFiles, p.IgnoredFiles, imports, module, p.Errors))
	})
	slices.Sort(all)
	return b.String() + strings.Join(all, "\n")
}

// TestPackages compares lists with those of package packages.
func TestPackages(t *testing.T) {
	module(t)
	for _, q := range queries {
		want := describe(packages.Load(&packages.Config{Mode: q.mode(), Tests: q.Tests}, q.Patterns...))
		list, err := Packages(q)
		if err != nil {
			list = new(List)
		}
		if got := describe(list.Roots, err); got != want {
			t.Errorf("%+v:\n%s", q, difference(got, want))
		}
	}
	t.Setenv("GOPACKAGESDRIVER", filepath.Join(t.TempDir(), "nowhere"))
	if list, err := Packages(Query{}); err == nil {
		t.Errorf("%v, where another program is to list packages, and is not there", list.Roots)
	}
}

// describeTypes tells what type-checked packages declare, and what is wrong with them. What the compiler has said of them
// is left out: it names directories for its work.
func describeTypes(roots []*packages.Package, err error) string {
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, p := range roots {
		scope := p.Types.Scope()
		text := fmt.Sprintf("%s %v %d files, %d names used, sizes of %d bytes\n", p.ID, p.IllTyped, len(p.Syntax), len(p.TypesInfo.Uses), p.TypesSizes.Sizeof(types.Typ[types.Int]))
		for _, name := range scope.Names() {
			text += fmt.Sprintln("\t", scope.Lookup(name))
		}
		for _, e := range p.Errors {
			if e.Kind != packages.ListError {
				msg, _, _ := strings.Cut(e.Error(), " (") // why something cannot be imported
				text += fmt.Sprintln("\t", e.Kind, msg)
			}
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return strings.Join(all, "")
}

// TestCheck compares type-checked packages with those of package packages.
func TestCheck(t *testing.T) {
	module(t)
	for _, q := range queries {
		q.Types = true
		wanted, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Tests: q.Tests}, q.Patterns...)
		want := describeTypes(wanted, err)
		list, err := Packages(q)
		var checked []*packages.Package
		if err == nil {
			var ids []string
			for _, p := range list.Roots {
				ids = append(ids, p.ID)
			}
			checked, err = list.Check(token.NewFileSet(), ParseAll, ids...)
		}
		if got := describeTypes(checked, err); got != want {
			t.Errorf("%+v:\n%s", q, difference(got, want))
		}
	}
}

// TestExported has the types of what packages import, and knows for which system they are.
func TestExported(t *testing.T) {
	module(t)
	t.Setenv("GOARCH", "386")
	list, err := Packages(Query{Types: true})
	if err != nil {
		t.Fatal(err)
	}
	found, err := list.Exported("strings", "example.com/app/lib", "example.com/app/nowhere")
	if err != nil || len(found) != 2 || found["strings"].Scope().Lookup("ToUpper") == nil {
		t.Fatal(found, err)
	}
	if size := found["example.com/app/lib"].Scope().Lookup("Size").(*types.Const).Val().String(); size != "8" {
		t.Errorf("two pointers have %s bytes", size)
	}
	for _, pattern := range []string{"./lib", "./empty"} {
		list, err := Packages(Query{Patterns: []string{pattern}, Types: true})
		if err != nil {
			t.Fatal(err)
		}
		if sizes, err := list.sizes(); err != nil || sizes.Sizeof(types.Typ[types.Int]) != 4 {
			t.Errorf("%s: %v, %v", pattern, sizes, err)
		}
	}
	if !list.Has("strings", "example.com/app/lib") || list.Has("strings", "example.com/app/user") {
		t.Error("the list has other packages")
	}
	if _, err := list.Check(token.NewFileSet(), ParseAll, "example.com/app/user"); err == nil {
		t.Error("a package is checked that is not in the list")
	}
}

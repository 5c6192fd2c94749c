package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestGenTests has files generated for kernels in tests: of the package itself, and of its external test package, which
// read variables that change, and need maps.
func TestGenTests(t *testing.T) {
	dir := newModule(t, []byte(`
-- p.go --
// Package app has nothing for kernels but functions.
package app

var scale = 2

// SetScale changes what Scaled does.
func SetScale(n int) { scale = n }

// Scaled is for kernels.
func Scaled(x int) int { return scale * x }

var names = map[string]int{"one": 1, "two": 2}
-- a_test.go --
package app

import (
	"testing"

	"github.com/qdgen/qd"
)

var added = 1

//qd:kernel
func inside(t qd.Thread, x []int) {
	x[t.ID()] = Scaled(t.ID()) + added + qd.Static(names["two"])
}

func TestInside(t *testing.T) {
	for n := range 3 {
		added = n
		SetScale(n + 1)
		x := make([]int, 4)
		if err := qd.Launch(inside, qd.Dim(4), x); err != nil {
			t.Fatal(err)
		}
		for i, v := range x {
			if v != (n+1)*i+n+2 {
				t.Fatal(n, x)
			}
		}
	}
}
-- only/only_test.go --
package only

import (
	"testing"

	"github.com/qdgen/qd"
)

var assigned = 1

//qd:kernel
func alone(t qd.Thread, x []int) { x[t.ID()] = assigned }

func TestAlone(t *testing.T) {
	assigned = 7
	x := make([]int, 1)
	if err := qd.Launch(alone, qd.Dim(1), x); err != nil || x[0] != 7 {
		t.Fatal(x, err)
	}
}
-- b_test.go --
package app_test

import (
	"strings"
	"testing"

	"example.com/app"
	"github.com/qdgen/qd"
)

var offset = 5

var lengths = map[string]int{}

//qd:kernel
func outside(t qd.Thread, name qd.Const[string], x []int) {
	x[t.ID()] = app.Scaled(1) + offset + qd.Static(lengths[strings.ToUpper(name.V)])
}

func TestOutside(t *testing.T) {
	app.SetScale(3)
	lengths["ABC"] = 30
	for offset = range 2 {
		x := make([]int, 1)
		if err := qd.Launch(outside, qd.Dim(1), qd.C("abc"), x); err != nil {
			t.Fatal(err)
		}
		if x[0] != 33+offset {
			t.Fatal(x)
		}
	}
}
`))
	env := append([]string{"QD_DEVICE=cpu"}, inModule...)
	run := func() string {
		r := program(t, dir, "go", env, "test", "-vet=off", "./...")
		return r.stdout + r.stderr
	}
	if out := run(); !strings.Contains(out, "run qdgen gen in") || strings.Contains(out, "app_test, or") {
		t.Fatalf("without generated files the tests say:\n%s", out)
	}
	qdgen(t, dir, nil, "gen", "./...").want(t, 0, nil, nil)
	for file, want := range map[string][]string{
		"only/qd_gen_test.go":     {"package only\n", `"assigned": &assigned`},
		"qd_gen_test.go":          {"package app\n", `qdreg.Vars("example.com/app", map[string]any{`, `"added": &added`, `"scale": &scale`, `names["two"]`},
		"qd_gen_external_test.go": {"package app_test\n", `qdreg.Vars("example.com/app_test", map[string]any{`, `"offset": &offset`, `lengths[strings.ToUpper(name.V)]`},
	} {
		text := strings.Join(strings.Fields(read(t, filepath.Join(dir, file))), " ")
		for _, w := range want {
			if !strings.Contains(text, strings.TrimSpace(strings.Join(strings.Fields(w), " "))) {
				t.Errorf("%s lacks %s:\n%s", file, w, text)
			}
		}
	}
	program(t, dir, "go", env, "vet", "./...").want(t, 0, nil, nil)
	if out := run(); strings.Count(out, "ok") != 2 || strings.Contains(out, "FAIL") {
		t.Fatalf("the tests say:\n%s", out)
	}

	qdgen(t, dir, nil, "gen", "--check", "./...").want(t, 0, nil, nil)
	replace(t, filepath.Join(dir, "b_test.go"), "var offset = 5", "var offset, second = 5, 6")
	replace(t, filepath.Join(dir, "b_test.go"), "+ offset", "+ offset + second")
	qdgen(t, dir, nil, "gen", "--check", "./...").want(t, 1, []string{"qd_gen_external_test.go"}, nil)
	qdgen(t, dir, nil, "gen", "./...").want(t, 0, nil, nil)
	qdgen(t, dir, nil, "gen", "--check", "./...").want(t, 0, nil, nil)
	qdgen(t, dir, nil, "vet", "./...").want(t, 0, nil, nil)
}

// The file for tests has the build constraints of what is in it, and not of what the package's own file has.
func TestGenTestsConstraint(t *testing.T) {
	dir := newModule(t, []byte(`
-- p.go --
package app

import "github.com/qdgen/qd"

//qd:kernel
func limited(t qd.Thread, x []int) { x[t.ID()] = limit + qd.Static(limits["one"]) }

var limits = map[string]int{}

// SetLimit changes what kernels read.
func SetLimit(n int) { limit, limits["one"] = n, n }
-- limit.go --
//go:build !plan9

package app

var limit = 1
-- a_test.go --
package app

import "github.com/qdgen/qd"

var added = 1

func addOne() { added++ }

//qd:kernel
func inside(t qd.Thread, x []int) { x[t.ID()] = limit + added }
`))
	qdgen(t, dir, nil, "gen", ".").want(t, 0, nil, nil)
	if text := read(t, filepath.Join(dir, "qd_gen.go")); !strings.Contains(text, "//go:build !plan9") {
		t.Errorf("the package's file has no constraint:\n%s", text)
	}
	text := read(t, filepath.Join(dir, "qd_gen_test.go"))
	if strings.Contains(text, "//go:build") || strings.Contains(text, "&limit") || !strings.Contains(text, "&added") {
		t.Errorf("the file for tests is\n%s", text)
	}
}

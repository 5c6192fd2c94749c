package initial_test

import (
	"errors"
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/initial"
	"github.com/qdgen/qd/frontend/initial/testdata/tables"
	"github.com/qdgen/qd/frontend/load"
)

const tablesPath = "github.com/qdgen/qd/frontend/initial/testdata/tables"

// sources are package tables, the standard library, and a kernel.
func sources(t *testing.T) load.Sources {
	t.Helper()
	file, err := filepath.Abs("testdata/tables/tables.go")
	if err != nil {
		t.Fatal(err)
	}
	disk, _, err := load.Disk(file)
	if err != nil {
		t.Fatal(err)
	}
	one := func(path, src string) *load.Package {
		return &load.Package{Path: path, Files: []load.File{{Name: "a.go", Src: []byte(src)}}}
	}
	return load.Chain(load.Map{
		load.QDPath: one(load.QDPath, "package qd\n\ntype Thread struct{}\n"),
		"p":         one("p", "package p\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread, x []int) {}\n"),
	}, disk, load.Standard{})
}

// compute gives the value of a variable of package tables, or what is wrong.
func compute(t *testing.T, src load.Sources, name string) (comptime.Value, error) {
	t.Helper()
	return computeOf(t, src, tablesPath, name)
}

// computeOf gives the value of a variable of a package, or what is wrong.
func computeOf(t *testing.T, src load.Sources, path, name string) (comptime.Value, error) {
	t.Helper()
	also := load.Also{Inits: []load.Global{{Pkg: path, Name: name}}}
	for range 20 {
		p, err := load.CheckWith(src, also, load.Ref{Pkg: "p", Name: "k"})
		if err != nil {
			t.Fatal(err)
		}
		v := find(p, path, name)
		if v == nil {
			t.Fatalf("there is no variable %s", name)
		}
		if why := v.ChangedLater(); why != "" {
			return comptime.Value{}, fmt.Errorf("it %s", why)
		}
		value, err := initial.Value(check.NewSyntax(p, v.Pkg, false, nil), v)
		var lacks *initial.LacksError
		if !errors.As(err, &lacks) || slices.Contains(also.Inits, lacks.Var) {
			return value, err
		}
		also.Inits = append(also.Inits, lacks.Var)
	}
	t.Fatalf("%s needs ever more variables", name)
	return comptime.Value{}, nil
}

func find(p *load.Program, path, name string) *load.Var {
	for _, obj := range p.Info.Defs {
		if v, ok := obj.(*types.Var); ok && v.Pkg() != nil && v.Pkg().Path() == path && v.Name() == name && check.IsPackageVar(v) {
			return p.Var(v)
		}
	}
	return nil
}

// TestValues computes variables of package tables from its source, and compares them with those of the package that this
// test has been compiled with.
func TestValues(t *testing.T) {
	compare(t, tablesPath, tables.Values())
}

// compare computes variables of a package from its source, and compares them with values.
func compare(t *testing.T, path string, values map[string]any) {
	t.Helper()
	src := sources(t)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		got, err := computeOf(t, src, path, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want, err := comptime.Of(reflect.ValueOf(values[name]), comptime.Slice, comptime.Map)
		if err != nil {
			t.Fatal(err)
		}
		if string(filled(got).Append(nil)) != string(filled(want).Append(nil)) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

// filled is a value whose slices have nothing behind their elements: Go leaves open how far append lets one grow.
func filled(v comptime.Value) comptime.Value {
	if v.Kind == comptime.Slice {
		v.Bits = min(v.Bits, 1)
	}
	v.Elems = slices.Clone(v.Elems)
	for i, e := range v.Elems {
		v.Elems[i] = filled(e)
	}
	return v
}

// TestPointers computes variables that lead to others.
func TestPointers(t *testing.T) {
	src := sources(t)
	got, err := compute(t, src, "tree")
	if err != nil {
		t.Fatal(err)
	}
	var keys []uint64
	var visit func(v comptime.Value)
	visit = func(v comptime.Value) {
		if v.Kind != comptime.Pointer || len(v.Elems) == 0 {
			return
		}
		node := v.Elems[0]
		visit(node.Elems[1])
		keys = append(keys, node.Elems[0].Bits)
		visit(node.Elems[2])
	}
	visit(got)
	if want := []uint64{1, 3, 4, 5, 8, 9}; !slices.Equal(keys, want) {
		t.Errorf("tree has %v, want %v", keys, want)
	}
	got, err = compute(t, src, "nested")
	if err != nil {
		t.Fatal(err)
	}
	if p := got.Elems[1]; p.Kind != comptime.Pointer || p.Elems[0].Elems[1].Bits != 0x40000000 {
		t.Errorf("nested is %v", got)
	}
}

// TestNotComputed has variables whose values nobody can tell from the source.
func TestNotComputed(t *testing.T) {
	src := sources(t)
	for name, want := range map[string]string{
		"ranged":    "ranges over a map, in an order that Go leaves open",
		"added":     "adds to a map that it ranges over",
		"readded":   "adds to a map that it ranges over",
		"outside":   "variable Args is exported",
		"formatted": "fmt.Sprint",
		"capacity":  "the capacity of a slice that has grown",
		"endless":   "takes more than 2000000 steps",
		"counted":   "may be changed by what other variables are initialized with",
		"assigned":  "is assigned at",
		"written":   "is assigned at",
		"aliased":   "has its address taken",
		"window":    "is assigned at",
		"grows":     "a slice that has grown since",
		"Exported":  "is exported",
		"literals":  "the variable of a loop when its turn is over",
		"converted": "cannot hold",
		"knownTo":   "leads to the same memory",
		"doubled":   "a slice that has grown since",
		"halved":    "variable halvedAgain leads to the same memory",
		"behind":    "variable keep leads to the same memory",
		"later":     "variable laterAgain leads to the same memory",
		"shared":    "it leads to one piece of memory twice",
	} {
		if v, err := compute(t, src, name); err == nil {
			t.Errorf("%s is %v", name, v)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if tables.Others() == 0 || tables.Bump() == 0 {
		t.Error("the package has not been initialized")
	}
}

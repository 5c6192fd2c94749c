package load

import (
	"go/types"
	"strings"
	"testing"
)

// An exported variable of the standard library counts as never assigned, unless its package has settings, or a package that
// kernels reach assigns to it.
func TestStandardVariables(t *testing.T) {
	const lib = "var N = 1\n\nvar T = &Table{}\n\ntype Table struct{ A [2]int }\n"
	for _, tt := range []struct {
		name, lib, user, other string
		standard               bool
		want                   string
	}{
		{"read", "package lib\n" + lib, "x[0] = lib.N + lib.T.A[0]; y := lib.N; y++", "", true, ""},
		{"of a module", "package lib\n" + lib, "x[0] = lib.N", "", false, "is exported, so any package may assign to it"},
		{"of a package with settings", "package lib\nimport \"runtime\"\nvar CPUs = runtime.NumCPU()\n" + lib, "x[0] = lib.N", "", true, "is exported, so any package may assign to it"},
		{"assigned", "package lib\n" + lib, "x[0] = lib.N", "func Set() { lib.N = 2 }", true, "is assigned at k/b.go:4"},
		{"counted", "package lib\n" + lib, "x[0] = lib.N", "func Set() { (lib.N)++ }", true, "is assigned at k/b.go:4"},
		{"its address", "package lib\n" + lib, "x[0] = lib.N", "func Set() *int { return &lib.N }", true, "is assigned at k/b.go:4"},
		{"by a loop", "package lib\n" + lib, "x[0] = lib.N", "func Set() { for lib.N = range 3 {} }", true, "is assigned at k/b.go:4"},
		{"by a copy", "package lib\n" + lib, "x[0] = lib.T.A[0] + lib.N", "func Set() { t := lib.T; t.A[0] = 2 }", true, "T is assigned at k/b.go:4"},
		{"by a copy of a part", "package lib\n" + lib, "x[0] = lib.T.A[0] + lib.N", "func Set() { t := lib.T; var p = t; clear(p.A[:]) }", true, "T is assigned at k/b.go:4"},
		{"copied", "package lib\n" + lib, "x[0] = lib.T.A[0] + lib.N", "func Set() { t := lib.T; t = &lib.Table{}; _ = t }; func Other() { t := &lib.Table{}; t.A[0] = 1 }", true, "T "},
		{"by its other name", "package lib\nvar U = T\n" + lib, "x[0] = lib.T.A[0] + lib.N", "func Set() { lib.U.A[0] = 2 }", true, "T is aliased at lib/lib.go:2"},
		{"another one", "package lib\n" + lib, "x[0] = lib.N", "func Set() { lib := struct{ M int }{}; lib.M = 2 }", true, ""},
	} {
		src := sources(map[string]string{
			"lib/lib.go": tt.lib,
			"k/a.go":     "package k\nimport (\"github.com/qdgen/qd\"; \"lib\")\n//qd:kernel\nfunc kernel(t qd.Thread, x []int) { " + tt.user + " }\n",
			"k/b.go":     "package k\nimport \"lib\"\nvar _ = lib.N\n" + tt.other + "\n",
		})
		src["lib"].Standard = tt.standard
		p, err := Check(src, Ref{Pkg: "k", Name: "kernel", File: "k/a.go"})
		if err != nil {
			t.Fatal(tt.name, err)
		}
		found := false
		want, isTable := strings.CutPrefix(tt.want, "T ")
		for obj, v := range p.vars {
			switch {
			case obj.Name() == "N" && !isTable:
			case obj.Name() == "T" && isTable:
			default:
				continue
			}
			found = true
			if got := v.Changed(); got != want {
				t.Errorf("%s: %q, want %q", tt.name, got, want)
			}
		}
		if !found {
			t.Errorf("%s: the variable is not reached", tt.name)
		}
	}
}

// A table that other package variables lead to as well is one that nothing changes if nothing writes through them.
func TestNamesOfTables(t *testing.T) {
	for _, tt := range []struct{ decls, want string }{
		{"var second = table", ""},
		{"var second = table; func read() int { return second.a[0] }", ""},
		{"var second = table; func write() { second.a[0] = 1 }", "is aliased"},
		{"var second = table; var third = (second); func write() { third.a[0] = 1 }", "is aliased"},
		{"var Second = table", "is aliased"},
		{"var lists = []*row{table, nil}; func read() int { return lists[0].a[1] }", ""},
		{"var lists = []*row{table, nil}; func write() { lists[1].a[1] = 2 }", "is aliased"},
		{"var names = map[string]*row{\"a\": table}; func write() { names[\"a\"].a[1]++ }", "is aliased"},
		{"var names = map[string]*row{\"a\": table}; func read() int { return names[\"a\"].a[1] }", ""},
		{"var all = holder{in: table}; func write() { all.in.a[1]++ }", "is aliased"},
		{"var all = holder{in: table}; func give() *row { return all.in }", "is aliased"},
		{"var got = give(table); func give(r *row) *row { return r }", "is aliased"},
		{"var table2, second = 1, table", "is aliased"},
	} {
		src := sources(map[string]string{
			"a/a.go": "package a\n\ntype row struct{ a [2]int }\n\ntype holder struct{ in *row }\n\nvar table = &row{}\n\nvar _ = holder{}\n\nfunc k() { _ = table }\n",
			"a/b.go": "package a\n\n" + tt.decls + "\n",
		})
		p := mustCheck(t, src, Ref{Pkg: "a", Name: "k"})
		v, _ := p.Kernels[0].Pkg.Scope().Lookup("table").(*types.Var)
		if v == nil || p.Var(v) == nil {
			t.Fatal("no variable")
		}
		got := p.Var(v).Changed()
		if before, _, _ := strings.Cut(got, " at "); before != tt.want {
			t.Errorf("%s: %q, want %q", tt.decls, got, tt.want)
		}
	}
}

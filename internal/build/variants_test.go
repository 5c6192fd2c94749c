package build

import (
	"encoding/json"
	"testing"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

func number(n uint64) comptime.Value { return comptime.Value{Kind: comptime.Int, Type: "int", Bits: n} }

// Options that differ in anything that a specialization depends on have different keys.
func TestOptionsKeys(t *testing.T) {
	one, half := number(1), comptime.Value{Kind: comptime.Float32, Type: "float32", Bits: 0x3f000000}
	seen := map[string]int{}
	for i, o := range []Options{
		{},
		{Checked: true},
		{Narrow: true},
		{Interchange: 1},
		{Interchange: 2},
		{Env: &world{}},
		{Consts: map[int]comptime.Value{1: one}},
		{Consts: map[int]comptime.Value{2: one}},
		{Consts: map[int]comptime.Value{1: one, 2: one}},
		{Consts: map[int]comptime.Value{1: half}},
		{Receiver: &one},
		{Receiver: &half},
		{Receiver: &one, Consts: map[int]comptime.Value{1: one}},
		{Captured: map[string]comptime.Value{"x": one}},
		{Captured: map[string]comptime.Value{"y": one}},
		{Captured: map[string]comptime.Value{"x": one, "y": half}},
		{Captured: map[string]comptime.Value{"y": one, "x": half}},
	} {
		key := string(keyOf(o))
		if old, ok := seen[key]; ok {
			t.Errorf("options %d and %d have one key", old, i)
		}
		seen[key] = i
	}
}

// A world is an Environment with variables, and one expression: f(x).
type world struct {
	vars  map[string]uint64
	asked []string
}

func (w *world) Var(pkg, name string) (comptime.Value, error) {
	w.asked = append(w.asked, name)
	v, ok := w.vars[name]
	if !ok {
		return comptime.Value{}, frontend.ErrNotRegistered
	}
	return number(v), nil
}

func (w *world) Static(site frontend.StaticSite, args []comptime.Value, _ frontend.Reads) (comptime.Value, error) {
	w.asked = append(w.asked, site.Expr+" "+args[0].String())
	return number(args[0].Bits * w.vars["f"]), nil
}

// ask has questions answered as lowering has them answered.
func (w *world) ask(names ...string) (list []frontend.Asked) {
	for _, name := range names {
		a := frontend.Asked{}
		if name == "f(x)" {
			a.Site = &frontend.StaticSite{Pkg: "k", Func: "kernel", Expr: name}
			a.Args = []comptime.Value{number(3)}
			a.Value, _ = w.Static(*a.Site, a.Args, frontend.Reads{})
		} else {
			a.Var.Pkg, a.Var.Name = "k", name
			v, err := w.Var("k", name)
			a.Value, a.Unknown = v, err != nil
		}
		list = append(list, a)
	}
	w.asked = nil
	return list
}

// Variants of one first key are told apart by their questions' answers, and asked for no
// more than lowering would ask.
func TestVariants(t *testing.T) {
	c, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &Builder{Cache: c, Version: "v1"}
	src := load.Map{"k": {Path: "k", Files: []load.File{{Name: "k.go", Src: []byte("package k")}}}}
	first := cache.NewKey("first")
	w := &world{vars: map[string]uint64{"a": 1, "f": 10}}
	store := func(name string, asked []frontend.Asked) {
		t.Helper()
		key := cache.NewKey("module", []byte(name))
		if _, _, err := c.Build(key, func() (*cache.Artifact, error) {
			return &cache.Artifact{Kernel: name, Target: "cpp", Arch: "vax", Data: []byte(name)}, nil
		}); err != nil {
			t.Fatal(err)
		}
		m := &Module{Name: name, Key: key, ABI: &ABI{Symbol: name}, Asked: asked}
		spec := &frontend.Specialized{Program: &load.Program{Packages: []*load.Package{src["k"]}}}
		(&job{Builder: b, first: first, m: m, unit: &compile.Unit{Specialized: spec}}).remember()
	}
	find := func(want string, asked ...string) {
		t.Helper()
		w.asked = nil
		m := &Module{}
		if _, ok := (&job{Builder: b, src: src, first: first, opts: Options{Env: w}, m: m}).recorded(); ok != (want != "") || m.Name != want {
			t.Errorf("found %t %q, want %q", ok, m.Name, want)
		}
		if len(w.asked) != len(asked) {
			t.Errorf("asked %q, want %q", w.asked, asked)
			return
		}
		for i, q := range asked {
			if w.asked[i] != q {
				t.Errorf("asked %q, want %q", w.asked, asked)
			}
		}
		if want != "" && len(m.Asked) != len(asked) {
			t.Errorf("%q has %d questions, want %d", want, len(m.Asked), len(asked))
		}
	}

	find("")
	store("a is 1", w.ask("a"))
	find("a is 1", "a")
	w.vars["a"] = 2
	find("", "a")
	store("a is 2", w.ask("a", "b", "f(x)"))
	find("a is 2", "a", "b", "f(x) 3")
	w.vars["a"] = 1
	find("a is 1", "a") // b and f(x) are not asked: a is another one
	w.vars["a"], w.vars["f"] = 2, 11
	find("", "a", "b", "f(x) 3")
	store("f is 11", w.ask("a", "b", "f(x)"))
	w.vars["f"] = 10
	find("a is 2", "a", "b", "f(x) 3")
	w.vars["b"] = 5 // it was not known
	find("", "a", "b")
	delete(w.vars, "b")

	// The same answers again replace the variant.
	store("once more", w.ask("a", "b", "f(x)"))
	find("once more", "a", "b", "f(x) 3")
	rec, _ := c.LookupIndex(first)
	var newest meta
	if err := json.Unmarshal(rec.Meta, &newest); err != nil || len(newest.Older) != 2 {
		t.Errorf("%d older variants, %v", len(newest.Older), err)
	}

	// Another source: what is there is outdated, and forgotten with the next variant.
	src["k"] = &load.Package{Path: "k", Files: []load.File{{Name: "k.go", Src: []byte("package k // edited")}}}
	find("")
	store("edited", w.ask("a"))
	rec, _ = c.LookupIndex(first)
	newest = meta{}
	if err := json.Unmarshal(rec.Meta, &newest); err != nil || len(newest.Older) != 0 {
		t.Errorf("%d older variants, %v", len(newest.Older), err)
	}

	// No more than maxVariants are kept, the newest.
	for i := range uint64(maxVariants + 3) {
		w.vars["a"] = 100 + i
		store("many", w.ask("a"))
	}
	find("many", "a")
	w.vars["a"] = 102
	find("", "a")
	w.vars["a"] = 103
	find("many", "a")
}

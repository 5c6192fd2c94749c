package registry

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/mod/semver"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/bug"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/memo"
)

var internalTable = []int{1, 2, 3}

// TestInitialValues asks for values that have been registered.
func TestInitialValues(t *testing.T) {
	const pkg = "github.com/qdgen/qd"
	StaticValue(pkg, "f", 0, "internalTable", func() []int { return internalTable }, "")
	StaticValue(pkg, "f", 1, "internalTable[7]", func() int { return internalTable[7] }, "")
	StaticValue(pkg, "f", 2, "any(1)", func() any { return 1 }, "")
	internalTable[1] = 5
	env := NewEnv()
	for _, test := range []struct {
		index           int
		expr, want, typ string
	}{
		{0, "internalTable", "[]int{1, 2, 3}", "[]int"},
		{0, "internalTable[:]", "error: not known to the running program", "error: not known to the running program"}, // edited since
		{1, "internalTable[7]", "error: it panics: runtime error: index out of range [7] with length 3", "int"},
		{2, "any(1)", "1", "int"},
	} {
		site := frontend.StaticSite{Pkg: pkg, Func: "f", Index: test.index, Expr: test.expr}
		v, err := env.Static(site, nil, frontend.Reads{})
		got := v.String()
		if err != nil {
			got = "error: " + err.Error()
		}
		typ, err := env.StaticType(site)
		if err != nil {
			typ = "error: " + err.Error()
		}
		if got != test.want || typ != test.typ {
			t.Errorf("%s: %s of type %s, want %s of type %s", test.expr, got, typ, test.want, test.typ)
		}
	}
}

// TestStaticLines finds the lines of qd.Static expressions in the source that is registered.
func TestStaticLines(t *testing.T) {
	const src = "package p\n\nimport \"github.com/qdgen/qd\"\nimport lib \"example.com/b\"\n\nfunc (t *T[P]) kernel() {\n\tprint(qd.Static(C), qd.Static[int](\n\t\tD))\n}\n" +
		"func imported() {\n\tprint(qd.Static(lib.D))\n\tprint(qd.Static(lib.D))\n}\nfunc declared() {\n\tconst D = 1\n\tprint(qd.Static(D))\n\tprint(qd.Static(D))\n}\n"
	if err := Source("example.com/initial", "example.com/initial", fstest.MapFS{"k.go": {Data: []byte(src)}, "qd_gen.go": {Data: []byte("package p\n\n//go:embed [^._]*.go\n")}}); err != nil {
		t.Fatal(err)
	}
	StaticValue("example.com/initial", "T.kernel", 1, "D", func() int { return 5 }, "")
	StaticValue("example.com/initial", "imported", 0, "lib.D", func() int { return 5 }, `import lib "example.com/a"`)
	StaticValue("example.com/initial", "imported", 1, "lib.D", func() int { return 5 }, `import lib "example.com/b"`)
	StaticValue("example.com/initial", "declared", 0, "D", func() int { return 5 }, "")
	StaticValue("example.com/initial", "declared", 1, "D", func() int { return 5 }) // by an older qdgen
	for _, test := range []struct {
		name string
		line int
		want string
	}{
		{"(*T[...]).kernel", 7, "D and others"},
		{"(*T[...]).kernel", 8, "D"},
		{"(*T[...]).kernel.func1", 8, "D"},
		{"(*T[...]).kernels", 8, ""},
		{"(*T[...]).kernel", 3, ""},
		{"T.kernel", 0, "D and others"},
		{"imported", 11, " and others"}, // of another import
		{"imported", 12, "D"},
		{"declared", 16, " and others"}, // another D
		{"declared", 17, " and others"},
	} {
		file := "k.go"
		if test.line == 0 {
			file = "nowhere.go"
		}
		c := staticCallAt("example.com/initial", test.name, file, test.line)
		got := ""
		for _, e := range c.initial {
			if v, err := comptime.Of(e.value); err == nil && v.String() == "5" {
				got += "D"
			}
		}
		if c.others {
			got += " and others"
		}
		if got != test.want {
			t.Errorf("%s:%d: %q, want %q", test.name, test.line, got, test.want)
		}
	}
}

// TestStaticWithLocals evaluates registered Go code for the values of local names.
func TestStaticWithLocals(t *testing.T) {
	calls := 0
	Static("q", "kernel", 0, "table[n.V]", func(n Const[int]) int {
		calls++
		return []int{10, 20}[n.V]
	}, "local n")
	Static("q", "kernel", 1, "apply(f, t)", func(f func(float64) float64, t tuning) any { return f(float64(t.Width)) }, "local f; local t")
	Static("q", "kernel", 2, "forever()", func() int { time.Sleep(time.Hour); return 0 }, "")
	Static("q", "kernel", 3, "exit()", func() int { runtime.Goexit(); return 0 }, "")
	Static("q", "kernel", 4, "pointer()", func() *int { return nil }, "")
	Static("q", "kernel", 5, "old()", func() int { return 1 }) // by an older qdgen
	names := []string{"local n", "local f; local t", "", "", "", "", "const n = 1"}
	value := func(x any) comptime.Value {
		v, err := comptime.Of(reflect.ValueOf(x))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, test := range []struct {
		index int
		expr  string
		args  []comptime.Value
		want  string
	}{
		{0, "table[n.V]", []comptime.Value{value(C(1))}, "20"},
		{0, "table[n.V]", []comptime.Value{value(C(1))}, "20"},
		{0, "table[n.V]", []comptime.Value{value(C(2))}, "error: it panics: runtime error: index out of range [2] with length 2"},
		{0, "table[n.V]", []comptime.Value{value(1)}, "error: not known to the running program: 1 of type int is no registry.Const[int]"},
		{0, "table[n.V]", nil, "error: its generated code takes 1 values, but there are 0; run qdgen gen"},
		{0, "table[n]", []comptime.Value{value(1)}, "error: not known to the running program"},
		{1, "apply(f, t)", []comptime.Value{value(twice), value(tuning{Width: 21})}, "42"},
		{2, "forever()", nil, "error: it has not ended after 10ms; to allow more time, set QD_STATIC_TIMEOUT"},
		{3, "exit()", nil, "error: it ends its goroutine"},
		{4, "pointer()", nil, "error: a pointer (*int) cannot be a compile-time value, because the value that it points to may change; use the value itself, or pass it as an argument"},
		{5, "old()", nil, "error: not known to the running program"},
		{6, "table[n.V]", nil, "error: not known to the running program"},
	} {
		limit := "" // the usual: on a busy machine 10 ms are nothing
		if test.expr == "forever()" {
			limit = "0.01"
		}
		t.Setenv("QD_STATIC_TIMEOUT", limit)
		site := frontend.StaticSite{Pkg: "q", Func: "kernel", Index: test.index % 6, Expr: test.expr, Names: names[test.index]}
		v, err := NewEnv().Static(site, test.args, frontend.Reads{Calls: true})
		got := v.String()
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.expr, got, test.want)
		}
	}
	for i, want := range []string{"int", "", "int", "int", "*int", ""} {
		exprs := []string{"table[n.V]", "apply(f, t)", "forever()", "exit()", "pointer()", "nothing"}
		typ, err := NewEnv().StaticType(frontend.StaticSite{Pkg: "q", Func: "kernel", Index: i, Expr: exprs[i], Names: names[i]})
		if typ != want || (err == frontend.ErrNotRegistered) != (want == "") {
			t.Errorf("%s: %q, %v", exprs[i], typ, err)
		}
	}
	if calls != 2 {
		t.Errorf("evaluated %d times", calls)
	}
}

// TestRegisterMisuse calls the functions of generated code as no generated code does.
func TestRegisterMisuse(t *testing.T) {
	for name, f := range map[string]func(){
		"not a pointer":       func() { Vars("p", map[string]any{"x": 1}) },
		"is not a function":   func() { Static("p", "f", 0, "x", 1) },
		"func() is no":        func() { StaticValue("p", "f", 0, "x", func() {}) },
		"func(int) int is no": func() { StaticValue("p", "f", 0, "x", func(int) int { return 0 }) },
	} {
		func() {
			defer func() {
				if s, _ := recover().(string); !strings.Contains(s, name) {
					t.Errorf("%q, want %q", s, name)
				}
			}()
			f()
		}()
	}
}

// TestRegisterText merges the files that several packages register of another one.
func TestRegisterText(t *testing.T) {
	version := ownModule(t)
	Text("example.com/text", version, map[string]string{"b.go": "package text // 1\n", "c.go": "package text\n"})
	Text("example.com/text", version+"-other", map[string]string{"b.go": "package text // 3\n", "d.go": "package text\n"})
	Text("example.com/text", version, map[string]string{"b.go": "package text // 2\n", "a.go": "package text\n"})
	p, err := registeredTexts{}.Package("example.com/text")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range p.Files {
		got = append(got, f.Name+": "+string(f.Src))
	}
	want := []string{"example.com/text/a.go: package text\n", "example.com/text/b.go: package text // 2\n", "example.com/text/c.go: package text\n"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if p, err := Sources().Package("example.com/text"); p != nil || err != nil {
		t.Error("the text is preferred to the disk")
	}
	Text("example.com/text2", version+"-other", map[string]string{"a.go": "package text\n"})
	if p, err := (registeredTexts{}).Package("example.com/text2"); p != nil || err == nil || !strings.Contains(err.Error(), version+"-other") {
		t.Errorf("of another version there is %v, %v", p, err)
	}
}

// ownModule is a version of a module that the test is built with.
func ownModule(t *testing.T) string {
	t.Helper()
	file := gort.FuncAt(reflect.ValueOf(semver.Compare).Pointer()).File
	version, _, ok := strings.Cut(file[max(0, strings.Index(file, "golang.org/x/mod@")):], "/semver/")
	if !ok {
		t.Fatalf("%s is of no module version", file)
	}
	return version
}

// TestParts registers some of a package's files: nothing says that the others do not matter.
func TestParts(t *testing.T) {
	files := fstest.MapFS{"a.go": {Data: []byte("package parts\n\n//go:embed a.go\n")}}
	if err := Source("example.com/parts", "example.com/parts", files); err != nil {
		t.Fatal(err)
	}
	if p, err := Sources().Package("example.com/parts"); p != nil || err != nil {
		t.Errorf("a part is registered as %v, %v", p, err)
	}
	if p, err := (registeredTexts{}).Package("example.com/parts"); p != nil || err == nil || !strings.Contains(err.Error(), "some of the package's files") {
		t.Errorf("where nothing else is, there is %v, %v", p, err)
	}
}

// TestCopied changes what a copy was made of.
func TestCopied(t *testing.T) {
	type deep struct {
		s []map[string][1][]int
		x any
	}
	d := deep{[]map[string][1][]int{{"k": {{1, 2}}}, nil}, []int{3}}
	c := copied(reflect.ValueOf(d)).Interface().(deep)
	d.s[0]["k"][0][1], d.x.([]int)[0] = 7, 7
	d.s[0]["l"] = [1][]int{}
	if len(c.s[0]) != 1 || c.s[0]["k"][0][1] != 2 || c.x.([]int)[0] != 3 || c.s[1] != nil {
		t.Error(c)
	}
}

// Const and C are like those of package qd, which imports this one.
type Const[T any] struct{ V T }

func C[T any](v T) Const[T] { return Const[T]{v} }

type tuning struct{ Width int }

func twice(x float64) float64 { return 2 * x }

// TestCallers finds who has called into package qd, of which this package is a part: source is looked for
// around the program's packages, and not around qdgen's.
func TestCallers(t *testing.T) {
	var once memo.Once[int, []launcher]
	var list []launcher
	err := bug.Guard("", func() (err error) {
		list, err = once.Do(0, func() ([]launcher, error) { return callers(), nil })
		return err
	})
	if err != nil || len(list) == 0 || slices.ContainsFunc(list, func(l launcher) bool { return strings.HasPrefix(l.pkg, load.QDPath) }) {
		t.Errorf("the callers are %v, %v", list, err)
	}
}

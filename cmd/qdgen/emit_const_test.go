package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// consts is the module of testdata/gen/consts.txtar.
func consts(t *testing.T) string {
	t.Helper()
	archive, err := os.ReadFile("testdata/gen/consts.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := newModule(t, archive)
	return dir
}

func TestEmitConst(t *testing.T) {
	dir := consts(t)
	enter(t, dir, inModule)
	before, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	ran := []string{"no end of line", "a line\n"} // the package's initialization
	for _, tt := range []struct {
		name   string
		args   []string
		exit   int
		stdout []string
		stderr []string
	}{
		{"constants", []string{"--kernel", "block", "--const", "n=1+2", "--const", "op=Mul"}, 0, []string{"const 3", "mul"}, nil},
		{"negative", []string{"--kernel", "block", "--const", "n=-128", "--const", "op=1"}, 0, []string{"const -128", "add"}, nil},
		{"compiled", []string{"--kernel", "block", "--const", "n=int8(table[1])", "--const", "op=Op(len(table))"}, 0, []string{"const 7", "add"}, ran},
		{"untyped float", []string{"--kernel", "factor", "--const", "f=math.Pi"}, 0, []string{"factor[float32]", "const 3.1415927"}, nil},
		{"integer as float", []string{"--kernel", "factor", "--const", "f=3"}, 0, []string{"factor[float32]", "const 3"}, nil},
		{"type", []string{"--kernel", "factor", "--type", "T=float64", "--const", "f=0.1"}, 0, []string{"factor[float64]", "const 0.1\n"}, nil},
		{"type in the name", []string{"--kernel", "factor[float64]", "--const", "f=0.1"}, 0, []string{"factor[float64]", "const 0.1"}, nil},
		{"function", []string{"--kernel", "apply", "--const", "f=relu"}, 0, []string{"relu"}, ran},
		{"receiver", []string{"--kernel", "Map.Kernel", "--const", "k=Map[float32, ScaleBy]{ScaleBy{2}}"}, 0, []string{"kernel Map[float32,ScaleBy].Kernel", "const 2"}, ran},
		{"receiver's types", []string{"--kernel", "Map[float32,main.ScaleBy].Kernel", "--const", "Map=Map[float32, ScaleBy]{ScaleBy{4}}"}, 0, []string{"kernel Map[float32,ScaleBy].Kernel", "const 4"}, ran},
		{"empty receiver", []string{"--kernel", "Empty.Kernel"}, 0, []string{"const 77"}, nil},
		{"variables", []string{"--kernel", "scaled"}, 0, []string{"const 3\n", "const 200\n"}, ran},
		{"static", []string{"--kernel", "static", "--const", "m=1"}, 0, []string{"const 11"}, append(ran, "evaluating 1\n")},
		{"string", []string{"--kernel", "choose", "--const", `op="one"`}, 0, []string{"const 1234"}, nil},
		{"no string", []string{"--kernel", "choose", "--const", "op=one"}, 1, nil, []string{`--const op=one: undefined: one; a string needs quotes that the shell does not remove: --const 'op="one"'`}},
		{"prints", []string{"--kernel", "prints", "--const", "n=1100"}, 0, []string{"const 1099"}, []string{"n is 1100\n", "warning: main.go:96:"}},
		{"all", nil, 1, []string{"const 12", "const 77"}, []string{
			"kernel block has compile-time arguments; give it --const n=..., of type int8, and --const op=..., of type main.Op",
			"kernel static has compile-time arguments; give it --const m=..., of type int",
			"kernel Map.Kernel has compile-time arguments; give it --const k='Map[T, F]...', its receiver",
		}},
		{"one missing", []string{"--kernel", "block", "--const", "n=2"}, 1, nil, []string{"kernel block has compile-time arguments; give it --const op=..., of type main.Op"}},
		{"too large", []string{"--kernel", "block", "--const", "n=128", "--const", "op=Mul"}, 1, nil, []string{"--const n=128: parameter n of kernel block: 128 is not a value of type int8"}},
		{"fraction", []string{"--kernel", "block", "--const", "n=2.5", "--const", "op=Mul"}, 1, nil, []string{"2.5 is not a value of type int8"}},
		{"other type", []string{"--kernel", "block", "--const", "n=late", "--const", "op=Mul"}, 1, nil, []string{"--const n=late: it is of type float32, but parameter n of kernel block is of type int8"}},
		{"undefined", []string{"--kernel", "block", "--const", "n=x", "--const", "op=Mul"}, 1, nil, []string{"--const n=x: undefined: x"}},
		{"no Go", []string{"--kernel", "block", "--const", "n=1 +", "--const", "op=Mul"}, 1, nil, []string{"--const n=1 +: this is not a Go expression"}},
		{"other receiver", []string{"--kernel", "Map.Kernel", "--const", "k=ScaleBy{2}"}, 1, nil, []string{"it is of type main.ScaleBy, but the receiver of kernel Map.Kernel is of type main.Map"}},
		{"constraint", []string{"--kernel", "factor", "--type", "T=int", "--const", "f=1"}, 1, nil, []string{"factor[T qd.Float] cannot be instantiated with these types"}},
		{"no type", []string{"--kernel", "factor", "--type", "T=late", "--const", "f=1"}, 1, nil, []string{"--type T=late: late is not a type"}},
		{"nobody's constant", []string{"--kernel", "plain", "--const", "foo=3"}, 1, nil, []string{"--const foo=3: no printed kernel has a compile-time parameter or a receiver with that name"}},
		{"nobody's type", []string{"--kernel", "plain", "--type", "T=int"}, 1, nil, []string{"--type T=int: no printed kernel has a type parameter with that name"}},
		{"no value", []string{"--const", "foo"}, 2, nil, []string{"--const foo: give a name and a value, as in --const n=128"}},
		{"twice", []string{"--const", "a=1", "--const", "a=2"}, 2, nil, []string{"--const gives a twice"}},
		{"panic", []string{"--kernel", "static", "--const", "m=3"}, 1, nil, append(ran, "main.go:", "qd.Static(wild(m.V)): it panics: three")},
		{"exit", []string{"--kernel", "static", "--const", "m=4"}, 1, nil, append(ran, "the program that evaluates it has ended: exit status 3")},
		{"value that panics", []string{"--kernel", "apply", "--const", "f=[]func(float32) float32{}[table[1]]"}, 1, nil, append(ran, "it panics: runtime error: index out of range")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			qdgen(t, ".", nil, append([]string{"emit", "--target", "ssa"}, tt.args...)...).want(t, tt.exit, tt.stdout, tt.stderr)
		})
	}
	qdgen(t, ".", nil, "emit", "--target", "ssa", "--kernel", "static", "--const", "m=1", "main.go").want(t, 0, []string{"const 11"}, ran)
	if after, _ := filepath.Glob(filepath.Join(dir, "*")); strings.Join(after, " ") != strings.Join(before, " ") {
		t.Errorf("the module's files were %v and are %v", before, after)
	}
}

// What a variable of the environment cannot mean is an error.
func TestEmitWrongVariables(t *testing.T) {
	t.Parallel()
	dir := consts(t)
	for variable, want := range map[string]string{
		"QD_STATIC_TIMEOUT=soon": "QD_STATIC_TIMEOUT=soon: use a duration such as 30s or 2m, or a number of seconds",
		"QD_LANES=12":            "QD_LANES=12: use a power of 2 from 1 to 256",
		"QD_LANES=many":          "QD_LANES=many: use a power of 2 from 1 to 256",
	} {
		qdgen(t, dir, append([]string{variable}, inModule...), "emit", "--target", "cpp", "--kernel", "static", "--const", "m=1", "main.go").want(t, 1, nil, []string{want})
	}
}

// Go code that does not end is given up.
func TestEmitEndless(t *testing.T) {
	t.Parallel()
	dir := consts(t)
	const late = "initialization has not ended"
	// givenUp wants a text with the time that it was given.
	givenUp := func(want, kernel string, consts ...string) {
		t.Helper()
		for limit := 500 * time.Millisecond; ; limit *= 2 {
			env := append([]string{fmt.Sprint("QD_STATIC_TIMEOUT=", limit)}, inModule...)
			r := qdgen(t, dir, env, append([]string{"emit", "--kernel", kernel}, consts...)...)
			if strings.Contains(r.stderr, late) && !strings.Contains(want, late) {
				continue // the machine is busy
			}
			r.want(t, 1, nil, []string{fmt.Sprintf("%s after %v", want, limit), "QD_STATIC_TIMEOUT"})
			return
		}
	}
	givenUp("qd.Static(wild(m.V)): it has not ended", "static", "--const", "m=2")
	const waits, runs = "for ; ; time.Sleep(time.Hour) {", "for ; ; _ = time.Hour {"
	replace(t, filepath.Join(dir, "main.go"), waits, runs)
	givenUp("qd.Static(wild(m.V)): it has not ended", "static", "--const", "m=2")
	replace(t, filepath.Join(dir, "main.go"), runs, waits)
	givenUp("--const n=int8(wild(2)): it has not ended", "block", "--const", "op=1", "--const", "n=int8(wild(2))")
	replace(t, filepath.Join(dir, "main.go"), `fmt.Println("a line")`, `for { time.Sleep(time.Hour) }`)
	givenUp("the packages' "+late, "static", "--const", "m=1")
	replace(t, filepath.Join(dir, "main.go"), `for { time.Sleep(time.Hour) }`, `panic("at once")`)
	qdgen(t, dir, inModule, "emit", "--kernel", "static", "--const", "m=1").want(t, 1, nil, []string{"the program does not get past the initialization of its packages: panic: at once"})
	replace(t, filepath.Join(dir, "main.go"), `panic("at once")`, `undefined()`)
	qdgen(t, dir, inModule, "emit", "--kernel", "static", "--const", "m=1").want(t, 1, nil, []string{"does not build: main.go:23:15: undefined: undefined"})
	// What needs no Go to run is printed all the same.
	qdgen(t, dir, inModule, "emit", "--kernel", "plain").want(t, 0, []string{"a[t.ID()] = 12"}, nil)
}

// A package that is no command is evaluated too, its unexported names and those of internal packages
// among it, and with files of other packages that have yet to be generated.
func TestEmitLibrary(t *testing.T) {
	t.Parallel()
	dir := app(t)
	qdgen(t, dir, inModule, "emit", "./lib", "--target", "ssa", "--kernel", "fill", "--const", "n=len(table)").want(t, 0, []string{"kernel fill[float32]", "const "}, nil)
	qdgen(t, dir, inModule, "emit", "./lib", "--target", "ssa", "--kernel", "Saxpy").want(t, 0, []string{"kernel Saxpy", "const 3\n"}, nil)
}

// Kernels are printed whatever others lack; nothing is where some have errors.
func TestEmitPartly(t *testing.T) {
	dir := newModule(t, []byte(`-- k.go --
package k

import "github.com/qdgen/qd"

//qd:kernel
func good(t qd.Thread, x []int) { x[t.ID()] = 4321 }

//qd:kernel
func bad(t qd.Thread, x []int) { go func() {}() }

//qd:kernel
func constant(t qd.Thread, n qd.Const[int], x []int) { x[t.ID()] = n.V }

type shape interface{ Area() int }

//qd:kernel
func areas[S shape](t qd.Thread, x []S, out []int) { out[t.ID()] = x[t.ID()].Area() }

type has[T any] interface{ none() T }

//qd:kernel
func nobody[S has[S]](t qd.Thread, x []S) {}

type square struct{ a int }

func (s square) Area() int { return s.a * s.a }
`))
	enter(t, dir, inModule)
	missing := []string{
		"qdgen: kernel constant has compile-time arguments; give it --const n=..., of type int\n",
		"\nkernel nobody is generic; give it --type S=..., a k.has[S]\n",
	}
	wrong := "k.go:9:34: go statements are not supported"
	qdgen(t, ".", nil, "emit").want(t, 1, nil, append(missing, wrong))
	qdgen(t, ".", nil, "emit", "--kernel", "bad").want(t, 1, nil, []string{wrong})
	replace(t, filepath.Join(dir, "k.go"), "go func() {}()", "")
	qdgen(t, ".", nil, "emit", "--target", "ssa").want(t, 1, []string{"const 4321", "kernel areas[square]"}, missing)
}

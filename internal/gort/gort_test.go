package gort

import (
	"errors"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// pkg is the import path of this package.
const pkg = "github.com/qdgen/qd/internal/gort"

type thing struct{ n int }

func (t thing) Method() int         { return t.n }
func (t *thing) byPointer() []int   { return []int{t.n} }
func generic[T any](x T) T          { return x }
func plain(x int) int               { return x + 1 }
func Inlined() func() int           { return func() int { return 3 } } // small enough
func makes[T any](x T) func() T     { return func() T { return x } }
func (t thing) Literal() func() int { return func() int { return t.n } }

type embeds struct{ thing }

var inVariable = func() int { return 5 }

// TestFuncAt looks up functions of each kind.
func TestFuncAt(t *testing.T) {
	here := func() int {
		_, _, line, _ := runtime.Caller(1)
		return line
	}
	line := here() + 1
	literal := func() int { return 1 }
	made := reflect.MakeFunc(reflect.TypeFor[func()](), func([]reflect.Value) []reflect.Value { return nil }).Interface()
	for _, test := range []struct {
		f                                                         any
		name                                                      string
		literal, inlined, methodValue, wrapper, instance, reflect bool
	}{
		{f: plain, name: "plain"},
		{f: thing.Method, name: "thing.Method"},
		{f: (*thing).byPointer, name: "(*thing).byPointer"},
		{f: thing{}.Method, name: "thing.Method-fm", methodValue: true},
		{f: (*thing).Method, name: "(*thing).Method", wrapper: true},
		{f: embeds.Method, name: "embeds.Method", wrapper: true},
		{f: generic[int], name: "generic[...]", instance: true},
		{f: literal, name: "TestFuncAt.func2", literal: true},
		{f: inVariable, name: "init.func1", literal: true},
		{f: Inlined(), name: "TestFuncAt.Inlined.func", literal: true, inlined: true},
		{f: thing{}.Literal(), name: "TestFuncAt.thing.Literal.func", literal: true, inlined: true},
		{f: makes(1), name: "TestFuncAt.makes[...].func", literal: true, inlined: true, instance: true},
		{f: made, name: "makeFuncStub", reflect: true},
	} {
		f := FuncAt(reflect.ValueOf(test.f).Pointer())
		_, methodValue := CutMethodValue(f.Name)
		if !strings.HasPrefix(f.Name, test.name) {
			t.Errorf("%s is called %s", test.name, f.Name)
		}
		if f.IsReflect() != test.reflect || methodValue != test.methodValue || f.IsWrapper() != test.wrapper && !methodValue {
			t.Errorf("%s: made by reflect %v, method value %v, wrapper %v", f.Name, f.IsReflect(), methodValue, f.IsWrapper())
		}
		if !test.reflect && f.Pkg != pkg {
			t.Errorf("%s is of package %s", f.Name, f.Pkg)
		}
		if IsLiteral(f.Name) != test.literal || IsInlinedLiteral(f.Name) != test.inlined {
			t.Errorf("%s: literal %v, inlined %v", f.Name, IsLiteral(f.Name), IsInlinedLiteral(f.Name))
		}
		if IsInstance(f.Name) != test.instance {
			t.Errorf("%s: instance %v", f.Name, IsInstance(f.Name))
		}
		if IsUndeclared(f.Name) != test.literal {
			t.Errorf("%s: undeclared %v", f.Name, IsUndeclared(f.Name))
		}
	}
	if f := FuncAt(reflect.ValueOf(literal).Pointer()); f.Line != line || !strings.HasSuffix(f.File, "gort_test.go") {
		t.Errorf("the literal of line %d is at %s:%d", line, f.File, f.Line)
	}
}

// TestNames tells by the runtime's names what a function is.
func TestNames(t *testing.T) {
	for full, want := range map[string][2]string{
		"main.main":                        {"main", "main"},
		"example.com/mod/pkg.saxpy":        {"example.com/mod/pkg", "saxpy"},
		"example.com/mod.v2/p%2ego.T.m":    {"example.com/mod.v2/p.go", "T.m"},
		"example.com/a.b/c.(*T[...]).run":  {"example.com/a.b/c", "(*T[...]).run"},
		"runtime.gopanic":                  {"runtime", "gopanic"},
		"nothing":                          {"", "nothing"},
		"example.com/p.f[...].func1.g.2.3": {"example.com/p", "f[...].func1.g.2.3"},
	} {
		if p, name := SplitName(full); p != want[0] || name != want[1] {
			t.Errorf("%s is %q of %q", full, name, p)
		}
	}
	for _, test := range []struct {
		name, declared string
		want           bool
	}{
		{"saxpy", "saxpy", true},
		{"saxpy.func1", "saxpy", true},
		{"saxpy-range1", "saxpy", true},
		{"saxpy2", "saxpy", false},
		{"Map[...].Kernel.func2", "Map.Kernel", true},
		{"(*Map[...]).Kernel", "Map.Kernel", true},
		{"init.scaled.func3", "scaled", true}, // the literal of a function that is inlined
		{"main.both.scaled.func3", "scaled", true},
		{"main.Map.Make.func1", "Map.Make", true},
		{"main.rescaled.func3", "scaled", false},
		{"init", "", true},
	} {
		if got := IsWithin(test.name, test.declared); got != test.want {
			t.Errorf("%s in %q: %v", test.name, test.declared, got)
		}
	}
}

//go:noinline
func caller(skip int) uintptr { return inner(skip) }

func inner(skip int) uintptr { return PC(skip) } // inlined, and counted all the same

// TestFrames counts stack frames.
func TestFrames(t *testing.T) {
	for skip, want := range []string{"inner", "caller", "TestFrames"} {
		if _, name := SplitName(FrameOf(caller(skip)).Function); name != want {
			t.Errorf("%d frames above PC is %s, want %s", skip, name, want)
		}
	}
	if PC(1000) != 0 {
		t.Error("the stack has more than 1000 frames")
	}
	var names []string
	for f := range Frames(100) {
		_, name := SplitName(f.Function)
		names = append(names, name)
	}
	if len(names) < 3 || names[0] != "TestFrames" || names[1] != "tRunner" {
		t.Errorf("the stack is %v", names)
	}
	for what, f := range map[string]func(){
		"index":     func() { _ = make([]int, 3)[len(names)+3] },
		"nil":       func() { _ = (*thing)(nil).byPointer() },
		"own":       func() { panic("own") },
		"in callee": func() { panicking() },
	} {
		var names []string
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
				for f := range Panicking(100) {
					_, name := SplitName(f.Function)
					names = append(names, name)
				}
			}()
			f()
		}()
		want := map[string]string{"nil": "(*thing).byPointer", "in callee": "panicking"}[what]
		if len(names) == 0 || want != "" && names[0] != want || want == "" && !strings.HasPrefix(names[0], "TestFrames.func") {
			t.Errorf("%s: the functions that panicked are %v", what, names)
		}
	}
}

// site is where its caller's caller calls that, and the call around it.
func site() [2]uintptr { return siteOf() }

func siteOf() [2]uintptr { return Site(1) }

//go:noinline
func callsSite() [2]uintptr { return site() }

// TestSite tells calls apart: two of one function, two in a loop, and one in a function that is called from two places.
func TestSite(t *testing.T) {
	a := site()
	b := site() // on a line of its own: copies of inlined functions on one line may count as one
	if a == b || a[1] != b[1] {
		t.Errorf("two calls in one function are at %v and %v", a, b)
	}
	if frame := FrameOf(a[0]); !strings.HasSuffix(frame.Function, ".TestSite") {
		t.Errorf("the call is in %s", frame.Function)
	}
	if frame := FrameOf(a[1]); !strings.HasSuffix(frame.Function, ".tRunner") {
		t.Errorf("the call around it is in %s", frame.Function)
	}
	var turns [2][2]uintptr
	for i := range turns {
		turns[i] = site()
	}
	if turns[0] != turns[1] {
		t.Errorf("one call is at %v and at %v", turns[0], turns[1])
	}
	c := callsSite()
	d := callsSite()
	if c[0] != d[0] || c[1] == d[1] {
		t.Errorf("one call in a function that is called twice is at %v and %v", c, d)
	}
	if Site(1000) != [2]uintptr{} {
		t.Error("the stack has more than 1000 frames")
	}
}

// TestRuntimeFile finds the source of package runtime.
func TestRuntimeFile(t *testing.T) {
	if file := filepath.ToSlash(RuntimeFile()); !strings.Contains("/"+file, "/runtime/") || filepath.Ext(file) != ".go" {
		t.Errorf("a file of package runtime is %q", file)
	}
}

//go:noinline
func panicking() { panic("callee") }

// TestLayout reads func values and interfaces where they are in memory.
func TestLayout(t *testing.T) {
	f, g, null := plain, plain, (func(int) int)(nil)
	other := func(x int) int { return x }
	if CodeAt(unsafe.Pointer(&f)) != CodeAt(unsafe.Pointer(&g)) || CodeAt(unsafe.Pointer(&f)) == CodeAt(unsafe.Pointer(&other)) || CodeAt(unsafe.Pointer(&null)) != 0 {
		t.Error("functions are not told apart by their code")
	}
	if CodeAt(unsafe.Pointer(&f)) != reflect.ValueOf(f).Pointer() {
		t.Error("a function's code is not what package reflect says")
	}
	n := 7
	for _, x := range []any{n, "text", [3]int{1, 2, 3}, thing{4}, &n, struct{ p *int }{&n}, [1]*int{&n}, uint8(200), 1.5, struct{}{}, f} {
		typ := reflect.TypeOf(x)
		direct := IsDirect(typ)
		if want := slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Func}, typ.Kind()) || typ == reflect.TypeFor[struct{ p *int }]() || typ == reflect.TypeFor[[1]*int](); direct != want {
			t.Errorf("%v stands in an interface as it is: %v", typ, direct)
		}
		if typ.Kind() == reflect.Func {
			continue
		}
		if got := reflect.NewAt(typ, In(&x, direct)).Elem().Interface(); got != x {
			t.Errorf("%v is read as %v", x, got)
		}
		if !direct {
			if got := At(reflect.Zero(typ).Interface(), In(&x, direct)); got != x {
				t.Errorf("%v is %v at its place", x, got)
			}
		}
	}
	if n := testing.AllocsPerRun(100, func() { var x any = &n; In(&x, true) }); n != 0 {
		t.Errorf("In allocates %v times", n)
	}
}

// TestHasType asks each of some values, types that were made at run time among them, for the type of each.
func TestHasType(t *testing.T) {
	type named []float32
	values := []any{nil, 1, int64(1), "x", []float32{}, named{}, [2]int{}, thing{}, &thing{}, thing.Method, error(nil), errors.New("x"),
		reflect.MakeSlice(reflect.SliceOf(reflect.TypeFor[thing]()), 1, 1).Interface(), []thing{}, reflect.Zero(reflect.ArrayOf(2, reflect.TypeFor[int]())).Interface()}
	for i := range values {
		for _, y := range values {
			typ := reflect.TypeOf(y)
			if got, want := HasType(&values[i], typ), reflect.TypeOf(values[i]) == typ; got != want {
				t.Errorf("%T has the type %v: %t, want %t", values[i], typ, got, want)
			}
		}
	}
}

// TestBounds reads the errors of the runtime.
func TestBounds(t *testing.T) {
	x, i := make([]int, 3), 5
	for what, test := range map[string]struct {
		f             func()
		index, length int
	}{
		"index":      {func() { _ = x[i] }, 5, 3},
		"slice":      {func() { _ = x[:i] }, 5, 3},
		"slice from": {func() { _ = x[i:] }, 5, 3},
		"division":   {func() { _ = 1 / (i - 5) }, 0, 0},
		"nil":        {func() { _ = *(*int)(nil) }, 0, 0},
	} {
		func() {
			defer func() {
				var err runtime.Error
				if e, ok := recover().(error); !ok || !errors.As(e, &err) {
					t.Errorf("%s: no error of the runtime", what)
				} else if index, length := Bounds(err); index != test.index || length != test.length {
					t.Errorf("%s: index %d, length %d, of %v", what, index, length, err)
				}
			}()
			test.f()
		}()
	}
}

// TestWeakClosure makes closures that come and go, and one that the linker has made.
func TestWeakClosure(t *testing.T) {
	static := plain
	at := ClosureAt(unsafe.Pointer(&static))
	if c := WeakOf(at, func(uintptr) { t.Error("a static closure is gone") }); !c.Is(at) {
		t.Error("a static closure is not itself")
	}
	gone := make(chan uintptr, 1000)
	var olds []WeakClosure
	for i := range 1000 {
		f := adds(float32(i))
		at := ClosureAt(unsafe.Pointer(&f))
		for j, old := range olds {
			if old.Is(at) {
				t.Fatalf("closure %d is closure %d", i, j)
			}
		}
		c := WeakOf(at, func(at uintptr) { gone <- at })
		if !c.Is(at) || f(1) != float32(i)+1 {
			t.Fatalf("closure %d is not itself", i)
		}
		if olds = append(olds, c); i%100 == 99 {
			runtime.GC()
		}
	}
	runtime.GC()
	<-gone // one at least is called for
}

//go:noinline
func adds(c float32) func(float32) float32 { return func(x float32) float32 { return x + c } }

// TestReceiver reads what method values hold.
func TestReceiver(t *testing.T) {
	f, g := thing{7}.Method, receiver{1, 2}.sum
	if n := (*thing)(ReceiverAt(unsafe.Pointer(&f), reflect.TypeFor[thing]())).n; n != 7 {
		t.Errorf("the receiver is %d", n)
	}
	if r := *(*receiver)(ReceiverAt(unsafe.Pointer(&g), reflect.TypeFor[receiver]())); r != (receiver{1, 2}) {
		t.Errorf("the receiver is %v", r)
	}
}

type receiver struct {
	a int8
	b int32
}

func (r receiver) sum() int { return int(r.a) + int(r.b) }

// TestGoroutine tells goroutines apart, also when their stacks have grown.
func TestGoroutine(t *testing.T) {
	own := Goroutine()
	if own == 0 || own != Goroutine() {
		t.Errorf("goroutine %d, then %d", own, Goroutine())
	}
	seen := map[uint64]bool{own: true}
	ids, end := make(chan uint64), make(chan bool)
	defer close(end)
	for range 100 {
		go func() {
			id := Goroutine()
			if deep(1000) != id {
				id = own
			}
			ids <- id
			<-end
		}()
		if n := <-ids; n == 0 || seen[n] {
			t.Errorf("goroutine %d again", n)
		} else {
			seen[n] = true
		}
	}
	if n := Goroutine(); n != own {
		t.Errorf("goroutine %d, then %d", own, n)
	}
}

// deep is the goroutine, as some calls within each other tell it.
func deep(calls int) uint64 {
	var room [64]uint64
	if room[calls%64] = Goroutine(); calls > 0 && deep(calls-1) != room[calls%64] {
		return 0
	}
	return room[calls%64]
}

package load

import (
	"fmt"
	"testing"
)

// TestChangedByMethods is about methods that have a copy of what leads to a package variable's memory, as their receiver
// or as an argument: whether they may write to it.
func TestChangedByMethods(t *testing.T) {
	const decls = `
type table []int

func (t table) at(i int) int { return t[i%len(t)] }
func (t table) sum() (s int) { for _, v := range t { s += v }; return s }
func (t table) down(n int) int { if n == 0 { return t[0] }; return t.down(n-1) + t.sum() }
func (t table) passes(n int) int { return sum(t) + (vm{}).fetch(t) }
func (t table) shorter() int { t = t[1:]; return t[0] }
func (t table) inside() int { f := func() int { return t[0] }; return f() }
func (t table) even(n int) bool { return n == 0 || t.odd(n-1) }
func (t table) odd(n int) bool { return n != 0 && t.even(n-1) }

func (t table) set(i int) { t[i] = 1 }
func (t table) sets(n int) { if n > 0 { t.sets(n-1) } else { t.set(n) } }
func (t table) ping(n int) { if n > 0 { t.pong(n-1) } }
func (t table) pong(n int) { t[n]++; t.ping(n) }
func (t table) all() []int { return t }
func (t table) named() (r []int) { r = t; return }
func (t table) tail() table { return t[1:] }
func (t table) gives() { double(t) }
func (t table) keeps() { kept = t }
func (t table) sorts() { f := func() { t[0] = 2 }; f() }
func (t table) element() *int { return &t[0] }
func (t *table) grow() { *t = append(*t, 1) }
func (t *table) first() int { return (*t)[0] }
func (t *table) change() { (*t)[0] = 1 }
func (t table) viaPointer() { t.change() }
func (t table) boxed() any { return t }
func (t table) sent(c chan table) { c <- t }

func sum(x []int) (s int) { for _, v := range x { s += v }; return s }
func double(x []int) { for i := range x { x[i] *= 2 } }
var kept []int

type poly struct { c []int; n int; p *int; in table; f func([]int) }

func (p poly) eval(x int) (r int) { for _, c := range p.c { r = r*x + c }; return r*p.n + *p.p + p.in.at(1) + len(p.in) }
func (p poly) set() { p.c[0] = 1 }
func (p poly) write() { *p.p = 1 }
func (p poly) deep() { p.in.set(1) }
func (p poly) coefs() []int { return p.c }
func (p poly) self() poly { return p }
func (p poly) call() { p.f(p.c) }
func (p poly) method() { f := p.in.set; f(1) }
func (p poly) literal() poly { return poly{c: p.c} }
func (p poly) readsBoth() int { return p.eval(1) + p.readsBoth() }

type outer struct { poly }
type byPointer struct { *poly }
type shape interface { at(int) int }
type holder struct { shape }

type vm struct { pc int; code []int; f func([]int); next *vm; sub struct { m table } }

func newVM() *vm { return &vm{} }
func makeVM() (v vm) { return v }
func (m *vm) run(code []int) int { return code[m.pc] + m.fetch(code) }
func (m vm) fetch(code []int) int { return code[m.pc] }
func (m *vm) load(code []int) { m.code = code }
func (m *vm) patch(code []int) { code[m.pc] = 1 }
func (m *vm) later(code []int) { m.patch(code) }
func (m *vm) given(code []int) { m.f(code) }
func (m vm) back(code []int) []int { return code }
func (m *vm) loops(n int, code []int) int { if n == 0 { return 0 }; return m.loops(n-1, code) + code[n] }
func (m *vm) loopsAndSets(n int, code []int) { if n > 0 { m.loopsAndSets(n-1, code) } else { code[0] = 1 } }
func (m *vm) any(x any) { x.([]int)[0] = 1 }
func (m *vm) each(code ...int) int { return code[0] }
func (m *vm) rows(code ...[]int) { code[0][0] = 1 }

type runner interface { run(code []int) int }
type patcher interface { patch(code []int) }
type wide struct { vm }
type wider struct { *vm }
type stack[T any] struct { top T }

func (s stack[T]) peek(x []T) T { return x[0] }
func (s stack[T]) poke(x []T) { x[0] = s.top }
func (s stack[T]) twice(x []T) T { return s.peek(x) }

var (
	tab = table{1, 2, 3}
	p   = poly{c: []int{1}}
	o   = outer{}
	bp  = byPointer{}
	h   = holder{}
	raw = []int{1, 2}
	arr = [3]int{1, 2, 3}
	mach = vm{}
)
`
	tests := []struct{ name, code, want string }{
		{"tab", "_ = tab.at(1) + tab.sum() + tab.down(3) + tab.passes(1) + tab.shorter() + tab.inside() + tab.first()", ""},
		{"tab", "_ = tab.even(4); _ = tab[1:].at(0); _ = (tab).sum(); x := tab; _ = x.at(1)", ""},
		{"tab", "tab.set(1)", "is aliased at a/b.go:5"},
		{"tab", "tab[1:].set(1)", "is aliased at a/b.go:5"},
		{"tab", "x := tab; x.set(1)", "is aliased at a/b.go:5"},
		{"tab", "tab.sets(3)", "is aliased at a/b.go:5"},
		{"tab", "tab.ping(3)", "is aliased at a/b.go:5"},
		{"tab", "tab.all()[0] = 1", "is aliased at a/b.go:5"},
		{"tab", "tab.named()[0] = 1", "is aliased at a/b.go:5"},
		{"tab", "tab.tail().set(0)", "is aliased at a/b.go:5"},
		{"tab", "tab.gives()", "is aliased at a/b.go:5"},
		{"tab", "tab.keeps()", "is aliased at a/b.go:5"},
		{"tab", "tab.sorts()", "is aliased at a/b.go:5"},
		{"tab", "*tab.element() = 1", "is aliased at a/b.go:5"},
		{"tab", "tab.grow()", "has its address taken at a/b.go:5"},
		{"tab", "tab.change()", "has its address taken at a/b.go:5"},
		{"tab", "tab.viaPointer()", "is aliased at a/b.go:5"},
		{"tab", "_ = tab.boxed()", "is aliased at a/b.go:5"},
		{"tab", "tab.sent(nil)", "is aliased at a/b.go:5"},
		{"tab", "f := tab.at; f(1)", "is aliased at a/b.go:5"},
		{"tab", "f := tab.set; f(1)", "is aliased at a/b.go:5"},
		{"tab", "_ = table.at(tab, 1)", "is aliased at a/b.go:5"},
		{"tab", "table.set(tab, 1)", "is aliased at a/b.go:5"},
		{"tab", "var s shape = tab; _ = s.at(1)", ""},
		{"tab", "var s interface{ set(int) } = tab; s.set(1)", "is aliased at a/b.go:5"},
		{"tab", "var s any = tab; s.(table).set(1)", "is aliased at a/b.go:5"},
		{"tab", "defer tab.set(1)", "is aliased at a/b.go:5"},

		{"p", "_ = p.eval(2) + p.readsBoth()", ""},
		{"p", "p.set()", "is aliased at a/b.go:5"},
		{"p", "p.write()", "is aliased at a/b.go:5"},
		{"p", "p.deep()", "is aliased at a/b.go:5"},
		{"p", "p.coefs()[0] = 1", "is aliased at a/b.go:5"},
		{"p", "p.self().c[0] = 1", "is aliased at a/b.go:5"},
		{"p", "p.call()", "is aliased at a/b.go:5"},
		{"p", "p.method()", "is aliased at a/b.go:5"},
		{"p", "p.literal().c[0] = 1", "is aliased at a/b.go:5"},
		{"p", "p.in.set(1)", "is aliased at a/b.go:5"},
		{"p", "_ = p.in.at(1)", ""},
		{"o", "_ = o.eval(1); _ = o.poly.eval(1)", ""},
		{"o", "o.set()", "is aliased at a/b.go:5"},
		{"o", "o.poly.deep()", "is aliased at a/b.go:5"},
		{"bp", "_ = bp.eval(1)", ""},
		{"bp", "bp.write()", "is aliased at a/b.go:5"},
		{"h", "_ = h.at(1)", "is aliased at a/b.go:5"},

		{"raw", "m := vm{}; _ = m.run(raw); _ = m.fetch(raw); _ = m.loops(1, raw); _ = m.each(raw...)", ""},
		{"raw", "m := &vm{}; _ = m.run(raw[1:]); _ = (m).run(raw); _ = (*m).fetch(raw); _ = (&vm{}).run(raw)", ""},
		{"raw", "var m vm; n := m; _ = n.run(raw); var q *vm = &n; _ = q.run(raw); r := new(vm); _ = r.run(raw)", ""},
		{"raw", "_ = newVM().run(raw); m := newVM(); _ = m.run(raw); v := makeVM(); _ = v.fetch(raw)", ""},
		{"raw", "func(m *vm) { _ = m.run(raw); _ = m.next.next.run(raw) }(nil); _ = mach.run(raw)", ""},
		{"raw", "for _, m := range []vm{{}} { _ = m.run(raw) }; ms := [2]*vm{}; _ = ms[1].run(raw)", ""},
		{"raw", "_ = table(nil).passes(1); w := wide{}; _ = w.run(raw); x := wider{}; _ = x.fetch(raw)", ""},
		{"raw", "var s stack[int]; _ = s.peek(raw); _ = stack[int]{}.peek(raw)", ""},
		{"raw", "m := vm{}; m.load(raw)", "is aliased at a/b.go:5"},
		{"raw", "m := vm{}; m.patch(raw)", "is aliased at a/b.go:5"},
		{"raw", "m := vm{}; m.later(raw)", "is aliased at a/b.go:5"},
		{"raw", "m := vm{}; m.given(raw)", "is aliased at a/b.go:5"},
		{"raw", "m := vm{}; m.f(raw)", "is aliased at a/b.go:5"},
		{"raw", "m := vm{}; m.back(raw)[0] = 1", "is aliased at a/b.go:5"},
		{"raw", "m := vm{}; m.loopsAndSets(2, raw)", "is aliased at a/b.go:5"},
		{"raw", "m := vm{}; m.any(raw)", "is aliased at a/b.go:5"},
		{"raw", "m := vm{}; m.rows(raw)", "is aliased at a/b.go:5"},
		{"raw", "w := wide{}; w.patch(raw)", "is aliased at a/b.go:5"},
		{"raw", "x := wider{&vm{}}; x.patch(raw)", "is aliased at a/b.go:5"},
		{"raw", "s := stack[int]{}; s.poke(raw)", "is aliased at a/b.go:5"},
		{"raw", "var r runner = &vm{}; _ = r.run(raw)", "is aliased at a/b.go:5"},
		{"raw", "r := runner(&vm{}); _ = r.run(raw)", "is aliased at a/b.go:5"},
		{"raw", "m := vm{}; f := m.run; _ = f(raw)", "is aliased at a/b.go:5"},
		{"raw", "_ = (*vm).run(&vm{}, raw)", "is aliased at a/b.go:5"},
		{"raw", "_ = vm.fetch(vm{}, raw)", "is aliased at a/b.go:5"},
		{"raw", "type vm struct{ fetch func([]int) int }; m := vm{}; _ = m.fetch(raw)", "is aliased at a/b.go:5"},
		{"raw", "newVM := func() patcher { return nil }; newVM().patch(raw)", "is aliased at a/b.go:5"},
		{"raw", "mach := patcher(nil); mach.patch(raw)", "is aliased at a/b.go:5"},
		{"raw", "m := patcher(nil); { m := vm{}; _ = m.run(raw) }; m.patch(raw)", "is aliased at a/b.go:5"},
		{"raw", "var a any = &vm{}; switch m := a.(type) { case *vm: _ = m.run(raw) }", "is aliased at a/b.go:5"},
		{"raw", "m, ok := any(nil).(patcher); if ok { m.patch(raw) }", "is aliased at a/b.go:5"},
		{"arr", "m := vm{}; _ = m.run(arr[:])", ""},
		{"arr", "m := vm{}; m.patch(arr[:])", "has its address taken at a/b.go:5"},
		{"arr", "m := vm{}; m.load(arr[1:])", "has its address taken at a/b.go:5"},
	}
	for _, test := range tests {
		src := sources(map[string]string{
			"a/a.go": "package a\n" + decls + "func k() { _, _, _, _, _, _, _, _ = tab, p, o, bp, h, raw, arr, mach; _, _, _ = wide{}, wider{}, stack[int]{}; _, _ = runner(nil), patcher(nil) }",
			"a/b.go": fmt.Sprintf("package a\nimport \"github.com/qdgen/qd\"\n\nfunc init() { _ = qd.Sqrt[float32]\n%s\n}", test.code),
		})
		if got := changed(t, src, test.name); got != test.want {
			t.Errorf("%s in %s: %q, want %q", test.name, test.code, got, test.want)
		}
	}
}

package frontend

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/frontend/load"
)

// endless are kernels whose compile time is up to what they say: without limits they would
// be lowered for ever, or need memory that there is not.
var endless = []struct{ name, text string }{
	{"recursion on a constant", `
func down(n qd.Const[int]) int { return down(qd.C(n.V+1)) }
func kernel(t qd.Thread, x []int) { x[0] = down(qd.C(0)) }`},
	{"recursion on a known number", `
func down(n int) int { return down(n + 1) }
func kernel(t qd.Thread, x []int) { x[0] = down(0) }`},
	{"mutual recursion", `
func even(n qd.Const[int]) int { return odd(qd.C(n.V ^ 1)) }
func odd(n qd.Const[int]) int { return even(qd.C(n.V * 3)) }
func kernel(t qd.Thread, x []int) { x[0] = even(qd.C(7)) }`},
	{"recursion that ends too late", `
func down(n qd.Const[int]) int {
	if n.V == 0 {
		return 0
	}
	return down(qd.C(n.V-1)) + 1
}
func kernel(t qd.Thread, x []int) { x[0] = down(qd.C(1 << 40)) }`},
	{"two specializations from each", `
func tree(n, m qd.Const[int]) int {
	if n.V == 0 {
		return m.V
	}
	return tree(qd.C(n.V-1), qd.C(2*m.V)) + tree(qd.C(n.V-1), qd.C(2*m.V+1))
}
func kernel(t qd.Thread, x []int) { x[0] = tree(qd.C(60), qd.C(1)) }`},
	{"two calls from each", `
func tree(n int) int {
	if n == 0 {
		return 1
	}
	return tree(n-1) + tree(n-1)
}
func kernel(t qd.Thread, x []int) { x[0] = qd.Static(tree(60)) }`},
	{"closures that grow", `
func grow(f func(int) int) int { return grow(func(i int) int { return f(i) + f(i+1) }) }
func kernel(t qd.Thread, x []int) { x[0] = grow(func(i int) int { return i }) }`},
	{"functions given to themselves", `
type self func(self, int) int
func kernel(t qd.Thread, x []int) {
	f := func(f self, i int) int { return f(f, i+1) }
	x[0] = f(f, 0)
}`},
	{"literals that hold one another", `
func both(f, g func(int) int) func(int) int { return func(i int) int { return f(i) + g(i+1) } }
func kernel(t qd.Thread, x []int) {
	f := func(i int) int { return i + 1 }
	for range qd.Static(60) {
		f = both(f, f)
	}
	g := qd.Static(f)
	if x[0] == 1 {
		g = qd.Static(both(f, f))
	}
	x[0] = g(0)
}`},
	{"functions that give functions", `
func twice(f func(int) int) func(int) int { return func(i int) int { return f(f(i)) } }
func kernel(t qd.Thread, x []int) {
	f := func(i int) int { return i + 1 }
	for range qd.Static(60) {
		f = twice(f)
	}
	x[0] = f(0)
}`},
	{"while true", `
func kernel(t qd.Thread, x []int) {
	for qd.Static(true) {
	}
}`},
	{"while it grows", `
func kernel(t qd.Thread, x []int) {
	i := 0
	for qd.Static(i >= 0) {
		x[i] = i
		i++
	}
}`},
	{"while, with a continue", `
func kernel(t qd.Thread, x []int) {
	i := 0
	for qd.Static(i < 10) {
		if x[i] > 0 {
			continue
		}
		i++
	}
}`},
	{"nested loops", `
func kernel(t qd.Thread, x []int) {
	for i := range qd.Static(1000) {
		for j := range qd.Static(1000) {
			for k := range qd.Static(1000) {
				for l := range qd.Static(1000) {
					x[i+j+k+l]++
				}
			}
		}
	}
}`},
	{"nested loops that are not asked for", `
func kernel(t qd.Thread, x []int) {
	for i := range 16 { for j := range 16 { for k := range 16 { for l := range 16 { for m := range 16 { for n := range 16 { for o := range 16 {
		x[i+j+k+l+m+n+o]++
	} } } } } } }
}`},
	{"a loop of very many turns", `
func kernel(t qd.Thread, x []int) {
	for i := range qd.Static(1 << 60) {
		x[i] = i
	}
}`},
	{"a loop of very many turns without a body", `
func kernel(t qd.Thread, x []int) {
	for range qd.Static(1 << 60) {
	}
}`},
	{"a loop over the elements of a huge array", `
var table [1 << 40]byte
func kernel(t qd.Thread, x []int) {
	for i := range qd.Static(table) {
		x[i] = i
	}
}`},
	{"calls in unrolled loops", `
func a(x []int, n int) { for i := range qd.Static(100) { b(x, n+i) } }
func b(x []int, n int) { for i := range qd.Static(100) { c(x, n+i) } }
func c(x []int, n int) { for i := range qd.Static(100) { x[n+i]++ } }
func kernel(t qd.Thread, x []int) { for i := range qd.Static(100) { a(x, i) } }`},
	{"constants in unrolled loops", `
func c(x []int, n qd.Const[int]) { for i := range qd.Static(100) { x[n.V+i]++ } }
func b(x []int, n qd.Const[int]) { for i := range qd.Static(100) { c(x, qd.C(n.V*100+i)) } }
func a(x []int, n qd.Const[int]) { for i := range qd.Static(100) { b(x, qd.C(n.V*100+i)) } }
func kernel(t qd.Thread, x []int) { for i := range qd.Static(100) { a(x, qd.C(i)) } }`},
	{"a string that doubles", `
func kernel(t qd.Thread, x []int) {
	s := "0123456789"
	for range qd.Static(60) {
		s += s
	}
	x[0] = len(s)
}`},
	{"a string that doubles by recursion", `
func double(s qd.Const[string], n qd.Const[int]) int {
	if n.V == 0 {
		return len(s.V)
	}
	return double(qd.C(s.V+s.V), qd.C(n.V-1))
}
func kernel(t qd.Thread, x []int) { x[0] = double(qd.C("ab"), qd.C(60)) }`},
	{"a huge array that is known", `
func kernel(t qd.Thread, x []int) {
	var a [1 << 28]int
	x[0] = qd.Static(a)[3]
}`},
	{"arrays of arrays that are known", `
func grow[T any](v qd.Const[T], n qd.Const[int]) int {
	if n.V == 0 {
		return 0
	}
	return grow(qd.C([2]T{v.V, v.V}), qd.C(n.V-1))
}
func kernel(t qd.Thread, x []int) { x[0] = grow(qd.C(1), qd.C(60)) }`},
	{"a function that does not end", `
func spin(n int) int {
	for {
		n++
	}
}
func kernel(t qd.Thread, x []int) { x[0] = qd.Static(spin(1)) }`},
	{"a function that ends late", `
func count(n int) (sum int) {
	for i := range n {
		for j := range n {
			sum += i ^ j
		}
	}
	return sum
}
func kernel(t qd.Thread, x []int) { x[0] = qd.Static(count(1 << 30)) }`},
	{"a variable whose value does not end", `
func spin() int {
	n := 1
	for n != 0 {
		n += 2
	}
	return n
}
var table = spin()
func kernel(t qd.Thread, x []int) { x[0] = table }`},
	{"faults at compile time", `
var empty []int
func kernel(t qd.Thread, x []int) {
	z, s := 0, "abc"
	x[0] = qd.Static(1 / z)
	x[1] = int(qd.Static(s[7]))
	x[2] = qd.Static([2]int{1, 2}[z+2])
	x[3] = qd.Static(1 << (z - 1))
	x[4] = qd.Static(empty[0])
	x[5] = qd.Static(len(s[5:2]))
	qd.StaticAssert(z == 1, "z")
	for i := range qd.Static(z - 5) {
		x[i] = 1 / z
	}
}`},
	{"shifts", `
func kernel(t qd.Thread, x []int) {
	n := 1 << 60
	x[0] = qd.Static(1 << n)
	x[1] = qd.Static(n >> n)
	x[2] = qd.Static(-n * 16 / -1)
}`},
	{"a method that is called with type arguments which double", `
type T[A, B, C any] int
func (t T[A, B, C]) m(n int) int {
	if n <= 0 {
		return int(t)
	}
	return T[B, T[B, C, A], T[A, A, C]](t).m(n-1)
}
func kernel(t qd.Thread, x []int) {
	x[0] = T[int8, int16, int32](x[1]).m(x[2])
}`},
	{"a type that holds itself more than once", `
type tree struct {
	left, right []tree
	others      map[int]tree
}
func leaves(t tree, n int) int { return n }
func kernel(t qd.Thread, x []int) { x[0] = leaves(tree{}, 3) }`},
	{"a struct without a name that leads to itself", `
type list *struct{ next list; n int }
type twice **struct{ f twice }
func kernel(t qd.Thread, x []int) {
	var p list
	var q twice
	for ; p != nil; p = p.next {
		x[0] += p.n
	}
	if q == nil {
		x[1] = 1
	}
}`},
	{"many breaks", `
func kernel(t qd.Thread, x []int) {
outer:
	for i := range qd.Static(100) {
		for j := range qd.Static(100) {
			for k := range qd.Static(100) {
				if x[i] > j {
					break outer
				}
				if x[j] > k {
					continue outer
				}
			}
		}
	}
}`},
}

// TestEndless expects a module or diagnostics for each of them. What has no end does not go
// unnoticed: it needs ever more memory, or runs into go test's -timeout, which prints where it is.
func TestEndless(t *testing.T) {
	const memory = 4 << 30
	qd := sources(t)[load.QDPath]
	for _, test := range endless {
		t.Run(test.name, func(t *testing.T) {
			text := endlessSource(test.text)
			done := make(chan bool)
			go func() {
				defer close(done)
				compileAny(t, load.Map{load.QDPath: qd, "k": onePackage("k", "k.go", text)}, []load.Ref{{Pkg: "k", Name: "kernel"}})
			}()
			for tick := time.NewTicker(50 * time.Millisecond); ; {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				if m.HeapAlloc > memory {
					panic(fmt.Sprintf("%s: %d MiB, and no end", test.name, m.HeapAlloc>>20))
				}
				select {
				case <-done:
					return
				case <-tick.C:
				}
			}
		})
	}
}

func endlessSource(text string) string {
	return "package k\n\nimport \"github.com/qdgen/qd\"\n" + strings.ReplaceAll(text, "\nfunc kernel(", "\n//qd:kernel\nfunc kernel(")
}

package main

import (
	"strings"
	"testing"
)

// TestAdvice has the whole text of errors that come from habits of plain Go: one error each, at the user's own code.
func TestAdvice(t *testing.T) {
	const (
		numbers = "help: use qd.Rand(seed, n), or qd.RandFloat32 and the like: they need no state, and each thread can have its own numbers; " +
			"or make a generator in the kernel, as in rand.New(rand.NewPCG(seed, n)) of math/rand/v2\n"
		shared = " is not available in kernels: it uses the generator that all goroutines share\n"
	)
	enter(t, newModule(t, []byte(`-- main.go --
package main

import (
	"math/rand"
	v2 "math/rand/v2"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/qdgen/qd"
)

type img struct {
	pix  []uint8
	w, h int
}

type pair struct{ a, b int }

//qd:kernel
func image(t qd.Thread, m *img) { m.pix[t.ID()] = 1 }

//qd:kernel
func numbers(t qd.Thread, p *pair, x []int) { x[t.ID()] = p.a }

//qd:kernel
func one(t qd.Thread, x []float64) { x[t.ID()] = rand.Float64() }

//qd:kernel
func two(t qd.Thread, x []int) { x[t.ID()] = v2.N(10) }

//qd:kernel
func own(t qd.Thread, x []float64) {
	r, q := rand.New(rand.NewSource(int64(t.ID()))), v2.New(v2.NewPCG(1, uint64(t.ID())))
	x[t.ID()] = r.Float64() + q.Float64() + time.Second.Seconds()
}

//qd:kernel
func clock(t qd.Thread, x []int64) { x[t.ID()] = time.Now().UnixNano() }

//qd:kernel
func typed(t qd.Thread, x []int) { x[t.ID()] = int(reflect.TypeFor[int]().Size()) }

//qd:kernel
func count(t qd.Thread, x []int32) { atomic.AddInt32(&x[0], 1) }

//qd:kernel
func bytes(t qd.Thread, b uint8, f float32, x []int) { x[t.ID()] = int(b) + int(f) }

func main() {
	_ = qd.Launch(bytes, qd.Dim(1), 300, 1, nil)
	_ = qd.Launch(bytes, qd.Dim(1), 1.5, int64(1), []int{1})
}
`)), inModule)
	r := qdgen(t, ".", nil, "vet")
	for _, want := range []string{
		"parameter m has type *img: a kernel cannot take pointers\n",
		"help: take it by value, as in m img, and launch with the value: the elements of its slices are the caller's; a field that the kernel assigns is its own copy\n",
		"help: if the kernel only reads it, take it by value, as in p pair; else pass a slice; it may have one element\n",
		"main.go:27:50: rand.Float64" + shared,
		"main.go:30:46: rand.N" + shared,
		numbers,
		"main.go:39:50: time.Now is not available in kernels\n",
		"help: measure around the launch\n",
		"main.go:42:52: package reflect is not available in kernels\n",
		"help: use atomic functions such as qd.AtomicAdd: it takes a pointer to an element of a slice, and returns the old value\n",
		"help: the values of uint8 are from 0 to 255: pass one of them, or declare the parameter with a larger type\n",
		"help: pass an empty slice: []int{}\n",
		"help: it has a fraction, and uint8 is an integer type: pass an integer, or declare the parameter as float64\n",
		"help: convert it\n",
	} {
		if !strings.Contains(r.stderr, want) {
			t.Errorf("there is no %q", want)
		}
	}
	// 4 arguments, and 7 kernels.
	if n := strings.Count(r.stderr, "help: "); n != 11 || strings.Contains(r.stderr, "/src/") {
		t.Errorf("%d errors", n)
	}
	if t.Failed() {
		t.Log(r.stderr)
	}
	qdgen(t, ".", nil, "emit", "--kernel", "own", "--kernel", "other").want(t, 1, nil, []string{"no kernel is named other; there are image, numbers"})
}

func TestNoSuchKernel(t *testing.T) {
	enter(t, newModule(t, []byte("-- k.go --\npackage k\n\nimport \"github.com/qdgen/qd\"\n\n//qd:kernel\nfunc batch(t qd.Thread, x []int) { x[t.ID()] = 1 }\n")), inModule)
	qdgen(t, ".", nil, "emit", "--kernel", "nope").want(t, 1, nil, []string{"no kernel is named nope; there is batch\n"})
}

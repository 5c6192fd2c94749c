package emit_test

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/dl"
)

// Where a divisor is proven not to be 0 or -1, a division is C++'s; and one of 32 bits on CUDA, where they
// hold what is divided.
func TestDivisions(t *testing.T) {
	m := lower(t, `
//qd:kernel
func k(t qd.Thread, d int, u uint32, out []int) {
	i, j := t.ID2()
	h, w := t.Dim(0), t.Dim(1)
	o := out[8*t.ID():]
	o[0], o[1] = (i+1)%h, (i+h-1)%h
	o[2], o[3] = (j+1)%w*2, (j+w-1)/w
	o[4], o[5] = (j-w)/w, (j-1)%w
	o[6], o[7] = i%d, int(u%uint32(w))
}
`)
	texts := map[string][]string{
		"cpp":  {"o[0] = (i + 1) % h;", "o[1] = (i + h - 1) % h;", "o[2] = (j + 1) % w * 2;", "o[3] = (j + w - 1) / w;", "o[4] = (j - w) / w;", "o[5] = (j - 1) % w;", "o[6] = go::rem(i, d);", "go::rem(u, uint32(w))"},
		"cuda": {"o[0] = int64(uint32(i + 1) % uint32(h));", "int64(uint32(i + h - 1) % uint32(h))", "int64(uint32(j + 1) % uint32(w)) * 2", "int64(uint32(j + w - 1) / uint32(w))", "(j - w) / w", "(j - 1) % w", "go::rem(i, d)", "go::rem(u, uint32(w))"},
	}
	forTargets(t, func(t *testing.T, to target) {
		text := to.emit(m, emit.Options{}).Source
		for _, want := range texts[to.name] {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", to.name, want, text)
			}
		}
		b := build(t, to, m)
		for _, dims := range [][]int{{1, 1}, {3, 5}, {2, 1}} {
			h, w := dims[0], dims[1]
			out := newArray(8, 8*h*w)
			b.run(t, m.Kernels()[0], dims, uint64(0), uint64(7), out)
			for i := range h {
				for j := range w {
					for k, want := range []int{(i + 1) % h, (i + h - 1) % h, (j + 1) % w * 2, (j + w - 1) / w, (j - w) / w, (j - 1) % w, 0, 7 % w} {
						if got := int(out.get(8*(i*w+j) + k)); got != want {
							t.Errorf("%s over %v: thread %d, %d: out %d is %d, want %d", to.name, dims, i, j, k, got, want)
						}
					}
				}
			}
		}
	})
}

// What a loop without a second turn would divide then has no bounds to divide by.
func TestDivisionsNeverMade(t *testing.T) {
	for _, post := range []string{"i, j = i+1, j+100/i+1", "i, j = i+1, 100%(100/i)"} {
		m := lower(t, `
//qd:kernel
func k(t qd.Thread, n int, y []int) {
	s := 0
	for i, j := 5, 0; i < min(n, 1); `+post+` {
		s += j
	}
	y[t.ID()] = s
}
`)
		forTargets(t, func(t *testing.T, to target) {
			y := newArray(8, 1)
			build(t, to, m).run(t, m.Kernels()[0], []int{1}, uint64(9), y)
			if y.get(0) != 0 {
				t.Errorf("%s, %s: %d", to.name, post, y.get(0))
			}
		})
	}
}

// In the largest launch along an axis, what is divided needs all 32 bits.
func TestLargeDivisions(t *testing.T) {
	m := lower(t, `
//qd:kernel
func k(t qd.Thread, first int, out []int) {
	i, _ := t.ID2()
	h := t.Dim(0)
	out[2*(i-first)], out[2*(i-first)+1] = (i+h-1)%h, (i+h-1)/h
}
`)
	const h, block = 1 << 31, 256
	to, k := targets[1], m.Kernels()[0]
	if text := to.emit(m, emit.Options{}).Source; !strings.Contains(text, ") % uint32(h)") || !strings.Contains(text, ") / uint32(h)") {
		t.Fatalf("no division of 32 bits in\n%s", text)
	}
	b := build(t, to, m)
	out := newArray(8, 2*block)
	args := b.pack(t, k, []int{h, 1}, uint64(h-block), out)
	dl.Call(symbol(t, b.lib, emit.Symbol(k)+"_host_from"), uintptr(unsafe.Pointer(&args[0])), h/block-1, h/block, block)
	for i := h - block; i < h; i++ {
		at := 2 * (i - (h - block))
		if got, want := [2]int{int(out.get(at)), int(out.get(at + 1))}, [2]int{(i + h - 1) % h, (i + h - 1) / h}; got != want {
			t.Fatalf("thread %d: %v, want %v", i, got, want)
		}
	}
}

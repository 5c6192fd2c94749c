package emit_test

import (
	"fmt"
	"math"
	"testing"
	"unsafe"
)

// Every thread knows its place in launches of each rank, wherever a chunk of
// the flat index space begins and ends, and no thread past the launch runs.
func TestRanks(t *testing.T) {
	for rank, ids := range map[int]string{2: "a, b := t.ID2()\n\tc, d := 0, 0", 3: "a, b, c := t.ID3()\n\td := 0", 4: "a, b, c, d := t.ID4()"} {
		m := lower(t, `
//qd:kernel
func place(t qd.Thread, count []int32, out []int) {
	`+ids+`
	count[t.ID()]++
	out[t.ID()] = ((a*t.Dim(1)+b)*t.Dim(2)+c)*t.Dim(3) + d + 1000*t.Dim(0)
}
`)
		dims := []int{3, 5, 7, 2}[:rank]
		threads := 1
		for _, d := range dims {
			threads *= d
		}
		forTargets(t, func(t *testing.T, to target) {
			b := build(t, to, m)
			const beyond = 64
			count, out := newArray(4, threads+beyond), newArray(8, threads+beyond)
			b.run(t, m.Kernels()[0], dims, count, out)
			for i := range threads + beyond {
				ran, at := uint64(1), uint64(i+3000)
				if i >= threads {
					ran, at = 0, 0
				}
				if count.get(i) != ran || out.get(i) != at {
					t.Fatalf("%s rank %d: thread %d ran %d times at place %d", to.name, rank, i, count.get(i), out.get(i))
				}
			}
		})
	}
}

// printfBuffer is what the text declares for records.
type printfBuffer struct {
	words          *uint64
	capacity, used uint64
}

func TestPrintf(t *testing.T) {
	m := lower(t, `
//qd:kernel
func say(t qd.Thread, x []int8, f []float32, g []float64, ok []bool) {
	i := t.ID()
	qd.Printf("none\n")
	qd.Printf("%d %v %v %v %d\n", x[i], f[i], g[i], ok[i], uint16(x[i]))
}
`)
	const record1, record2, threads = 1, 6, 3
	want := func(i int) [][]uint64 {
		x := int8(-1 - i)
		return [][]uint64{
			{0},
			{1 | 5<<32, uint64(x), uint64(math.Float32bits(float32(i) + 0.5)), math.Float64bits(float64(i) / 3), uint64(i % 2), uint64(uint16(x))},
		}
	}
	forTargets(t, func(t *testing.T, to target) {
		b := build(t, to, m)
		x, f, g, ok := newArray(1, threads), newArray(4, threads), newArray(8, threads), newArray(1, threads)
		for i := range threads {
			x.set(i, uint64(uint8(int8(-1-i))))
			f.set(i, toBits(float32(i)+0.5))
			g.set(i, toBits(float64(i)/3))
			ok.set(i, uint64(i%2))
		}
		words := make([]uint64, 64)
		run := func(capacity int) *printfBuffer {
			buffer := (*printfBuffer)(pointer(symbol(t, b.lib, "qd_printf_buffer")))
			*buffer = printfBuffer{&words[0], uint64(capacity), 0}
			b.run(t, m.Kernels()[0], []int{threads}, x, f, g, ok)
			return buffer
		}
		if used := run(len(words)).used; used != threads*(record1+record2) {
			t.Fatalf("%s: %d words used", to.name, used)
		}
		at := 0
		for i := range threads {
			for _, record := range want(i) {
				if got := words[at : at+len(record)]; fmt.Sprint(got) != fmt.Sprint(record) {
					t.Errorf("%s: thread %d recorded %#x, want %#x", to.name, i, got, record)
				}
				at += len(record)
			}
		}
		// What does not fit wholly is dropped, and counted.
		clear(words)
		if used := run(record1 + record2 + 3).used; used != threads*(record1+record2) {
			t.Errorf("%s: %d words used of a full buffer", to.name, used)
		}
		if words[record1+record2] != 0 || words[record1+record2+record1] != 0 {
			t.Errorf("%s: a record in a full buffer: %#x", to.name, words[:16])
		}
	})
}

// pointer is the address of a C variable.
func pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

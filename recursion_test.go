//go:build !race

package qd_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/fakecuda"
)

func downward[T cmp.Ordered](a, b T) int { return cmp.Compare(b, a) }

// sortRows sorts parts of its argument and local arrays with the standard library's functions, which call themselves.
//
//qd:kernel
func sortRows(t qd.Thread, x []float32, out []int) {
	i := t.ID()
	row := x[i*90 : i*90+90-i]
	slices.Sort(row)
	var a [70]int
	for k := range a {
		a[k] = int(row[k]*7) % 50
	}
	switch i % 3 {
	case 0:
		slices.Sort(a[:])
	case 1:
		slices.SortFunc(a[:60], downward[int])
	case 2:
		sort.Ints(a[5:])
	}
	h := 0
	for _, v := range a {
		h = (h*31 + v) % 999983
	}
	out[i] = h
}

// tooDeep does not end for an n above zero.
func tooDeep(n int) int {
	if n <= 0 {
		return 0
	}
	return 1 ^ tooDeeper(n+1)
}

func tooDeeper(n int) int { return 3 * tooDeep(n+1) }

//qd:kernel
func deepRecursion(t qd.Thread, n int, out []int) { out[t.ID()] = tooDeep(n) }

// writesDown writes its last number, though nobody uses what it gives on the way.
func writesDown(n int, out []int, at int) int {
	out[at] += n
	if n > 0 {
		writesDown(n-1, out, at)
	}
	for range n % 2 {
		evenDown(n-1, out, at)
	}
	return out[at]
}

func evenDown(n int, out []int, at int) int {
	if n > 0 {
		writesDown(n-1, out, at)
	}
	return n
}

//qd:kernel
func unusedResults(t qd.Thread, out []int) { writesDown(t.ID(), out, t.ID()) }

func TestRecursionUnused(t *testing.T) {
	want := make([]int, 9)
	for i := range want {
		writesDown(i, want, i)
	}
	for _, d := range devices(t) {
		got := make([]int, len(want))
		if err := d.Launch(unusedResults, qd.Dim(len(got)), got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", d, got, want)
		}
	}
}

// TestRecursion compares recursive functions of the standard library with what they do as compiled Go.
func TestRecursion(t *testing.T) {
	const rows = 16
	x := make([]float32, rows*90)
	for i := range x {
		x[i] = float32(rand.N(4000)) / 8
	}
	for _, device := range []string{"go", "cpu"} {
		dev, err := qd.Open(device)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []*qd.Device{dev, dev.Checked()} {
			wantX, wantOut := slices.Clone(x), make([]int, rows)
			gotX, gotOut := slices.Clone(x), make([]int, rows)
			golang, err := qd.Open("go")
			if err != nil {
				t.Fatal(err)
			}
			if err := golang.Launch(sortRows, qd.Dim(rows), wantX, wantOut); err != nil {
				t.Fatal(err)
			}
			if err := d.Launch(sortRows, qd.Dim(rows), gotX, gotOut); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(gotX, wantX) || !slices.Equal(gotOut, wantOut) || !slices.IsSorted(gotX[:90]) {
				t.Errorf("%s: %v, want %v", device, gotOut, wantOut)
			}
		}
	}
}

// TestDeepRecursion wants a fault where recursion would overflow the stack of a checked build.
func TestDeepRecursion(t *testing.T) {
	dev, err := qd.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	out := []int{7}
	err = dev.Checked().Launch(deepRecursion, qd.Dim(1), 1, out)
	var fault *qd.Fault
	if !errors.As(err, &fault) || !strings.HasPrefix(fault.Reason, "stack overflow: more than ") || !strings.HasSuffix(fault.Reason, " calls of tooDeep in one another") {
		t.Errorf("%v", err)
	}
	if err := dev.Checked().Launch(deepRecursion, qd.Dim(1), 0, out); err != nil || out[0] != 0 {
		t.Errorf("%v, %v", out, err)
	}
}

// Each of these functions calls others that lead back to it, and none calls itself. On the way that they take for numbers of at
// least 0, which does not end, the compiler meets toOther before the functions that it comes back by.
func toMany(n int) int {
	if n < 0 {
		return toOther(n)
	}
	return toOnly(n + 1)
}

func toOther(n int) int {
	if n < 0 {
		return toOtherAgain(n)
	}
	return toMany(n + 1)
}

func toOtherAgain(n int) int {
	if n == -1 {
		return n
	}
	return toOther(n) + 1
}

func toOnly(n int) int { return toOtherAgain(n) + 1 }

//qd:kernel
func deepCycle(t qd.Thread, n int, out []int) { out[t.ID()] = toMany(n) }

// TestDeepCycle wants a fault where functions lead back to each other without end, on a way that no single function sees.
func TestDeepCycle(t *testing.T) {
	dev, err := qd.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	out := []int{7}
	var fault *qd.Fault
	if err := dev.Checked().Launch(deepCycle, qd.Dim(1), 1, out); !errors.As(err, &fault) || !strings.HasPrefix(fault.Reason, "stack overflow: more than ") {
		t.Errorf("%v", err)
	}
	if err := dev.Checked().Launch(deepCycle, qd.Dim(1), -1, out); err != nil || out[0] != -1 {
		t.Errorf("%v, %v", out, err)
	}
}

// visitTree counts what its elements lead to, with atomic operations on the way.
func visitTree(s []int, at, n int, hits []int) int {
	if at >= len(s) {
		return n
	}
	if s[at]%3 == 0 {
		qd.AtomicAdd(&hits[at%len(hits)], s[at])
	}
	return min(n, depthOfTree(s, at*2+1)+1)
}

func depthOfTree(s []int, at int) int {
	if at >= len(s) {
		return 0
	}
	own := make([]int, 0, 3)
	for k := range 3 {
		if s[at] > 20*k {
			own = append(own, depthOfTree(s, at*2+k))
		}
	}
	most := 0
	for _, v := range own {
		most = max(most, v)
	}
	return most + 1
}

// mixedRecursion has recursion, capacities that change in a loop, divergence and atomic operations.
//
//qd:kernel
func mixedRecursion(t qd.Thread, x, y, hits []int) {
	i := t.ID()
	row := x[i*16 : i*16+16 : i*16+16]
	out := make([]int, 9, 12)
	for k := range row {
		if row[k] > 50 {
			continue
		}
		out = out[:visitTree(row, k, cap(out), hits)]
		if k%5 == 4 {
			out = append(out[:1:9], 3)
		}
	}
	y[i] = len(out)*100 + depthOfTree(row, 1)*10000 + cap(out)
}

func TestMixedRecursion(t *testing.T) {
	x := make([]int, 16*16)
	for i := range x {
		x[i] = 1 + i*i*7%97
	}
	run := func(d *qd.Device) []int {
		y, hits := make([]int, 16), make([]int, 4)
		if err := d.Launch(mixedRecursion, qd.Dim(16), x, y, hits); err != nil {
			t.Fatal(err)
		}
		return append(y, hits...)
	}
	sameOnCPU(t, run)
}

// sameOnCPU wants what device go gives from device cpu, checked or not.
func sameOnCPU(t *testing.T, run func(d *qd.Device) []int) {
	t.Helper()
	golang, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	cpu := cpuDevice(t)
	want := run(golang)
	for _, d := range []*qd.Device{cpu, cpu.Checked()} {
		if got := run(d); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

type pairOf struct{ a, b int }

// firstOfPair and secondOfPair only read: their parameters are structs, and each is declared in front of the other.
func firstOfPair(p pairOf, n int) int {
	if n <= 0 {
		return p.a
	}
	return secondOfPair(pairOf{p.b, p.a + n}, n-1) + firstOfPair(p, n-3)
}

func secondOfPair(p pairOf, n int) int {
	if n <= 0 {
		return p.b
	}
	return firstOfPair(p, n-2) - p.a
}

//qd:kernel
func recursionOfStructs(t qd.Thread, out []int) {
	i := t.ID()
	out[i] = firstOfPair(pairOf{i, 3}, i) + secondOfPair(pairOf{1, i}, i)
}

func TestRecursionOfStructs(t *testing.T) {
	sameOnCPU(t, func(d *qd.Device) []int {
		out := make([]int, 12)
		if err := d.Launch(recursionOfStructs, qd.Dim(len(out)), out); err != nil {
			t.Fatal(err)
		}
		return out
	})
}

// Recursion on a CUDA device has a stack of its own size, which a checked build bounds: fewer calls than on a CPU.
func TestOnCUDARecursion(t *testing.T) {
	if os.Getenv("QD_FAKENVRTC_HELPER") == "" {
		t.Skip("for the fake driver")
	}
	bound := func(dev *qd.Device) (n int) {
		err := dev.Checked().Launch(deepRecursion, qd.Dim(1), 1, []int{0})
		var fault *qd.Fault
		if !errors.As(err, &fault) {
			t.Fatal(err)
		}
		if _, err := fmt.Sscanf(fault.Reason, "stack overflow: more than %d calls of tooDeep", &n); err != nil {
			t.Fatal(fault.Reason)
		}
		return n
	}
	cpu, err := qd.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	onCPU, driver := bound(cpu), fakecuda.Opened(t)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		before := driver.Calls("cuCtxGetLimit")
		if n := bound(dev); n < 10 || onCPU/64 != n {
			t.Errorf("%d calls, %d on a CPU", n, onCPU)
		}
		if driver.Calls("cuCtxGetLimit") == before || driver.Calls("cuCtxSetLimit") != 1 {
			t.Errorf("asked for a stack %d times", driver.Calls("cuCtxSetLimit"))
		}
	})
}

//go:build !race

package qd_test

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/i32"
)

// Kernels that fail in the line marked with "here", each in its own way. x has 10
// elements in the middle of all.

//qd:kernel
func writesPast(t qd.Thread, x, all []int32) {
	i := t.ID()
	x[i*3] = 7 // here
}

//qd:kernel
func writesBefore(t qd.Thread, x, all []int32) {
	i := t.ID() - 1
	x[i]++ // here
}

// A level has a text.
type level int

func (l level) String() string { return "level " + string(rune('0'+l)) }

//qd:kernel
func panicsWithLevel(t qd.Thread, x, all []int32) {
	if t.ID() == 2 {
		panic(level(t.ID() + 3)) // here
	}
}

//qd:kernel
func readsPast(t qd.Thread, x, all []int32) {
	i := t.ID() * 1_000_000_000
	x[t.ID()] = x[i] // here
}

//qd:kernel
func atomicPast(t qd.Thread, x, all []int32) {
	qd.AtomicAdd(&x[t.ID()+7], 1) // here
}

//qd:kernel
func slicesPast(t qd.Thread, x, all []int32) {
	y := x[t.ID() : t.ID()+8] // here
	y[0] = 7
}

//qd:kernel
func slicesDown(t qd.Thread, x, all []int32) {
	y := x[t.ID()+2 : 4] // here
	if len(y) > 0 {
		y[0] = 7
	}
}

//qd:kernel
func localPast(t qd.Thread, x, all []int32) {
	row := qd.Local[int32](4)
	row[t.ID()]++ // here
	x[t.ID()] = row[t.ID()]
}

//qd:kernel
func localPartPast(t qd.Thread, x, all []int32) {
	part := qd.Local[int32](4)[1:]
	for k := range len(part) + 1 {
		part[k] = x[t.ID()] // here
	}
	x[t.ID()] = part[2]
}

//qd:kernel
func divides(t qd.Thread, x, all []int32) {
	i := t.ID()
	x[i] = 100 / x[i] // here
}

//qd:kernel
func remainder(t qd.Thread, x, all []int32) {
	i := t.ID()
	x[i] = 100 % (x[i] - x[2]) // here
}

//qd:kernel
func shifts(t qd.Thread, x, all []int32) {
	i := t.ID()
	x[i] = 1 << (1 - i) // here
}

//qd:kernel
func panics(t qd.Thread, x, all []int32) {
	if t.ID() == 3 {
		panic("three") // here
	}
	x[t.ID()] = 7
}

//qd:kernel
func asserts(t qd.Thread, x, all []int32) {
	qd.Assert(t.ID() != 2, "no two") // here
	x[t.ID()] = 7
}

//qd:kernel
func inCallee(t qd.Thread, x, all []int32) {
	setTo(x, t.ID()+9, 7)
}

func setTo(x []int32, i int, v int32) {
	x[i] = v // here
}

//qd:kernel
func inRow(t qd.Thread, x, all []int32) {
	i, j := t.ID2()
	x[i*5+j] = 7 // here
}

//qd:kernel
func fixedArray(t qd.Thread, x, all []int32) {
	var a [3]int32
	a[t.ID()] = 7 // here
	x[t.ID()] = a[0]
}

//qd:kernel
func slicesArray(t qd.Thread, x, all []int32) {
	var a [3]int32
	x[t.ID()] = int32(len(a[:t.ID()+1])) // here
}

//qd:kernel
func unsignedPast(t qd.Thread, x, all []int32) {
	i := uint64(len(x))
	x[i-18+uint64(t.ID())] = 7 // here
}

//qd:kernel
func slicesUnsigned(t qd.Thread, x, all []int32) {
	i := uint64(len(x))
	y := x[:i-18+uint64(t.ID())] // here
	x[t.ID()] = y[0]
}

//qd:kernel
func slicesUnsignedLow(t qd.Thread, x, all []int32) {
	i := uintptr(len(x))
	y := x[i-18+uintptr(t.ID()) : 3 : i] // here
	x[t.ID()] = int32(len(y))
}

//qd:kernel
func bitsDivides(t qd.Thread, x, all []int32) {
	i := t.ID()
	x[i] = int32(bits.Rem32(1, 5, uint32(i))) // here
}

//qd:kernel
func bitsPanics(t qd.Thread, x, all []int32) {
	q, _ := bits.Div64(7, 0, 7) // here
	x[t.ID()] = int32(q)
}

//qd:kernel
func nilPointer(t qd.Thread, x, all []int32) {
	var p *int32
	if t.ID() < 2 {
		p = &x[t.ID()]
	}
	*p = 7 // here
}

//qd:kernel
func inLibrary(t qd.Thread, x, all []int32) {
	v := i32.Vec3{1, 2, x[t.ID()]}
	m := i32.Mat3{v, v, v}
	first := m.Col(t.ID())      // which has its checks too
	second := m.Col(t.ID() + 2) // here
	x[t.ID()] = first[0] + second[0]
}

//qd:kernel
func inLibrarysLibrary(t qd.Thread, x, all []int32) {
	m := i32.Mat2{{1, 2}, {3, 4}}
	n := m.DivElem(m)
	n = n.AddScalar(1).DivElem(divisorOf(m, int32(t.ID()))) // here
	x[t.ID()] = n[0][0]
}

func divisorOf(m i32.Mat2, i int32) i32.Mat2 {
	m[1][0] = 3 - i
	return m
}

//qd:kernel
func inCallback(t qd.Thread, x, all []int32) {
	v := i32.Vec3{1, 2, 3}
	v = v.Map(func(e int32) int32 {
		w := i32.Vec2{e, e}
		if e == 3 {
			e = w[t.ID()] // here
		}
		return e
	})
	x[t.ID()] = v[2]
}

//qd:kernel
func inCallbacksLibrary(t qd.Thread, x, all []int32) {
	m := i32.Mat2{{1, 2}, {3, 4}}
	v := i32.Vec3{1, 2, 3}.Map(func(e int32) int32 {
		return e +
			m.Row(t.ID())[0] // here
	})
	x[t.ID()] = v[2]
}

//qd:kernel
func inUsersCallee(t qd.Thread, x, all []int32) {
	x[t.ID()] = rowOf(i32.Mat2{}, 1) + rowOf(i32.Mat2{}, t.ID())
}

func rowOf(m i32.Mat2, i int) int32 {
	return m.Row(i)[0] // here
}

//qd:kernel
func inUnpackedRow(t qd.Thread, x, all []int32) {
	var m struct {
		rows [2][3]int32 `qd:"unpacked"`
	}
	x[t.ID()] = int32(len(m.rows[twice(x[t.ID()])])) // here
}

func twice(i int32) int { return 2 * int(i) }

// markedIn is the line of a function of a file that ends in "// here".
func markedIn(t *testing.T, file, name string) int {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	within := false
	for i, line := range strings.Split(string(src), "\n") {
		within = within || strings.HasPrefix(line, "func "+name+"(")
		if within && strings.HasSuffix(line, "// here") {
			return i + 1
		}
	}
	t.Fatalf("no line of %s is marked", name)
	return 0
}

// A fault says what happened, where and to which thread, on every device in the same
// words, and nothing is written out of range.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name    string
		kernel  any
		dim     qd.Dims
		in      string // the function with the fault
		reasons string // that may be given, depending on which thread is first: * is a number
		bounds  [2]int // Index and Len
		col     int
		several bool // checks of this kind are on the line, so that device go does not tell the column
	}{
		{"write past", writesPast, qd.Dim(5), "writesPast", "index out of range [12] with length 10", [2]int{12, 10}, 2, false},
		{"write before", writesBefore, qd.Dim(5), "writesBefore", "index out of range [-1]", [2]int{-1, 10}, 2, false},
		{"read past", readsPast, qd.Dim(2), "readsPast", "index out of range [1000000000] with length 10", [2]int{1000000000, 10}, 14, true},
		{"atomic past", atomicPast, qd.Dim(4), "atomicPast", "index out of range [10] with length 10", [2]int{10, 10}, 0, false},
		{"slice past", slicesPast, qd.Dim(4), "slicesPast", "slice bounds out of range [:11] with capacity 10", [2]int{11, 10}, 0, false},
		{"slice down", slicesDown, qd.Dim(4), "slicesDown", "slice bounds out of range [5:4]", [2]int{5, 4}, 0, false},
		{"local", localPast, qd.Dim(5), "localPast", "index out of range [4] with length 4", [2]int{4, 4}, 2, false},
		{"part of local", localPartPast, qd.Dim(1), "localPartPast", "index out of range [3] with length 3", [2]int{3, 3}, 0, true},
		{"divide", divides, qd.Dim(4), "divides", "integer divide by zero", [2]int{}, 0, false},
		{"remainder", remainder, qd.Dim(10), "remainder", "integer divide by zero", [2]int{}, 0, false},
		{"shift", shifts, qd.Dim(3), "shifts", "negative shift amount", [2]int{}, 0, false},
		{"panic", panics, qd.Dim(4), "panics", "panic: three", [2]int{}, 0, false},
		{"panic with a Stringer", panicsWithLevel, qd.Dim(4), "panicsWithLevel", "panic: level 5", [2]int{}, 0, false},
		{"assert", asserts, qd.Dim(3), "asserts", "assertion failed: no two", [2]int{}, 0, false},
		{"callee", inCallee, qd.Dim(2), "setTo", "index out of range [10] with length 10", [2]int{10, 10}, 0, false},
		{"two dimensions", inRow, qd.Dim(3, 1), "inRow", "index out of range [10] with length 10", [2]int{10, 10}, 0, false},
		{"array", fixedArray, qd.Dim(4), "fixedArray", "index out of range [3] with length 3", [2]int{3, 3}, 0, false},
		{"array sliced", slicesArray, qd.Dim(4), "slicesArray", "slice bounds out of range [:4] with length 3", [2]int{4, 3}, 0, false},
		{"beyond int64", unsignedPast, qd.Dim(1), "unsignedPast", "index out of range [18446744073709551608] with length 10", [2]int{-8, 10}, 0, false},
		{"slice beyond int64", slicesUnsigned, qd.Dim(1), "slicesUnsigned", "slice bounds out of range [:18446744073709551608] with capacity 10", [2]int{-8, 10}, 0, false},
		{"low beyond int64", slicesUnsignedLow, qd.Dim(1), "slicesUnsignedLow", "slice bounds out of range [18446744073709551608:3:]", [2]int{-8, 3}, 0, false},
		{"math/bits", bitsDivides, qd.Dim(1), "bitsDivides", "integer divide by zero", [2]int{}, 15, false},
		{"math/bits panics", bitsPanics, qd.Dim(1), "bitsPanics", "integer overflow", [2]int{}, 0, true},
		{"library", inLibrary, qd.Dim(2), "inLibrary", "index out of range [3] with length 3", [2]int{3, 3}, 12, false},
		{"library's library", inLibrarysLibrary, qd.Dim(4), "inLibrarysLibrary", "integer divide by zero", [2]int{}, 6, false},
		{"callback", inCallback, qd.Dim(3), "inCallback", "index out of range [2] with length 2", [2]int{2, 2}, 8, false},
		{"callback's library", inCallbacksLibrary, qd.Dim(3), "inCallbacksLibrary", "index out of range [2] with length 2", [2]int{2, 2}, 4, false},
		{"user's callee", inUsersCallee, qd.Dim(3), "rowOf", "index out of range [2] with length 2", [2]int{2, 2}, 9, false},
		{"unpacked row", inUnpackedRow, qd.Dim(2), "inUnpackedRow", "index out of range [2] with length 2", [2]int{2, 2}, 0, true},
		{"nil", nilPointer, qd.Dim(3), "nilPointer", "invalid memory address or nil pointer dereference", [2]int{}, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var cols []int
			onAll(t, func(t *testing.T, dev *qd.Device) {
				all := make([]int32, 30)
				for i := range all {
					all[i] = int32(i - 10)
				}
				before := slices.Clone(all)
				err := dev.Checked().Launch(tt.kernel, tt.dim, all[10:20], all)
				var f *qd.Fault
				if !errors.As(err, &f) {
					t.Fatalf("error %v (%T), want a *Fault", err, err)
				}
				if f.Reason != tt.reasons {
					t.Errorf("reason %q, want %q", f.Reason, tt.reasons)
				}
				if filepath.Base(f.File) != "fault_test.go" || f.Line != markedIn(t, "fault_test.go", tt.in) {
					t.Errorf("at %s:%d, want line %d", f.File, f.Line, markedIn(t, "fault_test.go", tt.in))
				}
				if cols = append(cols, f.Col); f.Col == 0 && !tt.several || tt.col != 0 && f.Col != 0 && f.Col != tt.col || f.Col != 0 && cols[0] != 0 && f.Col != cols[0] {
					t.Errorf("columns %d, want %d", cols, tt.col)
				}
				if f.Index != tt.bounds[0] || f.Len != tt.bounds[1] {
					t.Errorf("index %d, length %d", f.Index, f.Len)
				}
				if len(f.Thread) == 0 || !strings.Contains(err.Error(), "thread "+fmt.Sprint(f.Thread[0])) {
					t.Errorf("thread %v in %v", f.Thread, err)
				}
				if !slices.Equal(all[:10], before[:10]) || !slices.Equal(all[20:], before[20:]) {
					t.Errorf("written out of range: %v", all)
				}
			})
		})
	}
}

// Which thread is told, along each dimension.
func TestFaultThread(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := make([]int32, 10)
		var f *qd.Fault
		if err := dev.Checked().Launch(inRow, qd.Dim(3, 1), x, x); !errors.As(err, &f) || !slices.Equal(f.Thread, []int{2, 0}) || f.Kernel != "inRow" {
			t.Errorf("%v", err)
		}
		if err := dev.Checked().Launch(writesBefore, qd.Dim(8), x, x); !errors.As(err, &f) || !slices.Equal(f.Thread, []int{0}) || !strings.Contains(err.Error(), "(kernel writesBefore, thread 0)") {
			t.Errorf("%v", err)
		}
	})
}

// Launches of a release build and of a checked one stand beside each other: arrays
// serve both, and what does not fail gives the same.
func TestChecked(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		checked := dev.Checked()
		if checked.Checked() != checked || checked.String() != dev.String() || dev.Checked() != checked {
			t.Error("Checked of ", checked)
		}
		x, y := qd.From(dev, ramp(100)), qd.Zeros[float32](checked, 100)
		for range 2 {
			for _, d := range []*qd.Device{dev, checked} {
				if err := d.Launch(saxpy, qd.Dim(100), 2.0, x, y); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := y.Slice(); got[99] != 8*99 {
			t.Error(got)
		}
		if err := qd.NewKernel(saxpy).WithDevice(checked).Launch(qd.Dim(101), 2.0, ramp(100), ramp(100)); !isFault(err) {
			t.Errorf("a handle for the checked device: %v", err)
		}
		if err := dev.Launch(qd.NewKernel(saxpy).WithDevice(checked), qd.Dim(101), 2.0, ramp(100), ramp(100)); !isFault(err) {
			t.Errorf("a handle for the checked device, launched on the other: %v", err)
		}
		for value, want := range map[string]*qd.Device{"1": checked, "true": checked, "0": dev, "false": dev, "": dev} {
			t.Setenv("QD_CHECK", value)
			if d, err := qd.Open(dev.String()); err != nil || d != want {
				t.Errorf("with QD_CHECK=%s: %v, %v", value, d, err)
			}
		}
		t.Setenv("QD_CHECK", "perhaps")
		if d, err := qd.Open(dev.String()); err == nil || !strings.Contains(err.Error(), "QD_CHECK=perhaps: use 1 for yes, or 0 for no") {
			t.Errorf("with QD_CHECK=perhaps: %v, %v", d, err)
		}
	})
}

//qd:kernel
func slides(g qd.Grid, n, step int, x []int32) {
	for k := range n {
		g.For(5, func(i int) {
			x[i+k*step]++ // here
		})
	}
}

// Whether a loop of a Grid kernel can do without its checks is decided each time it
// is launched.
func TestFaultInGrid(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dev = dev.Checked()
		x := make([]int32, 10)
		if err := dev.Run(slides, 2, 5, x); err != nil || x[0] != 1 || x[9] != 1 {
			t.Errorf("%v: %v", err, x)
		}
		clear(x)
		err := dev.Run(slides, 5, 3, x)
		var f *qd.Fault
		if !errors.As(err, &f) || f.Line != markedIn(t, "fault_test.go", "slides") || f.Kernel != "slides" || f.Len != 10 || f.Index != f.Thread[0]+6 && f.Index != f.Thread[0]+9 {
			t.Fatal(err)
		}
		if x[0] != 1 || x[3] != 2 {
			t.Errorf("the loops before it have left %v", x)
		}
	})
}

//qd:kernel
func stuck(g qd.Grid, x []int32) {
	for x[0] < 10 {
		g.For(5, func(i int) {
			x[i+8]++ // here
			if i == 0 {
				x[0]++
			}
		})
	}
}

// A loop that fails ends the run, on devices that queue it too, so that the host does not wait for
// what it would have done.
func TestFaultEndsGrid(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, make([]int32, 8))
		err := dev.Checked().Run(stuck, x)
		var f *qd.Fault
		if !errors.As(err, &f) || f.Line != markedIn(t, "fault_test.go", "stuck") || f.Len != 8 {
			t.Errorf("%v", err)
		}
	})
}

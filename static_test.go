package qd_test

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

var (
	initialScale  = float32(2)
	initialTable  = []int{1, 2, 3}
	initialOther  = 10
	initialSecond = 20
)

// Each of these has a qd.Static on a line that a test registers.

func staticScale() float32 { return qd.Static(initialScale) }

func staticTable() []int {
	f := func() []int {
		return qd.Static(
			initialTable)
	}
	return f()
}

func staticPair() int {
	return qd.Static(initialOther) + qd.Static(initialSecond)
}

// TestStaticInitialValues changes variables after the values of qd.Static expressions have
// been registered, as generated code does.
func TestStaticInitialValues(t *testing.T) {
	const pkg = "github.com/qdgen/qd_test"
	register := func(fn string, index int, expr string, eval any) {
		qdreg.StaticValue(pkg, fn, index, expr, eval, "")
	}
	register("staticScale", 0, "initialScale", func() float32 { return initialScale })
	register("staticTable", 0, "initialTable", func() []int { return initialTable })
	register("staticPair", 0, "initialOther", func() int { return initialOther })
	register("staticPair", 1, "initialSecond", func() int { return initialSecond })
	if got := staticPair(); got != 30 {
		t.Error(got)
	}
	initialScale, initialTable[1] = 3, 5
	if got := staticScale(); got != 2 {
		t.Errorf("bound late: %v", got)
	}
	if got := staticTable(); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("bound late: %v", got)
	}
	initialOther = 11
	panicked := func() (v any) {
		defer func() { v = recover() }()
		staticPair()
		return nil
	}()
	if err, ok := panicked.(error); !ok || !strings.Contains(err.Error(), "cannot tell which qd.Static this is") {
		t.Error(panicked)
	}
	initialScale, initialTable[1], initialOther = 2, 2, 10
}

// tiled has a constant that it does not use: a kernel that the cache has from another run prints nothing.
//
//qd:kernel
func tiled(t qd.Thread, tile qd.Const[int], run qd.Const[int64], x []int) {
	qd.StaticAssert(tile.V%32 == 0, "the tile is a multiple of 32")
	qd.StaticPrint("tile", tile.V)
	for i := range qd.Static(tile.V / 32) {
		x[t.ID()] += i
	}
}

//qd:kernel
func notStatic(t qd.Thread, x []int) {
	if qd.Static(x[0] > 0) {
		x[0] = 5
	}
}

// TestStaticOnAllDevices has the front end refuse and print the same on every device, "go" among them.
func TestStaticOnAllDevices(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		read := stderr(t)
		x := []int{0}
		run := qd.C(time.Now().UnixNano())
		for range 2 {
			if err := dev.Launch(tiled, qd.Dim(1), qd.C(128), run, x); err != nil {
				t.Fatal(err)
			}
		}
		if x[0] != 12 {
			t.Error(x)
		}
		for _, err := range []error{
			dev.Launch(tiled, qd.Dim(1), qd.C(33), run, x),
			dev.Launch(notStatic, qd.Dim(1), x),
		} {
			var ds *qd.Diagnostics
			if !errors.As(err, &ds) || !strings.Contains(err.Error(), "the tile is a multiple of 32") && !strings.Contains(err.Error(), "argument of qd.Static is not known at compile time") {
				t.Error(err)
			}
		}
		if x[0] != 12 {
			t.Errorf("it has run: %v", x)
		}
		if printed := read(); strings.Count(printed, "tile 128\n") != 1 {
			t.Errorf("printed %q", printed)
		}
	})
}

// stderr gives a function that reads what has been written to standard error, which is put
// back then.
func stderr(t *testing.T) (read func() string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stderr
	os.Stderr = w
	return func() string {
		os.Stderr = old
		w.Close()
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

var (
	offsets   = map[string][2]int{"near": {1, 2}, "far": {100, 200}}
	threshold = 10
	evaluated atomic.Int64
)

// What qdgen gen would write.
func init() {
	const pkg = "github.com/qdgen/qd_test"
	qdreg.Static(pkg, "shifted", 1, "offsetOf(where, k)", func(where qd.Const[string], k int) any {
		evaluated.Add(1)
		return offsetOf(where, k)
	}, "local where; local k")
	qdreg.StaticValue(pkg, "bound", 0, "threshold", func() int { return threshold }, "")
	qdreg.StaticValue(pkg, "bound", 1, "strings.ToUpper(\"ab\")", func() string { return strings.ToUpper("ab") }, `import strings "strings"`)
	qdreg.Vars(pkg, map[string]any{"threshold": &threshold})
}

func offsetOf(where qd.Const[string], k int) int {
	return offsets[where.V][k]
}

//qd:kernel
func shifted(t qd.Thread, where qd.Const[string], x []int) {
	for k := range qd.Static(2) {
		x[t.ID()] += qd.Static(offsetOf(where, k))
	}
}

//qd:kernel
func bound(t qd.Thread, x []int) {
	x[0] = qd.Static(threshold)
	x[1] = threshold
	x[2] = len(qd.Static(strings.ToUpper("ab")))
}

// TestStaticOfGo has kernels use Go code that is evaluated when they are compiled, for their
// constants, and values from the initialization beside those of the launch.
func TestStaticOfGo(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []int{0}
		for range 3 {
			if err := dev.Launch(shifted, qd.Dim(1), qd.C("near"), x); err != nil {
				t.Fatal(err)
			}
		}
		if err := dev.Launch(shifted, qd.Dim(1), qd.C("far"), x); err != nil || x[0] != 309 {
			t.Error(x, err)
		}
		if n := evaluated.Load(); n != 4 { // for each list of values once, since nothing that is read changes
			t.Errorf("evaluated %d times", n)
		}
		defer func() { threshold = 10 }()
		for _, threshold = range []int{10, 11, 12} {
			x := make([]int, 3)
			if err := dev.Launch(bound, qd.Dim(1), x); err != nil {
				t.Fatal(err)
			}
			if x[0] != 10 || x[1] != threshold || x[2] != 2 {
				t.Errorf("threshold is %d: %v", threshold, x)
			}
		}
	})
}

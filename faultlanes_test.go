package qd_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// Kernels whose threads run in the lanes of vectors, and of which some stop. Which ones, and for what reason, depends on
// what they read.

// steadied makes lanes worth their while.
func steadied(s float32) float32 {
	for range 20 {
		s = s*s*0.5 + 0.25
	}
	return s
}

//qd:kernel
func stopsWriting(t qd.Thread, at []int32, x, y []float32) {
	i := t.ID()
	y[at[i]] = steadied(x[i])
}

//qd:kernel
func stopsInLoop(t qd.Thread, at []int32, x, y []float32) {
	i := t.ID()
	s := x[i]
	for k := int32(0); k < at[i]; k++ {
		s += x[k] * 0.5
	}
	y[i] = s
}

//qd:kernel
func stopsInBranch(t qd.Thread, at []int32, x, y []float32) {
	i := t.ID()
	s := steadied(x[i])
	if i%3 == 1 {
		if at[i] > 900 {
			return
		}
		s += x[at[i]+100]
	}
	y[i] = s
}

//qd:kernel
func stopsDividing(t qd.Thread, at []int32, x, y []float32) {
	i := t.ID()
	y[i] = steadied(x[i]) + float32(100/(at[i]-7))
}

//qd:kernel
func stopsShifting(t qd.Thread, at []int32, x, y []float32) {
	i := t.ID()
	y[i] = steadied(x[i]) + float32(int32(1)<<at[i])
}

//qd:kernel
func stopsSlicing(t qd.Thread, at []int32, x, y []float32) {
	i := t.ID()
	y[i] = steadied(x[i]) + float32(len(x[at[i]:500]))
}

//qd:kernel
func stopsAsserting(t qd.Thread, at []int32, x, y []float32) {
	i := t.ID()
	qd.Assert(at[i] != 7, "not seven")
	y[i] = steadied(x[i])
}

//qd:kernel
func stopsPanicking(t qd.Thread, at []int32, x, y []float32) {
	i := t.ID()
	s := steadied(x[i])
	if n := at[i]; n < 0 {
		panic(fmt.Sprintf("%d of %d: %t", n, i, n == -1))
	}
	y[i] = s
}

//qd:kernel
func stopsInRows(t qd.Thread, at []int32, x, y []float32) {
	i, j := t.ID2()
	k := i*t.Dim(1) + j
	y[at[k]] = steadied(x[k])
}

// steppedDown reads at the depth n.
func steppedDown(x []float32, at int32, n int) float32 {
	if n == 0 {
		return x[at]
	}
	return steppedDown(x, at, n-1)*0.5 + float32(n)
}

//qd:kernel
func stopsRecursing(t qd.Thread, at []int32, x, y []float32) {
	i := t.ID()
	s := x[i]
	for range 30 {
		s = steadied(s)
	}
	if i%3 != 2 {
		s += steppedDown(x, at[i], i%4)
	}
	y[i] = s
}

// Of threads that run in lanes the one that is reported is one that fails, for its reason, and nothing is written out of
// range.
func TestFaultLanes(t *testing.T) {
	const n = 1000
	index := func(i int, at int32) string {
		if uint32(at) < n {
			return ""
		}
		if at < 0 {
			return fmt.Sprintf("index out of range [%d]", at)
		}
		return fmt.Sprintf("index out of range [%d] with length %d", at, n)
	}
	for name, tt := range map[string]struct {
		kernel  any
		dim     []int
		rare    int32                        // what few threads have in at
		reason  func(i int, at int32) string // why thread i stops, "" if it does not
		release bool                         // it stops in a release build, too
		own     bool                         // the other threads have their own index in at, else a small number
	}{
		"writing": {stopsWriting, []int{n}, n + 3, index, false, true},
		"before":  {stopsWriting, []int{n}, -2, index, false, true},
		"loop":    {stopsInLoop, []int{n}, n + 3, func(i int, at int32) string { return index(i, min(at, n)) }, false, false},
		"branch": {stopsInBranch, []int{n}, 900, func(i int, at int32) string {
			if i%3 != 1 || at > 900 {
				return ""
			}
			return index(i, at+100)
		}, false, false},
		"recursion": {stopsRecursing, []int{n}, n + 7, func(i int, at int32) string {
			if i%3 == 2 {
				return ""
			}
			return index(i, at)
		}, false, false},
		"dividing": {stopsDividing, []int{n}, 7, func(i int, at int32) string {
			if at == 7 {
				return "integer divide by zero"
			}
			return ""
		}, false, false},
		"shifting": {stopsShifting, []int{n}, -5, func(i int, at int32) string {
			if at < 0 {
				return "negative shift amount"
			}
			return ""
		}, false, false},
		"slicing": {stopsSlicing, []int{n}, 501, func(i int, at int32) string {
			if at > 500 {
				return fmt.Sprintf("slice bounds out of range [%d:500]", at)
			}
			return ""
		}, false, false},
		"asserting": {stopsAsserting, []int{n}, 7, func(i int, at int32) string {
			if at == 7 {
				return "assertion failed: not seven"
			}
			return ""
		}, false, false},
		"panicking": {stopsPanicking, []int{n}, -1, func(i int, at int32) string {
			if at < 0 {
				return fmt.Sprintf("panic: %d of %d: %t", at, i, at == -1)
			}
			return ""
		}, true, false},
		"rows": {stopsInRows, []int{20, 50}, n, index, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, few := range [][]int{{}, {0}, {999}, {37, 38}, {16, 400, 401, 998}} {
				at := make([]int32, n)
				for i := range at {
					at[i] = int32(i % 6)
					if tt.own {
						at[i] = int32(i)
					}
				}
				for _, i := range few {
					at[i] = tt.rare
				}
				want := map[int][]string{}
				for i, a := range at {
					if reason := tt.reason(i, a); reason != "" {
						want[i] = []string{reason}
					}
				}
				x := make([]float32, n)
				for i := range x {
					x[i] = float32(i%7) / 8
				}
				results := launchFaults(t, faultDevices(t, tt.release), fmt.Sprint("at ", few), tt.dim, n, want, func(dev *qd.Device, y []float32) error {
					return dev.Launch(tt.kernel, qd.Dim(tt.dim...), at, x, y)
				})
				for _, r := range results {
					if !slices.Equal(r, results[0]) {
						t.Errorf("at %v: the results are %v, and %v", few, results[0], r)
					}
				}
			}
		})
	}
}

// launchFaults launches on devices with n elements to write, which it returns where the launch ends well. Else a thread or
// a block has stopped, by its flat index, for one of the reasons for which it may. Nothing beside the elements is written.
func launchFaults(t *testing.T, devices []*qd.Device, what string, dim []int, n int, want map[int][]string, launch func(dev *qd.Device, y []float32) error) (results [][]float32) {
	for _, device := range devices {
		all := make([]float32, 3*n)
		err := launch(device, all[n:2*n:2*n])
		var fault *qd.Fault
		switch {
		case len(want) == 0 && err == nil:
			results = append(results, all[n:2*n])
		case !errors.As(err, &fault):
			t.Errorf("%v, %s: %v, want %v", device, what, err, want)
		default:
			flat := 0
			for axis, i := range fault.Thread {
				flat = flat*dim[axis] + i
			}
			if !slices.Contains(want[flat], fault.Reason) {
				t.Errorf("%v, %s: thread %v: %s, want %v", device, what, fault.Thread, fault.Reason, want)
			}
		}
		if slices.ContainsFunc(slices.Concat(all[:n], all[2*n:]), func(v float32) bool { return v != 0 }) {
			t.Errorf("%v, %s: memory of others is changed", device, what)
		}
	}
	return results
}

// faultDevices are devices with checks, or those of a release build, too.
func faultDevices(t *testing.T, release bool) (list []*qd.Device) {
	for _, name := range []string{"cpu", "go"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, dev.Checked())
		if release {
			list = append(list, dev)
		}
	}
	return list
}

//qd:kernel
func stopsInBlock(b qd.Block, at []int32, x []float32) {
	part := qd.Shared[float32](b, 64)
	b.For(64, func(lane int) { part[lane] = steadied(x[b.ID()*64+lane]) })
	b.For(64, func(lane int) {
		if n := at[b.ID()*64+lane]; n >= 0 || lane%2 == 0 {
			x[b.ID()*64+lane] = steadied(part[n])
		}
	})
}

//qd:kernel
func stopsBehindBarrier(t qd.Thread, at []int32, x []float32) {
	part := qd.Shared[float32](t, 64)
	i := t.ID()
	part[t.Lane()] = steadied(x[i])
	t.Sync()
	if n := at[i]; n >= 0 || t.Lane()%2 == 0 {
		x[i] = steadied(part[n])
	}
}

//qd:kernel
func stopsPanickingInBlock(b qd.Block, at []int32, x []float32) {
	b.For(64, func(lane int) {
		i := b.ID()*64 + lane
		s := steadied(x[i])
		if n := at[i]; n < 0 {
			panic(fmt.Sprintf("%d in block %d", n, b.ID()))
		}
		x[i] = s
	})
}

// The lanes of a block stop it as threads do: a Block kernel's fault is of the block, and a thread's of the thread.
func TestFaultLanesOfBlocks(t *testing.T) {
	const blocks, n = 10, 640
	index := func(i int, at int32) string {
		switch {
		case at >= 64:
			return fmt.Sprintf("index out of range [%d] with length 64", at)
		case at < 0 && i%2 == 0:
			return fmt.Sprintf("index out of range [%d]", at)
		}
		return ""
	}
	for name, tt := range map[string]struct {
		kernel any
		dim    int
		rare   int32
		reason func(i int, at int32) string
	}{
		"block":         {stopsInBlock, blocks, 64, index},
		"block, before": {stopsInBlock, blocks, -3, index},
		"barrier":       {qd.NewKernel(stopsBehindBarrier).WithBlockDim(64), n, 99, index},
		"before":        {qd.NewKernel(stopsBehindBarrier).WithBlockDim(64), n, -1, index},
		"panic": {stopsPanickingInBlock, blocks, -7, func(i int, at int32) string {
			if at < 0 {
				return fmt.Sprintf("panic: %d in block %d", at, i/64)
			}
			return ""
		}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, few := range [][]int{{}, {0}, {639}, {100, 102}, {17, 333, 334, 600}} {
				at := make([]int32, n)
				for i := range at {
					at[i] = int32(i % 6)
				}
				want := map[int][]string{}
				for _, i := range few {
					at[i] = tt.rare
					if reason := tt.reason(i, at[i]); reason != "" {
						of := i * tt.dim / n
						want[of] = append(want[of], reason)
					}
				}
				launchFaults(t, faultDevices(t, name == "panic"), fmt.Sprint("at ", few), []int{tt.dim}, n, want, func(dev *qd.Device, x []float32) error {
					return dev.Launch(tt.kernel, qd.Dim(tt.dim), at, x)
				})
			}
		})
	}
}

//qd:kernel
func checksBlockID(t qd.Thread, x, y []float32) {
	_ = y[t.BlockID()]
	x[t.ID()] = 1
}

//qd:kernel
func checksLane(t qd.Thread, x, y []float32) {
	scratch := qd.Local[float32](256)
	scratch[t.Lane()] = y[0]
	x[t.ID()] = 1
}

//qd:kernel
func checksBlockDim(t qd.Thread, x, y []float32) {
	_ = y[t.BlockDim()-1]
	i, j := t.ID2()
	x[i*t.Dim(1)+j] = 1
}

//qd:kernel
func checksBlock(b qd.Block, x, y []float32) {
	b.For(16, func(lane int) { x[b.ID()*16+lane] = y[b.ID()] + 1 })
}

// A launch that answers all checks runs a kernel that may ask for its block no more, and is given the same arguments.
func TestChecksOfBlocks(t *testing.T) {
	for name, tt := range map[string]struct {
		kernel any
		dim    qd.Dims
		needs  int // elements of y
	}{
		"index":     {checksBlockID, qd.Dim(1000), 4},
		"lane":      {checksLane, qd.Dim(1000), 1},
		"size":      {checksBlockDim, qd.Dim(20, 50), 256},
		"small":     {qd.NewKernel(checksBlockID).WithBlockDim(100), qd.Dim(1000), 10},
		"smallSize": {qd.NewKernel(checksBlockDim).WithBlockDim(32), qd.Dim(20, 50), 32},
		"block":     {checksBlock, qd.Dim(62), 62},
	} {
		t.Run(name, func(t *testing.T) {
			for _, device := range faultDevices(t, false) {
				x := make([]float32, 1000)
				if err := device.Launch(tt.kernel, tt.dim, x, make([]float32, tt.needs)); err != nil {
					t.Error(device, err)
				}
				if slices.Contains(x[:992], 0) {
					t.Errorf("%v: %v", device, x)
				}
				var fault *qd.Fault
				if err := device.Launch(tt.kernel, tt.dim, x, make([]float32, tt.needs-1)); !errors.As(err, &fault) {
					t.Errorf("%v: with an element less: %v", device, err)
				}
			}
		})
	}
}

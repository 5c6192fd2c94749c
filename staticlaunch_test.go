//go:build !race

package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

// Static expressions with values of the function around them follow the variables that they read,
// on every device and in every kind of launch.

type lateOp func(a, b int) int

var (
	lateBase  = 40
	lateList  = []int{1, 2, 3}
	lateOps   = map[string]lateOp{"do": lateAdd}
	lateTable = map[int]int{3: 5}
)

func lateAdd(a, b int) int { return a + b }
func lateMul(a, b int) int { return a * b }

// lateSum reads variables of two kinds: one that is compared, and one that is not registered.
func lateSum(n int) int { return lateShift(n) + len(lateList) }

func lateShift(n int) int { return lateBase*10 + n }

// What qdgen gen would write.
func init() {
	const pkg = "github.com/qdgen/qd_test"
	qdreg.Vars(pkg, map[string]any{"lateBase": &lateBase})
	qdreg.Static(pkg, "follows", 0, "lateBase + n.V", func(n qd.Const[int]) int { return lateBase + n.V }, "local n")
	qdreg.Static(pkg, "follows", 2, "lateBase + i", func(i int) int { return lateBase + i }, "local i")
	qdreg.Static(pkg, "follows", 3, "lateOps[name.V]", func(name qd.Const[string]) lateOp { return lateOps[name.V] }, "local name")
	qdreg.Static(pkg, "follows", 4, "lateShift(n.V)", func(n qd.Const[int]) int { return lateShift(n.V) }, "local n")
	qdreg.Static(pkg, "follows", 5, "lateSum(n.V)", func(n qd.Const[int]) int { return lateSum(n.V) }, "local n")
	qdreg.Static(pkg, "follows", 6, "lateList[n.V:]", func(n qd.Const[int]) []int { return lateList[n.V:] }, "local n")
	qdreg.Static(pkg, "follows", 7, "lateTable[n.V+2]", func(n qd.Const[int]) int { return lateTable[n.V+2] }, "local n")
	qdreg.Static(pkg, "looksAtFunction", 0, "lateShift(n.V)", func(n qd.Const[int]) int { return lateShift(n.V) }, "local n")
	qdreg.Static(pkg, "looksAtExpression", 0, "lateBase + n.V", func(n qd.Const[int]) int { return lateBase + n.V }, "local n")
	qdreg.Static(pkg, "followsOnGrid", 0, "lateBase + n.V", func(n qd.Const[int]) int { return lateBase + n.V }, "local n")
	qdreg.Static(pkg, "followsInLiteral", 0, "lateBase + c", func(c int) int { return lateBase + c }, "local c")
}

//qd:kernel
func follows(t qd.Thread, n qd.Const[int], name qd.Const[string], x []int) {
	x[0] = qd.Static(lateBase + n.V)
	x[1] = lateBase
	for i := range qd.Static(2) {
		x[2] += qd.Static(lateBase + i)
	}
	x[3] = qd.Static(lateOps[name.V])(6, 7)
	x[4] = qd.Static(lateShift(n.V))
	x[5] = qd.Static(lateSum(n.V))
	for _, v := range qd.Static(lateList[n.V:]) {
		x[6] += v
	}
	x[7] = qd.Static(lateTable[n.V+2])
}

//qd:kernel
func followsOnGrid(g qd.Grid, n qd.Const[int], x []int) {
	g.For(len(x), func(i int) { x[i] = qd.Static(lateBase+n.V) + 1000*lateBase })
}

func followsInLiteral(c int) *qd.Kernel {
	return qd.NewKernel(func(t qd.Thread, x []int) {
		x[0] = qd.Static(lateBase + c)
	}, qd.Capture("c", c))
}

// late gives a function that gives the variables the values that they have now.
func late() func() {
	base, list, add, third := lateBase, slices.Clone(lateList), lateOps["do"], lateTable[3]
	return func() { lateBase, lateList, lateOps["do"], lateTable[3] = base, list, add, third }
}

// TestStaticFollowsVariables changes what static expressions read between launches.
func TestStaticFollowsVariables(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		defer late()()
		prepared := make([]int, 8)
		p, err := qd.NewKernel(follows).WithDevice(dev).Bind(qd.Dim(1), qd.C(1), qd.C("do"), prepared)
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range []struct {
			change func()
			made   int64
			want   []int
		}{
			{func() {}, 0, []int{41, 40, 81, 13, 401, 404, 5, 5}},
			{func() { lateBase = 50 }, 1, []int{51, 50, 101, 13, 501, 504, 5, 5}},
			{func() { lateOps["do"] = lateMul }, 1, []int{51, 50, 101, 42, 501, 504, 5, 5}},
			{func() { lateOps["other"] = lateAdd }, 0, []int{51, 50, 101, 42, 501, 504, 5, 5}},
			{func() { lateList[2] = 30 }, 1, []int{51, 50, 101, 42, 501, 504, 32, 5}},
			{func() { lateList[0] = 7 }, 0, []int{51, 50, 101, 42, 501, 504, 32, 5}},
			{func() { lateList = []int{1, 2, 30, 4} }, 1, []int{51, 50, 101, 42, 501, 505, 36, 5}},
			{func() { lateTable[3] = 6 }, 1, []int{51, 50, 101, 42, 501, 505, 36, 6}},
			{func() { lateTable[4] = 1 }, 0, []int{51, 50, 101, 42, 501, 505, 36, 6}},
			{func() {
				lateBase, lateList, lateOps["do"], lateTable[3] = 40, []int{1, 2, 3}, lateAdd, 5
			}, 0, []int{41, 40, 81, 13, 401, 404, 5, 5}},
		} {
			step.change()
			for turn := range 2 {
				before := qd.Stats().Specializations
				x := make([]int, 8)
				if err := dev.Launch(follows, qd.Dim(1), qd.C(1), qd.C("do"), x); err != nil {
					t.Fatal(err)
				}
				want := step.made
				if turn == 1 {
					want = 0
				}
				if made := qd.Stats().Specializations - before; made != want {
					t.Errorf("step %d, turn %d: %d made, want %d", i, turn, made, want)
				}
				if !slices.Equal(x, step.want) {
					t.Errorf("step %d, turn %d: %v, want %v", i, turn, x, step.want)
				}
			}
			clear(prepared)
			if err := p.Launch(); err != nil || !slices.Equal(prepared, step.want) {
				t.Errorf("step %d, prepared: %v, want %v (%v)", i, prepared, step.want, err)
			}
		}
	})
}

// TestStaticFollowsEverywhere is about the other kinds of kernels.
func TestStaticFollowsEverywhere(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		defer late()()
		x := make([]int, 3)
		run, err := qd.NewKernel(followsOnGrid).WithDevice(dev).BindRun(qd.C(2), x)
		if err != nil {
			t.Fatal(err)
		}
		literal := followsInLiteral(2)
		for _, lateBase = range []int{40, 50, 60, 40} {
			want := lateBase + 2
			if err := dev.Launch(literal, qd.Dim(1), x); err != nil || x[0] != want {
				t.Errorf("a literal: %v, want %d (%v)", x, want, err)
			}
			want += 1000 * lateBase
			for _, launch := range []func() error{
				func() error { return dev.Run(followsOnGrid, qd.C(2), x) },
				run.Launch,
			} {
				clear(x)
				if err := launch(); err != nil || x[0] != want || x[2] != want {
					t.Errorf("a grid: %v, want %d (%v)", x, want, err)
				}
			}
		}
	})
}

// TestStaticPanicsLater has an expression that can be evaluated when the kernel is first launched,
// and not later: on every device that is an error, and nothing runs.
func TestStaticPanicsLater(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		defer late()()
		lateList = []int{1, 2, 3}
		for i, n := range []int{3, 0, 3} {
			lateList = lateList[:n]
			x := make([]int, 8)
			err := dev.Launch(follows, qd.Dim(1), qd.C(1), qd.C("do"), x)
			if failed := err != nil; failed != (n == 0) || failed != (x[0] == 0) {
				t.Errorf("launch %d: %v, %v", i, x, err)
			}
		}
	})
}

//qd:kernel
func looksAtNothing(t qd.Thread, n qd.Const[int], x []int) { x[0] = qd.Static(n.V + 1) }

//qd:kernel
func looksAtVariable(t qd.Thread, n qd.Const[int], x []int) { x[0] = lateBase + n.V }

//qd:kernel
func looksAtFunction(t qd.Thread, n qd.Const[int], x []int) { x[0] = qd.Static(lateShift(n.V)) }

//qd:kernel
func looksAtExpression(t qd.Thread, n qd.Const[int], x []int) { x[0] = qd.Static(lateBase + n.V) }

// TestStaticAllocations counts what launches allocate that look at what kernels depend on.
func TestStaticAllocations(t *testing.T) {
	dev, err := qd.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	x := make([]int, 8)
	for _, test := range []struct {
		kernel func(qd.Thread, qd.Const[int], []int)
		want   float64
	}{
		{looksAtNothing, 0},
		{looksAtVariable, 0},
		{looksAtFunction, 0},   // the variable is compared
		{looksAtExpression, 4}, // a call by package reflect
	} {
		p, err := dev.Bind(test.kernel, qd.Dim(1), qd.C(2), x)
		if err != nil {
			t.Fatal(err)
		}
		got := testing.AllocsPerRun(100, func() {
			if err := p.Launch(); err != nil {
				t.Fatal(err)
			}
		})
		if got > test.want {
			t.Errorf("%s: %v allocations, want at most %v", qd.NewKernel(test.kernel).Name(), got, test.want)
		}
	}
}

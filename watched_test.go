//go:build !race

package qd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

// Tables that the source does not show to be left alone, for they are handed to another package.
type watchedRows struct {
	Row    []int32
	Points []watchedPoint
	Origin *watchedPoint
	Empty  []float64
	scale  [2]float32
}

type watchedPoint struct{ X, Y int16 }

var (
	watched      = &watchedRows{Row: []int32{1, 2}, Points: []watchedPoint{{3, 4}}, Origin: &watchedPoint{5, -6}, scale: [2]float32{1, 0.5}}
	watchedList  = []uint8{1, 2, 3, 4}
	watchedArray = [4]int{1, 2, 3, 4}

	watchedAgain = slices.Clip([]*watchedRows{watched})
	listAgain    = slices.Clip(watchedList)
	arrayAgain   = slices.Clip(watchedArray[:])
)

func init() {
	qdreg.Vars("github.com/qdgen/qd_test", map[string]any{
		"watched": &watched, "watchedList": &watchedList, "watchedArray": &watchedArray,
	})
}

//qd:kernel
func readsWatched(t qd.Thread, x []float64) {
	i := t.ID()
	w := watched
	for j, v := range w.Row {
		x[i] += float64(v) * float64(i+j+1)
	}
	for _, p := range w.Points {
		x[i] += float64(p.X)*100 + float64(p.Y)
	}
	if p := w.Origin; p != nil {
		x[i] += 1000 * float64(p.X+p.Y)
	}
	if w.Empty == nil {
		x[i] += 0.25
	}
	x[i] *= float64(w.scale[i])
	x[i] += float64(len(w.Empty)) * 1e6
}

func sumOfInts(x []int) (sum int) {
	for _, v := range x {
		sum += v
	}
	return sum
}

//qd:kernel
func readsWatchedList(t qd.Thread, x []float64) {
	i := t.ID()
	part := watchedList[i+1:]
	x[i] = float64(len(part)) + 10*float64(part[i]) + 100*float64(sumOfInts(watchedArray[i:]))
}

// TestWatchedTables changes tables, each in a way that their package does not name, and launches again.
func TestWatchedTables(t *testing.T) {
	w := watchedAgain[0]
	was := *w
	list, array := slices.Clone(listAgain), slices.Clone(arrayAgain)
	restore := func() {
		*w = was
		w.Row[1], w.Points[0], *w.Origin = 2, watchedPoint{3, 4}, watchedPoint{5, -6}
		copy(listAgain, list)
		copy(arrayAgain, array)
	}
	devices := map[string]*qd.Device{}
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		devices[name], devices[name+", checked"] = dev, dev.Checked()
	}
	for name, dev := range devices {
		restore()
		prepared := map[string]*qd.Prepared{}
		x := make([]float64, 2)
		for kernel, f := range map[string]any{"table": readsWatched, "list": readsWatchedList} {
			p, err := qd.NewKernel(f).WithDevice(dev).Bind(qd.Dim(2), x)
			if err != nil {
				t.Fatal(err)
			}
			prepared[kernel] = p
		}
		for i, change := range []func(){
			func() {},
			func() { w.Row[1] = 7 },
			func() { w.Points[0].Y = 11 },
			func() { w.Points = append(w.Points, watchedPoint{7, 8}) },
			func() { w.Origin.Y = 6 },
			func() { w.Origin = nil },
			func() { w.Origin = &watchedPoint{-1, 2} },
			func() { w.Empty = []float64{} },
			func() { w.Empty = []float64{3, 4} },
			func() { w.scale[1] = 4 },
			func() { w.Row, w.Points = nil, w.Points[:1] },
			func() { listAgain[3] = 99 },
			func() { arrayAgain[1] = -50 },
			restore,
		} {
			change()
			for kernel, f := range map[string]func(qd.Thread, []float64){"table": readsWatched, "list": readsWatchedList} {
				want, got := make([]float64, 2), make([]float64, 2)
				if err := devices["go"].Launch(f, qd.Dim(2), want); err != nil {
					t.Fatalf("%s, %s, change %d: %v", name, kernel, i, err)
				}
				if err := dev.Launch(f, qd.Dim(2), got); err != nil || !slices.Equal(got, want) {
					t.Errorf("%s, %s, change %d: %v, %v, want %v", name, kernel, i, got, err, want)
				}
				clear(x)
				if err := prepared[kernel].Launch(); err != nil || !slices.Equal(x, want) {
					t.Errorf("%s, %s, change %d, prepared: %v, %v, want %v", name, kernel, i, x, err, want)
				}
			}
		}
	}
}

var (
	roomy = make([]int, 2, 8)
	grown = append([]int{1}, 2, 3)
	tight = []int{1, 2}

	watchedRoomy = make([]int, 2, 8)
	roomyAgain   = slices.Clip(watchedRoomy)
)

func init() { qdreg.Vars("github.com/qdgen/qd_test", map[string]any{"watchedRoomy": &watchedRoomy}) }

//qd:kernel
func roomOfTable(t qd.Thread, x []float64) {
	p := roomy
	x[t.ID()] = float64(cap(p))
}

//qd:kernel
func roomOfGrown(t qd.Thread, x []float64) { x[t.ID()] = float64(cap(grown)) }

//qd:kernel
func roomOfWatched(t qd.Thread, x []float64) { x[t.ID()] = float64(cap(watchedRoomy)) }

//qd:kernel
func roomOfTight(t qd.Thread, x []float64) { x[t.ID()] = float64(cap(tight)) }

// TestTableCapacity asks for the capacity of tables. A kernel has a copy, which ends where the elements do.
func TestTableCapacity(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float64{float64(len(roomyAgain))}
		if err := dev.Launch(roomOfTight, qd.Dim(1), x); err != nil || x[0] != 2 {
			t.Errorf("%v, %v", x, err)
		}
		if dev.String() == "go" {
			return
		}
		for name, kernel := range map[string]func(qd.Thread, []float64){"p": roomOfTable, "grown": roomOfGrown, "watchedRoomy": roomOfWatched} {
			if err := dev.Launch(kernel, qd.Dim(1), x); err == nil || !strings.Contains(err.Error(), "the capacity of "+name+" is not known") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

//qd:kernel
func writesWatched(t qd.Thread, x []float64) {
	p := watched
	q := p
	q.Row[1] = 5
	x[t.ID()] = float64(watched.Row[1])
}

func setSecond(row []int32) { row[1]++ }

//qd:kernel
func writesWatchedInCall(t qd.Thread, x []float64) {
	setSecond(watched.Row)
	x[t.ID()] = float64(watched.Row[1])
}

//qd:kernel
func comparesWatched(t qd.Thread, x []float64) {
	p := watched
	if p == watched {
		x[t.ID()] = 1
	}
}

func theWatched() *watchedRows { return watched }

//qd:kernel
func leavesWatched(t qd.Thread, x []float64) { x[t.ID()] = float64(theWatched().Row[0]) }

//qd:kernel
func writesWatchedArray(t qd.Thread, x []float64) {
	p := watchedArray[:]
	p[1] = 3
	x[t.ID()] = float64(watchedArray[1])
}

// TestWatchedTablesRefused has kernels do what a copy of a table cannot do.
func TestWatchedTablesRefused(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, test := range []struct {
			kernel func(qd.Thread, []float64)
			want   string
		}{
			{writesWatched, "watched"},
			{writesWatchedInCall, "watched.Row"},
			{comparesWatched, "watched is compared by its address"},
			{leavesWatched, "watched leaves the function by its address"},
			{writesWatchedArray, "watchedArray is taken in a kernel, which may write to it"},
		} {
			err := dev.Launch(test.kernel, qd.Dim(1), []float64{0})
			if err == nil || !strings.Contains(fmt.Sprint(err), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		}
	})
}

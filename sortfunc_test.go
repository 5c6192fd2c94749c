//go:build !race

package qd_test

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// rowLength is more than what the sorts of the standard library insert one by one, so that they call themselves.
const rowLength = 50

func threeWay(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// byKey is a comparison of indices, which outlives the call.
func byKey(keys []float64) func(a, b int) int {
	return func(a, b int) int { return threeWay(keys[a], keys[b]) }
}

// A ranking sorts indices by keys of its own.
type ranking struct {
	keys  []float64
	order []int
	swaps *int
}

func (r ranking) Len() int           { return len(r.order) }
func (r ranking) Less(i, j int) bool { return r.keys[r.order[i]] < r.keys[r.order[j]] }
func (r ranking) Swap(i, j int) {
	r.order[i], r.order[j] = r.order[j], r.order[i]
	*r.swaps++
}

// A tally counts what is asked of it.
type tally struct {
	rows        [rowLength]int
	asked, done int
}

func (c *tally) Len() int           { return len(c.rows) }
func (c *tally) Less(i, j int) bool { c.asked++; return c.rows[i]%13 < c.rows[j]%13 }
func (c *tally) Swap(i, j int)      { c.done++; c.rows[i], c.rows[j] = c.rows[j], c.rows[i] }

func iota(x []int) []int {
	for i := range x {
		x[i] = i
	}
	return x
}

//qd:kernel
func sortsByKey(t qd.Thread, keys []float64, order []int, out []int) {
	ks := keys[t.ID()*rowLength : (t.ID()+1)*rowLength]
	slices.SortFunc(iota(order[t.ID()*rowLength:(t.ID()+1)*rowLength]), func(a, b int) int { return threeWay(ks[a], ks[b]) })
}

//qd:kernel
func sortsByThread(t qd.Thread, keys []float64, order []int, out []int) {
	os := iota(order[t.ID()*rowLength : (t.ID()+1)*rowLength])
	slices.SortFunc(os, func(a, b int) int {
		return threeWay(keys[t.ID()*rowLength+a], keys[t.ID()*rowLength+b])
	})
}

//qd:kernel
func sortsByMaker(t qd.Thread, keys []float64, order []int, out []int) {
	compare := byKey(keys[t.ID()*rowLength:])
	slices.SortStableFunc(iota(order[t.ID()*rowLength:(t.ID()+1)*rowLength]), compare)
}

// sortsCounting counts comparisons, in a variable that code around the calls reads and writes too: in an if, in a loop and
// behind a loop that ends early.
//
//qd:kernel
func sortsCounting(t qd.Thread, keys []float64, order []int, out []int) {
	i := t.ID()
	ks := keys[i*rowLength : (i+1)*rowLength]
	count, last := i, 0.5
	compare := func(a, b float64) int {
		count++
		last = a
		return threeWay(a, b)
	}
	if i%3 > 0 {
		slices.SortFunc(ks, compare)
		count *= 3
	} else {
		count--
	}
	for turn := range 5 {
		before := count
		if turn%2 == 0 {
			slices.SortFunc(ks, func(a, b float64) int { return -compare(a, b) * (turn - 1) })
		}
		if count-before > 60+i {
			break
		}
		count += turn
		if turn == 3 {
			continue
		}
		slices.SortFunc(ks[turn:], func(a, b float64) int {
			if a == last {
				count += 2
			}
			return compare(a, b)
		})
	}
	out[i] = count + int(last*8)
}

//qd:kernel
func sortsRanking(t qd.Thread, keys []float64, order []int, out []int) {
	swaps := 0
	r := ranking{keys[t.ID()*rowLength:], iota(order[t.ID()*rowLength : (t.ID()+1)*rowLength]), &swaps}
	switch t.ID() % 3 {
	case 0:
		sort.Sort(r)
	case 1:
		sort.Stable(r)
	default:
		sort.Sort(sort.IntSlice(r.order))
		sort.Sort(r)
	}
	out[t.ID()] = swaps
}

//qd:kernel
func sortsTally(t qd.Thread, keys []float64, order []int, out []int) {
	var c tally
	for i := range c.rows {
		c.rows[i] = int(keys[t.ID()*rowLength+i] * 16)
	}
	if t.ID()%2 == 0 {
		sort.Sort(&c)
	} else {
		sort.Stable(&c)
	}
	copy(order[t.ID()*rowLength:], c.rows[:])
	out[t.ID()] = c.asked*1000 + c.done
}

//qd:kernel
func sortsSlice(t qd.Thread, keys []float64, order []int, out []int) {
	ks := keys[t.ID()*rowLength : (t.ID()+1)*rowLength]
	os := iota(order[t.ID()*rowLength : (t.ID()+1)*rowLength])
	asked := 0
	sort.Slice(os, func(i, j int) bool { asked++; return ks[os[i]] < ks[os[j]] })
	sort.SliceStable(os[:20], func(i, j int) bool { asked++; return ks[os[i]] < ks[os[j]] })
	if !sort.SliceIsSorted(os[20:], func(i, j int) bool { asked += 1000; return ks[os[20+i]] < ks[os[20+j]] }) {
		asked = -asked
	}
	out[t.ID()] = asked
}

//qd:kernel
func sortsReversed(t qd.Thread, keys []float64, order []int, out []int) {
	os := iota(order[t.ID()*rowLength : (t.ID()+1)*rowLength])
	for i := range os {
		os[i] = os[i] * 37 % 41
	}
	if t.ID()%2 == 0 {
		sort.Sort(sort.Reverse(sort.IntSlice(os)))
	} else {
		sort.Stable(sort.Reverse(ranking{keys[t.ID()*rowLength:], os, &out[t.ID()]}))
	}
}

// quick is a recursive function of another kind: generic, with two literals, one of which ends it.
func quick[T any](x []T, less func(a, b T) bool, visit func(x []T) bool) int {
	if len(x) < 2 || !visit(x) {
		return 1
	}
	m := 0
	for i := 1; i < len(x); i++ {
		if less(x[i], x[0]) {
			m++
			x[i], x[m] = x[m], x[i]
		}
	}
	x[0], x[m] = x[m], x[0]
	return quick(x[:m], less, visit) + quick(x[m+1:], less, visit)
}

//qd:kernel
func sortsQuick(t qd.Thread, keys []float64, order []int, out []int) {
	ks := keys[t.ID()*rowLength : (t.ID()+1)*rowLength]
	os := iota(order[t.ID()*rowLength : (t.ID()+1)*rowLength])
	visited, pivot := [4]int{}, 0
	found := func() int {
		for turn := range 4 {
			n := quick(os, func(a, b int) bool { pivot = b; return ks[a] < ks[b] }, func(part []int) bool {
				visited[len(part)%4]++
				return visited[0] < 12*turn
			})
			if n > 30 {
				return n
			}
			pivot += n
		}
		return -1
	}
	out[t.ID()] = found()*10000 + pivot*100 + visited[1] + visited[2]*3
}

//qd:kernel
func searchesFunc(t qd.Thread, keys []float64, order []int, out []int) {
	ks := keys[t.ID()*rowLength : (t.ID()+1)*rowLength]
	steps := 0
	slices.SortFunc(ks, func(a, b float64) int { steps++; return cmp.Compare(a, b) })
	at, found := slices.BinarySearchFunc(ks, ks[t.ID()], func(e, target float64) int { steps += 100; return cmp.Compare(e, target) })
	if found {
		steps += 10000 * at
	}
	out[t.ID()] = steps
}

// TestSortFunc sorts with literals that capture, and through interfaces.
func TestSortFunc(t *testing.T) {
	for name, kernel := range map[string]func(t qd.Thread, keys []float64, order []int, out []int){
		"key": sortsByKey, "thread": sortsByThread, "maker": sortsByMaker, "counting": sortsCounting, "ranking": sortsRanking,
		"tally": sortsTally, "quick": sortsQuick, "slice": sortsSlice, "reversed": sortsReversed, "search": searchesFunc,
	} {
		t.Run(name, func(t *testing.T) {
			sameOnCPU(t, func(d *qd.Device) []int {
				const n = 21
				keys, order, out := make([]float64, n*rowLength), make([]int, n*rowLength), make([]int, n)
				for i := range keys {
					keys[i] = float64(i*7919%(23+i/rowLength*40)) / 16
				}
				if err := qd.NewKernel(kernel).WithDevice(d).Launch(qd.Dim(n), keys, order, out); err != nil {
					t.Fatal(err)
				}
				for _, k := range keys {
					out = append(out, int(k*16))
				}
				return append(out, order...)
			})
		})
	}
}

func sortsAnything(x any) { sort.Slice(x, func(i, j int) bool { return i > j }) }

//qd:kernel
func sortsAny(t qd.Thread, out []int) { sortsAnything(out) }

//qd:kernel
func sortsByValue(t qd.Thread, out []int) {
	by := sort.Slice
	by(out, func(i, j int) bool { return i > j })
}

// refines gives itself another literal in each call.
func refines(n int, f func(int) int) int {
	if n == 0 {
		return f(n)
	}
	return refines(n-1, func(k int) int { return f(k) + n })
}

//qd:kernel
func nestsLiterals(t qd.Thread, out []int) {
	out[0] = refines(out[1], func(k int) int { return k + out[2] })
}

// TestSortFuncErrors expects errors of what would need more than one instance, or a type that nobody knows.
func TestSortFuncErrors(t *testing.T) {
	dev := cpuDevice(t)
	for want, kernel := range map[string]func(t qd.Thread, out []int){
		"help: in a kernel, call sort.Slice by its name, with a slice and not with an any that holds one": sortsAny,
		"cannot use generic function sort.Slice without instantiation":                                    sortsByValue,
		"recursion cannot be compiled": nestsLiterals,
	} {
		err := qd.NewKernel(kernel).WithDevice(dev).Launch(qd.Dim(1), make([]int, 3))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "sortfunc_test.go:") {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

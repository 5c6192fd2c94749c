//go:build !race

package qd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

type partOf struct{ elems []int }

// Package variables whose slices are shorter than their arrays. The first three are known from the source. The last ones
// are told by the running program, because they are handed to another package.
var (
	partOfRow  = []int{1, 2, 3, 4, 5}[1:3]
	partsOfRow = [][]int{[]int{1, 2, 3, 4, 5}[1:3], {8, 9}}
	toPart     = &partOf{[]int{1, 2, 3, 4, 5}[1:3]}

	watchedRow  = []int{1, 2, 3, 4, 5}
	watchedPart = watchedRow[1:3]
	toWatched   = &partOf{watchedRow[1:3]}

	_ = slices.Values(watchedPart)
	_ = slices.Values(toWatched.elems)
)

func init() {
	qdreg.Vars("github.com/qdgen/qd_test", map[string]any{"watchedPart": &watchedPart, "toWatched": &toWatched})
}

//qd:kernel
func reslicesPart(t qd.Thread, out []int, n int) {
	part := partOfRow
	part = part[:n]
	out[t.ID()] = part[n-1]
}

//qd:kernel
func reslicesThrough(t qd.Thread, out []int, n int) {
	part := toPart.elems
	part = part[:n]
	out[t.ID()] = part[n-1]
}

//qd:kernel
func reslicesFirstPart(t qd.Thread, out []int, n int) {
	out[t.ID()] = partsOfRow[0][:n][n-1]
}

//qd:kernel
func reslicesWatchedPart(t qd.Thread, out []int, n int) {
	part := watchedPart[:n]
	out[t.ID()] = part[n-1]
}

func lastOf(part []int, n int) int { return part[:n][n-1] }

//qd:kernel
func reslicesInCall(t qd.Thread, out []int, n int) {
	out[t.ID()] = lastOf(toWatched.elems, n)
}

//qd:kernel
func reslicesInLoop(t qd.Thread, out []int, n int) {
	part := toWatched.elems
	for i := 0; i < len(part[:n]); i++ {
		out[t.ID()] = part[:n][i]
	}
}

//qd:kernel
func reslicesByThree(t qd.Thread, out []int, n int) {
	part := partOfRow
	last := part[1:1:n]
	out[t.ID()] = last[: n-1 : cap(last)][n-2]
}

// TestReslicedTables makes parts of tables longer than they are: what is behind them in Go is no part of a kernel's copy.
func TestReslicedTables(t *testing.T) {
	dev, err := qd.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for name, kernel := range map[string]any{
		"known": reslicesPart, "through a pointer": reslicesThrough, "element": reslicesFirstPart,
		"watched": reslicesWatchedPart, "in a function": reslicesInCall, "header of a loop": reslicesInLoop,
		"with three bounds": reslicesByThree,
	} {
		for build, dev := range map[string]*qd.Device{"release": dev, "checked": dev.Checked()} {
			k := qd.NewKernel(kernel).WithDevice(dev)
			out := make([]int, 20)
			if err := k.Launch(qd.Dim(20), out, 2); err != nil || out[19] != 3 {
				t.Errorf("%s, %s: the last of the elements is %d, error %v", name, build, out[19], err)
			}
			err := k.Launch(qd.Dim(20), out, 4)
			bound := "[:4]"
			if name == "with three bounds" {
				bound = "[::4]"
			}
			if err == nil || !strings.Contains(err.Error(), "tablereslice_test.go:") || !strings.Contains(err.Error(),
				"slice bounds out of range "+bound+" with length 2: what is behind the elements of a captured package variable is not copied to a kernel") {
				t.Errorf("%s, %s: a longer part gives %v, error %v", name, build, out[0], err)
			}
		}
	}
}

//go:build !race

package qd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// Slices that package slices makes longer and shorter.
//
//qd:kernel
func insertsAndDeletes(t qd.Thread, x, y []int) {
	list := make([]int, 0, 16)
	for k, v := range x {
		at, _ := slices.BinarySearch(list, v%5)
		list = slices.Insert(list, at, v%5, k)
		if k%2 == 1 {
			list = slices.Delete(slices.Compact(list), 0, 1)
		}
	}
	list = slices.Insert(list, 1, list[1:3]...)
	list = slices.Replace(list, 0, 1, list[1:3]...)
	clone := [3]int(slices.Clone(list[:3:3])[:3])
	list = slices.Replace(list[:4], x[0]%3, 3, 8, 9, x[1])
	for _, v := range list {
		y[0] = y[0]*11 + v
	}
	y[1] = len(list)*100 + cap(list) + clone[0]*7 + clone[2]
}

func TestInsertAndDelete(t *testing.T) {
	want := make([]int, 2)
	insertsAndDeletes(qd.Thread{}, []int{7, 4, 12, 3, 8, 21}, want)
	for checked, dev := range map[bool]*qd.Device{false: cpuDevice(t), true: cpuDevice(t).Checked()} {
		got := make([]int, 2)
		if err := dev.Launch(insertsAndDeletes, qd.Dim(1), []int{7, 4, 12, 3, 8, 21}, got); err != nil || !slices.Equal(got, want) {
			t.Errorf("checked %v: %v, want %v: %v", checked, got, want, err)
		}
	}
}

//qd:kernel
func insertsOther(t qd.Thread, x, y []int) {
	copy(x, slices.Insert(x[:2], 1, y...))
}

//qd:kernel
func clonesParameter(t qd.Thread, x, y []int) {
	copy(x, slices.Clone(y))
}

// TestUnknownSlices has kernels refused that do not know whether two arguments share memory, or how much memory they need.
func TestUnknownSlices(t *testing.T) {
	for want, kernel := range map[string]any{
		"whether two slices share memory is not known at compile time":                  insertsOther,
		"a kernel cannot allocate memory: the length of s is not known at compile time": clonesParameter,
	} {
		err := qd.Launch(kernel, qd.Dim(1), make([]int, 5), make([]int, 2))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "overlap_test.go") {
			t.Errorf("%v, want %q with the call", err, want)
		}
	}
}

//qd:kernel
func addsOneToRows(t qd.Thread, x, y []int32) {
	i, j := t.ID2()
	y[i*t.Dim(1)+j] = x[i*t.Dim(1)+j] + 1
}

//qd:kernel
func addsNeighbours(t qd.Thread, x, y []int32) {
	i, j := t.ID2()
	w := t.Dim(1)
	y[i*w+j] += x[i*w+max(j-1, 0)] + x[i*w+min(j+1, w-1)]
}

// TestRowsOnce has rows that end within a vector. If a kernel reads what it writes, no thread runs twice.
func TestRowsOnce(t *testing.T) {
	const rows, width = 3, 37
	dev := cpuDevice(t)
	oracle, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	for name, kernel := range map[string]func(qd.Thread, []int32, []int32){"adds one": addsOneToRows, "adds neighbours": addsNeighbours} {
		for _, same := range []bool{false, true} {
			if same && name == "adds neighbours" {
				continue // threads read what others write
			}
			slicesOf := func() (x, y []int32) {
				all := make([]int32, 2*rows*width)
				for i := range all {
					all[i] = int32(i * i % 91)
				}
				if x, y = all[:rows*width], all[rows*width:]; same {
					y = x
				}
				return x, y
			}
			x, want := slicesOf()
			if err := oracle.Launch(kernel, qd.Dim(rows, width), x, want); err != nil {
				t.Fatal(err)
			}
			x, got := slicesOf()
			if err := dev.Launch(kernel, qd.Dim(rows, width), x, got); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, same %v: %v, want %v: %v", name, same, got, want, err)
			}
		}
	}
}

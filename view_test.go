//go:build !race

package qd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

func count(n int) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = i
	}
	return x
}

// all2 lists a view's elements in its own order.
func all2(v qd.View2[int]) (all []int) {
	for i := range v.Dim(0) {
		for j := range v.Dim(1) {
			all = append(all, v.At(i, j))
		}
	}
	return all
}

func all3(v qd.View3[int]) (all []int) {
	for i := range v.Dim(0) {
		all = append(all, all2(v.Plane(i))...)
	}
	return all
}

func all4(v qd.View4[int]) (all []int) {
	for i := range v.Dim(0) {
		all = append(all, all3(v.Volume(i))...)
	}
	return all
}

// Which elements views and views of views have.
func TestViews(t *testing.T) {
	v2 := qd.ViewOf2(count(6), 2, 3)
	v3 := qd.ViewOf3(count(24), 2, 3, 4)
	v4 := qd.ViewOf4(count(48), 2, 2, 3, 4)
	for _, tt := range []struct {
		name string
		got  []int
		want string
	}{
		{"all", all2(v2), "0 1 2 3 4 5"},
		{"T", all2(v2.T()), "0 3 1 4 2 5"},
		{"T T", all2(v2.T().T()), "0 1 2 3 4 5"},
		{"Sub", all2(v2.Sub(0, 2, 1, 3)), "1 2 4 5"},
		{"Sub T Sub", all2(v2.Sub(0, 2, 1, 3).T().Sub(1, 2, 0, 2)), "2 5"},
		{"empty Sub", all2(v2.Sub(2, 2, 0, 3)), ""},
		{"Row", v2.Row(1), "3 4 5"},
		{"Row of Sub", v2.Sub(0, 2, 1, 3).Row(1), "4 5"},
		{"Row of one", v2.T().Sub(0, 3, 1, 2).Row(2), "5"},
		{"Row of none", v2.Sub(0, 2, 3, 3).Row(1), ""},
		{"Row 3", v3.Row(1, 2), "20 21 22 23"},
		{"Row 4", v4.Row(1, 0, 2), "32 33 34 35"},
		{"Plane", all2(v3.Plane(1)), "12 13 14 15 16 17 18 19 20 21 22 23"},
		{"Plane of T", all2(v3.T().Plane(1).Sub(0, 2, 0, 2)), "1 13 5 17"},
		{"Swap 0", all2(v3.Swap(0).Plane(2)), "8 9 10 11 20 21 22 23"},
		{"Swap 1", all2(v3.Swap(1).Plane(0)), "0 4 8 1 5 9 2 6 10 3 7 11"},
		{"Sub 3", all3(v3.Sub(1, 2, 1, 3, 2, 4)), "18 19 22 23"},
		{"Plane 4", all2(v4.Plane(1, 1).Sub(0, 1, 0, 4)), "36 37 38 39"},
		{"Volume of T", all3(v4.T().Volume(3).Sub(2, 3, 0, 2, 0, 2)), "11 35 23 47"},
		{"Sub 4", all4(v4.Sub(1, 2, 0, 2, 2, 3, 1, 3)), "33 34 45 46"},
		{"Swap 4", all4(v4.Swap(2).Sub(0, 1, 1, 2, 3, 4, 0, 3)), "15 19 23"},
		{"empty volume", all4(v4.Sub(0, 2, 0, 2, 1, 1, 0, 4)), ""},
	} {
		if got := strings.Trim(fmt.Sprint(tt.got), "[]"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if v4.Dim(0) != 2 || v4.Dim(1) != 2 || v4.Dim(2) != 3 || v4.Dim(3) != 4 {
		t.Error("dimensions of", v4)
	}
	x := make([]int, 6)
	v := qd.ViewOf2(x, 2, 3).T()
	v.Set(2, 1, 7)
	*v.Ptr(0, 1) = 8
	if !slices.Equal(x, []int{0, 0, 0, 8, 0, 7}) {
		t.Error(x)
	}
}

// hugeViews are sizes whose product is that of no slice, although it is when it is taken modulo 1<<64.
var hugeViews = map[string]func(x []int){
	"ViewOf2":          func(x []int) { qd.ViewOf2(x[:0], huge(32), huge(32)) },
	"ViewOf2 negative": func(x []int) { qd.ViewOf2(x[:0], -1, 0) },
	"ViewOf2 two":      func(x []int) { qd.ViewOf2(x[:2], huge(62)+1, huge(63)-2) },
	"ViewOf3":          func(x []int) { qd.ViewOf3(x[:0], huge(32), 1<<16, 1<<16) },
	"ViewOf3 by one":   func(x []int) { qd.ViewOf3(x[:0], huge(32), huge(32), 1) },
	"ViewOf4":          func(x []int) { qd.ViewOf4(x[:0], 1<<16, 1<<16, 1<<16, 1<<16) },
	"ViewOf4 late":     func(x []int) { qd.ViewOf4(x[:0], 1, 1, huge(32), huge(32)) },
}

// Sizes that multiply past what an int can count are refused; an axis of no elements makes a view of
// none, however long the others are.
func TestHugeViews(t *testing.T) {
	x := count(6)
	for name, f := range hugeViews {
		func() {
			defer func() {
				if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "the sizes do not fit the length") {
					t.Errorf("%s: panic %v", name, v)
				}
			}()
			f(x)
		}()
	}
	qd.ViewOf2(x[:0], huge(62), 0)
	qd.ViewOf3(x[:0], huge(32), huge(32), 0)
	qd.ViewOf4(x[:0], 0, huge(32), huge(32), huge(32))
}

// What is out of range panics in Go's own words.
func TestViewPanics(t *testing.T) {
	v2, v3, v4 := qd.ViewOf2(count(6), 2, 3), qd.ViewOf3(count(24), 2, 3, 4), qd.ViewOf4(count(48), 2, 2, 3, 4)
	for want, f := range map[string]func(){
		"index out of range [3] with length 3":              func() { v2.At(0, 3) },
		"index out of range [2] with length 2":              func() { v2.Set(2, 0, 1) },
		"index out of range [-1]":                           func() { v2.Ptr(-1, 0) },
		"index out of range [4] with length 4":              func() { v3.At(1, 2, 4) },
		"index out of range [5] with length 3":              func() { v4.Set(1, 1, 5, 0, 1) },
		"index out of range [9] with length 2":              func() { v2.Row(9) },
		"index out of range [7] with length 2":              func() { v2.Dim(7) },
		"slice bounds out of range [:4] with capacity 3":    func() { v2.Sub(0, 2, 1, 4) },
		"slice bounds out of range [2:1":                    func() { v2.Sub(2, 1, 0, 0) },
		"slice bounds out of range [-1:":                    func() { v2.Sub(-1, 1, 0, 0) },
		"View2.Row: the elements of a row are not adjacent": func() { v2.T().Row(0) },
		"ViewOf2: the sizes do not fit the length":          func() { qd.ViewOf2(count(6), 2, 2) },
		"ViewOf3: the sizes do not fit the length ":         func() { qd.ViewOf3(count(6), -2, -3, 1) },
	} {
		func() {
			defer func() {
				if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), want) {
					t.Errorf("panic %v, want %q", v, want)
				}
			}()
			f()
		}()
	}
}

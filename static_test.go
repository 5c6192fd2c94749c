package qd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

var (
	earlyScale  = float32(2)
	earlyTable  = []int{1, 2, 3}
	earlyOther  = 10
	earlySecond = 20
)

// Each of these has a qd.Static on a line that a test registers.

func staticScale() float32 { return qd.Static(earlyScale) }

func staticTable() []int {
	f := func() []int {
		return qd.Static(
			earlyTable)
	}
	return f()
}

func staticPair() int {
	return qd.Static(earlyOther) + qd.Static(earlySecond)
}

// TestStaticBindsEarly changes variables after the values of qd.Static expressions have
// been registered, as generated code does.
func TestStaticBindsEarly(t *testing.T) {
	const pkg = "github.com/qdgen/qd_test"
	register := func(fn string, index int, expr string, eval any) {
		qd.RegisterStaticValue(pkg, fn, index, expr, eval)
	}
	register("staticScale", 0, "earlyScale", func() float32 { return earlyScale })
	register("staticTable", 0, "earlyTable", func() []int { return earlyTable })
	register("staticPair", 0, "earlyOther", func() int { return earlyOther })
	register("staticPair", 1, "earlySecond", func() int { return earlySecond })
	if got := staticPair(); got != 30 {
		t.Error(got)
	}
	earlyScale, earlyTable[1] = 3, 5
	if got := staticScale(); got != 2 {
		t.Errorf("bound late: %v", got)
	}
	if got := staticTable(); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("bound late: %v", got)
	}
	earlyOther = 11
	panicked := func() (v any) {
		defer func() { v = recover() }()
		staticPair()
		return nil
	}()
	if err, ok := panicked.(error); !ok || !strings.Contains(err.Error(), "cannot tell which qd.Static this is") {
		t.Error(panicked)
	}
	earlyScale, earlyTable[1], earlyOther = 2, 2, 10
}

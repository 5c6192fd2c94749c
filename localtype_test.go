//go:build !race

package qd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// firstToAll has a literal whose type argument only its launches tell.
func firstToAll[T any]() func(t qd.Thread, x []T) {
	return func(t qd.Thread, x []T) {
		if i := t.ID(); i > 0 { // not the element that the others read
			x[i] = x[0]
		}
	}
}

//qd:kernel
func mapped[T any](t qd.Thread, f qd.Const[func(T) T], x []T) { x[t.ID()] = f.V(x[t.ID()]) }

func rivalType() any {
	type localRival int32
	return firstToAll[localRival]()
}

// TestLocalTypeArguments launches generic kernels for types that are declared in a function.
func TestLocalTypeArguments(t *testing.T) {
	const n = 2
	type localRow [n]float32
	type localPair struct {
		a, b float32
		row  localRow
	}
	swap := func(p localPair) localPair { return localPair{p.b, p.a, localRow{p.row[1], p.row[0]}} }
	for _, dev := range devices(t) {
		x := []localPair{{1, 2, localRow{3, 4}}, {}}
		if err := dev.Launch(firstToAll[localPair](), qd.Dim(2), x); err != nil || !slices.Equal(x, []localPair{{1, 2, localRow{3, 4}}, {1, 2, localRow{3, 4}}}) {
			t.Errorf("%v: a literal: %v %v", dev, x, err)
		}
		if err := dev.Launch(mapped[localPair], qd.Dim(1), qd.C(swap), x); err != nil || x[0] != (localPair{2, 1, localRow{4, 3}}) || x[1].a != 1 {
			t.Errorf("%v: a kernel: %v %v", dev, x, err)
		}
		rows := []localRow{{1, 2}, {}}
		if err := dev.Launch(firstToAll[localRow](), qd.Dim(2), rows); err != nil || rows[1] != (localRow{1, 2}) {
			t.Errorf("%v: an array: %v %v", dev, rows, err)
		}
	}
}

// TestLocalTypesOfOneName refuses a type argument that may be one of several types.
func TestLocalTypesOfOneName(t *testing.T) {
	type localRival float32
	if rivalType() == nil {
		t.Fatal("there is no kernel")
	}
	for _, dev := range devices(t) {
		x := []localRival{1, 2}
		err := dev.Launch(firstToAll[localRival](), qd.Dim(2), x)
		if err == nil || !strings.Contains(err.Error(), "type parameter T of the function around the kernel cannot be determined: several functions of package github.com/qdgen/qd_test declare a type localRival (localtype_test.go:26, localtype_test.go:56)") {
			t.Errorf("%v: %v %v", dev, x, err)
		}
	}
}

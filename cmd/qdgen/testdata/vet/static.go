package main

import (
	"strings"

	"github.com/qdgen/qd"
)

// counts is not compiled: vet runs no Go.
var counts = map[string]int{"a": 1}

//qd:kernel
func static(t qd.Thread, n qd.Const[int], s qd.Const[string], x []float32) {
	x[t.ID()] += float32(qd.Static(strings.Count(s.V, "a")))
	x[t.ID()] += float32(qd.Static(counts[s.V]))
	for i, c := range qd.Static([]int{1, n.V, 3}) {
		x[t.ID()] += float32(i * c)
	}
	for i := range qd.Static(strings.Fields(s.V)) {
		x[t.ID()] += float32(i)
	}
	if qd.Static(x[0] > 1) { // want `argument of qd.Static is not known at compile time`
		x[t.ID()] = 0
	}
}

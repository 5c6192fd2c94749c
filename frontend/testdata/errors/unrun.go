package errors

import "github.com/qdgen/qd"

var filled [4]int

func init() {
	for k := range map[int]bool{1: true, 2: true} {
		filled[k] = 1
	}
}

//qd:kernel
func filledBefore(t qd.Thread, n []int) {
	n[0] = filled[t.ID()] // want "package variable filled is assigned at unrun.go:9, by code that only compiled Go can run .unrun.go:8: it ranges over a map, in an order that Go leaves open., and only a program with generated code knows its value"
}

var addressedLater [4]int

func init() { addressedLater[1] = 2 }

func address() *int { return &addressedLater[0] }

// What an init function does is no reason.
//
//qd:kernel
func addressTaken(t qd.Thread, n []int) {
	n[0] = addressedLater[t.ID()] // want "package variable addressedLater has its address taken at unrun.go:22, and only a program with generated code knows its value"
}

package qd

import (
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/internal/runtime/gorun"
)

// What the types of kernels do on device "go", where package gorun runs them.

func (p *place) sync() { (*gorun.Place)(p).Sync() }

func (p *place) shared(alloc func() any) any { return (*gorun.Place)(p).Shared(alloc) }

func (p *place) forLanes(n int, body func(lane int)) { (*gorun.Place)(p).ForLanes(n, body) }

func (g *gridLoops) loop(rank int, n [3]int, body func(i, j, k int)) {
	(*gorun.Loops)(g).Loop(rank, n, body)
}

// reason is what this package panics with in kernels: the Reason of the Fault.
type reason = fault.Reason

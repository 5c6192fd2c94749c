package gorun

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/ssa"
)

// DefaultBlockDim is the number of threads in a block where nobody asked for
// another, on all devices: results may depend on it.
const DefaultBlockDim = ssa.DefaultBlockDim

// An execution is what device "go" knows of the block of the thread that it runs.
type execution struct {
	lazy   *Run         // where nobody knows whether the kernel waits: how its block gets started
	gang   *gang        // the threads of the block, if they run at once
	memory *blockMemory // of a Block
	calls  int          // of Shared so far
}

// A gang is the threads of one block on device "go", each a goroutine of its own,
// so that they can wait for each other.
type gang struct {
	memory blockMemory
	done   sync.WaitGroup // for the goroutines that the gang has started

	mu      sync.Mutex
	change  sync.Cond
	running int     // threads that have neither returned nor panicked
	waiting int     // at the barrier
	barrier uintptr // the call of Sync that they wait in
	turn    int     // how often the barrier has opened
	broken  bool    // a thread has panicked: nobody comes any more
}

// abandoned is the panic of a thread that waits in vain, because another one has
// panicked. It is no fault of its own.
type abandoned struct{}

func newGang(threads int) *gang {
	g := &gang{running: threads}
	g.change.L = &g.mu
	return g
}

// start runs the threads from begin to less than end on goroutines of their own.
func (g *gang) start(r *Run, begin, end int) {
	for flat := begin; flat < end; flat++ {
		g.done.Go(func() {
			r.thread(flat, g)
		})
	}
}

// wait is the barrier. The lock orders what threads did before it and do after
// it, for the race detector too.
func (g *gang) wait() {
	barrier := gort.PC(4) // past wait, Place.Sync, place.sync and Thread.Sync
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.broken {
		panic(abandoned{})
	}
	if g.waiting > 0 && g.barrier != barrier {
		verb := "wait"
		if g.waiting == 1 {
			verb = "waits"
		}
		panic(fault.Reason(fmt.Sprintf("barrier divergence: %s of the block %s for this thread at the Sync at %s", dims.Plural(g.waiting, "thread"), verb, position(g.barrier))))
	}
	g.barrier = barrier
	if g.waiting++; g.waiting == g.running {
		g.open()
		return
	}
	for turn := g.turn; g.turn == turn; {
		if g.broken {
			panic(abandoned{})
		}
		g.change.Wait()
	}
}

// open lets all go that wait. The lock is held.
func (g *gang) open() {
	g.waiting = 0
	g.turn++
	g.change.Broadcast()
}

// leave takes a thread that has returned or panicked out of the gang.
func (g *gang) leave(panicked bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	switch {
	case panicked:
		g.broken = true
		g.change.Broadcast()
	case g.waiting > 0 && g.waiting == g.running:
		g.open()
	}
}

// position is the line of a call that returns to pc.
func position(pc uintptr) string {
	frame := gort.FrameOf(pc)
	return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
}

// group is the gang that a thread belongs to. Of a kernel whose source is known
// the launch knows that there must be one; of another one this is the first that
// it is heard of. The threads of the block that came before this one have returned without
// waiting for any; those after it are started now.
func group(p *Place) *gang {
	x := p.Exec.(*execution)
	if x.gang == nil {
		if x.lazy == nil {
			panic("qd: the kernel uses its block, but its source does not: rebuild the program")
		}
		end := x.lazy.blockEnd(p.Flat)
		x.gang = newGang(end - p.Flat)
		x.gang.start(x.lazy, p.Flat+1, end)
	}
	return x.gang
}

// Sync is the barrier of a block.
func (p *Place) Sync() { group(p).wait() }

// Shared gives the memory that a call of Shared is for.
func (p *Place) Shared(alloc func() any) any {
	x := p.Exec.(*execution)
	memory := x.memory
	if memory == nil {
		memory = &group(p).memory
	}
	x.calls++
	return memory.get(x.calls-1, alloc)
}

// blockMemory is the shared memory of a block.
type blockMemory struct {
	mu   sync.Mutex
	made []any // slices, in the order of the calls of Shared
}

// get is what the call of a number gives to all threads of the block.
func (m *blockMemory) get(call int, alloc func() any) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	if call >= len(m.made) {
		m.made = append(m.made, alloc())
	}
	return m.made[call]
}

// ForLanes runs the lanes of a Block.For on several goroutines, even where there is only one
// processor, dealt out like cards: the race detector sees only what different
// goroutines do.
func (p *Place) ForLanes(n int, body func(lane int)) {
	workers := min(n, max(2, runtime.GOMAXPROCS(0)))
	var mu sync.Mutex
	var first *fault.Fault
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					f := newFault(v)
					mu.Lock()
					defer mu.Unlock()
					if first == nil {
						first = f
					}
				}
			}()
			for lane := w; lane < n; lane += workers {
				body(lane)
			}
		})
	}
	all.Wait()
	if first != nil {
		panic(first)
	}
}

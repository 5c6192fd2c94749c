package cuda

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/fault"
)

// A Graph is a sequence of launches that the driver starts with one call. Each waits for the one before. It is safe
// for use by several goroutines at once: its runs follow each other, on whichever streams they are.
type Graph struct {
	dev     *Device
	exec    uintptr   // CUgraphExec, 0 for no launches
	keep    []*Launch // all launches
	failing []*Launch // those that can fail: each has a record, in this order
	records *Memory   // that the graph's nodes write; nil when nothing can fail

	mu       sync.Mutex
	slots    *slots     // where the records of a run are kept until it has ended
	turn     Turn       // to write the records
	call     [2]uintptr // the arguments of cuGraphLaunch, which would be allocated for each otherwise
	closed   bool
	faults   []*faults  // of the launches, in their order
	printers []*printer // of the modules of the launches, in the modules' order
}

// graphSlots is how many runs of a graph that can fail are queued without waiting.
const graphSlots = 8

// NewGraph makes a graph of launches, each with the arguments that it has now. The streams that they are bound to
// mean nothing here.
func (d *Device) NewGraph(launches []*Launch) (*Graph, error) {
	g := &Graph{dev: d}
	for _, l := range launches {
		switch {
		case l.kernel.mod.dev != d:
			return nil, fmt.Errorf("a kernel of the graph is on GPU %d, but the graph is on GPU %d", l.kernel.mod.dev.info.Ordinal, d.info.Ordinal)
		case !l.empty:
			g.keep = append(g.keep, l)
			if l.kernel.faults != nil {
				g.failing = append(g.failing, l)
			}
		}
	}
	if len(g.keep) == 0 {
		return g, nil
	}
	g.addShared()
	err := g.allocate()
	if err == nil {
		err = g.build()
	}
	if err != nil {
		_ = g.Close() // the first error is the one to tell
		return nil, err
	}
	return g, nil
}

// addShared notes what there is once for several launches: records of faults, and what modules have to print to.
func (g *Graph) addShared() {
	var printing []*Module
	for _, l := range g.keep {
		if l.kernel.faults != nil {
			g.faults = append(g.faults, l.kernel.faults)
		}
		if l.kernel.print != nil {
			printing = append(printing, l.kernel.mod)
		}
	}
	slices.SortFunc(g.faults, func(a, b *faults) int {
		return cmp.Or(cmp.Compare(a.order.module, b.order.module), cmp.Compare(a.order.record, b.order.record))
	})
	g.faults = slices.Compact(g.faults)
	slices.SortFunc(printing, func(a, b *Module) int { return cmp.Compare(a.order, b.order) })
	for _, m := range slices.Compact(printing) {
		g.printers = append(g.printers, m.print)
	}
}

// allocate makes room for the records of the launches that can fail.
func (g *Graph) allocate() (err error) {
	if len(g.failing) == 0 {
		return nil
	}
	if g.records, err = g.dev.Alloc(len(g.failing) * fault.Size); err != nil {
		return err
	}
	g.slots, err = newSlots(g.dev, graphSlots, len(g.failing))
	return err
}

// build makes the driver's graph: a chain, since no launch starts before the one before has ended.
func (g *Graph) build() error {
	d := g.dev
	graph := make([]uintptr, 1)
	if err := d.call(&d.drv.graphCreate, uintptr(unsafe.Pointer(&graph[0])), 0); err != nil {
		return err
	}
	c := chain{dev: d, graph: graph[0], last: make([]uintptr, 1)}
	record := 0
	for _, l := range g.keep {
		c.launch(l)
		if f := l.kernel.faults; f != nil {
			c.copy(g.records.Part(record*fault.Size, fault.Size), f.record)
			c.clear(f.record)
			record++
		}
	}
	err := c.err
	exec := make([]uintptr, 1)
	if err == nil {
		// Without a place for the node in error and for the log: a chain cannot be wrong.
		err = d.call(&d.drv.graphInstantiate, uintptr(unsafe.Pointer(&exec[0])), c.graph, 0, 0, 0)
	}
	if err == nil {
		g.exec = exec[0]
	}
	if derr := d.call(&d.drv.graphDestroy, c.graph); err == nil {
		err = derr // what was made of the graph stays
	}
	return err
}

// chain is a driver's graph whose nodes wait for each other. After an error nothing more is added.
type chain struct {
	dev   *Device
	graph uintptr
	last  []uintptr // the node that was added last, in memory that stays where it is
	count uintptr   // of nodes to wait for: 0 for the first
	err   error
}

// add adds a node behind the last. params are the parameters of its kind; inContext says whether the call takes the
// context too.
func (c *chain) add(f *function, params unsafe.Pointer, inContext bool) {
	if c.err != nil {
		return
	}
	node, d := make([]uintptr, 1), c.dev
	if inContext {
		c.err = d.call(f, uintptr(unsafe.Pointer(&node[0])), c.graph, uintptr(unsafe.Pointer(&c.last[0])), c.count, uintptr(params), d.current[0])
	} else {
		c.err = d.call(f, uintptr(unsafe.Pointer(&node[0])), c.graph, uintptr(unsafe.Pointer(&c.last[0])), c.count, uintptr(params))
	}
	c.last, c.count = node, 1
}

// kernelNode is the driver's CUDA_KERNEL_NODE_PARAMS.
type kernelNode struct {
	kernel        uintptr
	grid, block   [3]uint32
	shared        uint32
	params, extra uintptr
}

// launch adds a launch. The driver copies its arguments.
func (c *chain) launch(l *Launch) {
	n := &kernelNode{
		kernel: l.kernel.handle,
		grid:   [3]uint32{uint32(l.call[1]), uint32(l.call[2]), uint32(l.call[3])},
		block:  [3]uint32{uint32(l.call[4]), uint32(l.call[5]), uint32(l.call[6])},
		shared: uint32(l.call[7]),
		params: l.call[9], extra: l.call[10],
	}
	c.add(&c.dev.drv.graphAddKernel, unsafe.Pointer(n), false)
	runtime.KeepAlive(l)
}

// copyEnd is one end of a copy in the driver's CUDA_MEMCPY3D.
type copyEnd struct {
	x, y, z, lod    uintptr
	memoryType      uint32
	host, device    uintptr
	array, reserved uintptr
	pitch, height   uintptr
}

// copyNode is the driver's CUDA_MEMCPY3D.
type copyNode struct {
	from, to             copyEnd
	width, height, depth uintptr
}

// copy adds a copy of a memory to another of its size.
func (c *chain) copy(to, from *Memory) {
	n := &copyNode{
		from:  copyEnd{memoryType: memoryDevice, device: from.addr, pitch: uintptr(from.size), height: 1},
		to:    copyEnd{memoryType: memoryDevice, device: to.addr, pitch: uintptr(to.size), height: 1},
		width: uintptr(from.size), height: 1, depth: 1,
	}
	c.add(&c.dev.drv.graphAddMemcpy, unsafe.Pointer(n), true)
}

// clearNode is the driver's CUDA_MEMSET_NODE_PARAMS.
type clearNode struct {
	to, pitch      uintptr
	value, element uint32
	width, height  uintptr
}

// clear adds the setting of a memory to zero.
func (c *chain) clear(m *Memory) {
	n := &clearNode{to: m.addr, pitch: uintptr(m.size), element: 1, width: uintptr(m.size), height: 1}
	c.add(&c.dev.drv.graphAddMemset, unsafe.Pointer(n), true)
}

// left implements [recorded].
func (g *Graph) left(i int) *Launch { return g.failing[i] }

// Launch queues a run of the graph on a stream. Errors of the run itself come from the stream's Sync, as those of
// [Launch.Run] do.
func (g *Graph) Launch(s *Stream) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		return errors.New("the graph has been closed")
	case g.exec == 0:
		return nil
	case s.dev != g.dev:
		return fmt.Errorf("the graph is on GPU %d, but the stream is on GPU %d", g.dev.info.Ordinal, s.dev.info.Ordinal)
	}
	for _, f := range g.faults {
		f.mu.Lock()
		defer f.mu.Unlock()
		if err := f.turn.Take(s); err != nil {
			return err
		}
	}
	if len(g.failing) == 0 {
		return g.start(s)
	}
	if err := g.turn.Take(s); err != nil {
		return err
	}
	slot, err := g.slots.take()
	if err != nil {
		return err
	}
	if err := g.start(s); err != nil {
		return err
	}
	g.slots.queue(queuedLaunch{recorded: g, stream: s, slot: slot}, g)
	return s.Copy(g.slots.at(slot), g.records, len(g.failing)*fault.Size)
}

// start queues the driver's graph alone.
func (g *Graph) start(s *Stream) error {
	for _, p := range g.printers {
		p.mu.Lock()
		defer p.mu.Unlock()
	}
	g.call = [...]uintptr{g.exec, s.handle}
	if err := s.call(&g.dev.drv.graphLaunch, g.call[:]...); err != nil {
		return err
	}
	for _, p := range g.printers {
		p.queued(s)
	}
	return nil
}

// collect implements [collector].
func (g *Graph) collect(s *Stream) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.slots.read(s, g)
}

// Close gives the graph back, after its runs. Their faults are left to the Sync of their streams. Later calls do
// nothing.
func (g *Graph) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil
	}
	g.closed = true
	var err error
	if g.slots != nil && g.slots.memory != nil {
		err = errors.Join(g.slots.read(nil, nil), g.slots.memory.Free())
	}
	if g.records != nil {
		err = errors.Join(err, g.records.Free())
	}
	if g.exec != 0 {
		// One that is running ends before the driver destroys it.
		err = errors.Join(err, g.dev.call(&g.dev.drv.graphExecDestroy, g.exec))
	}
	return err
}

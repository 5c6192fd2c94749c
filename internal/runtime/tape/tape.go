package tape

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// A Tape records launches on a device.
type Tape struct {
	dev *launch.Device
	Options
	busy  atomic.Bool // a method is in progress
	watch *launch.Watch

	mu      sync.Mutex // held while what follows is looked at or changed
	turn    int        // how often the tape has been reset
	copies  int64      // launch.Copies when the tape was made, or was reset
	nodes   map[*launch.Array]*node
	entries []entry
	used    int // bytes
	part    *part
	sinks   []*device.Buffer // for gradients that nobody wants

	slabs slabs
	spare spares
}

// An entry is what a tape has recorded: a *record, a *setting, a *copied, a *part or a *loop.
type entry any

// Options are the settings of a tape.
type Options struct {
	Bound     int // of the bytes that it takes, 0 for none
	Snapshots int // that a loop keeps at once, 0 for as many as Bound allows, or as are enough
	Strip     int // how many turns of a loop in a kernel are run again at a time, 0 for none
}

// New makes a tape for a device, which is not nil for one that is of any use.
func New(dev *launch.Device, options Options) *Tape {
	t := &Tape{dev: dev, Options: options, nodes: make(map[*launch.Array]*node)}
	t.watch = &launch.Watch{Before: t.beforeOther}
	t.copies = launch.Copies()
	return t
}

// wrong is the error of something that the tape was asked for.
func wrong(format string, args ...any) error {
	return &failure.LaunchError{Reason: "the tape: " + fmt.Sprintf(format, args...)}
}

// enter begins a method that no other goroutine may use the tape during, until leave.
func (t *Tape) enter() error {
	if err := t.usable(); err != nil {
		return err
	}
	if !t.busy.CompareAndSwap(false, true) {
		return wrong("several goroutines use it at once; give each a tape of its own")
	}
	return nil
}

func (t *Tape) leave() { t.busy.Store(false) }

// usable says why the tape is of no use.
func (t *Tape) usable() error {
	switch {
	case t == nil:
		return &failure.LaunchError{Reason: "the tape is nil; make one with NewTape"}
	case t.dev == nil:
		return wrong("its device is nil; open one with Open")
	case t.Bound < 0:
		return wrong("qd.TapeMemory(%d): a tape takes 0 bytes at least", t.Bound)
	case t.Snapshots < 0:
		return wrong("qd.TapeSnapshots(%d): a loop keeps 1 snapshot at least", t.Snapshots)
	}
	return nil
}

// Device is the device that the tape is for.
func (t *Tape) Device() *launch.Device {
	if t == nil {
		return nil
	}
	return t.dev
}

// Name is what an error calls the tape.
func (*Tape) Name() string { return "a tape" }

// Memory is the number of bytes that the tape takes: copies of arrays, and gradients.
func (t *Tape) Memory() int {
	if t == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.used
}

// Reset forgets what was recorded, and gives the memory back.
func (t *Tape) Reset() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for a, n := range t.nodes {
		a.Unwatch(t.watch)
		t.drop(n.adjoint)
		t.drop(n.scratch)
	}
	for _, e := range t.entries {
		t.release(e)
	}
	for _, b := range t.sinks {
		t.drop(b)
	}
	clear(t.nodes)
	t.entries, t.sinks, t.used, t.part = again(t.entries), nil, 0, nil
	t.turn++
	t.copies = launch.Copies()
	if t.busy.CompareAndSwap(false, true) { // or a method in progress uses records still
		t.slabs.rewind()
		t.leave()
	}
}

// take notes that the tape takes so many bytes more.
func (t *Tape) take(bytes int) error {
	if t.Bound > 0 && t.used+bytes > t.Bound {
		return wrong("it takes %d bytes and needs %d more, %d beyond qd.TapeMemory(%d): allow more, or use Tape.Checkpoint", t.used, bytes, t.used+bytes-t.Bound, t.Bound)
	}
	t.used += bytes
	return nil
}

// duplicate is a copy of a buffer that the tape keeps.
func (t *Tape) duplicate(b *device.Buffer) (*device.Buffer, error) {
	if err := t.take(b.Size()); err != nil {
		return nil, err
	}
	d := t.spare.pop(b)
	var err error
	if d != nil {
		err = d.CopyFrom(b)
	} else {
		d, err = b.Duplicate(t.dev.Backend())
	}
	if err != nil {
		t.used -= b.Size()
		return nil, err // and no buffer, which would be dropped again
	}
	return d, nil
}

// like is a new buffer of the same elements, which are not set.
func (t *Tape) like(b *device.Buffer) (*device.Buffer, error) {
	if err := t.take(b.Size()); err != nil {
		return nil, err
	}
	if d := t.spare.pop(b); d != nil {
		return d, nil
	}
	d, err := device.NewBuffer(t.dev.Backend(), t.dev.String(), b.Elem, b.Shape, b.N)
	if err != nil {
		t.used -= b.Size()
	}
	return d, err
}

// drop gives a buffer back that the tape has made.
func (t *Tape) drop(b *device.Buffer) {
	if b != nil {
		t.used -= b.Size()
		if !t.spare.push(b) {
			b.Free()
		}
	}
}

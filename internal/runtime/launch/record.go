package launch

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// recordings are the recordings in progress on a device, by their goroutines.
type recordings struct {
	count atomic.Int32
	mu    sync.Mutex
	on    map[uint64]int // how many, one in another
}

// enter notes that a goroutine records, until leave is called.
func (r *recordings) enter() (leave func()) {
	id := gort.Goroutine()
	add := func(n int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.on == nil {
			r.on = map[uint64]int{}
		}
		if r.on[id] += n; r.on[id] == 0 {
			delete(r.on, id)
		}
		r.count.Add(int32(n))
	}
	add(1)
	return func() { add(-1) }
}

// recordsHere reports whether the calling goroutine is in a function that Record has called. Only launches on the
// stream of this function are recorded. Everything else is done once, which is an error where it would surprise.
func (d *Device) recordsHere() bool {
	if d == nil || d.records.count.Load() == 0 {
		return false
	}
	d.records.mu.Lock()
	defer d.records.mu.Unlock()
	return d.records.on[gort.Goroutine()] > 0
}

// notRecording is the error of a launch, or of waiting for some, in a function that Record has called.
func (d *Device) notRecording() error {
	if !d.recordsHere() {
		return nil
	}
	return &failure.LaunchError{Reason: "the function given to Record can launch only on the stream that it gets; make other launches before Record, or after it"}
}

// recordingError is the error of an operation in a function that Record has called.
func (d *Device) recordingError(op string) error {
	return &failure.DeviceError{Device: d.name, Op: op, Err: errors.New("a graph has launches only, and the launches that Record records have not run; do this before Record, or after the launch of the graph")}
}

// recording is a graph that is being recorded.
type recording struct {
	dev   *Device
	mu    sync.Mutex
	steps []*Prepared
	joins joins // of contexts that the launches end with
	err   error // the first
	ended bool
}

// Record calls f with a stream that records what is launched on it.
func (d *Device) Record(f func(*Stream) error) (*Graph, error) {
	switch {
	case d == nil || d.backend == nil:
		return nil, &failure.LaunchError{Reason: "the device is nil; open one with Open"}
	case f == nil:
		return nil, &failure.LaunchError{Reason: "the function for Record is nil"}
	}
	r := &recording{dev: d}
	err := r.call(f)
	if err == nil {
		err = r.err
	}
	if err != nil {
		return nil, err
	}
	for _, p := range r.steps {
		if p.freed() {
			return nil, p.freedError("recorded")
		}
	}
	return newGraph(d, r.steps)
}

// call calls the function. However it ends, nothing more is recorded.
func (r *recording) call(f func(*Stream) error) error {
	defer r.dev.records.enter()()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.ended = true
	}()
	return f(&Stream{dev: r.dev, recording: r})
}

// add records a launch.
func (r *recording) add(kernel any, args []any, prepare preparing) error {
	return r.addPrepared(r.dev.prepared(kernel, slices.Clone(args), prepare))
}

// addPrepared records a launch, or the error of it.
func (r *recording) addPrepared(p *Prepared, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.ended:
		return &failure.LaunchError{Reason: "the stream no longer records: the function given to Record has returned"}
	case err == nil:
		r.steps = append(r.steps, p)
	case r.err == nil:
		r.err = err
	}
	return err
}

// refuse is the error of something that cannot be recorded.
func (r *recording) refuse(why string) error {
	return r.addPrepared(nil, &failure.LaunchError{Reason: fmt.Sprintf("the stream records: %s", why)})
}

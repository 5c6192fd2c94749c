package launch

import (
	"context"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// A Stream is an ordered queue of launches on a device: each starts after the
// one before has ended, while the host and other streams go on.
type Stream struct {
	dev       *Device
	queue     device.Queue
	recording *recording // of a stream that records, which has no queue
}

// NewStream makes a stream on the device. Close gives it back.
func (d *Device) NewStream() (*Stream, error) {
	if d == nil {
		return nil, noDevice("open a stream")
	}
	q, err := d.backend.NewQueue()
	if err != nil {
		return nil, err
	}
	return &Stream{dev: d, queue: q}, nil
}

// Launch queues a launch. It returns errors about the kernel and the arguments. [Stream.Sync] returns errors of the
// run.
func (s *Stream) Launch(kernel any, dim dims.Dims, args []any) error {
	if s == nil {
		return &failure.LaunchError{Reason: noStream}
	}
	return s.submit(kernel, args, func(d *Device, q device.Queue) (device.Runner, *variant, error) {
		return d.prepare(kernel, dim, args, nil, q)
	})
}

// submit queues a launch, or records it.
func (s *Stream) submit(kernel any, args []any, prepare preparing) error {
	if s.recording != nil {
		return s.recording.add(kernel, args, prepare)
	}
	if err := s.dev.notRecording(); err != nil {
		return err
	}
	r, v, err := prepare(s.dev, s.queue)
	if err != nil {
		return err
	}
	announce(kernel, v, args)
	return runOnce(r, args)
}

// Sync waits until every launch queued so far has ended, and returns the first
// error among them since the last Sync. If ctx ends before, its error is returned
// and the launches go on.
func (s *Stream) Sync(ctx context.Context) error {
	switch {
	case s == nil:
		return unusable("wait for a stream", noStream)
	case s.recording != nil:
		return s.recording.refuse("Sync waits for what has been launched, but the launches of this stream are only recorded; call it after the launch of the graph")
	}
	if ctx == nil { // as for WithContext
		ctx = context.Background()
	}
	return s.queue.Wait(ctx)
}

// Close waits for the launches, gives the stream back, and returns their first
// error. A launch on it afterwards is an error.
func (s *Stream) Close() error {
	switch {
	case s == nil:
		return unusable("close a stream", noStream)
	case s.recording != nil:
		return s.recording.refuse("Record closes this stream itself, when its function returns")
	}
	return s.queue.Close()
}

// noStream is the message about a stream that is nil, or the zero value of package qd's type.
const noStream = "the stream is nil; take one from Device.NewStream"

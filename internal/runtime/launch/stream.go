package launch

import (
	"context"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/dims"
)

// A Stream is an ordered queue of launches on a device: each starts after the
// one before has ended, while the host and other streams go on.
type Stream struct {
	dev   *Device
	queue device.Queue
}

// NewStream makes a stream on the device. Close gives it back.
func (d *Device) NewStream() (*Stream, error) {
	q, err := d.backend.NewQueue()
	if err != nil {
		return nil, err
	}
	return &Stream{dev: d, queue: q}, nil
}

// Launch queues a launch. An error about
// the kernel or the arguments is returned at once; one of the run by [Stream.Sync].
func (s *Stream) Launch(kernel any, dim dims.Dims, args []any) error {
	r, _, err := s.dev.prepare(kernel, dim, args, s.queue)
	if err != nil {
		return err
	}
	return runOnce(r, args)
}

// Sync waits until every launch queued so far has ended, and returns the first
// error among them since the last Sync. If ctx ends before, its error is returned
// and the launches go on.
func (s *Stream) Sync(ctx context.Context) error { return s.queue.Wait(ctx) }

// Close waits for the launches, gives the stream back, and returns their first
// error. A launch on it afterwards is an error.
func (s *Stream) Close() error { return s.queue.Close() }

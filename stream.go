package qd

import "context"

// A Stream is an ordered queue of launches on a device: each starts after the
// one before has ended, while the host and other streams go on. It is safe for use
// by several goroutines at once.
type Stream struct{ core any } // *launch.Stream, see opaque.go

// NewStream makes a stream on the device. Close gives it back.
func (d *Device) NewStream() (*Stream, error) {
	s, err := innerDevice(d).NewStream()
	if err != nil {
		return nil, public(err)
	}
	return &Stream{s}, nil
}

// Launch queues a launch, with arguments as for [Device.Launch]. An error about
// the kernel or the arguments is returned at once; one of the run by [Stream.Sync].
// Slices must not be used until then. A launch with plain slices on a CUDA device is waited for.
func (s *Stream) Launch(kernel any, dim Dims, args ...any) error {
	return public(innerStream(s).Launch(kernelOf(kernel), dim.inner(), args))
}

// Sync waits until every launch queued so far has ended, and returns the first
// error among them since the last Sync. If ctx ends before, its error is returned
// and the launches go on. A nil ctx never ends.
func (s *Stream) Sync(ctx context.Context) error { return public(innerStream(s).Sync(ctx)) }

// Close waits for the launches, gives the stream back, and returns their first
// error. A launch on it afterwards is an error.
func (s *Stream) Close() error { return public(innerStream(s).Close()) }

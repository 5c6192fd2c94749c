package qd

import "github.com/qdgen/qd/internal/runtime/launch"

// A Graph is a sequence of launches that [Device.Record] has recorded, to be repeated: all is checked,
// compiled and loaded, and on a CUDA device the driver starts them with one call. Arguments are those of the
// recorded launches, as for [Prepared]: numbers as they were, the elements of arrays and slices as they are when
// the graph is launched. Package variables that the kernels read count as they are then, too. It is safe for use
// by several goroutines at once: its launches follow each other.
type Graph struct{ core any } // *launch.Graph, see opaque.go

// Record calls f with a stream that runs nothing, and gives a graph of what f launches on it. An error of f, or of a
// launch on the stream, is returned, and nothing is recorded. The stream is of no use when f has returned.
//
// What is not a launch cannot be part of a graph. In f these are errors: [Stream.Sync], [Device.Wait], a
// launch that is not on the stream, a copy from or to an array of the device, and a new array of it.
// Other Go code in f runs once, now.
//
// On a CUDA device consecutive launches are one CUDA graph. Launches with plain slices, and Grid kernels that read or
// write an element or print between their loops, are not in one: the host takes part, and the launch of the graph
// waits for them.
func (d *Device) Record(f func(s *Stream) error) (*Graph, error) {
	var inner func(*launch.Stream) error
	if f != nil {
		inner = func(s *launch.Stream) error { return f(&Stream{s}) }
	}
	g, err := innerDevice(d).Record(inner)
	if err != nil {
		return nil, public(err)
	}
	return &Graph{g}, nil
}

// Launch runs the launches of the graph in their order, as [Device.Launch] runs one: on a CUDA device they may still be
// running when it returns. A graph without launches does nothing. After a fault the launches behind it run all the
// same, as on a stream, and the error is that of the first. Once an array among the arguments has been freed,
// the error is a *LaunchError, and nothing runs.
func (g *Graph) Launch() error { return public(innerGraph(g).Launch()) }

// LaunchOn queues the launches of the graph on a stream, which must be of the same device. Errors of what runs are
// returned by [Stream.Sync]. They end with the context of the stream's device, as other launches there do: see
// [Device.WithContext]. They also end with the context of the device that has recorded them. On a stream that records,
// they are recorded as launches of its own.
func (g *Graph) LaunchOn(s *Stream) error { return public(innerGraph(g).LaunchOn(innerStream(s))) }

// Close gives back what the graph has on the device, after its launches; their errors are left to whoever waits for
// them. A launch afterwards is an error. A graph that is no longer reachable is closed too.
func (g *Graph) Close() error { return public(innerGraph(g).Close()) }

// Device is the device that the graph is for.
func (g *Graph) Device() *Device { return faceOf(innerGraph(g).Device()) }

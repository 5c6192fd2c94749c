package qdbeam

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/qdgen/qd"
)

var (
	launches    = beam.NewCounter("qdbeam", "launches")
	elements    = beam.NewCounter("qdbeam", "elements")
	deviceTimes = beam.NewDistribution("qdbeam", "device_microseconds")
)

// A launcher launches a kernel over batches, on a worker.
type launcher struct {
	settings *settings
	shape    *shape
	kernel   *qd.Kernel
	device   *qd.Device
	args     []any
}

// newLauncher finds the kernel and the device, and compiles the kernel.
func newLauncher(ctx context.Context, s *settings, before ...reflect.Type) (*launcher, error) {
	f, err := lookup(s.Kernel)
	if err != nil {
		return nil, err
	}
	l := &launcher{settings: s, kernel: qd.NewKernel(f)}
	if s.Block > 0 {
		l.kernel = l.kernel.WithBlockDim(s.Block)
	}
	if l.shape, err = shapeOf(reflect.TypeOf(f), before...); err != nil {
		return nil, l.fail(err)
	}
	if l.args, err = decodeArgs(s.Args, l.shape.params); err != nil {
		return nil, l.fail(err)
	}
	if l.device, err = l.ready(ctx); err != nil {
		return nil, l.fail(err)
	}
	return l, nil
}

// ready opens the device, and builds the kernel for it. A worker that lacks the compiler of a better device than its
// default one runs a module of a cache there, if the cache has one of this kernel.
func (l *launcher) ready(ctx context.Context) (*qd.Device, error) {
	if l.settings.Device == "" && os.Getenv("QD_DEVICE") == "" {
		def, err := qd.Default()
		if err != nil {
			return nil, err
		}
		for _, name := range []string{"cuda:0", "cpu"} {
			if name == def.String() {
				break
			}
			if dev, err := l.built(ctx, name); err == nil {
				return dev, nil
			}
		}
	}
	return l.built(ctx, l.settings.Device)
}

// built opens a device, and builds the kernel for it.
func (l *launcher) built(ctx context.Context, name string) (*qd.Device, error) {
	dev, err := qd.Open(name)
	if err != nil {
		return nil, err
	}
	if l.settings.Check {
		dev = dev.Checked()
	}
	var consts []any
	for i, t := range l.shape.params {
		if isConst(t) {
			consts = append(consts, l.args[i])
		}
	}
	return dev, dev.WithContext(ctx).Build(qd.Spec(l.kernel, consts...))
}

func (l *launcher) fail(err error) error {
	return fmt.Errorf("qdbeam: kernel %s: %w", shortName(l.settings.Kernel), err)
}

// launch runs the kernel: over n elements of a batch, or over n groups of them. The slices are its last arguments.
func (l *launcher) launch(ctx context.Context, n, elems int, slices ...any) error {
	args := append(append(make([]any, 0, len(l.args)+len(slices)), l.args...), slices...)
	k := l.kernel.WithDevice(l.device.WithContext(ctx))
	start := time.Now()
	var err error
	if l.shape.speaks == gridType {
		err = k.Run(args...)
	} else {
		err = k.Launch(qd.Dim(append([]int{n}, l.settings.Threads...)...), args...)
	}
	if err != nil {
		return l.fail(err)
	}
	deviceTimes.Update(ctx, time.Since(start).Microseconds())
	launches.Inc(ctx, 1)
	elements.Inc(ctx, int64(elems))
	return nil
}

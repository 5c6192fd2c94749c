package tune_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/internal/runtime/launch"
	"github.com/qdgen/qd/internal/runtime/tune"
)

// A broken backend is that of device "go", with trials that fail.
type broken struct {
	device.Backend
	about  string
	trials int           // so far
	fails  map[int]error // of trials, by their numbers from 1
	lost   bool          // whether nothing works after the first failure
}

var errBroken = &failure.DeviceError{Device: "broken", Op: "launch", Err: errors.New("out of resources")}

func (b *broken) Describe() string { return b.about }

func (b *broken) failed() error {
	for n, err := range b.fails {
		if n <= b.trials && b.lost {
			return err
		}
	}
	return nil
}

func (b *broken) Settle() error { return b.failed() }

func (b *broken) Time(run func() error) (time.Duration, error) {
	b.trials++
	if err := b.fails[b.trials]; err != nil {
		return 0, err
	}
	return time.Millisecond, run()
}

func (b *broken) Load(ctx context.Context, k *kernel.Func, opts build.Options) (*device.Loaded, error) {
	l, err := b.Backend.Load(ctx, k, opts)
	if err == nil {
		l.Code = func() cache.Key { return cache.NewKey("test", fmt.Append(nil, opts.Consts)) }
	}
	return l, err
}

func numbered(t qd.Thread, c qd.Const[int], x []int) { x[t.ID()] = c.V }

// tuned finds the best of some configurations on a backend. It says how many trials there were.
func tuned(b *broken, configs ...int) (best any, trials int, err error) {
	var args []any
	for _, c := range configs {
		args = append(args, qd.C(c))
	}
	dev, err := launch.Open("go")
	if err != nil {
		return nil, 0, err
	}
	b.Backend, b.trials = dev.Backend(), 0
	k, err := launch.KernelOf(numbered)
	if err != nil {
		return nil, 0, err
	}
	grid := func(any, *launch.Args) dims.Dims { return dims.Of(2) }
	best, err = tune.New(k.WithDevice(launch.New("broken", b)), args, tune.Options{Grid: grid, Budget: time.Hour}).Best([]any{make([]int, 2)})
	return best, b.trials, err
}

// A device's error leaves a configuration out only in the process that has had it, and ends the tuning if the device does
// not go on.
func TestDeviceErrors(t *testing.T) {
	about := func() string { return fmt.Sprint("a test, ", rand.Uint64()) }
	first := map[int]error{1: errBroken}
	at := about()
	if best, _, err := tuned(&broken{about: at, fails: first}, 1, 2); err != nil || best != 2 {
		t.Errorf("the best of two is %v, %v", best, err)
	}
	if _, trials, err := tuned(&broken{about: at}, 1, 2); err != nil || trials == 0 {
		t.Errorf("what has failed once is not tried again: %d trials, %v", trials, err)
	}
	if _, trials, err := tuned(&broken{about: at}, 1, 2); err != nil || trials != 0 {
		t.Errorf("what is known is tried again: %d trials, %v", trials, err)
	}
	if _, _, err := tuned(&broken{about: about(), fails: map[int]error{1: errBroken, 2: errBroken}}, 1, 2); err == nil || !strings.Contains(err.Error(), "no configuration can be used") {
		t.Errorf("both fail: %v", err)
	}
	for fails := range 8 {
		at := about()
		if _, trials, err := tuned(&broken{about: at, fails: map[int]error{fails: errBroken}, lost: true}, 1, 2); err != error(errBroken) || trials != fails {
			t.Errorf("the device is lost in trial %d: the error is %v after %d", fails, err, trials)
		}
		if _, trials, err := tuned(&broken{about: at}, 1, 2); err != nil || trials < 6 {
			t.Errorf("the device was lost in trial %d: then there are %d trials, %v", fails, trials, err)
		}
	}
}

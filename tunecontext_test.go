package qd_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/qdgen/qd"
)

// asked is a context that ends when it has been asked so many times.
type asked struct {
	context.Context
	left *atomic.Int64
	end  func()
}

func endsAfter(t *testing.T, times int) asked {
	ctx, end := context.WithCancel(t.Context())
	a := asked{ctx, new(atomic.Int64), end}
	a.left.Store(int64(times))
	return a
}

func (a asked) Err() error {
	if a.left.Add(-1) < 0 {
		a.end()
	}
	return a.Context.Err()
}

// A context that ends while configurations are built or measured ends that: nothing is left out for it, nothing is kept,
// and what trials have written is put back.
func TestTuneContext(t *testing.T) {
	for _, dev := range opened(t, "go", "cpu") {
		for _, options := range [][]qd.TuneOption{{qd.TuneKey("by")}, {qd.TuneKey("by"), qd.TuneVerify(0)}} {
			options = append(options, addGrid)
			log, by, ended := tuneLog(t), unmeasured(), 0
			for ; ; ended++ {
				k := qd.NewKernel(addTo).WithDevice(dev.WithContext(endsAfter(t, ended)))
				x := make([]float32, 5)
				best, err := qd.Tune(k, addConfigs(), options...).Best(x, by)
				if err == nil {
					break
				}
				if !errors.Is(err, context.Canceled) || best != nil || strings.Contains(err.Error(), "no configuration") || x[0] != 0 {
					t.Fatalf("%v, ended when asked %d times: the best is %v, %v; x is %v", dev, ended, best, err, x)
				}
			}
			if said := log(); ended < 4 || strings.Contains(said, "left out") || !strings.Contains(said, "measured 3 of 3") {
				t.Errorf("%v, ended %d times: %q", dev, ended, said)
			}
		}
	}
}

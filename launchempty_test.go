package qd_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// TestLaunchNothing launches over no threads, in each way there is: it is no error, and nothing runs.
func TestLaunchNothing(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y, place := ramp(4), ramp(4), []int{7}
		none := ramp(0)
		p, err := dev.Bind(saxpy, qd.Dim(0), 2.0, x, y)
		if err != nil {
			t.Fatal(err)
		}
		s, err := dev.NewStream()
		if err != nil {
			t.Fatal(err)
		}
		for what, err := range map[string]error{
			"empty slices":         dev.Launch(saxpy, qd.Dim(len(none)), 2.0, none, none),
			"slices with elements": dev.Launch(saxpy, qd.Dim(0), 2.0, x, y),
			"arrays":               dev.Launch(saxpy, qd.Dim(0), 2.0, qd.From(dev, x), qd.From(dev, y)),
			"one dimension of two": dev.Launch(place2, qd.Dim(3, 0), place),
			"large and nothing":    dev.Launch(saxpy, qd.Dim(huge(31), huge(31), huge(31), 0), 2.0, x, y),
			"nothing and large":    dev.Launch(saxpy, qd.Dim(0, huge(31), huge(31), huge(31)), 2.0, x, y),
			"nothing among large":  dev.Launch(saxpy, qd.Dim(huge(31), huge(31), 0, huge(31)), 2.0, x, y),
			"prepared":             p.Launch(),
			"stream":               errors.Join(s.Launch(saxpy, qd.Dim(0), 2.0, x, y), s.Sync(context.Background())),
			"blocks":               dev.Launch(blockOfNothing, qd.Dim(0), place),
		} {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		if !slices.Equal(y, ramp(4)) || place[0] != 7 {
			t.Errorf("a launch over no threads wrote: %v, %v", y, place)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		var le *qd.LaunchError
		if err := s.Launch(saxpy, qd.Dim(0), 2.0, x, y); !errors.As(err, &le) {
			t.Errorf("on a closed stream: error %v, want a *LaunchError", err)
		}
	})
}

//qd:kernel
func blockOfNothing(b qd.Block, out []int) {
	b.For(4, func(int) { out[0] = 1 })
}

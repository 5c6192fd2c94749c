package qd_test

import (
	"context"
	"errors"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/device"
)

//qd:kernel
func pixelFails(t qd.Thread, out []int32, i, j int) {
	y, x := t.ID2()
	if y == i && x == j {
		panic("this one")
	}
	out[t.ID()] = 1
}

// alwaysInterchanged runs launches of several dimensions with the last two axes interchanged while a test runs.
func alwaysInterchanged(t *testing.T) *qd.Device {
	t.Helper()
	dev, err := qd.Open("cpu")
	noError(t, err)
	device.AlwaysInterchange = true
	t.Cleanup(func() { device.AlwaysInterchange = false })
	return dev
}

//qd:kernel
func countPixels(t qd.Thread, out qd.View2[int32]) {
	i, j := t.ID2()
	out.Set(i, j, out.At(i, j)+int32(i*10+j))
}

// TestShortRowsRepeated runs launches that were prepared before there was a program for short rows: bound ones, of a
// graph, on a stream, and by goroutines at once.
func TestShortRowsRepeated(t *testing.T) {
	dev := alwaysInterchanged(t)
	const h, w, times = 50, 3, 4
	launches := map[string]func(out qd.View2[int32]) error{
		"bound": func(out qd.View2[int32]) error {
			l, err := dev.Bind(countPixels, qd.Dim(h, w), out)
			for range times {
				err = errors.Join(err, l.Launch())
			}
			return err
		},
		"graph": func(out qd.View2[int32]) error {
			g, err := dev.Record(func(s *qd.Stream) error {
				return errors.Join(s.Launch(countPixels, qd.Dim(h, w), out), s.Launch(countPixels, qd.Dim(h, w), out))
			})
			noError(t, err)
			defer g.Close()
			for range times / 2 {
				err = errors.Join(err, g.Launch())
			}
			return err
		},
		"stream": func(out qd.View2[int32]) error {
			s, err := dev.NewStream()
			noError(t, err)
			defer s.Close()
			for range times {
				err = errors.Join(err, s.Launch(countPixels, qd.Dim(h, w), out))
			}
			return errors.Join(err, s.Sync(context.Background()))
		},
		"goroutines": func(out qd.View2[int32]) error {
			l, err := dev.Bind(pixelFails, qd.Dim(h, w), make([]int32, h*w), -1, -1) // all write the same
			noError(t, err)
			errs := make(chan error, times)
			for range times {
				go func() { errs <- l.Launch() }()
			}
			for range times {
				err = errors.Join(err, <-errs)
			}
			for range times {
				err = errors.Join(err, dev.Launch(countPixels, qd.Dim(h, w), out))
			}
			return err
		},
	}
	for name, run := range launches {
		out := make([]int32, h*w)
		noError(t, run(qd.ViewOf2(out, h, w)))
		for i, got := range out {
			if want := int32(times * (i/w*10 + i%w)); got != want {
				t.Errorf("%s: pixel %d is %d, want %d", name, i, got, want)
			}
		}
	}
}

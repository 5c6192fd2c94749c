package qd_test

import (
	"context"
	"errors"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func pastOnce(t qd.Thread, x, all []int32) { x[3*t.ID()] = 7 }

func isFault(err error) bool {
	var f *qd.Fault
	return errors.As(err, &f)
}

// A wait for the device reports a fault on a stream once, also if nobody waits for the stream any more: all arrays can
// be used again then. The stream's Sync reports it too.
func TestFaultOfStreamOnce(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dev = dev.Checked()
		var streams [3]*qd.Stream
		var arrays [3]*qd.Array[int32] // for each its own, as the streams run at the same time
		fails := func(i int) {
			t.Helper()
			if err := streams[i].Launch(pastOnce, qd.Dim(5), arrays[i], arrays[i]); err != nil {
				t.Fatal(err)
			}
		}
		for i := range streams {
			s, err := dev.NewStream()
			if err != nil {
				t.Fatal(err)
			}
			streams[i], arrays[i] = s, qd.From(dev, make([]int32, 10))
		}
		for i := range streams {
			fails(i)
		}
		gone := qd.From(dev, []int32{1})
		gone.Free() // waits, but has no error to return
		if err := dev.Wait(); !isFault(err) {
			t.Errorf("first Wait: %v", err)
		}
		other := qd.From(dev, []int32{1, 2, 3})
		if err := errors.Join(dev.Wait(), other.CopyFrom([]int32{7, 8, 9}), other.Fill(3), other.CopyArray(other.Sub(0, 3))); err != nil {
			t.Errorf("after it: %v", err)
		}
		if got := other.Slice(); got[2] != 3 {
			t.Errorf("the other array has %v", got)
		}
		fails(0)
		if err := other.Fill(4); !isFault(err) {
			t.Errorf("Fill after the next launch: %v", err)
		}
		if err := streams[0].Sync(context.Background()); !isFault(err) {
			t.Errorf("Sync: %v", err)
		}
		if err := streams[1].Close(); !isFault(err) {
			t.Errorf("Close: %v", err)
		}
		fails(2)
		if err := streams[2].Sync(context.Background()); !isFault(err) {
			t.Errorf("Sync: %v", err)
		}
		if err := errors.Join(dev.Wait(), streams[0].Close(), streams[2].Close()); err != nil {
			t.Errorf("after all: %v", err)
		}
	})
}

// A fault is reported once: by the launch if it is waited for, else by whatever waits
// next; and the device works on.
func TestFaultOnce(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dev = dev.Checked()
		x := qd.From(dev, make([]int32, 10))
		err := dev.Launch(pastOnce, qd.Dim(5), x, x)
		if err == nil {
			err = dev.Wait()
		}
		if !isFault(err) {
			t.Errorf("first: %v", err)
		}
		if err := errors.Join(dev.Launch(pastOnce, qd.Dim(3), x, x), dev.Wait()); err != nil {
			t.Errorf("second: %v", err)
		}
		s, err := dev.NewStream()
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Launch(pastOnce, qd.Dim(5), x, x), s.Launch(pastOnce, qd.Dim(2), x, x)); err != nil {
			t.Fatal(err)
		}
		if err := s.Sync(context.Background()); !isFault(err) {
			t.Errorf("first Sync: %v", err)
		}
		if err := s.Sync(context.Background()); err != nil {
			t.Errorf("second Sync: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		p, err := dev.Bind(pastOnce, qd.Dim(5), x, x)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := errors.Join(p.Launch(), dev.Wait()); !isFault(err) {
				t.Errorf("prepared: %v", err)
			}
		}
	})
}

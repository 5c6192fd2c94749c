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

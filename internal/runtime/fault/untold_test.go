package fault

import (
	"errors"
	"fmt"
	"testing"
)

// Whoever waits for a device is told the first error of each stream, in the order in which the launches were submitted,
// whatever the order in which they were noted. The streams' own waits are told theirs after that.
func TestUntold(t *testing.T) {
	var streams [3]Untold
	streams[0].Add(Failed{errors.New("seventh"), 7})
	streams[0].Add(Failed{errors.New("fifth"), 5})
	streams[1].Add(Failed{errors.New("second"), 2})
	streams[1].Add(Failed{errors.New("second again"), 2})
	streams[1].Add(Failed{nil, 1})
	told := func() (list []Failed) {
		for i := range streams {
			list = append(list, streams[i].ToDevice())
		}
		return list
	}
	if errs := OfDevice(told()); fmt.Sprint(errs) != "[second fifth]" {
		t.Errorf("the device's wait: %v", errs)
	}
	if errs := OfDevice(told()); errs != nil {
		t.Errorf("the next one: %v", errs)
	}
	if err := streams[0].ToStream(); err == nil || err.Error() != "fifth" {
		t.Errorf("the stream's wait: %v", err)
	}
	alone := errors.New("alone")
	streams[2].Add(Failed{alone, 9})
	if f := streams[2].ToBoth(); f.Err != alone || streams[2].ToStream() != nil {
		t.Errorf("of the device's own stream: %v", f)
	}
}

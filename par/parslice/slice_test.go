package parslice

import (
	"testing"

	"github.com/qdgen/qd"
)

// On devices that work on host memory nothing is copied: the array sees what is written to the slice, and the slice what is
// written to the array.
func TestNoCopies(t *testing.T) {
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Logf("without device %s: %v", name, err)
			continue
		}
		x := []int{1, 2, 3}
		a := of(dev, x[:2])
		x[1] = 5
		if got := a.Slice(); len(got) != 2 || got[1] != 5 {
			t.Errorf("%s: the array has %v", name, got)
		}
		if err := a.Fill(7); err != nil || x[0] != 7 || x[1] != 7 || x[2] != 3 {
			t.Errorf("%s: %v %v", name, x, err)
		}
		if a.Free(); a.copy() != nil || x[0] != 7 {
			t.Errorf("%s: %v", name, x)
		}
	}
}

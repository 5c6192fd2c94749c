package device

import "testing"

// Advice about pages changes nothing that an array holds, wherever its ends are.
func TestAdviseHuge(t *testing.T) {
	all := make([]uint64, 5*hugePage/8)
	for i := range all {
		all[i] = uint64(i) + 1
	}
	for _, c := range [][2]int{{0, 0}, {0, 1}, {0, 2 * hugePage / 8}, {1, 2*hugePage/8 + 1}, {511, len(all)}, {0, len(all)}, {hugePage/8 - 1, len(all) - 1}} {
		adviseHuge(all[c[0]:c[1]])
	}
	for i, v := range all {
		if v != uint64(i)+1 {
			t.Fatalf("element %d is %d", i, v)
		}
	}
}

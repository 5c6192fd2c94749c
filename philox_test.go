//go:build !race

package qd

import "testing"

// The known answers that come with the authors' implementation (Random123,
// kat_vectors, philox4x32 10).
func TestPhilox(t *testing.T) {
	for _, tt := range []struct {
		key, lower, upper uint64
		want              [4]uint32
	}{
		{0, 0, 0, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{1<<64 - 1, 1<<64 - 1, 1<<64 - 1, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{0x299f31d0_a4093822, 0x85a308d3_243f6a88, 0x03707344_13198a2e, [4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		var got [4]uint32
		got[0], got[1], got[2], got[3] = philox(tt.key, tt.lower, tt.upper)
		if got != tt.want {
			t.Errorf("philox(%#x, %#x, %#x) = %#x, want %#x", tt.key, tt.lower, tt.upper, got, tt.want)
		}
	}
}

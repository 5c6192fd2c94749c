package qd

import "strconv"

// String is the number in the fewest digits that tell it from other Float32s.
func (h Float16) String() string { return strconv.FormatFloat(h.Float64(), 'g', -1, 32) }

// String is the number in the fewest digits that tell it from other Float32s.
func (h BFloat16) String() string { return strconv.FormatFloat(h.Float64(), 'g', -1, 32) }

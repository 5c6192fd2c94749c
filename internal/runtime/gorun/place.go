package gorun

// A Place is what a Thread or a Block points to: one for each goroutine, moved from thread to thread.
// Package qd's place has the same fields.
type Place struct {
	Flat     int
	ID       [4]int
	Dim      [4]int // 1 past Rank
	Rank     int
	BlockDim int
	Exec     any // *execution: what is known of the block
}

// move goes to a thread by its flat index.
func (p *Place) move(flat int) {
	p.Flat = flat
	for axis := p.Rank - 1; axis > 0; axis-- {
		p.ID[axis] = flat % p.Dim[axis]
		flat /= p.Dim[axis]
	}
	p.ID[0] = flat
}

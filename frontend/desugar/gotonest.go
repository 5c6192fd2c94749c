package desugar

import (
	"go/types"
	"slices"
)

// A jumpLabel is a label in a list of statements that goto statements in the list, or in its statements, name.
type jumpLabel struct {
	name    string
	at      int // index of the statement that it is at
	forward int // the first statement with a goto forward to it, -1 for none
	back    int // the last statement with a goto back to it, -1 for none

	block *jumpRegion // that ends at the label, if something goes forward to it
	loop  *jumpRegion // that is entered again by what goes back to it

	entered *types.Var // says, in a loop that does not begin at the label, that it is entered again there
}

// A jumpRegion is a part of a list of statements that becomes one: a loop, which goto statements enter again from
// its beginning, or a block, which they leave.
type jumpRegion struct {
	start, end int // the statements from start on, without that at end
	isLoop     bool
	labels     []*jumpLabel // of a block the one at its end; of a loop those that what enters it again goes on from
	label      *regionLabel
}

// A jumpNest finds the regions that the labels of a list of statements need, so that each two of them are one in the
// other or apart. The regions begin as small as they can be, and grow until that is so:
//
//   - Blocks that overlap begin together.
//   - A loop that overlaps the next one ends where that ends. Loops that begin together are one.
//   - A block that begins in a loop and ends behind it begins where the loop begins, or the loop ends where it ends.
//   - A block that ends inside a loop in front of which it begins is the second entry of the loop. The loop begins
//     where the block begins, and what goes back to its label goes on from there to the label, as out of a block.
//   - A loop that declares variables which are used behind it ends where the list ends.
//
// Go makes this possible: a goto never goes forward over the declaration of a variable of the list, so that nothing
// behind a block names what is declared in it.
type jumpNest struct {
	length   int
	labels   []*jumpLabel
	declares func(from, to int) bool // whether the statements declare variables
	outlives func(from, to int) bool // and whether those are used behind
	regions  []*jumpRegion
	grown    bool
}

// nest makes the regions, sorted: what is around others, or in front of them, comes first. There are none, and false,
// where Go allows no goto.
func (n *jumpNest) nest() bool {
	for _, l := range n.labels {
		if l.forward >= 0 {
			l.block = n.region(&jumpRegion{start: l.forward, end: l.at, labels: []*jumpLabel{l}})
		}
		if l.back >= 0 {
			l.loop = n.region(&jumpRegion{start: l.at, end: l.back + 1, isLoop: true, labels: []*jumpLabel{l}})
		}
	}
	for n.grown = true; n.grown; {
		n.grown = false
		n.joinLoops()
		n.growLoops()
		n.growBlocks()
	}
	for _, r := range n.regions {
		if !r.isLoop && n.declares(r.start, r.end) {
			return false
		}
	}
	slices.SortStableFunc(n.regions, func(a, b *jumpRegion) int {
		switch {
		case a.start != b.start:
			return a.start - b.start
		case a.end != b.end:
			return b.end - a.end
		case a.isLoop != b.isLoop && b.isLoop:
			return -1
		case a.isLoop != b.isLoop:
			return 1
		}
		return 0
	})
	return true
}

func (n *jumpNest) region(r *jumpRegion) *jumpRegion {
	n.regions = append(n.regions, r)
	return r
}

// grow has a region begin no later and end no earlier.
func (n *jumpNest) grow(r *jumpRegion, start, end int) {
	start, end = min(r.start, start), max(r.end, end)
	n.grown = n.grown || start != r.start || end != r.end
	r.start, r.end = start, end
}

// joinLoops makes one loop of those that begin together.
func (n *jumpNest) joinLoops() {
	var first []*jumpRegion
	n.regions = slices.DeleteFunc(n.regions, func(r *jumpRegion) bool {
		if !r.isLoop {
			return false
		}
		i := slices.IndexFunc(first, func(f *jumpRegion) bool { return f.start == r.start })
		if i < 0 {
			first = append(first, r)
			return false
		}
		n.grow(first[i], r.start, r.end)
		first[i].labels = append(first[i].labels, r.labels...)
		for _, l := range r.labels {
			l.loop = first[i]
		}
		return true
	})
}

// growLoops makes loops larger because of other loops, of the variables that are declared in them, and of blocks that
// lead into them.
func (n *jumpNest) growLoops() {
	for _, l := range n.regions {
		if !l.isLoop {
			continue
		}
		for _, r := range n.regions {
			switch {
			case r.isLoop && l.start < r.start && r.start < l.end:
				n.grow(l, l.start, r.end)
			case !r.isLoop && r.start < l.start && l.start < r.end && r.end < l.end:
				n.grow(l, r.start, l.end)
			}
		}
		if n.outlives(l.start, l.end) {
			n.grow(l, l.start, n.length)
		}
		for _, label := range l.labels {
			if label.at == l.start {
				continue
			}
			if label.block == nil {
				label.block = n.region(&jumpRegion{start: l.start, end: label.at, labels: []*jumpLabel{label}})
				n.grown = true
			}
			n.grow(label.block, l.start, label.at)
		}
	}
}

// growBlocks makes blocks larger because of other blocks, and of loops that they begin in.
func (n *jumpNest) growBlocks() {
	for _, b := range n.regions {
		if b.isLoop {
			continue
		}
		for _, r := range n.regions {
			if r.start >= b.start || b.start >= r.end || r.end >= b.end {
				continue
			}
			if r.isLoop && n.declares(r.start, b.start) {
				n.grow(r, r.start, b.end)
			} else {
				n.grow(b, r.start, b.end)
			}
		}
	}
}

package tape

import (
	"reflect"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// This file lets a tape that is used again and again, for launches of small arrays above all, do without new memory.

// Slabs are what records are cut from.
type slabs struct {
	records pool[record] // for whoever has entered
	arrays  pool[*launch.Array]
	nodes   pool[*node]

	versions pool[version] // for whoever holds mu
	needs    pool[*version]
	entries  pool[entry]
}

// rewind lets all be cut again. Nobody uses what was cut before.
func (s *slabs) rewind() {
	s.records.rewind()
	s.arrays.rewind()
	s.nodes.rewind()
	s.versions.rewind()
	s.needs.rewind()
	s.entries.rewind()
}

const (
	slab      = 64 // how many values are allocated at once
	keptSlabs = 32 // of a pool; the garbage collector takes the others
)

// A pool hands out zero values, many of which are one allocation.
type pool[T any] struct {
	kept [][]T // of slab values each
	next int   // of kept, to be cut when rest is too short
	rest []T
}

// cut gives n values.
func (p *pool[T]) cut(n int) []T {
	if n > slab {
		return make([]T, n)
	}
	if len(p.rest) < n {
		if p.next == len(p.kept) {
			p.rest = make([]T, slab)
			if p.next < keptSlabs {
				p.kept = append(p.kept, p.rest)
				p.next++
			}
		} else {
			p.rest = p.kept[p.next]
			p.next++
		}
	}
	s := p.rest[:n:n]
	p.rest = p.rest[n:]
	return s
}

// rewind makes all values zero that the pool has kept, and hands them out again.
func (p *pool[T]) rewind() {
	for _, s := range p.kept[:p.next] {
		clear(s)
	}
	p.next, p.rest = 0, nil
}

// again is a list without values, in the memory of one with some unless that is large.
func again[T any](list []T) []T {
	if cap(list) > slab*keptSlabs {
		return nil
	}
	clear(list)
	return list[:0]
}

// Spares are small buffers that a tape has made and needs no more.
type spares struct {
	buffers map[spareKind][]*device.Buffer
	bytes   int
}

// A spareKind is what has to be the same of a buffer for another one to take its place.
type spareKind struct {
	elem reflect.Type
	n    int
}

const (
	largestSpare = 4 << 10 // in bytes: to make a larger one takes little beside filling it
	mostSpare    = 256 << 10
)

func spareKindOf(b *device.Buffer) spareKind { return spareKind{b.Elem, b.N} }

// push takes a buffer that nobody uses any more, if it is small.
func (s *spares) push(b *device.Buffer) bool {
	size := b.Size()
	if size > largestSpare || s.bytes+size > mostSpare {
		return false
	}
	if s.buffers == nil {
		s.buffers = make(map[spareKind][]*device.Buffer)
	}
	k := spareKindOf(b)
	s.buffers[k] = append(s.buffers[k], b)
	s.bytes += size
	return true
}

// pop gives a buffer of the same kind as another one, nil for none. Its elements may be any.
func (s *spares) pop(like *device.Buffer) *device.Buffer {
	k := spareKindOf(like)
	list := s.buffers[k]
	if len(list) == 0 {
		return nil
	}
	b := list[len(list)-1]
	s.buffers[k] = list[:len(list)-1]
	s.bytes -= b.Size()
	b.Shape = like.Shape
	return b
}

package live

import (
	"slices"
	"sort"
)

// A Set is a set of small numbers. It keeps only those parts of it that are not
// empty: of the many values of a long function few are live at once, and those have
// numbers near to each other. The first part is always there: most functions need no other. The
// zero Set is empty.
type Set struct {
	first uint64 // the numbers below 64
	parts []part // the others, ascending
}

// A part is 64 numbers from 64*at on, one of them in the set at least.
type part struct {
	at   int
	bits uint64
}

// Cost is what it takes to walk over the set.
func (s *Set) Cost() int {
	if s.first != 0 {
		return 1 + len(s.parts)
	}
	return len(s.parts)
}

// find is the place of the part with the number i, or where it would be.
func (s *Set) find(i int) (place int, found bool) {
	at, n := i/64, len(s.parts)
	if n > 0 && s.parts[n-1].at <= at { // as a rule
		place = n - 1
		if s.parts[n-1].at < at {
			place = n
		}
	} else {
		place = sort.Search(n, func(k int) bool { return s.parts[k].at >= at })
	}
	return place, place < n && s.parts[place].at == at
}

// Add adds a number.
func (s *Set) Add(i int) {
	if i < 64 {
		s.first |= 1 << i
		return
	}
	k, found := s.find(i)
	if !found {
		s.parts = slices.Insert(s.parts, k, part{at: i / 64})
	}
	s.parts[k].bits |= 1 << (i % 64)
}

// Remove removes a number.
func (s *Set) Remove(i int) {
	if i < 64 {
		s.first &^= 1 << i
		return
	}
	k, found := s.find(i)
	if !found {
		return
	}
	if s.parts[k].bits &^= 1 << (i % 64); s.parts[k].bits == 0 {
		s.parts = slices.Delete(s.parts, k, k+1)
	}
}

// Clone is a copy that shares nothing with the set.
func (s *Set) Clone() Set { return Set{s.first, slices.Clone(s.parts)} }

// Union adds the numbers of t.
func (s *Set) Union(t Set) {
	s.first |= t.first
	if len(t.parts) <= 1+len(s.parts)/8 {
		for _, p := range t.parts {
			k, found := s.find(p.at * 64)
			if !found {
				s.parts = slices.Insert(s.parts, k, part{at: p.at})
			}
			s.parts[k].bits |= p.bits
		}
		return
	}
	missing := 0
	k := 0
	for _, p := range t.parts {
		for k < len(s.parts) && s.parts[k].at < p.at {
			k++
		}
		if k < len(s.parts) && s.parts[k].at == p.at {
			s.parts[k].bits |= p.bits
		} else {
			missing++
		}
	}
	if missing == 0 {
		return
	}
	merged := make([]part, 0, len(s.parts)+missing)
	k = 0
	for _, p := range t.parts {
		for k < len(s.parts) && s.parts[k].at < p.at {
			merged = append(merged, s.parts[k])
			k++
		}
		if k < len(s.parts) && s.parts[k].at == p.at {
			p = s.parts[k] // which has p's numbers by now
			k++
		}
		merged = append(merged, p)
	}
	s.parts = append(merged, s.parts[k:]...)
}

// Without removes the numbers of t.
func (s *Set) Without(t Set) {
	s.first &^= t.first
	k := 0
	kept := s.parts[:0]
	for _, p := range s.parts {
		for k < len(t.parts) && t.parts[k].at < p.at {
			k++
		}
		if k < len(t.parts) && t.parts[k].at == p.at {
			p.bits &^= t.parts[k].bits
		}
		if p.bits != 0 {
			kept = append(kept, p)
		}
	}
	s.parts = kept
}

// Meets reports whether the sets have a number in common.
func (s *Set) Meets(t Set) bool {
	if s.first&t.first != 0 {
		return true
	}
	few, many := s.parts, t.parts
	if len(few) > len(many) {
		few, many = many, few
	}
	for _, p := range few {
		// What is left of many begins with the first part that p can meet.
		k := gallop(many, p.at)
		many = many[k:]
		if len(many) == 0 {
			return false
		}
		if many[0].at == p.at && many[0].bits&p.bits != 0 {
			return true
		}
	}
	return false
}

// gallop returns the index of the first part at a number or behind it. It is usually near the beginning, so the steps
// grow fourfold, and only the last one is searched.
func gallop(parts []part, at int) int {
	begin, end := 0, 1
	for end < len(parts) && parts[end].at < at {
		begin, end = end+1, 4*end
	}
	end = min(end+1, len(parts))
	return begin + sort.Search(end-begin, func(k int) bool { return parts[begin+k].at >= at })
}

package cubin

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"slices"
	"sort"
)

// A row is one of a line table: from its address on, code comes from its line.
type row struct {
	address uint64
	line    Line
	// context is the row, counted from 1, of the call that the code is inlined for; 0 if
	// it is not inlined.
	context int
}

// rows is the line table of a section of code, by ascending addresses.
type rows struct {
	table   []row // in the order of the line program, which contexts count in
	ordered []int // numbers of rows by their address; the later row of an address counts
}

// at gives the line of an address, and of the calls around it.
func (r *rows) at(address uint64) []Line {
	if r == nil {
		return nil
	}
	i := sort.Search(len(r.ordered), func(i int) bool { return r.table[r.ordered[i]].address > address })
	if i == 0 {
		return nil
	}
	var list []Line
	for n := r.ordered[i-1]; ; {
		list = append(list, r.table[n].line)
		// A context is a row before: in a damaged file it might lead round in circles.
		next := r.table[n].context - 1
		if next < 0 || next >= n {
			return list
		}
		n = next
	}
}

// lines reads .debug_line, for each section of code by its number. A cubin that was
// compiled without line information has none.
func (r *reader) lines() (map[int]*rows, error) {
	s := r.elf.Section(".debug_line")
	if s == nil {
		return nil, nil
	}
	b, err := contents(s)
	if err != nil {
		return nil, err
	}
	targets, err := r.relocations(s)
	if err != nil {
		return nil, err
	}
	tables := make(map[int]*rows)
	p := &lineProgram{data: b, sequence: func(at int, table []row) {
		t, ok := targets[uint64(at)]
		if !ok || tables[t.section] != nil {
			return // code that nothing tells the section of
		}
		for i := range table {
			table[i].address += t.value
		}
		tables[t.section] = newRows(table)
	}}
	if err := p.run(); err != nil {
		return nil, &FormatError{Where: s.Name, Err: err}
	}
	return tables, nil
}

func newRows(table []row) *rows {
	r := &rows{table: table, ordered: make([]int, len(table))}
	for i := range r.ordered {
		r.ordered[i] = i
	}
	slices.SortStableFunc(r.ordered, func(a, b int) int {
		switch x, y := table[a].address, table[b].address; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return r
}

// A relocation is the symbol at an address in a section.
type relocation struct {
	section int
	value   uint64
}

// relocations are those of a section, by the offset of the address.
func (r *reader) relocations(of *elf.Section) (map[uint64]relocation, error) {
	list := make(map[uint64]relocation)
	for _, s := range r.elf.Sections {
		size := 0
		switch {
		case s.Type == elf.SHT_REL && s.Name == ".rel"+of.Name:
			size = 16
		case s.Type == elf.SHT_RELA && s.Name == ".rela"+of.Name:
			size = 24
		default:
			continue
		}
		b, err := contents(s)
		if err != nil {
			return nil, err
		}
		for ; len(b) >= size; b = b[size:] {
			symbol := binary.LittleEndian.Uint64(b[8:]) >> 32
			if symbol >= uint64(len(r.symbols)) {
				return nil, &FormatError{Where: s.Name, Err: errors.New("a relocation names no symbol")}
			}
			to := relocation{section: int(r.symbols[symbol].Section), value: r.symbols[symbol].Value}
			if size == 24 {
				to.value += binary.LittleEndian.Uint64(b[16:])
			}
			list[binary.LittleEndian.Uint64(b)] = to
		}
	}
	return list, nil
}

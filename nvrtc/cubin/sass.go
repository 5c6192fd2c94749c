package cubin

import (
	"encoding/binary"
	"slices"
	"strings"
)

// accesses finds the instructions of local memory in all code, and the lines of each.
func (r *reader) accesses() error {
	lines, err := r.lines()
	if err != nil {
		return err
	}
	for i, s := range r.elf.Sections {
		name, ok := strings.CutPrefix(s.Name, ".text.")
		if !ok {
			continue
		}
		code, err := contents(s)
		if err != nil {
			return err
		}
		found := localAccesses(r.file.Arch, code)
		for j := range found {
			found[j].Lines = lines[i].at(uint64(found[j].Offset))
		}
		if k := r.kernels[i]; k != nil {
			for j := range found {
				found[j].Spill = slices.Contains(k.spills, uint32(found[j].Offset))
			}
			k.Accesses = found
			continue
		}
		for _, f := range r.file.Functions {
			if f.Name == name {
				f.Accesses = found
			}
		}
	}
	return nil
}

// localAccesses finds the instructions of local memory in code.
func localAccesses(arch int, code []byte) []Access {
	if arch < 70 {
		return localAccesses64(code)
	}
	return localAccesses128(code)
}

// localAccesses128 reads the code of sm_70 and later: instructions of 128 bits, whose low
// 12 are the operation, of which LDL and STL have the width in bits 73 to 75.
func localAccesses128(code []byte) []Access {
	const (
		size = 16
		ldl  = 0x983
		stl  = 0x387
	)
	var list []Access
	for at := 0; at+size <= len(code); at += size {
		op := binary.LittleEndian.Uint64(code[at:]) & 0xfff
		if op == ldl || op == stl {
			width := binary.LittleEndian.Uint64(code[at+8:]) >> 9 & 7
			list = append(list, Access{Offset: at, Store: op == stl, Bytes: accessBytes[width]})
		}
	}
	return list
}

// localAccesses64 reads the code of sm_50 to sm_62: instructions of 64 bits, three after
// each word that schedules them. The upper 13 bits are the operation, the next three the
// width.
func localAccesses64(code []byte) []Access {
	const (
		size  = 8
		group = 4
		ldl   = 0xef40 >> 3
		stl   = 0xef50 >> 3
	)
	var list []Access
	for at := 0; at+size <= len(code); at += size {
		if at/size%group == 0 {
			continue
		}
		w := binary.LittleEndian.Uint64(code[at:])
		if op := w >> 51; op == ldl || op == stl {
			list = append(list, Access{Offset: at, Store: op == stl, Bytes: accessBytes[w>>48&7]})
		}
	}
	return list
}

// accessBytes are the widths of loads and stores: U8, S8, U16, S16, 32, 64, 128 bits.
var accessBytes = [8]int{1, 1, 2, 2, 4, 8, 16, 16}

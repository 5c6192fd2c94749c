//go:build linux && !android && (amd64 || arm64) && !qdgo

package dl

import (
	"debug/elf"
	"unsafe"
)

// Text is where the instructions of the library are that has a symbol at an address. It is not ok if that is not known.
func Text(symbol uintptr) (from, to uintptr, ok bool) {
	begin, ok := libraryOf(symbol)
	if !ok {
		return 0, 0, false
	}
	header := (*elf.Header64)(at(begin))
	if string(header.Ident[:4]) != elf.ELFMAG || uintptr(header.Phentsize) != unsafe.Sizeof(elf.Prog64{}) {
		return 0, 0, false
	}
	for _, p := range unsafe.Slice((*elf.Prog64)(at(begin+uintptr(header.Phoff))), int(header.Phnum)) {
		if elf.ProgType(p.Type) == elf.PT_LOAD && elf.ProgFlag(p.Flags)&elf.PF_X != 0 {
			return begin + uintptr(p.Vaddr), begin + uintptr(p.Vaddr+p.Memsz), true
		}
	}
	return 0, 0, false
}

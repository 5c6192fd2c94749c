//go:build !ios && (amd64 || arm64) && !qdgo

package dl

import (
	"debug/macho"
	"unsafe"
)

// Text is where the instructions of the library are that has a symbol at an address. It is not ok if that is not known.
func Text(symbol uintptr) (from, to uintptr, ok bool) {
	begin, ok := libraryOf(symbol)
	if !ok {
		return 0, 0, false
	}
	header := (*machHeader)(at(begin))
	if header.Magic != macho.Magic64 {
		return 0, 0, false
	}
	for command, n := begin+unsafe.Sizeof(*header), header.Ncmd; n > 0; n-- {
		s := (*macho.Segment64)(at(command))
		// The segment begins with the header, wherever the library has been loaded.
		if s.Cmd == macho.LoadCmdSegment64 && string(s.Name[:7]) == "__TEXT\x00" {
			return begin, begin + uintptr(s.Memsz), true
		}
		command += uintptr(s.Len)
	}
	return 0, 0, false
}

// machHeader is what a library of 64 bits begins with.
type machHeader struct {
	macho.FileHeader
	_ uint32
}

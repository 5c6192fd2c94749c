//go:build linux && !android && (amd64 || arm64) && !qdgo

package dl

import (
	"debug/elf"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// dladdr is a function of the C library.
var dladdr = sync.OnceValue(func() uintptr {
	addr, err := purego.Dlsym(purego.RTLD_DEFAULT, "dladdr")
	if err != nil {
		return 0
	}
	return addr
})

// Text is where the instructions of the library are that has a symbol at an address. It is not ok if that is not known.
func Text(symbol uintptr) (from, to uintptr, ok bool) {
	info := make([]uintptr, 4) // Dl_info: file, where it begins, symbol, where that begins
	if dladdr() == 0 || int32(Call(dladdr(), symbol, Address(info))) == 0 {
		return 0, 0, false
	}
	begin := info[1]
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

// at is memory of a library, which is none of Go's.
func at(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

package device

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a huge page where a page has 4 kB. It is larger where pages are.
const hugePage = 2 << 20

// adviseHuge asks for huge pages for the memory of a large array. The system's usual setting is to give them to
// those who ask: a kernel that gathers from an array finds its pages faster then. The pages are made by the
// threads that write to them first. It is advice: what the system answers changes no result.
func adviseHuge(words []uint64) {
	const perPage = hugePage / 8
	if len(words) < 2*perPage {
		return
	}
	// Only whole pages: what shares the first and the last with the array is another's.
	begin := -uintptr(unsafe.Pointer(unsafe.SliceData(words))) % hugePage / 8
	pages := (len(words) - int(begin)) / perPage
	inside := unsafe.Slice((*byte)(unsafe.Pointer(&words[begin])), pages*hugePage)
	_ = unix.Madvise(inside, unix.MADV_HUGEPAGE)
}

package nvrtc

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// The cache of the dynamic linker, /etc/ld.so.cache, as glibc 2.2 and later write
// it. Reading it says which file a library name stands for without loading that
// file, which is what asking the linker would do.
const (
	ldCachePath  = "/etc/ld.so.cache"
	ldCacheMagic = "glibc-ld.so.cache1.1"
	ldHeaderSize = 48 // magic, count uint32, size of strings uint32, 5 words of extensions
	ldEntrySize  = 24 // flags int32, name uint32, path uint32, OS version uint32, capabilities uint64
)

// ldCacheLookup returns the paths in a cache file of the libraries whose name
// begins with prefix. A file that it does not understand has none.
func ldCacheLookup(cache []byte, prefix string) []string {
	// Older versions put a cache in their own format before it.
	start := bytes.Index(cache, []byte(ldCacheMagic))
	if start < 0 {
		return nil
	}
	cache = cache[start:]
	if len(cache) < ldHeaderSize {
		return nil
	}
	n := int(binary.NativeEndian.Uint32(cache[len(ldCacheMagic):]))
	if n > (len(cache)-ldHeaderSize)/ldEntrySize {
		return nil
	}
	var paths []string
	for i := range n {
		entry := cache[ldHeaderSize+i*ldEntrySize:]
		name := cString(cache, binary.NativeEndian.Uint32(entry[4:]))
		if strings.HasPrefix(name, prefix) {
			paths = append(paths, cString(cache, binary.NativeEndian.Uint32(entry[8:])))
		}
	}
	return paths
}

// cString returns the zero-terminated string at an offset of b, "" when it lies
// outside.
func cString(b []byte, offset uint32) string {
	if int64(offset) >= int64(len(b)) {
		return ""
	}
	b = b[offset:]
	if end := bytes.IndexByte(b, 0); end >= 0 {
		return string(b[:end])
	}
	return ""
}

// Package cache keeps built modules on disk, under keys that are hashes of
// everything that decides their contents.
//
// There are two keys. The first is a hash of what a kernel is made from: its
// source, types, constants, target. [Cache.LookupIndex] turns it into a [Record],
// which names the second key without anything being parsed. The second is a hash
// of the emitted code and the compiler that is to build it; [Cache.Build] gives
// the artifact of a second key and builds it where there is none. The package
// knows nothing of what the bytes mean.
//
// # What can be relied on
//
//   - An artifact that is handed out was read and found to be what was written:
//     its size and its SHA-256 were checked in that call. So was every other file
//     that was read.
//   - What is damaged is reported to slog's default logger, removed, and built
//     again. So is what another version wrote in a way that this one cannot read.
//   - Nothing half-written is ever visible under a key: an entry is written to a
//     temporary directory and renamed. A builder can be killed at any time.
//   - Of many goroutines and processes that ask for one key at once, one builds
//     and the others wait for it. Locks are the operating system's, which frees
//     those of a process that dies. Where locks are not to be had, each builds on
//     its own, and all of them get a right result.
//   - A cache that cannot be written to (read-only, full, no home directory)
//     costs a warning and the speed, never the result: artifacts then go to a
//     private temporary directory.
//
// # Layout
//
//	DIR/CACHEDIR.TAG                 tells backup programs to leave it out
//	DIR/v1/modules/6c/6cd1…/         one entry, named by its key
//	    artifact.so                  what the compiler made
//	    source.zst                   the emitted text, compressed
//	    meta.json                    sizes and digests of both, and what List shows
//	    hits                         one byte a hit; its time is the last use
//	DIR/v1/index/6c/6cd1….json       one Record, named by its first key; several can name
//	                                 one module
//	DIR/v1/locks/6cd1….lock          exists while the module is being built
//	DIR/v1/tmp/                      what is being written or removed
//	DIR/v1/trimmed                   its time is that of the last eviction
//
// "v1" is the version of this layout; another layout would stand beside it, so
// that programs built with different versions of qdgen share DIR. Directories are
// made for their owner alone (mode 0700): who can write to them can have their
// code run. For the same reason a cache that everybody may write to is not used.
//
// # Settings
//
//	QD_CACHE       where the cache is; "off" keeps nothing. Default: the directory
//	               qdgen in the user's cache directory ($XDG_CACHE_HOME or
//	               $HOME/.cache, ~/Library/Caches, %LocalAppData%).
//	QD_CACHE_SIZE  how large it may grow: bytes, or a number with K, M, G or T.
//	               Default 1G; 0 sets no limit.
//
// When it is larger, the entries whose last use is longest ago are removed, but
// none that was used in the last ten minutes. That is looked into after a build,
// at most once an hour unless much was built, and never on a hit.
package cache

// Package cache keeps compiled modules on disk. The key of a module is a hash of everything that
// decides its contents.
//
// There are two keys. The first is a hash of the inputs of a kernel: its source, types, constants
// and target. [Cache.LookupIndex] turns it into a [Record], which names the second key; this needs
// no parsing. The second key is a hash of the emitted code and of the compiler that builds it.
// [Cache.Build] returns the artifact of a second key, and builds it if it does not exist. The
// package does not know what the bytes mean.
//
// # Guarantees
//
//   - Each call that returns an artifact has read it and checked its size and its SHA-256. This
//     holds for every other file that is read.
//   - A damaged file is reported to slog's default logger, removed, and built again. The same
//     applies to a file of another version that this version cannot read.
//   - No half-written file is ever visible under a key: an entry is written to a temporary
//     directory and renamed. A builder can be killed at any time.
//   - If many goroutines and processes ask for one key at once, one builds and the others wait. The
//     locks are the operating system's, which releases those of a process that dies. If there are
//     no locks, each builds on its own, and all of them get a correct result.
//   - A cache that cannot be written to (read-only, full, no home directory) costs a warning and
//     time, but never the result: artifacts then go to a temporary directory of the process.
//
// # Layout
//
//	DIR/CACHEDIR.TAG                 tells backup programs to leave it out
//	DIR/v1/modules/6c/6cd1…/         one entry, named by its key
//	    artifact.so                  the output of the compiler
//	    source.zst                   the emitted code, compressed
//	    meta.json                    sizes and digests of both, and the output of List
//	    hits                         one byte a hit; its time is the last use
//	DIR/v1/index/6c/6cd1….json       one Record, named by its first key; several can name
//	                                 one module
//	DIR/v1/notes/6c/6cd1….json      one note: a small document that its caller changes over time
//	DIR/v1/remote/                   what a remote cache has come to, and what waits for upload
//	DIR/v1/locks/6cd1….lock          exists while the module is being built
//	DIR/v1/tmp/                      files that are being written or removed
//	DIR/v1/trimmed                   its time is that of the last eviction
//
// "v1" is the version of this layout. Another layout gets another directory, so that programs built
// with different versions of qdgen share DIR. Directories are made for their owner alone (mode
// 0700), because anyone who can write to them can have their code run. For the same reason a cache
// that everybody can write to is not used.
//
// # Settings
//
//	QD_CACHE       the directory of the cache; "off" keeps nothing. Default: the directory
//	               qdgen in the user's cache directory ($XDG_CACHE_HOME or
//	               $HOME/.cache, ~/Library/Caches, %LocalAppData%).
//	QD_CACHE_SIZE  the size limit: bytes, or a number with K, M, G or T.
//	               Default 1G; 0 sets no limit.
//
// QD_CACHE_REMOTE names a cache that machines share, for programs that contain package
// [github.com/qdgen/qd/cache/remote].
//
// If the cache is larger, the entries that have been unused longest are removed, except those used
// in the last ten minutes. The size is checked after a build, at most once an hour unless much was
// built, and never on a hit.
package cache

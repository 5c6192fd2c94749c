//go:build unix

package cache

import "syscall"

// nonblock keeps the opening of a file from waiting for a writer, should the
// file turn out to be a named pipe.
const nonblock = syscall.O_NONBLOCK

//go:build !unix

package cache

// nonblock is a flag for opening files that only Unix has a use for.
const nonblock = 0

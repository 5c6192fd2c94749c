//go:build unix

package cache

import (
	"os"
	"syscall"
)

// ownAlone reports whether a file belongs to this user and is closed to others.
func ownAlone(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}

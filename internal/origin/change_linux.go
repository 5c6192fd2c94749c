package origin

import (
	"io/fs"
	"syscall"
	"time"
)

// lastChange is when anything of a file has last been changed, its times too.
func lastChange(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctim.Unix())
	}
	return info.ModTime()
}

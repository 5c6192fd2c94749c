//go:build linux || darwin

package reread

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// LastChange is when anything of a file has last been changed, its times too. On other systems than these, which do not
// tell, it is when the file was last written to.
func LastChange(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		_, changed := timesOf(s)
		return time.Unix(changed.Unix())
	}
	return info.ModTime()
}

// stampOf asks the system itself. The go command would list what package os asks for, and look at each file as often as it
// was asked for when it decides whether a test has to run again.
func stampOf(name string) (stamp, bool) {
	var s syscall.Stat_t
	if err := syscall.Stat(name, &s); err != nil {
		return stamp{}, false
	}
	return stampIn(&s), true
}

// stampOfOpen is that of a file that is open.
func stampOfOpen(f *os.File) (stamp, bool) {
	info, err := f.Stat()
	if err != nil {
		return stamp{}, false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stamp{}, false
	}
	return stampIn(s), true
}

func stampIn(s *syscall.Stat_t) stamp {
	written, changed := timesOf(s)
	return stamp{uint64(s.Dev), uint64(s.Ino), s.Size, time.Duration(written.Nano()), time.Duration(changed.Nano())}
}

package reread

import "syscall"

// timesOf are when a file was written to, and when anything of it was changed.
func timesOf(s *syscall.Stat_t) (written, changed syscall.Timespec) { return s.Mtim, s.Ctim }

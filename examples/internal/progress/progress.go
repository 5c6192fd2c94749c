// Package progress shows the progress of an example. It is a separate package because the progress
// bar imports many packages, which the other examples then need not compile.
package progress

import (
	"os"

	"github.com/schollz/progressbar/v3"
)

// A Progress is how much of the work is done. It is an interface since a package that sees the type of the
// bar compiles parts of what that imports.
type Progress interface {
	Add(steps int) error
}

// Bar is a progress bar on a terminal, and nothing in a file or a pipe.
func Bar(what string, steps int) Progress {
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return progressbar.DefaultSilent(int64(steps))
	}
	return progressbar.Default(int64(steps), what)
}

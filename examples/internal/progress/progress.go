// Package progress shows the progress of an example. It is a separate package because the progress
// bar imports many packages, which the other examples then need not compile.
package progress

import (
	"os"

	"github.com/schollz/progressbar/v3"
)

// Bar is a progress bar on a terminal, and nothing in a file or a pipe.
func Bar(what string, steps int) *progressbar.ProgressBar {
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return progressbar.DefaultSilent(int64(steps))
	}
	return progressbar.Default(int64(steps), what)
}

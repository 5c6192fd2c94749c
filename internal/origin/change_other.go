//go:build !linux && !darwin

package origin

import (
	"io/fs"
	"time"
)

// lastChange is when a file was last written to: when anything else of it was changed is
// not known here.
func lastChange(info fs.FileInfo) time.Time { return info.ModTime() }

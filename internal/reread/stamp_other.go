//go:build !linux && !darwin

package reread

import (
	"io/fs"
	"os"
	"time"
)

// LastChange is when a file was last written to: when anything else of it was changed is not known here.
func LastChange(info fs.FileInfo) time.Time { return info.ModTime() }

// So nothing is kept.

func stampOf(string) (stamp, bool) { return stamp{}, false }

func stampOfOpen(*os.File) (stamp, bool) { return stamp{}, false }

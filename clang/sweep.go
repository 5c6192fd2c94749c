package clang

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// buildPrefix begins the name of a build's directory.
	buildPrefix = "qdgen-build-"

	// leftoverLife is when the directory of a build is taken for that of a program
	// that was killed: far more than any Timeout.
	leftoverLife = 24 * time.Hour
)

// sweep removes the directories in dir that killed programs have left. Those of other
// users are not ours to remove, and errors not worth a word: what stays is looked at again.
func sweep(dir string) {
	if dir == "" {
		dir = os.TempDir()
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), buildPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > leftoverLife {
			removeAll(filepath.Join(dir, e.Name()))
		}
	}
}

// Package tempdir makes directories for temporary files, and removes those that killed programs have left.
package tempdir

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/qdgen/qd/internal/memo"
)

// What a directory is for begins its name.
const (
	Build       = "qdgen-build-"  // a compiler's work
	Origin      = "qdgen-origin-" // a program that the go command builds again
	Disassembly = "qdgen-sass-"   // a cubin
)

var prefixes = []string{Build, Origin, Disassembly}

// life is the age from which a directory counts as left by a killed program. No work in one takes a small part of it.
const life = 24 * time.Hour

// swept are the directories in which this process has looked for what others have left.
var swept memo.Map[string, struct{}]

// Make makes a directory in another one, "" for the system's place for temporary files. Its name begins with one of the
// prefixes.
func Make(in, prefix string) (string, error) {
	if in == "" {
		in = os.TempDir()
	}
	if _, before := swept.LoadOrStore(in, struct{}{}); !before {
		sweep(in)
	}
	return os.MkdirTemp(in, prefix)
}

// sweep removes the directories that killed programs have left. Those of other users are not ours to remove, and errors
// not worth a word: what stays is looked at again.
func sweep(in string) {
	entries, err := os.ReadDir(in)
	if err != nil {
		return
	}
	for _, e := range entries {
		ours := func(prefix string) bool { return strings.HasPrefix(e.Name(), prefix) }
		if !e.IsDir() || !slices.ContainsFunc(prefixes, ours) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > life {
			_ = os.RemoveAll(filepath.Join(in, e.Name()))
		}
	}
}

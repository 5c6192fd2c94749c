//go:build unix && !race

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/testmodule"
)

// keeping makes the machine's compiler one that gives what it made in an earlier run of the tests of the same text, with the
// same flags. A program sees no difference: it starts a process, which writes the same bytes.
func (m *machine) keeping() {
	m.t.Helper()
	m.env["QD_CXX"] = keptCompiler(m.t)
}

// keptCompiler is the path of that compiler.
func keptCompiler(t *testing.T) string {
	t.Helper()
	goodCompiler(t)
	path, err := keptCompilerOnce()
	must(t, err)
	return path
}

var keptCompilerOnce = sync.OnceValues(func() (string, error) {
	c, err := clang.Find()
	if err != nil {
		return "", err
	}
	objects, err := testmodule.Keep("objects")
	if err != nil {
		return c.Path, nil // right, and only slower
	}
	path := filepath.Join(workDir, "kept-compiler")
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	// Who cannot read or write what is kept compiles.
	script := fmt.Sprintf(`#!/bin/sh
compiler=%s
case " $* " in *" -c kernel.cpp -o kernel.o "*) ;; *) exec "$compiler" "$@" ;; esac
sum=$({ echo %s "$*"; cat kernel.cpp; } | sha256sum) || exec "$compiler" "$@"
kept=%s/${sum%%%% *}
if cp "$kept" kernel.o 2>/dev/null; then exit 0; fi
"$compiler" "$@" || exit
{ cp kernel.o "$kept.$$" && mv "$kept.$$" "$kept" || rm -f "$kept.$$"; } 2>/dev/null
exit 0
`, quoted(c.Path), quoted(c.Identity()), quoted(objects))
	return path, os.WriteFile(path, []byte(script), 0o755)
})

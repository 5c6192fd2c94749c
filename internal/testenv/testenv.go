// Package testenv tells tests where the tools of this checkout are, and what to do if one is
// missing. Only tests import it.
//
// `make setup` installs missing tools into the directory .tools at the root of the checkout.
// Programs do not look there, because a directory that happens to be above the working directory is
// not a safe place to load libraries from. The Makefile sets QD_TOOLS to its path; [Setup] does the
// same for a plain `go test`.
package testenv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
)

// Setup sets QD_TOOLS to the .tools of the checkout that the test runs in, unless
// it is set already or there is none. Bugs of qdgen's panic from then on that only a log would
// tell users of. It is for TestMain, or for the beginning of
// a test.
func Setup() {
	diag.PanicOnBug = true
	if os.Getenv("QD_TOOLS") != "" {
		return
	}
	root := Root()
	if root == "" {
		return // a test binary that runs elsewhere
	}
	if tools := filepath.Join(root, ".tools"); isDir(tools) {
		os.Setenv("QD_TOOLS", tools)
	}
}

// Root returns the root of the checkout that the test runs in: the directory above
// the working directory with this module's go.mod; "" outside of one.
func Root() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			if strings.HasPrefix(string(mod), "module github.com/qdgen/qd\n") {
				return dir
			}
			return "" // another module
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// Missing ends a test that cannot run because the machine lacks what err says. It
// is skipped, but under `make test`, which sets QD_TEST_REQUIRE and installs all
// that tests need first, it fails: nothing may go untested there unnoticed.
func Missing(tb testing.TB, err error) {
	tb.Helper()
	if os.Getenv("QD_TEST_REQUIRE") != "" {
		tb.Fatal(err)
	}
	tb.Skip(err)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

package testcache

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/testenv"
)

// A text that the compiler refuses is refused each time, also where it is accepted with other flags.
func TestCheckSyntax(t *testing.T) {
	home(t)
	c, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	const text = "static int unused;\n"
	for range 2 {
		if err := CheckSyntax(t, c, text); err != nil {
			t.Error(err)
		}
		if err := CheckSyntax(t, c, text, "-Wall", "-Werror"); err == nil || !strings.Contains(err.Error(), "unused") {
			t.Errorf("the error is %v", err)
		}
	}
}

package testcache

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/qdgen/qd/clang"
)

// CheckSyntax has a compiler look at C++ text with flags, and make nothing of it. The error has what the compiler says. A
// text that it has accepted in an earlier run is not shown to it again.
func CheckSyntax(tb testing.TB, c *clang.Compiler, text string, flags ...string) error {
	tb.Helper()
	flags = append([]string{"-std=c++17", "-fsyntax-only"}, flags...)
	_, err := Value(func() (bool, error) {
		file := filepath.Join(tb.TempDir(), "k.cpp")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return false, err
		}
		out, err := exec.Command(c.Path, append(flags, file)...).CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
		return err == nil, err
	}, append([]string{"syntax", c.Identity(), text}, flags...)...)
	return err
}

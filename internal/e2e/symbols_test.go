package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPackagesOfKernelsAreSmall looks at what Go's compiler makes of a package that has kernels and
// no more: it compiles generic types anew in each package that mentions them, in the types of
// parameters of methods too, so a method of qd.Thread that leads to qd's inside would cost every
// package of kernels a fifth of a second.
func TestPackagesOfKernelsAreSmall(t *testing.T) {
	t.Parallel()
	object := filepath.Join(t.TempDir(), "registered.a")
	if out, err := exec.Command("go", "build", "-o", object, "./registered").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "nm", object).Output()
	if err != nil {
		t.Fatal(err)
	}
	own := 0
	for line := range strings.Lines(string(out)) {
		_, name, ok := strings.Cut(line, " T ")
		switch {
		case !ok:
		case strings.Contains(name, "e2e/registered."):
			own++
		default:
			t.Errorf("the package has a function that is not its own: %s", name)
		}
	}
	if own == 0 {
		t.Errorf("no functions:\n%s", out)
	}
}

package e2e

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// A program that uses qdgen contains and compiles what qdgen needs, and no more: nothing that talks to
// the network, and of other modules those that docs/RATIONALE.md gives a reason for.
func TestDependencies(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "./examples/saxpy")
	cmd.Dir = testenv.Root()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	unwanted := regexp.MustCompile(`^(net|net/.*|crypto/tls|crypto/x509|html/.*|text/template|testing|plugin|database/.*|go/importer)$`)
	modules := regexp.MustCompile(`^(github\.com/(qdgen/qd|ebitengine/purego|gofrs/flock|klauspost/compress)|golang\.org/x/(mod|sys))(/|$)`)
	list := strings.Fields(string(out))
	if len(list) < 50 {
		t.Fatalf("go list names %d packages", len(list))
	}
	for _, path := range list {
		first, _, _ := strings.Cut(path, "/")
		if unwanted.MatchString(path) || strings.Contains(first, ".") && !modules.MatchString(path) {
			t.Errorf("examples/saxpy contains package %s", path)
		}
	}
}

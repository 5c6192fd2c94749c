package report_test

import (
	"os"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/report"
)

// The variable that a user is told to set is the one that says where temporary files are.
func TestSetTemp(t *testing.T) {
	name, _, ok := strings.Cut(strings.TrimPrefix(report.SetTemp(), "set "), " to a directory ")
	if !ok {
		t.Fatal(report.SetTemp())
	}
	dir := t.TempDir()
	t.Setenv(name, dir)
	if got := os.TempDir(); got != dir {
		t.Errorf("with %s=%s files are in %s", name, dir, got)
	}
}

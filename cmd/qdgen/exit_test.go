package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/qdgen/qd/internal/bug"
)

// What qdgen itself does wrong is reported with the kernel, and with all that a report needs.
func TestReportBug(t *testing.T) {
	err := bug.Guard("saxpy", func() error { panic("BUG: planted") })
	var stderr bytes.Buffer
	if status := report(&stderr, &cobra.Command{Use: "qdgen"}, fmt.Errorf("example.com/k: %w", err)); status != exitError {
		t.Errorf("exit status %d", status)
	}
	for _, want := range []string{"example.com/k: ", "saxpy", "BUG: planted", "please report it", "TestReportBug"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q is not in\n%s", want, stderr.String())
		}
	}
}

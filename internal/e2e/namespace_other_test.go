//go:build unix && !linux && !race

package e2e

import (
	"os/exec"
	"testing"
)

func (m *machine) withMounts(cmd *exec.Cmd, _ ...string) *exec.Cmd {
	m.t.Skip("processes cannot have mounts of their own on this system")
	return cmd
}

func hiddenCompilers(*testing.T) []string { return nil }

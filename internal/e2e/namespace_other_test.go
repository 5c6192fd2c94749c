//go:build unix && !linux && !race

package e2e

import (
	"errors"
	"os/exec"
	"testing"
)

func (m *machine) withMounts(cmd *exec.Cmd, _ ...string) *exec.Cmd {
	m.t.Skip(noNamespaces(m.t))
	return cmd
}

func noNamespaces(*testing.T) error {
	return errors.New("processes cannot have mounts of their own on this system")
}

func hiddenCompilers(*testing.T) []string { return nil }

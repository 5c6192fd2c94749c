package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFirstSteps does in an empty directory what docs/first-steps.md says: the lines for a copy of qdgen on the disk,
// and then the command that the page uses.
func TestFirstSteps(t *testing.T) {
	text, err := os.ReadFile("../../docs/first-steps.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	program := regexp.MustCompile("(?s)```go\n(//qd:kernel\n.*?)```").FindStringSubmatch(page)
	lines := regexp.MustCompile("(?s)```\n(go mod init [^`]*go mod edit -replace [^`]*)```").FindStringSubmatch(page)
	command := regexp.MustCompile("`(go [^`]* doctor)`").FindStringSubmatch(page)
	if program == nil || lines == nil || command == nil {
		t.Fatal("the page has no program, no lines with -replace, or no command doctor")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), "package main\n\nimport (\n\t\"fmt\"\n\t\"log\"\n\n\t\"github.com/qdgen/qd\"\n)\n\n"+program[1])
	script := "set -e\n" + strings.ReplaceAll(lines[1], "/path/to/qdgen", root) + command[1] + "\n"
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off", "QD_DEVICE=go")
	out, err := cmd.CombinedOutput()
	got := string(out)
	if err != nil && regexp.MustCompile(`dial tcp|no such host|module lookup disabled|i/o timeout`).MatchString(got) {
		t.Skipf("go mod tidy needs modules that are not on this machine:\n%s", got)
	}
	if !strings.Contains(got, "\n[1 4 9 16]\n") || !strings.Contains(got, "device go") {
		t.Errorf("%v\n%s\nprinted\n%s", err, script, got)
	}
}

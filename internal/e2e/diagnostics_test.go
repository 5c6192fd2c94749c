//go:build unix && !race

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// All errors of a kernel are reported at once, in the order of the source, each
// with its position, its line, a caret under the place and advice; the same on
// every device.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	file := filepath.Join(filepath.Dir(stranger(t)), "refused.go")
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := newMachine(t)
	report := m.run(stranger(t), "-device", "cpu", "refused").fails("*qd.Diagnostics")
	if onGo := m.run(stranger(t), "-device", "go", "refused").fails("*qd.Diagnostics"); onGo.stderr != report.stderr {
		t.Errorf("on go:\n%son cpu:\n%s", onGo.stderr, report.stderr)
	}
	if report.stdout != "" {
		t.Errorf("the program goes on and prints %q", report.stdout)
	}
	for _, kept := range files(t, m.cache) {
		// Records may say what proves that the source is the program's.
		if !strings.HasPrefix(kept, "v1/index/") && kept != "CACHEDIR.TAG" {
			t.Errorf("in the cache: %q", kept)
		}
	}

	// Where, and a word that has to be in the message.
	want := []struct{ place, word string }{
		{"8:44", "map"}, {"10:2", "go statement"}, {"11:2", "defer"}, {"12:10", "map"},
		{"15:10", ""}, {"20:7", ""}, {"21:2", "channel"}, {"22:9", "channel"},
	}
	var pattern strings.Builder
	pattern.WriteString(`^\*qd\.Diagnostics\n`)
	for _, w := range want {
		var line, column int
		fmt.Sscanf(w.place, "%d:%d", &line, &column)
		text := strings.Split(string(source), "\n")[line-1]
		// Tabs stay tabs above the caret, so that it stands where it should.
		indent := strings.Repeat("\t", strings.Count(text[:column-1], "\t")) + strings.Repeat(" ", column-1-strings.Count(text[:column-1], "\t"))
		pattern.WriteString(regexp.QuoteMeta(file+":"+w.place+": ") + `.*` + w.word + `.*\n`)
		pattern.WriteString(regexp.QuoteMeta("\t" + text + "\n\t" + indent + "^\n"))
		pattern.WriteString(`help: .+\n`)
	}
	pattern.WriteString(`$`)
	if !regexp.MustCompile(pattern.String()).MatchString(report.stderr) {
		t.Errorf("the program prints\n%sand this should match\n%s", report.stderr, &pattern)
	}
}

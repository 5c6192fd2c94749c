//go:build unix && !race

package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// A program that is shipped has no source beside it. Device go runs its kernels
// all the same, the others say what is missing; with embedded source all is well.
func TestWithoutSource(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	for _, tt := range []struct {
		name  string
		flags func(dir string) []string // of go build
		want  func(dir string) string   // in the error
		where func(dir string) string   // the directory in positions, as in those of Go's own compiler
	}{
		{"moved", func(string) []string { return nil }, func(dir string) string { return filepath.Join(dir, "kernels.go") },
			func(dir string) string { return dir }},
		// What -trimpath does, for the user's own packages: that flag itself would
		// have the standard library compiled anew.
		{"trimpath",
			func(dir string) []string {
				return []string{"-gcflags=example.com/...=-trimpath=" + dir + "=>example.com/stranger"}
			},
			func(string) string { return "-trimpath" },
			func(string) string { return "example.com/stranger" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := copyProgram(t, "stranger")
			built, err := buildProgram(dir, tt.flags(dir)...)
			if err != nil {
				t.Fatal(err)
			}
			m := newMachine(t)
			program := filepath.Join(m.dir, "shipped")
			if err := os.Rename(built, program); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}

			m.run(program, "-device", "go", "saxpy", "step").right("go", "saxpy", "step")
			// What needs no source to be refused, is.
			m.run(program, "-device", "go", "literal").fails("*qd.LaunchError", "function literal")
			m.run(program, "-device", "cpu", "saxpy").fails("*qd.SourceError", "main.saxpy", "run qdgen gen", tt.want(dir))
			m.run(program, "-device", "cpu", "step").fails("*qd.SourceError", "example.com/stranger/field.Step")

			kernels := []string{"saxpy", "wave", "step", "count"}
			embedded := append([]string{"-embedded", "-device", "cpu"}, kernels...)
			m.run(program, embedded...).right("cpu", kernels...).compiled("saxpy", "wave", "Step", "count")
			m.run(program, embedded...).right("cpu", kernels...).cached("saxpy", "wave", "Step", "count")
			for _, device := range []string{"go", "cpu"} {
				m.run(program, "-embedded", "-device", device, "refused").
					fails("*qd.Diagnostics", tt.where(dir)+"/refused.go:10:2: ", "\n\t\tgo square(1)\n\t\t^\n")
			}
			m.wantNoLeftovers()
		})
	}
}

// Only a part of the source is embedded: what is missing is named.
func TestPartlyEmbedded(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	dir := copyProgram(t, "stranger")
	edit(t, filepath.Join(dir, "main.go"), "\t\t\"example.com/stranger/numeric\": numeric.Source,\n", "")
	edit(t, filepath.Join(dir, "main.go"), "\"example.com/stranger/numeric\"\n", "_ \"example.com/stranger/numeric\"\n")
	built, err := buildProgram(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := newMachine(t)
	program := filepath.Join(m.dir, "shipped")
	if err := os.Rename(built, program); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil { // where the rest would be found
		t.Fatal(err)
	}
	m.run(program, "-embedded", "-device", "cpu", "saxpy").right("cpu", "saxpy")
	m.run(program, "-embedded", "-device", "cpu", "wave").fails("*qd.Diagnostics", filepath.Join(dir, "kernels.go:22:"), "example.com/stranger/numeric")
}

package peers

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

var update = flag.Bool("update", false, "write docs/peers.md anew")

// origins are the suites that the cases are from.
const origins = `# What the peers' tests check

Warp, Quadrants (with Taichi, from which it descends) and Triton have tests for the features that
their users rely on: constants, static expressions, closures, generic kernels, what is recompiled
and when, vectors and matrices, and tiles. This page lists what those tests check, and how qdgen behaves.
The tests are rewritten in Go: their kernels are in
[internal/gentest/testdata/peers](../internal/gentest/testdata/peers), and
` + "`go test ./internal/gentest`" + ` runs them on devices go and cpu, and those of vectors and matrices also as
CUDA code. The cases of gradients are in
[ssa/gradient/testdata/peers.txt](../ssa/gradient/testdata/peers.txt), and ` + "`go test ./ssa/gradient`" + `
compares the gradients with differences. ` + "`make golden`" + ` writes this page. Where a behaviour differs on purpose, the last column says how.
%d cases are run; %d have no counterpart.

The test suites are NVIDIA/warp ` + "`warp/tests`" + `, Genesis-Embodied-AI/quadrants and
taichi-dev/taichi ` + "`tests/python`" + `, and triton-lang/triton ` + "`python/test/unit`" + `.
`

// page is docs/peers.md.
func page() string {
	var b strings.Builder
	run, without := 0, 0
	for _, s := range suites {
		fmt.Fprintf(&b, "\n## %s\n\n| test | what it checks | here |\n| --- | --- | --- |\n", s.name)
		for _, p := range s.cases {
			here := "the same"
			if p.note != "" {
				here = p.note
			}
			if p.run == nil {
				without++
				here = "not run: " + here
			} else {
				run++
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", code(p.origin), escape(p.checks), escape(here))
		}
	}
	gradients := gradientCases(&b)
	return fmt.Sprintf(origins, run+gradients, without) + b.String()
}

// gradientCases writes the tables of the cases of gradients, which package gradient runs, and gives their number.
func gradientCases(b *strings.Builder) (cases int) {
	text, err := os.ReadFile(filepath.Join(testenv.Root(), "ssa", "gradient", "testdata", "peers.txt"))
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "== "); ok {
			fmt.Fprintf(b, "\n## Gradients: %s\n\n| test | what it checks | here |\n| --- | --- | --- |\n", name)
		}
		c, ok := strings.CutPrefix(line, "-- ")
		if !ok {
			continue
		}
		cases++
		at := strings.LastIndex(c, ": ")
		fmt.Fprintf(b, "| %s | %s | the same |\n", code(c[:at]), escape(c[at+2:]))
	}
	return cases
}

// code sets the names of tests as code.
func code(origin string) string {
	if !strings.HasPrefix(strings.ToLower(origin), "test") {
		return escape(origin)
	}
	names := strings.Split(origin, ", ")
	for i, name := range names {
		file, test, ok := strings.Cut(name, ".py: ")
		if ok {
			names[i], name = "`"+file+".py`: ", test
		} else {
			names[i] = ""
		}
		name, rest, _ := strings.Cut(name, " ")
		names[i] += strings.TrimSpace("`" + name + "` " + rest)
	}
	return strings.Join(names, ", ")
}

func escape(s string) string { return strings.NewReplacer("|", `\|`, "*", `\*`).Replace(s) }

// TestPage compares docs/peers.md with the cases.
func TestPage(t *testing.T) {
	name := filepath.Join(testenv.Root(), "docs", "peers.md")
	if *update {
		if err := os.WriteFile(name, []byte(page()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != page() {
		t.Errorf("docs/peers.md is out of date; go test ./internal/gentest/testdata/peers -run TestPage -update writes it")
	}
	seen := map[string]bool{}
	for _, s := range suites {
		for _, p := range s.cases {
			if key := s.name + "/" + p.origin; seen[key] {
				t.Errorf("two cases are named %s", key)
			} else {
				seen[key] = true
			}
		}
	}
}

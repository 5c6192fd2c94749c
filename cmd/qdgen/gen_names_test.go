package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A static expression that has kept its text, and means something else than when its file was
// generated, has no value of then: no device is given one, and vet says so. What the Go compiler finds in
// the generated file as it does in the source needs no new one.
func TestGenNames(t *testing.T) {
	t.Parallel()
	archive, err := os.ReadFile("testdata/gen/names.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := newModule(t, archive)
	env := append(os.Environ(), "QD_CACHE="+t.TempDir())
	// results are what the kernels print, which is to be the same on both devices.
	results := func() (list []string) {
		t.Helper()
		program := filepath.Join(dir, "program")
		begun := buildIn(t, dir, program)
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Dir, cmd.Env = dir, append(env, begun)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var devices [2][]string
		for line := range strings.Lines(string(out)) {
			if name, rest, _ := strings.Cut(line, " "); name == "go" || name == "cpu" {
				i := strings.Index("go cpu", name) / 3
				devices[i] = append(devices[i], strings.TrimSpace(rest))
			}
		}
		for i := range devices {
			for j, line := range devices[i] {
				if strings.Contains(line, "and no code for it is registered") {
					devices[i][j] = strings.Fields(line)[0] + " refused"
				}
			}
		}
		if !slices.Equal(devices[0], devices[1]) {
			t.Errorf("devices differ:\n%s", out)
		}
		return devices[1]
	}
	want := func(what string, want ...string) {
		t.Helper()
		if got := results(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	qdgen(t, dir, inModule, "gen", "./...").want(t, 0, nil, nil)
	want("as generated", "imported [2]", "dotted [4]", "declared [1700]", "constant [20]", "unit [40]", "swapped [2]", "typed [4]")

	source := filepath.Join(dir, "main.go")
	for _, edit := range [][2]string{
		{`lib "example.com/app/liba"`, `lib "example.com/app/libb"`},
		{"// declares", "const C = 3"},
		{"const k = 2\n", "const k = 3\n"},
		{"const Unit = 2", "const Unit = 3"},
		{"const a = 1\n\tb := n.V\n", "a := n.V\n\tconst b = 1\n"},
		{"// types", "type scale int8"},
	} {
		replace(t, source, edit[0], edit[1])
	}
	replace(t, filepath.Join(dir, "dot.go"), "dota", "dotb")
	r := qdgen(t, dir, inModule, "vet", ".")
	r.want(t, 1, nil, []string{"qd.Static(lib.Get()) has its value from the initialization of the package", "qd.Static(Get()) has its value", "qd.Static(table[k]) has its value"})
	for _, name := range []string{"C * 100", "table[k] + l"} {
		if strings.Contains(r.stderr, "qd.Static("+name+")") {
			t.Errorf("vet finds fault with %s", name)
		}
	}
	want("edited", "imported refused", "dotted refused", "declared [300]", "constant refused", "unit [60]", "swapped [3]", "typed [10]")

	qdgen(t, dir, inModule, "gen", "./...").want(t, 0, nil, []string{"qd.Static(scale(C) / 4) is left to the compiler of kernels"})
	want("generated anew", "imported [200]", "dotted [400]", "declared [300]", "constant [30]", "unit [60]", "swapped [3]", "typed [10]")
}

// A file of an older qdgen does not say what names mean: what it registers counts for nothing.
func TestGenWithoutNames(t *testing.T) {
	t.Parallel()
	archive, err := os.ReadFile("testdata/gen/names.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := newModule(t, archive)
	qdgen(t, dir, inModule, "gen", "./...").want(t, 0, nil, nil)
	generated := filepath.Join(dir, "qd_gen.go")
	text := read(t, generated)
	before := text
	for _, names := range []string{`, "")`, `, "import lib \"example.com/app/liba\"")`} {
		text = strings.ReplaceAll(text, names, ")")
	}
	if text == before {
		t.Fatalf("nothing says what names mean in\n%s", text)
	}
	write(t, generated, text)
	goTool(t, dir, "vet", ".")
	qdgen(t, dir, inModule, "vet", ".").want(t, 1, nil, []string{"qd.Static(C * 100) has its value", "run qdgen gen"})
	qdgen(t, dir, inModule, "gen", "-check", "./...").want(t, 1, []string{"qd_gen.go is out of date"}, nil)
}

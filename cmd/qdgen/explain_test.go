package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/cmd/qdgen/explain"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/ssa"
)

// explained is a module with kernels to be explained.
func explained(t *testing.T) (dir string) {
	t.Helper()
	archive, err := os.ReadFile("testdata/explain/app.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return newModule(t, archive)
}

// bothCompilers skips a test where one of them is missing.
func bothCompilers(t *testing.T) {
	t.Helper()
	if _, err := clang.Find(); err != nil {
		testenv.Missing(t, err)
	}
	if _, err := nvrtc.Find(); err != nil {
		testenv.Missing(t, err)
	}
}

// model is what explain tells of the kernels of the working directory's module, as JSON.
func model(t *testing.T, env []string, args ...string) (m explain.Model) {
	t.Helper()
	enter(t, ".", env)
	r := qdgen(t, ".", nil, append([]string{"explain", "--json"}, args...)...)
	if r.exit != 0 {
		t.Fatalf("exit status %d: %s", r.exit, r.stderr)
	}
	if err := json.Unmarshal([]byte(r.stdout), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// lineWith is the number of the line of the test's source that has a text.
func lineWith(t *testing.T, m *explain.Model, text string) int {
	t.Helper()
	for _, p := range m.Files[0].Parts {
		for i, line := range p.Lines {
			if strings.Contains(line, text) {
				return p.From + i
			}
		}
	}
	t.Fatalf("no line has %q", text)
	return 0
}

// said fails if nobody says something about the line of the test's source that has a text.
func said(t *testing.T, m *explain.Model, list []explain.Remark, by string, kind ssa.RemarkKind, at, text string) {
	t.Helper()
	line := lineWith(t, m, at)
	if !slices.ContainsFunc(list, func(r explain.Remark) bool {
		return r.By == by && r.Kind == kind && r.Pos.Line == line && strings.Contains(r.Text, text)
	}) {
		t.Errorf("%s does not say %q (%v) on line %d: %+v", by, text, kind, line, list)
	}
}

// TestExplain reads what is told of kernels.
func TestExplain(t *testing.T) {
	enter(t, explained(t), inModule)
	t.Run("facts", explainFacts)
	t.Run("inlined", explainInlined)
	t.Run("without tools", explainWithoutTools)
	t.Run("gradient", explainGradient)
	t.Run("keys of derivatives", explainKeysOfDerivatives)
	t.Run("options in keys", explainKeyOptions)
}

// What is told of a kernel comes from the compiler's own analyses, each with its line.
func explainFacts(t *testing.T) {
	bothCompilers(t)
	m := model(t, nil, "--kernel", "walk", "--arch", "sm_80,sm_90")
	if len(m.Kernels) != 1 || m.Kernels[0].Name != "walk" || m.Kernels[0].Error != "" {
		t.Fatalf("%+v", m.Kernels)
	}
	k := m.Kernels[0]
	for _, want := range []struct{ name, at, class string }{
		{"limit", "func walk", "uniform"}, {"i", "i := t.ID()", "linear"}, {"sum", "sum += x[i] * scale", "varying"}, {"scale", "scale :=", "uniform"},
	} {
		line := lineWith(t, &m, want.at)
		if !slices.ContainsFunc(k.Values, func(v explain.Value) bool {
			return v.Name == want.name && v.Pos.Line == line && v.Class == want.class
		}) {
			t.Errorf("%s is not %s on line %d: %+v", want.name, want.class, line, k.Values)
		}
	}
	for _, want := range []struct{ op, at, pattern, text string }{
		{"load", "x[i] * scale", "contiguous", ""}, {"load", "x[at[i]]", "gathered", ""}, {"load", "x[at[i]]", "contiguous", ""},
		{"load", "x[at[i]]", "interleaved", "8 bytes"},
		{"load", "x[limit*i]", "strided", "a view's stride"}, {"store", "y[i] = sum", "contiguous", ""},
	} {
		line := lineWith(t, &m, want.at)
		if !slices.ContainsFunc(k.Accesses, func(a explain.Access) bool {
			return a.Op == want.op && a.Pos.Line == line && a.Pattern == want.pattern && strings.Contains(a.Text, want.text) && a.Lanes == 0
		}) {
			t.Errorf("no %s %s on line %d: %+v", want.pattern, want.op, line, k.Accesses)
		}
	}
	// A loop that threads leave apart has masks: its load is for those that are still in it.
	masked := lineWith(t, &m, "x[i] * scale")
	if !slices.ContainsFunc(k.Accesses, func(a explain.Access) bool { return a.Lanes > 1 && a.Masked && a.Pos.Line == masked }) {
		t.Errorf("no masked access of vectors: %+v", k.Accesses)
	}
	said := func(list []explain.Remark, by string, kind ssa.RemarkKind, at, text string) {
		t.Helper()
		said(t, &m, list, by, kind, at, text)
	}
	said(k.Remarks, "unroll", ssa.Done, "range 4", "unrolled: 4 iterations")
	said(k.Remarks, "unroll", ssa.Missed, "n < limit", "only loops over range")
	said(k.Remarks, "widen", ssa.Done, "func walk", "in the lanes of vectors")
	said(k.Remarks, "mask", ssa.Note, "n < limit", "still in the loop")
	said(k.Checks, "hoist", ssa.Done, "y[i] = sum", "the launch answers it once")
	said(k.Checks, "checks", ssa.Missed, "x[at[i]]", "nothing proves 0 <= ")
	said(k.Checks, "hoist", ssa.Missed, "x[at[i]]", "the launch cannot know")

	var archs []string
	for _, c := range k.Costs {
		archs = append(archs, c.Arch)
		if c.Registers == 0 || len(c.Occupancy) == 0 || c.Occupancy[0].Warps == 0 {
			t.Errorf("%+v", c)
		}
	}
	if !slices.Equal(archs, []string{"sm_80", "sm_90"}) {
		t.Errorf("costs for %v", archs)
	}
	if len(k.Keys) != 2 || len(k.Keys[0].Name) < 16 || len(k.Keys[0].Parts) < 4 || len(k.Keys[0].First) < 4 {
		t.Errorf("%+v", k.Keys)
	}
	if !slices.ContainsFunc(k.Times, func(x explain.Timing) bool { return x.Stage == "build" && x.Nanos > 0 }) {
		t.Errorf("%+v", k.Times)
	}
	// Each text has the lines of Go that it comes from, down to the machine code.
	line := lineWith(t, &m, "sum += x[i] * scale")
	for _, id := range []string{"cpu/lower", "cpu/optimize", "cpu/widen", "cpp", "asm", "cuda/optimize", "cuda", "ptx/sm_80", "ptx/sm_90"} {
		i := slices.IndexFunc(k.Views, func(v *explain.View) bool { return v.ID == id })
		if i < 0 {
			t.Errorf("no view %s", id)
			continue
		}
		found, above := false, false
		for _, l := range k.Views[i].Lines {
			if l.Go.Line == line && filepath.Base(l.Go.File) == "kernels.go" {
				found, above = true, above || l.Up > 0
			}
		}
		if !found || k.Views[i].Up != "" && !above {
			t.Errorf("nothing in %s comes from line %d", id, line)
		}
	}
}

// The front end tells what it inlines, at the calls, once for all targets.
func explainInlined(t *testing.T) {
	m := model(t, []string{"QD_CXX=/no/clang", "QD_NVRTC=/no/nvrtc"}, "--kernel", "closed")
	k := m.Kernels[0]
	said(t, &m, k.Remarks, "inline", ssa.Done, "twice(double, x[i])", "twice is put in the place of the call")
	said(t, &m, k.Remarks, "inline", ssa.Done, "return f(f(x))", "a function literal is put in the place")
	for _, r := range k.Remarks {
		if r.By == "inline" && r.On != "" {
			t.Errorf("%+v", r)
		}
	}
}

// What is missing is said in its place, with how to get it. The rest is there.
func explainWithoutTools(t *testing.T) {
	env := []string{"QD_CXX=/no/clang", "QD_NVRTC=/no/nvrtc", "QD_NVDISASM=/no/nvdisasm"}
	m := model(t, env, "--kernel", "walk")
	k := m.Kernels[0]
	for _, v := range k.Views {
		switch v.Group {
		case "asm", "ptx", "sass":
			if !strings.Contains(v.Missing, "/no/") || len(v.Lines) > 0 {
				t.Errorf("%s: %q", v.ID, v.Missing)
			}
		default:
			if v.Missing != "" || len(v.Lines) == 0 && !v.Same {
				t.Errorf("%s: %q, %d lines", v.ID, v.Missing, len(v.Lines))
			}
		}
	}
	if len(k.Values) == 0 || len(k.Checks) == 0 || k.Error != "" {
		t.Errorf("%+v", k)
	}
}

// What a gradient keeps and computes again is told. A kernel that has none is on the page with the reason.
func explainGradient(t *testing.T) {
	saysOfGradient(t, []string{"the number of turns", "keeps sum of each turn", "computes x[i] again"})
	saysOfGradient(t, []string{"runs 8 turns of this loop once more at a time", "keeps sum of each turn"}, "--strips", "8")
}

// saysOfGradient looks for what is told of a backward kernel.
func saysOfGradient(t *testing.T, wanted []string, args ...string) {
	t.Helper()
	m := model(t, []string{"QD_CXX=/no/clang", "QD_NVRTC=/no/nvrtc"}, append([]string{"--kernel", "walk", "--gradient"}, args...)...)
	if len(m.Kernels) != 2 || m.Kernels[1].Name != "walk.gradient" {
		t.Fatalf("%d kernels", len(m.Kernels))
	}
	var said []string
	for _, r := range m.Kernels[1].Remarks {
		if r.By == "gradient" && r.Pos.Line > 0 {
			said = append(said, r.Text)
		}
	}
	text := strings.Join(said, "\n")
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("nothing is said of %q:\n%s", want, text)
		}
	}
}

// The keys of a derivative tell what they are of: they are other ones than those of its kernel.
func explainKeysOfDerivatives(t *testing.T) {
	bothCompilers(t)
	m := model(t, nil, "--kernel", "scaled", "--const", "n=3", "--gradient", "--tangent")
	keys := make(map[string]string)
	for _, k := range m.Kernels {
		if len(k.Keys) != 2 {
			t.Fatalf("%s has %d keys: %s", k.Name, len(k.Keys), k.Error)
		}
		for _, key := range k.Keys {
			i := slices.IndexFunc(key.Parts, func(p explain.KeyPart) bool { return p.Name == "compiler" })
			_, derivative, _ := strings.Cut(k.Name, ".")
			if i < 0 || !strings.HasSuffix(key.Parts[i].Text, derivative) || (key.Of != "") != (derivative != "") {
				t.Errorf("%s: %+v", k.Name, key)
			}
			if other := keys[key.Name]; other != "" {
				t.Errorf("%s and %s have one key", k.Name, other)
			}
			keys[key.Name] = k.Name
		}
	}
}

// A page is one file: it loads nothing.
func TestExplainPageAlone(t *testing.T) {
	dir := explained(t)
	r := qdgen(t, dir, append(slices.Clone(inModule), "QD_CXX=/no/clang", "QD_NVRTC=/no/nvrtc"), "explain", "--kernel", "walk", "--times", "-o", "page.html")
	r.want(t, 0, nil, []string{"processor time: qdgen ", " (packages ", ", stages ", ", page ", "), compilers "})
	page := read(t, filepath.Join(dir, "page.html"))
	for _, no := range []string{"src=", "http:", "https:", "@import", "<link"} {
		if strings.Contains(page, no) {
			t.Errorf("the page has %q", no)
		}
	}
}

// JSON goes where the page would go.
func TestExplainJSONFile(t *testing.T) {
	dir := explained(t)
	r := qdgen(t, dir, append(slices.Clone(inModule), "QD_CXX=/no/clang", "QD_NVRTC=/no/nvrtc"), "explain", "--kernel", "walk", "--json", "-o", "page.json")
	r.want(t, 0, nil, nil)
	if text := read(t, filepath.Join(dir, "page.json")); !json.Valid([]byte(text)) || r.stdout != "" {
		t.Errorf("the file has %.100q; printed is %.100q", text, r.stdout)
	}
}

// The options in a key are told as they were given.
func explainKeyOptions(t *testing.T) {
	m := model(t, []string{"QD_NVRTC=/no/nvrtc"}, "--kernel", "scaled", "--const", "n=3", "--fused")
	options := ""
	for _, p := range m.Kernels[0].Keys[0].First {
		if p.Name == "options" {
			options = p.Text
		}
	}
	if options != "n=3, fused" {
		t.Errorf("the options are %q", options)
	}
}

// A value takes the place of the one that it replaces, so that the labels of two versions are easily compared.
func TestReplaced(t *testing.T) {
	if got, want := replaced([]string{"n=1", "m = 2"}, []string{"k=5", "m=3", "n=4"}), []string{"n=4", "m=3", "k=5"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Command lines that say two things are refused.
func TestExplainUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--arch", ""}, "--arch names no architecture"},
		{[]string{"--arch", "hopper"}, "--arch hopper: an architecture is written as sm_90"},
		{[]string{"--against", "HEAD", "--against-const", "n=1"}, "leave one out"},
		{[]string{"--json", "--open"}, "leave one out"},
		{[]string{"--json", "--against", "HEAD"}, "--json prints one version"},
		{[]string{"--stages", "-1"}, "a loop has 1 to 8 stages"},
		{[]string{"--against", "--help"}, "that is no revision"},
	} {
		r := qdgen(t, ".", nil, append([]string{"explain"}, tt.args...)...)
		r.want(t, 2, nil, []string{tt.want})
	}
}

// What cannot be is said before the page is made, and a kernel that does not compile is on the page and an error.
func TestExplainBadInput(t *testing.T) {
	dir := revisions(t)
	env := append(slices.Clone(inModule), "QD_CXX=/no/clang", "QD_NVRTC=/no/nvrtc")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--kernel", "nothing"}, "no kernel is named nothing; there are walk, scaled, closed"},
		{[]string{"--against", "nowhere"}, "--against nowhere: git: fatal: not a valid object name"},
		{[]string{"-o", "."}, "-o .: it is a directory"},
		{[]string{"-o", "no/page.html"}, "-o no/page.html: "},
	} {
		r := qdgen(t, dir, env, append([]string{"explain"}, tt.args...)...)
		r.want(t, 1, nil, []string{tt.want})
	}
	sub := filepath.Join(dir, "later")
	if err := os.Mkdir(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	r := qdgen(t, sub, env, "explain", "..", "--against", "HEAD")
	r.want(t, 1, nil, []string{"--against HEAD: the revision has no directory later"})
	r = qdgen(t, dir, env, "explain", filepath.Dir(dir), "--against", "HEAD")
	r.want(t, 1, nil, []string{"--against HEAD: ", "is not in the repository"})
	replace(t, filepath.Join(dir, "kernels.go"), "sum += 2 * float32(k)", "sum += float32(len(map[int]int{}) + k)")
	for _, tt := range []struct{ args, stdout []string }{
		{[]string{"--json"}, []string{`"error": "kernels.go:21:`}}, {[]string{"-o", "page.html"}, nil}, {[]string{"--against", "HEAD", "-o", "page.html"}, nil},
	} {
		r := qdgen(t, dir, env, append([]string{"explain", "--kernel", "walk"}, tt.args...)...)
		r.want(t, 1, tt.stdout, []string{"walk: kernels.go:21:", "maps are not supported"})
	}
	if page := read(t, filepath.Join(dir, "page.html")); !strings.Contains(page, "</html>") {
		t.Errorf("no page: %.100s", page)
	}
}

// revisions is the module as a git repository of one commit, and a file that has been edited since.
func revisions(t *testing.T) (dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	dir = explained(t)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "one"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	replace(t, filepath.Join(dir, "kernels.go"), "sum += float32(k)", "sum += 2 * float32(k)")
	return dir
}

package origin

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/reread"
)

// fakeProgram is a file in the place of an executable, linked before a time.
func fakeProgram(t *testing.T, c *cache.Cache, text string, built time.Time) *Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	p := newProgram(path, c)
	p.built, p.put = built, built
	return p
}

func write(t *testing.T, path, text string) load.File {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return load.File{Name: path, Src: []byte(text)}
}

func openCache(t *testing.T) *cache.Cache {
	t.Helper()
	c, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Of a program whose own file cannot be read only what is embedded in it is proven.
func TestUnreadable(t *testing.T) {
	p := newProgram(filepath.Join(t.TempDir(), "none"), openCache(t))
	if p.ID() != "" {
		t.Fatalf("ID %q", p.ID())
	}
	embedded := load.File{Name: "example.com/p/k.go", Src: []byte("package p")}
	if err := p.Check([]load.File{embedded}); err != nil {
		t.Error("embedded:", err)
	}
	onDisk := write(t, filepath.Join(t.TempDir(), "k.go"), "package p")
	if err := p.Check([]load.File{embedded, onDisk}); err == nil || !strings.Contains(err.Reason, "cannot be read") {
		t.Error("on disk:", err)
	}
}

// What proves a file, and what does not.
func TestCheck(t *testing.T) {
	c, dir := openCache(t), t.TempDir()
	file := filepath.Join(dir, "k.go")
	old := write(t, file, "package k")
	embedded := load.File{Name: "k/k.go", Src: []byte("package k")}
	later := time.Now().Add(time.Hour)

	check := func(what string, p *Program, f load.File, want string) {
		t.Helper()
		err := p.Check([]load.File{f, embedded})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Reason, want) {
			t.Errorf("%s: %v, want %q", what, err, want)
		}
	}
	before := fakeProgram(t, c, "built before", time.Now().Add(-time.Hour))
	after := fakeProgram(t, c, "built after", later)
	check("a file newer than the program", before, old, "was changed at")
	check("a file older than the program", after, old, "")

	// Of what was proven there is a record, for this program alone.
	again := func() *Program { return fakeProgram(t, c, "built after", time.Now().Add(-time.Hour)) }
	check("touched", again(), old, "")
	edited := write(t, file, "package k // edited")
	check("edited", again(), edited, "has changed since")
	check("edited, with a time of the past", after, edited, "has changed since")
	check("taken back", again(), write(t, file, "package k"), "")
	check("in another program", before, old, "was changed at")

	// The time of writing can be set, that of the last change cannot.
	past := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(file, past, past); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(file); !reread.LastChange(info).Equal(info.ModTime()) {
		check("with a time of the past", fakeProgram(t, openCache(t), "p", time.Now().Add(-time.Hour)), old, "was changed at")
	}

	// A link that leads to another directory since.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err == nil {
		p := fakeProgram(t, openCache(t), "p", time.Now().Add(time.Hour))
		check("through a link", p, load.File{Name: filepath.Join(link, "k.go"), Src: old.Src}, "")
		if d := p.doubt(load.File{Name: filepath.Join(link, "k.go")}, must(os.Stat(file))); d.reason != "" {
			t.Error("an old link:", d.reason)
		}
		p.built = reread.LastChange(must(os.Lstat(link)))
		p.put = p.built
		if d := p.doubt(load.File{Name: filepath.Join(link, "k.go")}, must(os.Stat(file))); !strings.Contains(d.reason, link+", which leads to the file, was changed") {
			t.Error("a new link:", d.reason)
		}
	}

	// The program has code from a file that is gone.
	gone := fakeProgram(t, openCache(t), "x\x00"+filepath.Join(dir, "gone.go")+"\x00/other/dir/z.go\x00", later)
	check("a file is gone", gone, old, "the file is gone")
	write(t, filepath.Join(dir, "gone.go"), "package k")
	check("it is back", gone, old, "")
}

func must(info os.FileInfo, err error) os.FileInfo {
	if err != nil {
		panic(err)
	}
	return info
}

// Files of the module cache are proven by their version, those of a clean checkout by git.
func TestStamped(t *testing.T) {
	commit, versions := stampedIn(&debug.BuildInfo{
		Deps: []*debug.Module{
			{Path: "example.com/Dep", Version: "v1.2.3", Sum: "h1:x"},
			{Path: "example.com/local", Version: "v1.0.0", Replace: &debug.Module{Path: "../local"}},
		},
		Settings: []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"}},
	})
	if commit != "abc" || len(versions) != 1 || versions[0] != "/example.com/!dep@v1.2.3/" {
		t.Error(commit, versions)
	}
	if commit, _ := stampedIn(&debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}); commit != "" {
		t.Error("a commit that was changed")
	}

	dir := filepath.Join(t.TempDir(), "example.com/!dep@v1.2.3/sub")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	f := write(t, filepath.Join(dir, "d.go"), "package d")
	p := fakeProgram(t, openCache(t), "p", time.Now().Add(-time.Hour))
	p.versions = versions
	if p.Check([]load.File{f}) == nil {
		t.Error("a file that can be written to is proven by its version")
	}
	if err := os.Chmod(f.Name, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := p.Check([]load.File{f}); err != nil {
		t.Error(err)
	}
}

// A file newer than the program is proven by the commit that the program was built from.
func TestCommit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example.com"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	f := write(t, filepath.Join(dir, "k.go"), "package k")
	git("init", "-q")
	git("add", "k.go")
	git("commit", "-q", "-m", "k")
	p := fakeProgram(t, openCache(t), "p", time.Now().Add(-time.Hour))
	p.commit = git("rev-parse", "HEAD")
	if err := p.Check([]load.File{f}); err != nil {
		t.Error(err)
	}
	p = fakeProgram(t, openCache(t), "p", time.Now().Add(-time.Hour))
	p.commit = git("rev-parse", "HEAD")
	if p.Check([]load.File{write(t, f.Name, "package k // edited")}) == nil {
		t.Error("an edited file is proven")
	}
}

// Build IDs of the go command are found; what else may stand there tells nothing.
func TestIdentify(t *testing.T) {
	const part = "aaaaaaaaaaaaaaaaaaaa"
	const id = part + "/" + part + "/" + part + "/" + part
	for _, tt := range []struct{ head, want string }{
		{"MZ..\xff Go build ID: \"" + id + "\"\n \xff..", id},
		{"\x7fELF" + "\x04\x00\x00\x00\x53\x00\x00\x00\x04\x00\x00\x00Go\x00\x00" + id + "\x00", id},
		{"MZ..\xff Go build ID: \"redacted\"\n \xff..", ""},
		{"\x7fELF", ""},
		{"", ""},
	} {
		if got := buildID([]byte(tt.head)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.head, got, tt.want)
		}
	}
	c := openCache(t)
	own := Running(c)
	if Running(c) != own {
		t.Error("the running program is looked at for each who asks")
	}
	if own.ID() == "" || len(own.files()) == 0 || own.built.After(time.Now()) {
		t.Errorf("of the test: %+v", own)
	}
	a, b := fakeProgram(t, openCache(t), "a", time.Now()), fakeProgram(t, openCache(t), "b", time.Now())
	if a.ID() == b.ID() || a.ID() == "" {
		t.Errorf("%q and %q", a.ID(), b.ID())
	}
	for path, want := range map[string]bool{
		"/home/u/.cache/go-build/0a/" + strings.Repeat("0a", 32) + "-d/prog": true,
		"/tmp/go-build1/b001/exe/prog":                                       false,
		"/usr/bin/prog":                                                      false,
	} {
		if isCached(path) != want {
			t.Error(path)
		}
	}
}

// When its build has begun is told to one program alone: those that it starts have the text in their environment too.
func TestBegun(t *testing.T) {
	at := time.Unix(0, 1234567890123456789)
	text := Begun(at, "/tmp/a program")
	if got := begunFor("/tmp/a program", text); !got.Equal(at) {
		t.Errorf("%v, want %v", got, at)
	}
	for path, text := range map[string]string{"/tmp/another": text, "/tmp/a program": "", "": "soon ", "/tmp/p": "/tmp/p"} {
		if got := begunFor(path, text); !got.IsZero() {
			t.Errorf("%s is told %v by %q", path, got, text)
		}
	}
}

// A clock that is set while a program is built lets no file that is changed meanwhile seem older than the build.
func TestAsClocked(t *testing.T) {
	began := time.Unix(1e9, 0)
	for _, tt := range []struct{ set, want time.Duration }{
		{0, 0},
		{-time.Hour, -time.Hour},
		{time.Hour, 0},
	} {
		now := began.Add(time.Minute + tt.set)
		if got := asClocked(began, now, time.Minute); !got.Equal(began.Add(tt.want)) {
			t.Errorf("a clock that is set by %v: the build has begun at %v, want %v after %v", tt.set, got, tt.want, began)
		}
	}
}

// While the go command is asked about one directory, files of others are proven. Two that need the same file ask once.
func TestCheckBesideOthers(t *testing.T) {
	p := fakeProgram(t, openCache(t), "p", time.Now().Add(-time.Hour))
	later := write(t, filepath.Join(t.TempDir(), "later.go"), "package k")
	p.versions = []string{"/dep@v1.2.3/"}
	dir := filepath.Join(t.TempDir(), "dep@v1.2.3")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	proven := write(t, filepath.Join(dir, "d.go"), "package d")
	if err := os.Chmod(proven.Name, 0o444); err != nil {
		t.Fatal(err)
	}
	asked, answers := make(chan bool), make(chan answer)
	p.remade = func() answer {
		asked <- true
		return <-answers
	}
	checks := make(chan *ChangedError)
	for range 2 {
		go func() { checks <- p.Check([]load.File{later}) }()
	}
	<-asked
	if err := p.Check([]load.File{proven}); err != nil {
		t.Error(err)
	}
	answers <- same
	for range 2 {
		if err := <-checks; err != nil {
			t.Error(err)
		}
	}
}

package cache

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// helperVar names the helper that a process started by a test is to be.
const helperVar = "QD_CACHE_TEST_HELPER"

// helpers are what the test binary can do as another process.
var helpers = map[string]func(args []string) error{
	"build":   helperBuild,
	"hang":    helperHang,
	"writer":  helperWriter,
	"private": helperPrivate,
}

func TestMain(m *testing.M) {
	if name := os.Getenv(helperVar); name != "" {
		if err := helpers[name](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Unsetenv("QD_CACHE")
	os.Unsetenv("QD_CACHE_REMOTE")
	os.Unsetenv("QD_CACHE_KEY")
	os.Unsetenv("QD_CACHE_SIZE")
	os.Exit(m.Run())
}

// helper is a process of the test binary that runs the named helper.
func helper(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), helperVar+"="+name)
	cmd.Stderr = os.Stderr
	return cmd
}

// open opens a cache in dir for the length of a test.
func open(t testing.TB, dir string) *Cache {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// key is a key for tests.
func key(name string) Key { return NewKey("test", []byte(name)) }

// artifact is what building the named module gives: bytes that do not compress and
// that the name decides.
func artifact(name string, size int) *Artifact {
	seed := [32]byte(key(name))
	data := make([]byte, size)
	r := rand.NewChaCha8(seed)
	_, _ = r.Read(data)
	return &Artifact{
		Kernel: name, Target: "cpp", Arch: "amd64",
		Data: data, Ext: ".so",
		Source: strings.Repeat("void "+name+"();\n", 20),
		Meta:   []byte(`{"symbol":"` + name + `"}`),
	}
}

// build builds a module that has to be missing.
func build(t testing.TB, c *Cache, name string, size int) *Entry {
	t.Helper()
	e, hit, err := c.Build(key(name), func() (*Artifact, error) { return artifact(name, size), nil })
	if err != nil {
		t.Fatal(err)
	}
	if hit {
		t.Fatalf("%s: a hit, want it to be built", name)
	}
	sameData(t, e, name, size)
	return e
}

// hit builds a module that has to be there.
func hit(t testing.TB, c *Cache, name string, size int) *Entry {
	t.Helper()
	e, isHit, err := c.Build(key(name), func() (*Artifact, error) {
		return nil, fmt.Errorf("%s: built, want a hit", name)
	})
	if err != nil {
		t.Fatal(err)
	}
	if !isHit {
		t.Fatalf("%s: Build says that it was no hit", name)
	}
	sameData(t, e, name, size)
	return e
}

// sameData compares an entry's file with what was built.
func sameData(t testing.TB, e *Entry, name string, size int) {
	t.Helper()
	data, err := os.ReadFile(e.Path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, artifact(name, size).Data) {
		t.Fatalf("%s: the artifact's file has other bytes than were built", name)
	}
}

// clean fails the test if the cache holds anything that it should not: problems,
// or leftovers of writing.
func clean(t testing.TB, c *Cache) {
	t.Helper()
	problems, err := c.Verify()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s %s: %v", p.Kind, p.Path, p.Err)
	}
	for _, dir := range []string{c.kept.tmp(), c.kept.locks()} {
		left, err := readDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range left {
			t.Errorf("left behind in %s: %s", dir, d.Name())
		}
	}
}

// A logbook is a slog handler that keeps what is logged at level Warn.
type logbook struct {
	mu    sync.Mutex
	lines []string
}

func (l *logbook) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }
func (l *logbook) WithAttrs([]slog.Attr) slog.Handler               { return l }
func (l *logbook) WithGroup(string) slog.Handler                    { return l }

func (l *logbook) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString(r.Message)
	r.Attrs(func(a slog.Attr) bool {
		fmt.Fprintf(&b, " %s=%v", a.Key, a.Value)
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, b.String())
	return nil
}

// take gives what was logged since the last take.
func (l *logbook) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := slices.Clone(l.lines)
	l.lines = nil
	return lines
}

// want fails the test unless exactly one line was logged, and that has the parts.
func (l *logbook) want(t testing.TB, parts ...string) {
	t.Helper()
	lines := l.take()
	if len(lines) != 1 {
		t.Fatalf("%d warnings, want 1: %q", len(lines), lines)
	}
	for _, p := range parts {
		if !strings.Contains(lines[0], p) {
			t.Errorf("the warning %q does not say %q", lines[0], p)
		}
	}
}

// wantNone fails the test if something was logged.
func (l *logbook) wantNone(t testing.TB) {
	t.Helper()
	if lines := l.take(); len(lines) > 0 {
		t.Errorf("warnings: %q", lines)
	}
}

// record makes slog's default logger write to a logbook for the length of a test.
func record(t testing.TB) *logbook {
	l := &logbook{}
	before := slog.Default()
	slog.SetDefault(slog.New(l))
	t.Cleanup(func() { slog.SetDefault(before) })
	return l
}

// sameJSON compares two JSON texts.
func sameJSON(t testing.TB, got, want []byte) {
	t.Helper()
	var g, w bytes.Buffer
	if err := json.Compact(&g, got); err != nil {
		t.Fatalf("%q: %v", got, err)
	}
	if err := json.Compact(&w, want); err != nil {
		t.Fatal(err)
	}
	if g.String() != w.String() {
		t.Errorf("got %s, want %s", g.String(), w.String())
	}
}

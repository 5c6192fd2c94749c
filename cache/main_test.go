package cache

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// helperVar names the helper that a process started by a test is to be.
const helperVar = "QD_CACHE_TEST_HELPER"

// helpers are what the test binary can do as another process.
var helpers = map[string]func(args []string) error{
	"build":     helperBuild,
	"hang":      helperHang,
	"writer":    helperWriter,
	"temporary": helperTemporary,
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

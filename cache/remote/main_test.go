package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/cache"
)

// helpers are what the test binary can do as another process.
var helpers = map[string]func(args []string) error{"build": helperBuild}

const helperVar = "QD_REMOTE_TEST_HELPER"

func TestMain(m *testing.M) {
	if name := os.Getenv(helperVar); name != "" {
		if err := helpers[name](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	for _, name := range []string{"QD_CACHE", "QD_CACHE_REMOTE", "QD_CACHE_REMOTE_MODE", "QD_CACHE_TOKEN", "QD_CACHE_KEY", "QD_CACHE_SIZE", "QD_LOG"} {
		os.Unsetenv(name)
	}
	dir, err := os.MkdirTemp("", "qdgen-remote-test-")
	if err != nil {
		panic(err)
	}
	os.Setenv("NETRC", filepath.Join(dir, "none"))
	// A machine that is busy with other tests is no slow remote. Tests of that set their own time.
	os.Setenv("QD_CACHE_REMOTE_WAIT", "1m")
	// Go reads the certificates that it trusts once.
	s := httptest.NewTLSServer(nil)
	trusted := filepath.Join(dir, "ca.pem")
	err = os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600)
	if err != nil {
		panic(err)
	}
	s.Close()
	os.Setenv("SSL_CERT_FILE", trusted)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// A machine is a computer with a local cache.
type machine struct {
	*cache.Cache
	t      testing.TB
	remote *remote
}

// newMachine is a machine with an empty cache and the remote at an address.
func newMachine(t testing.TB, url string) *machine {
	t.Helper()
	return machineIn(t, t.TempDir(), url)
}

// machineIn is a machine with the cache in a directory.
func machineIn(t testing.TB, dir, url string) *machine {
	t.Helper()
	set := func(name, value string) {
		before, had := os.LookupEnv(name)
		os.Setenv(name, value)
		t.Cleanup(func() {
			if had {
				os.Setenv(name, before)
			} else {
				os.Unsetenv(name)
			}
		})
	}
	set("QD_CACHE", dir)
	set("QD_CACHE_REMOTE", url)
	// It is as another process.
	opened.Lock()
	opened.peers = nil
	opened.Unlock()
	c, err := cache.Open("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	r, _ := c.Remote().(*remote)
	if r != nil {
		t.Cleanup(func() { // uploads write to the directory, which is removed after this
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			_ = r.uploads.flush(ctx) // a test that expects an error has seen it
		})
	}
	return &machine{c, t, r}
}

// flush waits for the uploads.
func (m *machine) flush() error {
	m.t.Helper()
	return m.remote.uploads.flush(m.t.Context())
}

// mustFlush waits for the uploads, all of which have to succeed.
func (m *machine) mustFlush() {
	m.t.Helper()
	if err := m.flush(); err != nil {
		m.t.Fatal(err)
	}
}

func key(name string) cache.Key { return cache.NewKey("test", []byte(name)) }

// artifact is what compiling the named module gives.
func artifact(name string, size int) *cache.Artifact {
	data := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte(key(name))).Read(data)
	return &cache.Artifact{
		Kernel: name, Target: "cpp", Arch: "amd64", Data: data, Ext: ".so",
		Source: strings.Repeat("void "+name+"();\n", 20), Meta: []byte(`{"symbol":"` + name + `"}`),
	}
}

const size = 20_000

// build takes a module from a machine, which must be right, and reports whether it was compiled.
func (m *machine) build(name string) (compiled bool) {
	m.t.Helper()
	e, _, err := m.Build(key(name), func() (*cache.Artifact, error) {
		compiled = true
		return artifact(name, size), nil
	})
	if err != nil {
		m.t.Fatal(err)
	}
	want := artifact(name, size)
	got, err := os.ReadFile(e.Path)
	if err != nil || !bytes.Equal(got, want.Data) {
		m.t.Fatalf("%s: the artifact has other bytes than were compiled (%v)", name, err)
	}
	if source, err := m.Source(key(name)); err != nil || source != want.Source {
		m.t.Fatalf("%s: the source is another one (%v)", name, err)
	}
	if e.Kernel != name || e.Target != "cpp" || e.Arch != "amd64" || string(e.Meta) != string(want.Meta) || filepath.Ext(e.Path) != ".so" {
		m.t.Fatalf("%s: the entry is %+v", name, e)
	}
	return compiled
}

// compiles fails the test unless building a module compiles it, or does not.
func (m *machine) compiles(name string, want bool) {
	m.t.Helper()
	if got := m.build(name); got != want {
		m.t.Fatalf("%s: compiled is %v, want %v", name, got, want)
	}
}

// clean fails the test if the local cache has anything that is damaged.
func (m *machine) clean() {
	m.t.Helper()
	problems, err := m.Verify()
	if err != nil {
		m.t.Fatal(err)
	}
	for _, p := range problems {
		m.t.Errorf("%s %s: %v", p.Kind, p.Path, p.Err)
	}
}

// storeRecord stores a record under a first key that others can use.
func (m *machine) storeRecord(name, second string) {
	m.t.Helper()
	err := m.StoreIndex(key("first "+name), cache.Record{Second: key(second), Shared: key("shared " + name), Meta: []byte(`{"a":1}`)})
	if err != nil {
		m.t.Fatal(err)
	}
}

// storeNote stores a note.
func (m *machine) storeNote(name, note string) {
	m.t.Helper()
	err := m.EditNote(key("note "+name), "testing", func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(note), nil })
	if err != nil {
		m.t.Fatal(err)
	}
}

// wantRequests fails the test unless there were as many requests.
func wantRequests(t testing.TB, got []string, want int) {
	t.Helper()
	if len(got) != want {
		t.Errorf("%d requests, want %d: %q", len(got), want, got)
	}
}

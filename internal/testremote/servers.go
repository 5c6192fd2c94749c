// Package testremote starts remote caches for tests, and puts faults between them and their clients. Only tests
// import it.
package testremote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/testenv"
)

// A Server is a remote cache, in the words of the protocol.
type Server struct {
	Name  string
	Start func(t testing.TB) (url string)
}

// Servers are all kinds of servers.
var Servers = []Server{{"memory", startMemory}, {"bazel-remote", BazelRemote}, {"nginx", nginx}}

// startMemory starts a Memory.
func startMemory(t testing.TB) string { return new(Memory).Start(t) }

// Start serves what a Memory has, for the length of a test.
func (m *Memory) Start(t testing.TB) (url string) {
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	return s.URL
}

// Memory is a server that keeps everything in memory.
type Memory struct {
	mu   sync.Mutex
	Data map[string][]byte // by path
}

// ServeHTTP implements [http.Handler].
func (m *Memory) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Data == nil {
		m.Data = map[string][]byte{}
	}
	switch r.Method {
	case http.MethodPut:
		data, err := io.ReadAll(r.Body)
		sum := sha256.Sum256(data)
		if dir, name := filepath.Split(r.URL.Path); err != nil || strings.HasSuffix(dir, "/cas/") && name != hex.EncodeToString(sum[:]) {
			http.Error(w, "these are other bytes", http.StatusBadRequest)
			return
		}
		m.Data[r.URL.Path] = data
	case http.MethodGet, http.MethodHead:
		data, ok := m.Data[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
	default:
		http.Error(w, r.Method, http.StatusMethodNotAllowed)
	}
}

// Paths lists what a Memory has below a directory such as "/ac/".
func (m *Memory) Paths(dir string) (list []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for path := range m.Data {
		if strings.Contains(path, dir) {
			list = append(list, path)
		}
	}
	return list
}

// Edit changes what a Memory has under a path. Nil removes it.
func (m *Memory) Edit(path string, edit func(data []byte) []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if data := edit(m.Data[path]); data == nil {
		delete(m.Data, path)
	} else {
		m.Data[path] = data
	}
}

// bazelRemote is the command bazel-remote. The go command builds it, and keeps what it has built.
var bazelRemote = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("go", "tool", "-n", "github.com/buchgr/bazel-remote/v2")
	cmd.Dir = filepath.Join(testenv.Root(), "internal", "testremote", "bazelremote")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return strings.TrimSpace(string(out)), err
})

// BazelRemote starts a bazel-remote, which checks action results as it does unless told otherwise.
func BazelRemote(t testing.TB) string {
	program, err := bazelRemote()
	if err != nil {
		testenv.Missing(t, fmt.Errorf("the module proxy does not give bazel-remote: %w", err))
	}
	address := freeAddress(t)
	run(t, address, exec.Command(program, "--dir", t.TempDir(), "--max_size", "1", "--http_address", address, "--grpc_address", "none"))
	return "http://" + address + "/team"
}

// nginx starts an nginx that keeps files by WebDAV.
func nginx(t testing.TB) string {
	program, err := exec.LookPath("nginx")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/nginx"); err != nil {
			testenv.Missing(t, fmt.Errorf("%w; make setup installs it", err))
		}
	}
	dir, address := t.TempDir(), freeAddress(t)
	config := fmt.Sprintf(`
daemon off; master_process off; pid %[1]s/pid; error_log stderr;
events {}
http {
	access_log off;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/p; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
	client_max_body_size 64m;
	server {
		listen %[2]s;
		root %[1]s/data;
		location ~ ^/(ac|cas)/[0-9a-f]+$ { dav_methods PUT; create_full_put_path on; }
	}
}`, dir, address)
	for _, name := range []string{"data", "body"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "conf"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, address, exec.Command(program, "-c", filepath.Join(dir, "conf"), "-p", dir))
	return "http://" + address
}

// freeAddress is an address where nobody listens.
func freeAddress(t testing.TB) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// run runs a server for the length of a test, and waits until it listens.
func run(t testing.TB, address string, cmd *exec.Cmd) {
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-done
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return
		}
		select {
		case err := <-done:
			done <- err
			t.Fatalf("%s has ended: %v\n%s", filepath.Base(cmd.Path), err, said.String())
		case <-ctx.Done():
			t.Fatalf("%s does not listen", filepath.Base(cmd.Path))
		case <-time.After(10 * time.Millisecond):
		}
	}
}

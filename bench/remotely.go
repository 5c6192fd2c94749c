package main

import (
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/qdgen/qd/clang"
)

// remotely times fresh processes with an empty local cache and a remote cache on the same machine beside such processes
// with a local cache that has the module: what a pod or a job of CI pays for its first launch. With nothing
// in either cache, beside the same without a remote, it times what a remote costs that has nothing.
func remotely() ([]result, error) {
	if _, err := clang.Find(); err != nil {
		return nil, err
	}
	exe, dir, err := program("saxpy", "-tags=qdremote")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var results []result
	for _, r := range []struct {
		name  string
		start func(http.Handler) *httptest.Server
	}{{"http", httptest.NewServer}, {"https", httptest.NewTLSServer}} {
		hit, miss, err := againstServer(exe, filepath.Join(dir, r.name), r.start)
		if err != nil {
			return nil, err
		}
		hit.name, miss.name = "remote: fresh process, "+r.name, "remote: cold process, "+r.name
		results = append(results, hit, miss)
	}
	return results, nil
}

// againstServer times processes with a server.
func againstServer(exe, dir string, begin func(http.Handler) *httptest.Server) (hit, miss result, err error) {
	kept := &keeper{data: map[string][]byte{}}
	server := begin(kept)
	defer server.Close()
	if err := os.Mkdir(dir, 0o700); err != nil {
		return hit, miss, err
	}
	if c := server.Certificate(); c != nil {
		trusted := filepath.Join(dir, "ca.pem")
		if err := os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}), 0o600); err != nil {
			return hit, miss, err
		}
		defer set("SSL_CERT_FILE", trusted)()
	}
	run := 0
	fresh := func() string {
		run++
		return filepath.Join(dir, fmt.Sprint("cache", run))
	}
	process := func(cache func() string, url string) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			defer set("QD_CACHE_REMOTE", url)()
			total, _, err := start(exe, cache())
			return total, err
		}
	}
	// Until all is uploaded: what one process has no time for, the next uploads. This one's local cache is then warm.
	warmDir := fresh()
	warm := func() string { return warmDir }
	for try := 0; ; try++ {
		if _, err := process(warm, server.URL)(); err != nil {
			return hit, miss, err
		}
		before := kept.misses()
		if _, err := process(fresh, server.URL)(); err != nil {
			return hit, miss, err
		}
		if kept.misses() == before {
			break
		}
		if try == 10 {
			return hit, miss, fmt.Errorf("the remote cache still lacks something after %d processes", 2*try)
		}
		time.Sleep(100 * time.Millisecond)
	}
	hit = result{bound: bound{more: 20 * time.Millisecond}, note: "beside: warm, from the local cache"}
	if hit.ours, hit.theirs, err = sideBySide(process(fresh, server.URL), process(warm, server.URL)); err != nil {
		return hit, miss, err
	}
	kept.empty = true
	miss = result{note: "beside: cold, without a remote"}
	miss.ours, miss.theirs, err = sideBySide(process(fresh, server.URL), process(fresh, ""))
	return hit, miss, err
}

// set sets a variable of the environment, and gives what puts the old value back.
func set(name, value string) (reset func()) {
	old, had := os.LookupEnv(name)
	os.Setenv(name, value)
	return func() {
		if had {
			os.Setenv(name, old)
		} else {
			os.Unsetenv(name)
		}
	}
}

// A keeper is a remote cache in memory.
type keeper struct {
	mu     sync.Mutex
	data   map[string][]byte
	empty  bool // it forgets everything
	missed int
}

func (k *keeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	k.mu.Lock()
	defer k.mu.Unlock()
	switch data, ok := k.data[r.URL.Path]; {
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
	case r.Method == http.MethodPut && !k.empty:
		k.data[r.URL.Path] = body
	case r.Method == http.MethodPut:
	case ok && !k.empty:
		_, _ = w.Write(data)
	default:
		k.missed++
		w.WriteHeader(http.StatusNotFound)
	}
}

func (k *keeper) misses() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.missed
}

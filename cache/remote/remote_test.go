package remote

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testremote"
)

// What one machine has built, recorded and measured, another has without compiling, from every kind of server.
func TestShared(t *testing.T) {
	for _, server := range testremote.Servers {
		t.Run(server.Name, func(t *testing.T) {
			log := testenv.Logged(t)
			proxy := testremote.NewProxy(t, server.Start(t))
			a := newMachine(t, proxy.URL)
			a.compiles("k", true)
			a.storeRecord("k", "k")
			a.storeNote("k", `{"best":3}`)
			a.mustFlush()
			if waiting := marks(a.RemoteDir()); len(waiting) > 0 {
				t.Errorf("%d uploads are marked after they were made", len(waiting))
			}
			want := []string{"GET /ac/", "PUT /cas/", "PUT /ac/", "PUT /ac/", "PUT /ac/"}
			if got := proxy.Take(); len(got) != len(want) {
				t.Errorf("requests: %q", got)
			} else {
				for i := range got {
					if !strings.HasPrefix(got[i], want[i]) {
						t.Errorf("request %d is %s, want %s", i, got[i], want[i])
					}
				}
			}

			b := newMachine(t, proxy.URL)
			if rec, ok := b.FetchRecord(key("shared k")); !ok || rec.Second != key("k") || string(rec.Meta) != `{"a":1}` || rec.Origin == nil {
				t.Errorf("the record is %+v, %v", rec, ok)
			}
			if note, ok := b.FetchNote(key("note k")); !ok || string(note) != `{"best":3}` {
				t.Errorf("the note is %s", note)
			}
			b.compiles("k", false)
			wantRequests(t, proxy.Take(), 4)
			b.compiles("k", false)
			wantRequests(t, proxy.Take(), 0) // local first
			list, err := b.List()
			if err != nil || len(list) != 1 || list[0].Origin == nil || list[0].Origin.URL != proxy.URL {
				t.Errorf("the list is %+v, %v", list, err)
			}
			if got := TotalsOf(b.Cache); got != (Totals{Hits: 3}) {
				t.Errorf("totals: %+v", got)
			}
			if got := TotalsOf(a.Cache); got != (Totals{Misses: 1, Uploads: 3}) {
				t.Errorf("totals: %+v", got)
			}
			b.clean()
			log.WantNone(t)
		})
	}
}

// What a process has asked for in vain it does not ask for again.
func TestMissedOnce(t *testing.T) {
	proxy := testremote.NewProxy(t, testremote.Servers[0].Start(t))
	m := newMachine(t, proxy.URL)
	for range 3 {
		if _, err := m.Fetch(key("k")); err == nil {
			t.Fatal("found")
		}
	}
	wantRequests(t, proxy.Take(), 1)
	m.compiles("k", true)
	m.mustFlush()
	if p := m.remote.Fetch(cache.KindModule, key("k")); p == nil {
		t.Error("what was uploaded is not found")
	}
}

// Nothing is sent where nobody asks for it.
func TestOff(t *testing.T) {
	for _, url := range []string{"", "off"} {
		if m := newMachine(t, url); m.remote != nil {
			t.Errorf("QD_CACHE_REMOTE=%q opens %+v", url, m.remote)
		}
	}
	proxy := testremote.NewProxy(t, testremote.Servers[0].Start(t))
	t.Setenv("QD_CACHE_REMOTE", proxy.URL)
	c, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if c.Remote() != nil {
		t.Error("a cache in a directory of one's own has a remote")
	}
}

// Read only uploads nothing.
func TestReadOnly(t *testing.T) {
	proxy := testremote.NewProxy(t, testremote.Servers[0].Start(t))
	t.Setenv("QD_CACHE_REMOTE_MODE", "read")
	m := newMachine(t, proxy.URL)
	m.compiles("k", true)
	m.mustFlush()
	wantRequests(t, proxy.Take(), 1)
	if n := len(marks(m.RemoteDir())); n != 0 {
		t.Errorf("%d marks", n)
	}
}

// A server that takes no uploads is still read from. It is told once.
func TestUploadsRefused(t *testing.T) {
	for fault, says := range map[testremote.Fault]string{testremote.Denied: "403 Forbidden", testremote.Full: "507", testremote.Close: "EOF", testremote.Error: "500", testremote.Missing: "404"} {
		t.Run(string(fault), func(t *testing.T) {
			log := testenv.Logged(t)
			proxy := testremote.NewProxy(t, testremote.Servers[0].Start(t))
			a := newMachine(t, proxy.URL)
			a.compiles("there", true)
			a.mustFlush()
			proxy.Set(func(r *http.Request) testremote.Fault {
				if r.Method == http.MethodPut {
					return fault
				}
				return testremote.None
			})
			proxy.Take()
			dir := t.TempDir()
			m := machineIn(t, dir, proxy.URL)
			m.compiles("k", true)
			if err := m.flush(); err == nil || !strings.Contains(err.Error(), "1 entries are not in the remote cache: PUT") && fault != testremote.Close {
				t.Errorf("Flush gives %v", err)
			}
			m.compiles("k2", true)
			_ = m.flush()
			m.compiles("there", false)
			puts := 0
			for _, r := range proxy.Take() {
				if strings.HasPrefix(r, http.MethodPut) {
					puts++
				}
			}
			if puts < 1 || puts > 2 && fault != testremote.Close { // net/http may repeat what a closed connection has lost
				t.Errorf("%d uploads were tried", puts)
			}
			log.Want(t, "uploads nothing more", says)

			// Nothing is lost: the next process uploads what was left.
			proxy.Set(nil)
			for _, w := range marks(m.RemoteDir()) {
				old := time.Now().Add(-time.Minute)
				path := filepath.Join(m.RemoteDir(), marksName, string(w.Kind)+"-"+w.Key.String())
				if err := os.Chtimes(path, old, old); err != nil {
					t.Fatal(err)
				}
			}
			machineIn(t, dir, proxy.URL).mustFlush()
			b := newMachine(t, proxy.URL)
			b.compiles("k", false)
			b.compiles("k2", false)
		})
	}
}

// What is too large for a server is not sent again, and the rest is.
func TestTooLarge(t *testing.T) {
	log := testenv.Logged(t)
	proxy := testremote.NewProxy(t, testremote.Servers[0].Start(t))
	first := true
	proxy.Set(func(r *http.Request) testremote.Fault {
		if r.Method == http.MethodPut && first {
			first = false
			return testremote.TooLarge
		}
		return testremote.None
	})
	m := newMachine(t, proxy.URL)
	m.compiles("large", true)
	m.compiles("small", true)
	m.mustFlush()
	if n := len(marks(m.RemoteDir())); n != 0 {
		t.Errorf("%d marks are left", n)
	}
	b := newMachine(t, proxy.URL)
	b.compiles("small", false)
	b.compiles("large", true)
	log.WantNone(t)
}

// Marks of what is gone are forgotten, as are old ones. Fresh ones are another process's.
func TestMarks(t *testing.T) {
	proxy := testremote.NewProxy(t, testremote.Servers[0].Start(t))
	dir := t.TempDir()
	m := machineIn(t, dir, proxy.URL)
	age := map[string]time.Duration{"gone": time.Minute, "forgotten": markLife + time.Hour, "fresh": 0}
	for name, d := range age {
		n := cache.Name{Kind: cache.KindModule, Key: key(name)}
		mark(m.Cache, n)
		then := time.Now().Add(-d)
		if err := os.Chtimes(markPath(m.Cache, n), then, then); err != nil {
			t.Fatal(err)
		}
	}
	again := machineIn(t, dir, proxy.URL)
	again.mustFlush()
	left := marks(m.RemoteDir())
	if len(left) != 1 || left[0].Key != key("fresh") {
		t.Errorf("marks: %v", left)
	}
	if _, _, err := m.Clear(); err != nil {
		t.Fatal(err)
	}
	if left := marks(m.RemoteDir()); len(left) > 0 {
		t.Errorf("marks are left in a cache that was cleared: %v", left)
	}
}

// A local cache that keeps nothing has a remote all the same, and uploads what it builds.
func TestNoLocalCache(t *testing.T) {
	log := testenv.Logged(t)
	proxy := testremote.NewProxy(t, testremote.Servers[0].Start(t))
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, dir := range []string{"off", file} {
		name := fmt.Sprint("k", i)
		a := machineIn(t, dir, proxy.URL)
		a.compiles(name, true)
		a.mustFlush()
		b := machineIn(t, dir, proxy.URL)
		b.compiles(name, false)
		log.Take() // that nothing is kept
	}
}

// Tokens and passwords are sent, to the host that they are for.
func TestLogin(t *testing.T) {
	netrc := filepath.Join(t.TempDir(), "netrc")
	err := os.WriteFile(netrc, []byte("machine example.com login no password no\nmachine 127.0.0.1 login ann password b:c\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, token, user, netrc, want string }{
		{"none", "", "", "", ""},
		{"token", "secret", "", netrc, "Bearer secret"},
		{"netrc", "", "", netrc, "Basic YW5uOmI6Yw=="},
		{"address", "", "joe:pw@", netrc, "Basic am9lOnB3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			log := testenv.Logged(t)
			memory := &testremote.Memory{}
			elsewhere := ""
			other := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				elsewhere = r.Header.Get("Authorization")
				memory.ServeHTTP(w, r)
			}))
			defer other.Close()
			s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if got := r.Header.Get("Authorization"); got != tt.want {
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				if strings.HasPrefix(r.URL.Path, "/cas/") && r.Method == http.MethodGet {
					// As object stores do. "localhost" is another host.
					http.Redirect(w, r, strings.Replace(other.URL, "127.0.0.1", "example.com", 1)+r.URL.Path, http.StatusTemporaryRedirect)
					return
				}
				memory.ServeHTTP(w, r)
			}))
			defer s.Close()
			t.Setenv("QD_CACHE_TOKEN", tt.token)
			if tt.netrc != "" {
				t.Setenv("NETRC", tt.netrc)
			}
			url := strings.Replace(s.URL, "https://", "https://"+tt.user, 1)
			a := newMachine(t, url)
			a.compiles("k", true)
			a.mustFlush()
			b := newMachine(t, url)
			dialTo(b.remote.client, other.Listener.Addr().String(), "example.com")
			b.compiles("k", false)
			if elsewhere != "" {
				t.Errorf("another host was sent %q", elsewhere)
			}
			if o := list(t, b)[0].Origin; strings.Contains(o.URL, "pw") {
				t.Errorf("the local cache has kept the password: %s", o.URL)
			}
			log.WantNone(t)

			// A wrong one is told how to give a right one.
			t.Setenv("QD_CACHE_TOKEN", "wrong")
			if tt.user != "" {
				return
			}
			c := newMachine(t, url)
			c.compiles("k", true)
			log.Want(t, "401", "QD_CACHE_TOKEN")
		})
	}
}

func list(t *testing.T, m *machine) []cache.Entry {
	t.Helper()
	l, err := m.List()
	if err != nil || len(l) == 0 {
		t.Fatalf("the list is %v, %v", l, err)
	}
	return l
}

// The caches of one process have one patience, and tell of a failure once.
func TestSeveralCaches(t *testing.T) {
	log := testenv.Logged(t)
	proxy := testremote.NewProxy(t, testremote.Servers[0].Start(t))
	proxy.Set(func(*http.Request) testremote.Fault { return testremote.Error })
	a := newMachine(t, proxy.URL)
	c, err := cache.Open("")
	if err != nil {
		t.Fatal(err)
	}
	b := &machine{c, t, c.Remote().(*remote)}
	if a.remote == b.remote || a.remote.peer != b.remote.peer {
		t.Fatal("two caches with the same remote do not share what is known of it")
	}
	a.compiles("k", true)
	b.compiles("k2", true)
	if a.flush() == nil || b.flush() == nil {
		t.Error("Flush does not say what was not uploaded")
	}
	wantRequests(t, proxy.Take(), 1)
	log.Want(t, "does not ask it again")
	if err := Flush(t.Context()); err == nil {
		t.Error("Flush of all says nothing")
	}
}

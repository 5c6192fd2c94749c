package remote

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testremote"
)

// store is the remote of a machine, as tools use it.
func store(t *testing.T, m *machine) *Store {
	t.Helper()
	config, err := FromEnvironment()
	if err != nil {
		t.Fatal(err)
	}
	return NewStore(m.Cache, config)
}

// What one machine pushes another pulls, and neither sends anything twice.
func TestPushPull(t *testing.T) {
	for _, server := range testremote.Servers {
		t.Run(server.Name, func(t *testing.T) {
			log := testenv.Logged(t)
			proxy := testremote.NewProxy(t, server.Start(t))
			a := machineIn(t, t.TempDir(), "") // a program that does not speak to a remote
			for i := range 3 {
				a.compiles(fmt.Sprint("k", i), true)
			}
			a.storeRecord("k0", "k0")
			a.storeNote("k0", `{"best":1}`)
			if err := a.StoreIndex(key("local"), cache.Record{Second: key("k0")}); err != nil {
				t.Fatal(err)
			}
			t.Setenv("QD_CACHE_REMOTE", proxy.URL)
			s := store(t, a)
			if done, err := s.Push(t.Context(), "main"); err != nil || done != (Pushed{Uploaded: 5, Listed: 5}) {
				t.Fatalf("Push: %+v, %v", done, err)
			}
			proxy.Take()
			if done, err := s.Push(t.Context(), "main"); err != nil || done != (Pushed{There: 5, Listed: 5}) {
				t.Fatalf("Push again: %+v, %v", done, err)
			}
			for _, r := range proxy.Take() {
				if strings.HasPrefix(r, "PUT /cas/") && strings.Count(r, "list") == 0 {
					t.Logf("%s", r) // the list, whose times are new
				}
			}

			b := machineIn(t, t.TempDir(), proxy.URL)
			if done, err := store(t, b).Pull(t.Context(), "main"); err != nil || done != (Pulled{Downloaded: 5}) {
				t.Fatalf("Pull: %+v, %v", done, err)
			}
			if done, err := store(t, b).Pull(t.Context(), "main"); err != nil || done != (Pulled{Here: 5}) {
				t.Fatalf("Pull again: %+v, %v", done, err)
			}
			if done, err := store(t, b).Pull(t.Context(), "other"); err != nil || done != (Pulled{}) {
				t.Fatalf("Pull of nothing: %+v, %v", done, err)
			}
			// A third adds to the list.
			c := machineIn(t, t.TempDir(), proxy.URL)
			c.compiles("k3", true)
			c.mustFlush()
			if done, err := store(t, c).Push(t.Context(), "main"); err != nil || done != (Pushed{There: 1, Listed: 1}) {
				t.Fatalf("Push of another: %+v, %v", done, err)
			}
			if done, err := store(t, b).Pull(t.Context(), "main"); err != nil || done != (Pulled{Downloaded: 1, Here: 5}) {
				t.Fatalf("Pull after another's push: %+v, %v", done, err)
			}
			if done, err := store(t, b).Verify(t.Context(), "main"); err != nil || done.Whole != 6 || len(done.Problems) > 0 || done.Missing > 0 {
				t.Fatalf("Verify: %+v, %v", done, err)
			}

			// All of it is used without the remote.
			off := machineIn(t, b.Dir(), "")
			for i := range 4 {
				off.compiles(fmt.Sprint("k", i), false)
			}
			if rec, ok := off.LookupIndex(key("first k0")); !ok || rec.Second != key("k0") {
				t.Errorf("the record is %+v, %v", rec, ok)
			}
			if note, ok := off.Note(key("note k0")); !ok || string(note) != `{"best":1}` {
				t.Errorf("the note is %s, %v", note, ok)
			}
			off.clean()
			log.WantNone(t)
		})
	}
}

// Verify finds what is damaged, missing or not signed.
func TestVerifyRemote(t *testing.T) {
	private, public := newKeys(t)
	_, other := newKeys(t)
	t.Setenv("QD_CACHE_KEY", private)
	memory := &testremote.Memory{}
	m := newMachine(t, testServer(t, memory))
	for i := range 4 {
		m.compiles(fmt.Sprint("k", i), true)
	}
	m.mustFlush()
	s := store(t, m)
	if _, err := s.Push(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	path := func(name string) string { return acPath(actionKey(cache.KindModule, key(name))) }
	memory.Edit(path("k0"), func([]byte) []byte { return nil })
	memory.Edit(path("k1"), func([]byte) []byte { return memory.Data[path("k2")] })
	d, _, err := s.client.document(t.Context(), cache.KindModule, key("k3"))
	if err != nil {
		t.Fatal(err)
	}
	memory.Edit(casPath(d.Files[0].SHA256), func(data []byte) []byte {
		data = append([]byte(nil), data...)
		data[7]++
		return data
	})
	t.Setenv("QD_CACHE_KEY", public)
	done, err := store(t, m).Verify(t.Context(), "main")
	if err != nil || done.Whole != 1 || done.Missing != 1 || len(done.Problems) != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	for _, p := range done.Problems {
		want := map[cache.Key]string{key("k1"): "another key", key("k3"): "SHA-256"}[p.Key]
		if want == "" || !strings.Contains(p.Problem, want) {
			t.Errorf("%s %s: %s", p.Kind, p.Key, p.Problem)
		}
	}
	t.Setenv("QD_CACHE_KEY", other)
	if done, err := store(t, newMachine(t, m.remote.URL.String())).Verify(t.Context(), "main"); err != nil || len(done.Problems) != 1 || done.Problems[0].Kind != kindList {
		t.Errorf("with another key: %+v, %v", done, err)
	}
	if _, err := store(t, m).Pull(t.Context(), "main"); err == nil || !strings.Contains(err.Error(), "QD_CACHE_KEY does not have") {
		t.Errorf("Pull gives %v", err)
	}
}

// A tool tells what is wrong with a remote.
func TestStoreErrors(t *testing.T) {
	proxy := testremote.NewProxy(t, testremote.Servers[0].Start(t))
	m := newMachine(t, proxy.URL)
	m.build("k")
	m.mustFlush()
	for _, fault := range []testremote.Fault{testremote.Error, testremote.Close, testremote.Denied} {
		proxy.Set(func(*http.Request) testremote.Fault { return fault })
		s := store(t, m)
		if _, err := s.Push(t.Context(), "main"); err == nil {
			t.Errorf("%s: Push succeeds", fault)
		}
		if _, err := s.Pull(t.Context(), "main"); err == nil {
			t.Errorf("%s: Pull succeeds", fault)
		}
		if _, err := s.Verify(t.Context(), "main"); err == nil {
			t.Errorf("%s: Verify succeeds", fault)
		}
	}
}

package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testremote"
)

// dialTo has a client find a host at another address.
func dialTo(c *client, address, host string) {
	dial := func(ctx context.Context, network, to string) (net.Conn, error) {
		if strings.HasPrefix(to, host+":") {
			to = address
		}
		return new(net.Dialer).DialContext(ctx, network, to)
	}
	q := c.http.Transport.(*quick)
	q.quick.DialContext, q.usual.DialContext = dial, dial
}

// Whatever a remote does to an answer, what a machine gets is right. A fault is told once, and after it the remote
// is not asked again.
func TestFaults(t *testing.T) {
	server := testremote.BazelRemote(t)
	proxy := testremote.NewProxy(t, server)
	a := newMachine(t, proxy.URL)
	for i := range 3 {
		a.compiles(fmt.Sprint("k", i), true)
	}
	a.mustFlush()
	for _, fault := range []testremote.Fault{
		testremote.Hang, testremote.HangBody, testremote.Close, testremote.Truncate, testremote.Short, testremote.Flip, testremote.FlipFirst,
		testremote.FlipLast, testremote.Long, testremote.Empty, testremote.Error, testremote.Denied, testremote.Full, testremote.TooLarge,
	} {
		for _, where := range []string{"/ac/", "/cas/"} {
			for _, wait := range []bool{false, true} {
				if isHang := fault == testremote.Hang || fault == testremote.HangBody; isHang != wait {
					continue
				}
				t.Run(string(fault)+where, func(t *testing.T) {
					log := testenv.Logged(t)
					if wait {
						t.Setenv("QD_CACHE_REMOTE_WAIT", "200ms")
					}
					proxy.Set(func(r *http.Request) testremote.Fault {
						if r.Method == http.MethodGet && strings.Contains(r.URL.Path, where) {
							return fault
						}
						return testremote.None
					})
					b := newMachine(t, proxy.URL)
					proxy.Take()
					if fault == testremote.FlipLast && where == "/ac/" {
						b.build("k0") // at the end of an action result bazel-remote notes whence it came
						log.WantNone(t)
						return
					}
					b.compiles("k0", true)
					if b.remote.patience.asks() {
						t.Error("the remote is still asked")
					}
					if got := proxy.Take(); len(got) < 1 || len(got) > 6 { // net/http repeats what a closed connection has lost
						t.Errorf("requests: %q", got)
					}
					says := map[testremote.Fault]string{
						testremote.Hang: "has not answered within", testremote.HangBody: "has not answered within",
						testremote.Error: "500", testremote.Denied: "403", testremote.Full: "507", testremote.TooLarge: "413",
					}[fault]
					log.Want(t, "does not ask it again", proxy.URL, says)
					b.compiles("k1", true)
					b.compiles("k2", true)
					_ = b.flush()
					for _, r := range proxy.Take() {
						if !strings.HasPrefix(r, http.MethodPut) {
							t.Errorf("after the fault: %s", r)
						}
					}
					log.WantNone(t)
					b.clean()
					if got := TotalsOf(b.Cache); got.Failures != 1 || got.Hits != 0 {
						t.Errorf("totals: %+v", got)
					}

					// It was the way, not the remote.
					proxy.Set(nil)
					c := newMachine(t, proxy.URL)
					for i := range 3 {
						c.compiles(fmt.Sprint("k", i), false)
					}
					log.WantNone(t)
				})
			}
		}
	}
}

// Every bit of an answer that is another one is found, or does not matter.
func TestFlippedBits(t *testing.T) {
	testenv.Logged(t)
	memory := &testremote.Memory{}
	s := testServer(t, memory)
	a := newMachine(t, s)
	a.compiles("k", true)
	a.mustFlush()
	path := memory.Paths("/ac/")[0]
	good := memory.Data[path]
	compiled := 0
	for i := 0; i < len(good); i += 3 {
		memory.Edit(path, func([]byte) []byte {
			bad := append([]byte(nil), good...)
			bad[i] ^= 1 << (i % 8)
			return bad
		})
		p, err := a.remote.fetch(t.Context(), cache.KindModule, key("k"))
		if err != nil {
			compiled++
			continue
		}
		want, _ := a.Pack(cache.Name{Kind: cache.KindModule, Key: key("k")})
		if !sameDocument(documentOf(p), documentOf(want)) || p.Key != want.Key || p.Place != want.Place {
			t.Fatalf("byte %d of %d: other things are taken for right", i, len(good))
		}
	}
	if compiled < len(good)/3/2 {
		t.Errorf("only %d faults of %d are found", compiled, len(good)/3)
	}
}

// A remote that is not there costs a warning.
func TestDead(t *testing.T) {
	log := testenv.Logged(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	m := newMachine(t, "http://"+l.Addr().String())
	m.compiles("k", true)
	log.Want(t, "does not ask it again", "refused")
	m.compiles("k2", true)
	if err := m.flush(); err == nil || !strings.Contains(err.Error(), "2 entries are not in the remote cache") {
		t.Errorf("Flush gives %v", err)
	}
	log.WantNone(t)
	if n := len(marks(m.RemoteDir())); n != 2 {
		t.Errorf("%d marks are left for the next process, want 2", n)
	}
}

// A remote that has lost a file of an entry has lost the entry. It gets a new one.
func TestLostFile(t *testing.T) {
	log := testenv.Logged(t)
	memory := &testremote.Memory{}
	url := testServer(t, memory)
	a := newMachine(t, url)
	a.compiles("k", true)
	a.mustFlush()
	memory.Edit(memory.Paths("/cas/")[0], func([]byte) []byte { return nil })
	b := newMachine(t, url)
	b.compiles("k", true)
	b.mustFlush()
	newMachine(t, url).compiles("k", false)
	log.WantNone(t)
}

// An entry under another key is no entry.
func TestMoved(t *testing.T) {
	for _, signed := range []bool{false, true} {
		t.Run(fmt.Sprintf("signed %v", signed), func(t *testing.T) {
			log := testenv.Logged(t)
			if signed {
				private, _ := newKeys(t)
				t.Setenv("QD_CACHE_KEY", private)
			}
			memory := &testremote.Memory{}
			url := testServer(t, memory)
			a := newMachine(t, url)
			a.compiles("good", true)
			a.compiles("evil", true)
			a.mustFlush()
			path := func(name string) string { return acPath(actionKey(cache.KindModule, key(name))) }
			memory.Edit(path("good"), func([]byte) []byte { return memory.Data[path("evil")] })
			b := newMachine(t, url)
			b.compiles("good", true)
			log.Want(t, "it belongs to another key")
		})
	}
}

// What is in a remote that no version of qdgen has written is refused.
func TestStrangers(t *testing.T) {
	testenv.Logged(t)
	module := json.RawMessage(`{"kernel":"k","target":"cpp","arch":"amd64"}`)
	files := func(names ...string) (list []cache.ParcelFile) {
		for _, n := range names {
			list = append(list, cache.ParcelFile{Name: n, Data: []byte(n)})
		}
		return list
	}
	for name, p := range map[string]*cache.Parcel{
		"no files":     {Kind: cache.KindModule, Body: module},
		"one file":     {Kind: cache.KindModule, Body: module, Files: files("artifact.so")},
		"other files":  {Kind: cache.KindModule, Body: module, Files: files("source.zst", "artifact.so")},
		"path":         {Kind: cache.KindModule, Body: module, Files: files("artifact.so/../../../evil", "source.zst")},
		"absolute":     {Kind: cache.KindModule, Body: module, Files: files("/tmp/artifact.so", "source.zst")},
		"other body":   {Kind: cache.KindModule, Body: json.RawMessage(`[1]`), Files: files("artifact.so", "source.zst")},
		"record":       {Kind: cache.KindRecord, Body: json.RawMessage(`{"second":"12"}`)},
		"other record": {Kind: cache.KindRecord, Body: json.RawMessage(`{"second":"` + key("x").String() + `","shared":"` + key("y").String() + `"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			url := testServer(t, &testremote.Memory{})
			a := newMachine(t, url)
			p.Key = key("k")
			p.Place = p.Key
			if err := a.remote.store(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			b := newMachine(t, url)
			if p.Kind == cache.KindRecord {
				if rec, ok := b.FetchRecord(p.Key); ok {
					t.Errorf("the record is %+v", rec)
				}
				return
			}
			b.compiles("k", true)
			b.clean()
		})
	}
}

// The patience is that of a process: many short waits come to an end as one long does. What a remote gives sets
// it back.
func TestPatience(t *testing.T) {
	now := time.Unix(0, 0)
	p := newPatience(200 * time.Millisecond)
	p.now = func() time.Time { return now }
	wait := func(d time.Duration, hit bool) (asked, ended bool) {
		_, cancel, _, ok := p.begin()
		if !ok {
			return false, false
		}
		defer cancel()
		now = now.Add(d)
		return true, p.end(hit)
	}
	for i := range 3 {
		if asked, ended := wait(60*time.Millisecond, false); !asked || ended {
			t.Fatalf("wait %d: %v, %v", i, asked, ended)
		}
	}
	wait(10*time.Millisecond, true)
	for i := range 4 {
		if asked, ended := wait(50*time.Millisecond, false); !asked || ended != (i == 3) {
			t.Fatalf("wait %d after the hit: %v, %v", i, asked, ended)
		}
	}
	if asked, _ := wait(time.Millisecond, false); asked {
		t.Error("there is no patience, and the remote is asked")
	}

	// Those who wait at once wait once.
	p = newPatience(200 * time.Millisecond)
	p.now = func() time.Time { return now }
	_, cancel1, left, _ := p.begin()
	if left != 200*time.Millisecond {
		t.Errorf("the first may wait for %v", left)
	}
	now = now.Add(150 * time.Millisecond)
	_, cancel2, left, _ := p.begin()
	if left != 50*time.Millisecond {
		t.Errorf("the second may wait for %v, want the 50ms that are left", left)
	}
	if p.end(false); !p.asks() || p.left != 200*time.Millisecond {
		t.Errorf("%v are left", p.left)
	}
	now = now.Add(40 * time.Millisecond)
	if p.end(false); !p.asks() || p.left != 10*time.Millisecond {
		t.Errorf("%v are left, want 10ms", p.left)
	}
	cancel1()
	cancel2()
	if p.stop(); p.asks() {
		t.Error("stop does not stop")
	}
}

// helperBuild builds modules, and ends without a word.
func helperBuild(names []string) error {
	c, err := cache.Open("")
	if err != nil {
		return err
	}
	for _, name := range names {
		_, _, err := c.Build(key(name), func() (*cache.Artifact, error) {
			fmt.Println(name)
			return artifact(name, size), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Many processes with one local cache compile each module once; with other local caches and one remote they get
// what is right. A process that ends at once loses no upload.
func TestProcesses(t *testing.T) {
	url := testServer(t, &testremote.Memory{})
	names := []string{"a", "b", "c", "d", "e", "f"}
	shared := t.TempDir()
	var mu sync.Mutex
	compiled := map[string]int{}
	process := func(dir string) {
		cmd := helperProcess(t, dir, url, names)
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%v: %s", err, out)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, line := range strings.Fields(string(out)) {
			compiled[dir+" "+line]++
		}
	}
	var wg sync.WaitGroup
	dirs := []string{shared, shared, t.TempDir(), t.TempDir()}
	for _, dir := range dirs {
		wg.Go(func() { process(dir) })
	}
	wg.Wait()
	for what, n := range compiled {
		if n != 1 {
			t.Errorf("%s: compiled %d times", filepath.Base(what), n)
		}
	}
	for _, dir := range dirs {
		for _, w := range marks(filepath.Join(dir, "v1", "remote")) {
			old := time.Now().Add(-time.Minute)
			if err := os.Chtimes(filepath.Join(dir, "v1", "remote", marksName, string(w.Kind)+"-"+w.Key.String()), old, old); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		m := machineIn(t, dir, url)
		m.mustFlush()
		m.clean()
	}
	last := newMachine(t, url)
	for _, name := range names {
		last.compiles(name, false)
	}
}

// A remote that answers, but has nothing for a program, is left alone without a warning once the time is spent, and
// gets what the program builds.
func TestFarAway(t *testing.T) {
	log := testenv.Logged(t)
	proxy := testremote.NewProxy(t, testremote.Servers[0].Start(t))
	t.Setenv("QD_CACHE_REMOTE_WAIT", "200ms")
	m := newMachine(t, proxy.URL)
	p := m.remote.patience
	p.now = func() time.Time { return time.Unix(0, 0) }
	p.left = 10 * time.Millisecond // as after long answers
	proxy.Set(func(r *http.Request) testremote.Fault {
		if r.Method == http.MethodGet {
			return testremote.Hang
		}
		return testremote.None
	})
	m.compiles("k", true)
	m.compiles("k2", true)
	m.mustFlush()
	if got := proxy.Take(); len(got) != 5 || p.asks() { // one GET, and two uploads of two files
		t.Errorf("requests: %q", got)
	}
	log.WantNone(t)
	if got := TotalsOf(m.Cache); got != (Totals{Misses: 1, Uploads: 2}) {
		t.Errorf("totals: %+v", got)
	}
	proxy.Set(nil)
	newMachine(t, proxy.URL).compiles("k", false)
}

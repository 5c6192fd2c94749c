//go:build unix && !race

package e2e

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testmodule"
	"github.com/qdgen/qd/internal/testremote"
)

// A program on one machine has what it has built on another: modules, records and tuned times. What the way there does to
// them changes no result.
func TestRemoteCache(t *testing.T) {
	goodCompiler(t)
	program := filepath.Join(t.TempDir(), "remotely")
	must(t, testmodule.Build("e2e-remotely", program, func(path string) error {
		return goCommand(testenv.Root(), nil, "build", withoutDebug, "-o", path, "./internal/e2e/remotely")
	}))
	proxy := testremote.NewProxy(t, testremote.BazelRemote(t))
	run := func(t *testing.T, env ...string) (values string, stats qd.Counts, r *result) {
		t.Helper()
		m := newMachine(t)
		m.env["QD_CACHE_REMOTE"] = proxy.URL
		m.env["QD_CACHE_REMOTE_WAIT"] = "1m"
		for i := 0; i < len(env); i += 2 {
			m.env[env[i]] = env[i+1]
		}
		proxy.Take()
		r = m.run(program).ok()
		values, text, _ := strings.Cut(r.stdout, "\n")
		if err := json.Unmarshal([]byte(text), &stats); err != nil {
			t.Fatalf("%v: %s", err, r.stdout)
		}
		return values, stats, r
	}
	want, alone, r := run(t, "QD_CACHE_REMOTE", "off")
	if alone.Compiled == 0 || alone.RemoteHits+alone.RemoteMisses+alone.RemoteFailures+alone.RemoteUploads != 0 || !strings.Contains(r.stderr, "INFO tuned ") {
		t.Fatalf("without a remote: %+v\n%s", alone, r.stderr)
	}

	got, first, r := run(t)
	if got != want || first.Compiled != alone.Compiled || first.RemoteUploads == 0 || first.RemoteMisses == 0 || strings.Contains(r.stderr, "flush") {
		t.Fatalf("first: %s, want %s; %+v\n%s", got, want, first, r.stderr)
	}
	r.warned(0)
	got, second, r := run(t)
	// The Grid kernel's record is not kept: its source is read each time.
	if got != want || second.Compiled != 0 || second.RemoteHits == 0 || second.Lowered >= first.Lowered || strings.Contains(r.stderr, "INFO tuned ") {
		t.Errorf("second: %s, want %s; %+v\n%s", got, want, second, r.stderr)
	}
	r.warned(0)

	// The kernel that captures a variable is built anew where it has another value, and both are found later.
	_, other, _ := run(t, "REMOTELY_VALUE", "x")
	if other.Compiled != 1 {
		t.Errorf("with another value: %+v", other)
	}
	for _, env := range []string{"", "x"} {
		if got, again, _ := run(t, "REMOTELY_VALUE", env); again.Compiled != 0 || (got == want) != (env == "") {
			t.Errorf("with the value of %q again: %+v", env, again)
		}
	}

	for _, fault := range []testremote.Fault{testremote.Hang, testremote.HangBody, testremote.Flip, testremote.Truncate, testremote.Error, testremote.Close} {
		for _, from := range []int{0, 4} { // which request is the first to fail
			t.Run(string(fault), func(t *testing.T) {
				seen := 0
				proxy.Set(func(r *http.Request) testremote.Fault {
					if r.Method != http.MethodGet {
						return testremote.None
					}
					if seen++; seen <= from {
						return testremote.None
					}
					return fault
				})
				defer proxy.Set(nil)
				got, stats, r := run(t, "QD_CACHE_REMOTE_WAIT", "200ms")
				if got != want || stats.RemoteFailures < 1 {
					t.Errorf("%s, want %s; %+v", got, want, stats)
				}
				r.warned(1).logs("WARN .*does not ask it again")
				gets := slices.DeleteFunc(proxy.Take(), func(s string) bool { return !strings.HasPrefix(s, "GET") })
				// net/http repeats a request by itself, once for each connection that it had kept and finds closed.
				slices.Sort(gets)
				if gets = slices.Compact(gets); len(gets) > from+6 {
					t.Errorf("%d different requests: %q", len(gets), gets)
				}
			})
		}
	}
}

// A program that does not contain the code for a remote cache says so, once, and does its work.
func TestNoRemoteCode(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	m := newMachine(t)
	m.env["QD_CACHE_REMOTE"] = "https://cache.example.com"
	m.run(stranger(t), "-device", "cpu", "saxpy", "wave").right("cpu", "saxpy", "wave").warned(1).logs("WARN .*-tags qdremote")
}

// The tag qdremote brings that code into every program.
func TestRemoteTag(t *testing.T) {
	t.Parallel()
	for tags, want := range map[string]bool{"": false, "qdremote": true} {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", tags, "./examples/saxpy")
		cmd.Dir = testenv.Root()
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		list := strings.Fields(string(out))
		for _, path := range []string{"github.com/qdgen/qd/cache/remote", "net/http"} {
			if slices.Contains(list, path) != want {
				t.Errorf("with tags %q: %s is in the program: %v", tags, path, !want)
			}
		}
	}
}

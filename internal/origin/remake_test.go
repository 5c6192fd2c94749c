package origin

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/frontend/load"
)

// The cache of the go command says when the main package of a program was compiled.
func TestCompiledAt(t *testing.T) {
	dir := t.TempDir()
	hash := strings.Repeat("0f", 32)
	action, err := hex.DecodeString(hash[:30])
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Repeat("a", 20)
	id := strings.Join([]string{other, base64.RawURLEncoding.EncodeToString(action), other, other}, "/")
	at := time.Unix(1700000000, 123456789)
	entry := filepath.Join(dir, "0f", hash+"-a")
	if err := os.MkdirAll(filepath.Dir(entry), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, entry, fmt.Sprintf("v1 %s %s %20d %20d\n", hash, hash, 12345, at.UnixNano()))
	config := write(t, filepath.Join(dir, "env"), "GOFLAGS=-v\nGOCACHE="+dir+"\n").Name
	for _, cache := range []string{dir, ""} { // by the environment, and by go env -w
		t.Setenv("GOCACHE", cache)
		t.Setenv("GOENV", config)
		if got := compiledAt(id); !got.Equal(at) {
			t.Errorf("GOCACHE=%s: %v", cache, got)
		}
		for _, unknown := range []string{"", "sha256 0f", strings.Join([]string{other, other, other, other}, "/")} {
			if got := compiledAt(unknown); !got.IsZero() {
				t.Errorf("%q: %v", unknown, got)
			}
		}
	}
	write(t, entry, "v2 other")
	if got := compiledAt(id); !got.IsZero() {
		t.Errorf("of another form: %v", got)
	}
}

// The process that has started this one was there before it.
func TestProcessStart(t *testing.T) {
	own, parent := processStart(os.Getpid()), processStart(os.Getppid())
	if runtime.GOOS != "linux" {
		if !own.IsZero() {
			t.Error(own)
		}
		return
	}
	if own.IsZero() || own.After(started.Add(clockError)) || parent.After(own.Add(clockError)) || !processStart(-1).IsZero() {
		t.Errorf("own %v, parent %v, started %v", own, parent, started)
	}
}

// A program is built again with what is stamped into it, but for what cannot be told.
func TestBuildAgain(t *testing.T) {
	settings := func(list ...string) (s []debug.BuildSetting) {
		for _, text := range list {
			key, value, _ := strings.Cut(text, " ")
			s = append(s, debug.BuildSetting{Key: key, Value: value})
		}
		return s
	}
	info := &debug.BuildInfo{GoVersion: "go1.26", Path: "example.com/app/cmd/p", Main: debug.Module{Path: "example.com/app"},
		Settings: settings("-buildmode exe", "-compiler gc", "-tags a,b", "CGO_ENABLED 0", "GOAMD64 v1", "DefaultGODEBUG x=1")}
	args, env, ok := buildAgain(info)
	if want := []string{"build", "-compiler=gc", "-tags=a,b", "-buildvcs=false"}; !ok || !slices.Equal(args, want) {
		t.Error(args, ok)
	}
	if want := []string{"CGO_ENABLED=0", "GOAMD64=v1"}; !slices.Equal(env, want) {
		t.Error(env)
	}
	pie := &debug.BuildInfo{Path: "example.com/app/p", Settings: settings("-buildmode pie", "vcs git", "vcs.revision 0")}
	if args, _, ok := buildAgain(pie); !ok || !slices.Equal(args, []string{"build", "-buildmode=pie", "-buildvcs=auto"}) {
		t.Error(args, ok)
	}
	if own := Running(openCache(t)); !own.isTest() {
		t.Error("this program is a test")
	}
	if _, _, ok := buildAgain(&debug.BuildInfo{Settings: settings("-cover true")}); ok {
		t.Error("with -cover")
	}
	printed := "/tmp/p: go1.26\n\t" + strings.ReplaceAll(strings.TrimSpace(strings.TrimPrefix(info.String(), "go\tgo1.26\n")), "\n", "\n\t") + "\n"
	if !stampedAlike(printed, info) || stampedAlike(printed+"\tbuild\tvcs=git\n", info) {
		t.Errorf("%q and %q", printed, info)
	}

	root := t.TempDir()
	write(t, filepath.Join(root, "go.mod"), "module example.com/app\n")
	p := fakeProgram(t, openCache(t), "x\x00/other/cmd/p/z.go\x00"+filepath.Join(root, "cmd/p/main.go")+"\x00", time.Now())
	if dir := p.mainDir(info); dir != filepath.Join(root, "cmd/p") {
		t.Errorf("main package in %q", dir)
	}
	if dir := p.mainDir(&debug.BuildInfo{Path: "command-line-arguments", Main: info.Main}); dir != "" {
		t.Errorf("of named files in %q", dir)
	}
}

// What times say, and what the go command does, decides together.
func TestDoubts(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module k\n")
	f := write(t, filepath.Join(dir, "k.go"), "package k")
	now := time.Now()
	for _, test := range []struct {
		name            string
		compiled, begun time.Time
		says            answer
		want            string
	}{
		{"saved an hour before", now.Add(2 * buildTime), time.Time{}, other, ""},
		{"saved just before", now.Add(time.Minute), time.Time{}, unknown, ""},
		{"saved just before", now.Add(time.Minute), time.Time{}, same, ""},
		{"saved just before", now.Add(time.Minute), time.Time{}, other, "perhaps during the build of the program"},
		{"saved since", now.Add(-time.Minute), time.Time{}, unknown, "after the program was compiled"},
		{"saved since", now.Add(-time.Minute), time.Time{}, same, ""},
		{"saved since", now.Add(-time.Minute), time.Time{}, other, "go build makes a different program"},
		{"before go run", time.Time{}, now.Add(time.Minute), unknown, ""},
		{"during go run", time.Time{}, now.Add(-time.Minute), unknown, "after the go command that built the program began"},
	} {
		for _, soon := range []bool{false, true} {
			p := fakeProgram(t, openCache(t), test.name, now.Add(3*buildTime))
			p.compiled, p.begun = test.compiled, test.begun
			asked := make(chan bool, 2)
			p.remade = func() answer { asked <- true; return test.says }
			if soon {
				if err := p.CheckSoon([]load.File{f}); err == nil && strings.Contains(test.want, "perhaps") {
					<-asked // and Check waits for the answer
				}
			}
			err := p.Check([]load.File{f})
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Reason, test.want) {
				t.Errorf("%s, %d: %v, want %q", test.name, test.says, err, test.want)
			}
		}
	}
}

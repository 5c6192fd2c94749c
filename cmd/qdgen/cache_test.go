package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/testremote"
)

// filled is a cache with the modules saxpy, used twice, and heat, and the setting
// that makes the command use it.
func filled(t *testing.T) (c *cache.Cache, env []string) {
	t.Helper()
	t.Setenv("QD_CACHE_SIZE", "")
	c, err := cache.Open(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	build := func(name, target, arch string, size int) cache.Key {
		key := cache.NewKey("test", []byte(name))
		_, _, err := c.Build(key, func() (*cache.Artifact, error) {
			return &cache.Artifact{Kernel: name, Target: target, Arch: arch, Data: bytes.Repeat([]byte("x"), size), Ext: ".so", Source: "// " + name}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	build("heat", "cuda", "sm_90", 3_000_000)
	saxpy := build("saxpy", "cpp", "x86-64", 100)
	time.Sleep(20 * time.Millisecond) // file times are coarse
	for range 2 {
		if _, err := c.Get(saxpy); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.StoreIndex(cache.NewKey("test", []byte("first")), cache.Record{Second: saxpy}); err != nil {
		t.Fatal(err)
	}
	return c, []string{"QD_CACHE=" + c.Dir()}
}

func TestCacheList(t *testing.T) {
	c, env := filled(t)
	r := qdgen(t, "", env, "cache", "list")
	r.want(t, exitOK, []string{"\n2 modules, 2.9 MiB in " + c.Dir() + "\n"}, nil)
	lines := strings.Split(r.stdout, "\n")
	for i, want := range []string{
		"KERNEL TARGET ARCH SIZE AGE USED HITS KEY",
		"saxpy cpp x86-64 * B 0s 0s 2 " + cache.NewKey("test", []byte("saxpy")).Short(),
		"heat cuda sm_90 2.9 MiB 0s 0s 0 " + cache.NewKey("test", []byte("heat")).Short(),
	} {
		if i >= len(lines) || !likeWords(lines[i], want) {
			t.Errorf("line %d is not like %q:\n%s", i+1, want, r.stdout)
		}
	}

	var list []cache.Entry
	r = qdgen(t, "", env, "cache", "list", "--json")
	r.want(t, exitOK, []string{"["}, nil)
	r.parse(t, &list)
	if len(list) != 2 || list[0].Kernel != "saxpy" || list[0].Hits != 2 || list[1].Arch != "sm_90" || list[1].Size < 3_000_000 {
		t.Fatalf("list --json: %+v", list)
	}
	if data, err := os.ReadFile(list[0].Path); err != nil || len(data) != 100 {
		t.Errorf("%d bytes at the path, %v", len(data), err)
	}
}

// likeWords compares texts word by word; * stands for any, and 0s for an age of
// some seconds.
func likeWords(got, want string) bool {
	g, w := strings.Fields(got), strings.Fields(want)
	if len(g) != len(w) {
		return false
	}
	for i := range w {
		if g[i] != w[i] && w[i] != "*" && (w[i] != "0s" || !strings.HasSuffix(g[i], "s")) {
			return false
		}
	}
	return true
}

func TestCacheListEmpty(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	env := []string{"QD_CACHE=" + dir}
	qdgen(t, "", env, "cache", "list").want(t, exitOK, []string{"No modules in " + dir + "\n"}, nil)
	if r := qdgen(t, "", env, "cache", "list", "--json"); r.stdout != "[]\n" || r.exit != exitOK {
		t.Errorf("list --json of nothing: %+v", r)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("looking has made the directory")
	}
}

func TestCacheClear(t *testing.T) {
	c, env := filled(t)
	qdgen(t, "", env, "cache", "clear").want(t, exitOK, []string{"Removed 2 modules, 2.9 MiB, from " + c.Dir() + "\n"}, nil)
	if list, err := c.List(); err != nil || len(list) > 0 {
		t.Errorf("left after clear: %+v, %v", list, err)
	}
	var out struct {
		Dir     string
		Removed int
		Bytes   int64
	}
	_, env = filled(t)
	r := qdgen(t, "", env, "cache", "clear", "--json")
	r.want(t, exitOK, []string{"{"}, nil)
	if r.parse(t, &out); out.Removed != 2 || out.Bytes < 3_000_000 || out.Dir == "" {
		t.Errorf("clear --json: %+v", out)
	}
}

func TestCachePath(t *testing.T) {
	dir := t.TempDir()
	if r := qdgen(t, "", []string{"QD_CACHE=" + dir}, "cache", "path"); r.stdout != dir+"\n" || r.exit != exitOK || r.stderr != "" {
		t.Errorf("path: %+v, want %s", r, dir)
	}
	var out struct{ Dir string }
	r := qdgen(t, dir, []string{"QD_CACHE=below"}, "cache", "path", "--json")
	r.want(t, exitOK, []string{"{"}, nil)
	if r.parse(t, &out); !filepath.IsAbs(out.Dir) || filepath.Base(out.Dir) != "below" {
		t.Errorf("path --json of a relative directory: %+v", out)
	}
}

func TestCacheVerify(t *testing.T) {
	c, env := filled(t)
	qdgen(t, "", env, "cache", "verify").want(t, exitOK, []string{"2 modules in " + c.Dir() + ": no problems\n"}, nil)

	list, err := c.List()
	if err != nil {
		t.Fatal(err)
	}
	artifact := list[0].Path
	if err := os.Truncate(artifact, 10); err != nil {
		t.Fatal(err)
	}
	says := []string{artifact + ": module: it has 10 bytes, but 100 were written\n", ": 1 problem\n"}
	qdgen(t, "", env, "cache", "verify").want(t, exitError, says, nil)

	type report struct {
		Dir      string
		Modules  int
		Problems []struct {
			Kind, File, Problem string
			Removed             bool
		}
	}
	var out report
	r := qdgen(t, "", env, "cache", "verify", "--json")
	r.want(t, exitError, []string{"{"}, nil)
	r.parse(t, &out)
	if len(out.Problems) != 1 || out.Problems[0].File != artifact || out.Problems[0].Kind != "module" || out.Problems[0].Removed {
		t.Errorf("verify --json: %+v", out)
	}
	if _, err := os.Stat(artifact); err != nil {
		t.Errorf("verify has removed something without being told to: %v", err)
	}

	r = qdgen(t, "", env, "cache", "verify", "--remove")
	r.want(t, exitOK, []string{"10 bytes, but 100 were written (removed)\n", "1 module in " + c.Dir() + ": 1 problem, 1 removed\n"}, nil)
	out = report{}
	r = qdgen(t, "", env, "cache", "verify", "--json")
	r.want(t, exitOK, []string{"{"}, nil)
	if r.parse(t, &out); len(out.Problems) != 0 || out.Modules != 1 {
		t.Errorf("verify --json after --remove: %+v", out)
	}
}

func TestCacheThatCannotBeUsed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		env  []string
		args []string
		says string
	}{
		{"off", []string{"QD_CACHE=off"}, []string{"list", "clear", "path", "verify"}, "the cache is off (QD_CACHE=off)"},
		{"bad size", []string{"QD_CACHE_SIZE=much"}, []string{"list", "clear", "path", "verify"}, "QD_CACHE_SIZE=much is not a size"},
		{"a file", []string{"QD_CACHE=" + file}, []string{"list", "clear", "verify"}, "not a directory"},
		{"no home", []string{"QD_CACHE=", "HOME=", "XDG_CACHE_HOME=", "LocalAppData="}, []string{"list", "clear", "path", "verify"}, "set QD_CACHE"},
	} {
		for _, command := range c.args {
			t.Run(c.name+"/"+command, func(t *testing.T) {
				if c.name == "a file" && runtime.GOOS == "windows" {
					t.Skip("Windows says it in other words")
				}
				qdgen(t, "", c.env, "cache", command).want(t, exitError, nil, []string{"qdgen: ", c.says})
			})
		}
	}
}

// TestCacheShow prints kept code, by the first digits of a key.
func TestCacheShow(t *testing.T) {
	c, env := filled(t)
	saxpy := cache.NewKey("test", []byte("saxpy")).String()
	for _, prefix := range []string{saxpy, saxpy[:7], saxpy[:2]} {
		qdgen(t, "", env, "cache", "show", prefix).want(t, exitOK, []string{"// saxpy"}, nil)
	}
	var shown struct {
		cache.Entry
		What, Text string
	}
	r := qdgen(t, "", env, "cache", "show", saxpy[:7], "--json")
	r.parse(t, &shown)
	if shown.Kernel != "saxpy" || shown.Key.String() != saxpy || shown.What != "source" || shown.Text != "// saxpy" {
		t.Errorf("show --json: %+v", shown)
	}
	// Modules whose keys begin alike.
	first := map[string]string{}
	var a, b string
	for i := 0; a == ""; i++ {
		name := fmt.Sprint("k", i)
		key := cache.NewKey("test", []byte(name))
		if other, ok := first[key.String()[:2]]; ok {
			a, b = other, name
		}
		first[key.String()[:2]] = name
	}
	for _, name := range []string{a, b} {
		_, _, err := c.Build(cache.NewKey("test", []byte(name)), func() (*cache.Artifact, error) {
			return &cache.Artifact{Kernel: name, Target: "cuda", Arch: "sm_90", Data: []byte(".version 8.0"), Ext: ".ptx", Source: "// " + name}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	keyA, keyB := cache.NewKey("test", []byte(a)), cache.NewKey("test", []byte(b))
	heat := cache.NewKey("test", []byte("heat"))
	qdgen(t, "", env, "cache", "show", keyA.Short(), "--what", "ptx").want(t, exitOK, []string{".version 8.0"}, nil)
	for _, tt := range []struct {
		args   []string
		exit   int
		stderr []string
	}{
		{[]string{keyA.String()[:2]}, exitError, []string{"keys begin with " + keyA.String()[:2] + "; give more digits:\n", "  " + keyA.Short() + "  " + a + "\n", "  " + keyB.Short() + "  " + b + "\n"}},
		{[]string{strings.Repeat("0", 20)}, exitError, []string{"qdgen: no module in " + c.Dir() + " has a key that begins with 00000000000000000000; 'qdgen cache list' shows the keys\n"}},
		{[]string{"saxpy"}, exitUsage, []string{`"saxpy" is no key`}},
		{nil, exitUsage, []string{"cache show takes one key"}},
		{[]string{saxpy, saxpy}, exitUsage, []string{"cache show takes one key"}},
		{[]string{saxpy, "--what", "ll"}, exitUsage, []string{"--what ll: the forms are source, asm, ptx, sass"}},
		{[]string{saxpy, "--what", "ptx"}, exitError, []string{"module " + saxpy[:7] + " is for target cpp; --what ptx is for target cuda\n"}},
		{[]string{heat.Short(), "--what", "asm"}, exitError, []string{"is for target cuda; --what asm is for target cpp\n"}},
		{[]string{keyA.Short(), "--what", "sass"}, exitError, []string{"the module is PTX"}},
	} {
		qdgen(t, "", env, append([]string{"cache", "show"}, tt.args...)...).want(t, tt.exit, nil, tt.stderr)
	}
	// A damaged source is an error.
	list, err := c.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Kernel == "saxpy" {
			write(t, filepath.Join(filepath.Dir(e.Path), "source.zst"), "x")
		}
	}
	qdgen(t, "", env, "cache", "show", saxpy).want(t, exitError, nil, []string{"the source of module " + saxpy[:7] + " cannot be read: "})
}

// TestCacheListTellsKeysApart shows as many digits of keys as tell them apart.
func TestCacheListTellsKeysApart(t *testing.T) {
	var list []cache.Entry
	for _, last := range []byte{1, 2} {
		e := cache.Entry{Kernel: fmt.Sprint("k", last)}
		e.Key[4] = last // the ninth and tenth digit
		list = append(list, e)
	}
	var out strings.Builder
	if err := printEntries(&out, "dir", list); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0000000001\n", "0000000002\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no key %q in\n%s", want, out.String())
		}
	}
}

// Push, pull and verify go to the remote cache that the environment names.
func TestCacheRemote(t *testing.T) {
	c, env := filled(t)
	url := testremote.BazelRemote(t)
	private := filepath.Join(t.TempDir(), "key.pem")
	r := qdgen(t, "", nil, "cache", "key", private)
	r.want(t, exitOK, []string{"Wrote the private key to " + private + " and the public key to " + private + ".pub\n"}, nil)
	if info, err := os.Stat(private); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the private key has mode %v, %v", info.Mode(), err)
	}
	qdgen(t, "", nil, "cache", "key", private).want(t, exitError, nil, []string{"file exists"})
	qdgen(t, "", nil, "cache", "key").want(t, exitUsage, nil, []string{"one file"})

	with := func(dir, key string) []string {
		return []string{"QD_CACHE=" + dir, "QD_CACHE_REMOTE=" + url, "QD_CACHE_KEY=" + key, "QD_CACHE_REMOTE_MODE="}
	}
	qdgen(t, "", append(env, "QD_CACHE_REMOTE="), "cache", "push").want(t, exitError, nil, []string{"QD_CACHE_REMOTE is not set"})
	qdgen(t, "", with(c.Dir(), private+".pub"), "cache", "push").want(t, exitError, nil, []string{"no private key"})
	qdgen(t, "", with(c.Dir(), private), "cache", "push", "--remote").want(t, exitOK, []string{"Pushed 2 entries to " + url + ", which had 0\n"}, nil)
	r = qdgen(t, "", with(c.Dir(), private), "cache", "push", "--json")
	var pushed struct{ Uploaded, There, Listed int }
	if r.parse(t, &pushed); pushed.There != 2 || pushed.Listed != 2 || pushed.Uploaded != 0 {
		t.Errorf("push --json: %+v", pushed)
	}

	other := filepath.Join(t.TempDir(), "other")
	reader := with(other, private+".pub")
	qdgen(t, "", reader, "cache", "pull", "--remote").want(t, exitOK, []string{"Pulled 2 entries from " + url + "; 0 were here\n"}, nil)
	r = qdgen(t, "", reader, "cache", "pull", "--json")
	var pulled struct{ Downloaded, Here, Missing int }
	if r.parse(t, &pulled); pulled.Here != 2 || pulled.Downloaded != 0 {
		t.Errorf("pull --json: %+v", pulled)
	}
	qdgen(t, "", reader, "cache", "pull", "--list", "none").want(t, exitOK, []string{"Pulled 0 entries"}, nil)
	qdgen(t, "", reader, "cache", "verify").want(t, exitOK, []string{"2 modules in " + other + ": no problems\n"}, nil)
	qdgen(t, "", reader, "cache", "verify", "--remote").want(t, exitOK, []string{"2 whole entries in " + url + ": no problems\n"}, nil)
	qdgen(t, "", reader, "cache", "verify", "--remote", "--remove").want(t, exitUsage, nil, []string{"cannot remove"})
	r = qdgen(t, "", reader, "cache", "list")
	r.want(t, exitOK, []string{"\n2 modules,", "\nRemote cache: 0 hits, 0 misses, 0 failures, 0 uploads\n"}, nil)
	r = qdgen(t, "", reader, "cache", "list", "--json")
	var list []cache.Entry
	if r.parse(t, &list); len(list) != 2 || list[0].Origin == nil || list[0].Origin.URL != url || !strings.HasPrefix(list[0].Origin.Signer, "ed25519:") {
		t.Errorf("list --json: %+v", list)
	}

	qdgen(t, "", append(reader, "QD_DEVICE=go"), "doctor").want(t, exitOK, []string{"ok  remote cache    " + url + ", answers in ", ", read only\n"}, nil)
	qdgen(t, "", append(with(other, private), "QD_DEVICE=go"), "doctor").want(t, exitOK, []string{", uploads are signed\n"}, nil)
	qdgen(t, "", []string{"QD_CACHE_REMOTE=cache.example.com", "QD_DEVICE=go"}, "doctor").want(t, exitOK, []string{"--  remote cache    QD_CACHE_REMOTE is not the address"}, nil)

	// Another's key.
	stranger := filepath.Join(t.TempDir(), "stranger.pem")
	qdgen(t, "", nil, "cache", "key", "--json", stranger).want(t, exitOK, []string{`"public": "` + stranger + `.pub"`}, nil)
	r = qdgen(t, "", with(other, stranger+".pub"), "cache", "verify", "--remote", "--json")
	var verified struct {
		Remote         string
		Whole, Missing int
		Problems       []struct{ Kind, Key, Problem string }
	}
	if r.parse(t, &verified); r.exit != exitError || verified.Remote != url || len(verified.Problems) != 1 || !strings.Contains(verified.Problems[0].Problem, "QD_CACHE_KEY does not have") {
		t.Errorf("verify with another key: %d, %+v", r.exit, verified)
	}
	qdgen(t, "", with(t.TempDir(), stranger+".pub"), "cache", "pull").want(t, exitError, nil, []string{"QD_CACHE_KEY does not have"})
	qdgen(t, "", with(t.TempDir(), "no such file"), "cache", "pull").want(t, exitError, nil, []string{"neither PEM nor the name of a file"})
}

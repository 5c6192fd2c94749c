package cache

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// damages are what can happen to an entry in a directory.
var damages = []struct {
	name string
	says string // what the warning has to say
	do   func(t *testing.T, dir string) error
}{
	{"artifact truncated", "has 1000 bytes, but 5000 were written", truncate("artifact.so", 1000)},
	{"artifact empty", "has 0 bytes", truncate("artifact.so", 0)},
	{"artifact longer", "has 6000 bytes", truncate("artifact.so", 6000)},
	{"artifact bit flipped", "artifact.so: its SHA-256", flip("artifact.so", 2500)},
	{"artifact last bit flipped", "artifact.so: its SHA-256", flip("artifact.so", 4999)},
	{"artifact missing", "artifact.so: it is missing", remove("artifact.so")},
	{"artifact is a directory", "not a regular file", directory("artifact.so")},
	{"artifact is a link to nothing", "artifact.so: it is missing", link("artifact.so")},
	{"meta truncated", "meta.json: it ends too early", truncate("meta.json", 150)},
	{"meta cut in its first line", "first line", truncate("meta.json", 20)},
	{"meta without its end", "ends too early", func(t *testing.T, dir string) error {
		return edit(filepath.Join(dir, "meta.json"), func(b []byte) []byte { return b[:len(b)-1] })
	}},
	{"meta empty", "first line", truncate("meta.json", 0)},
	{"meta enormous", "more than such a file can have", truncate("meta.json", 1<<40)},
	{"meta bit flipped", "meta.json: its SHA-256", flip("meta.json", 200)},
	{"meta's seal flipped", "meta.json", flip("meta.json", 40)},
	{"meta missing", "meta.json: it is missing", remove("meta.json")},
	{"meta is a directory", "meta.json", directory("meta.json")},
	{"meta is no JSON", "first line", write("meta.json", "what?\nnothing\n")},
	{"meta of another format", "written in format 99", write("meta.json", `{"format":99,"sha256":"`+strings.Repeat("0", 64)+"\"}\n{}\n")},
	{"meta of another key", "belongs to the key", resealed(func(m *meta) { m.Key = key("other") })},
	{"meta names another file", "names the files", resealed(func(m *meta) { m.Artifact.Name = "../../../etc/passwd" })},
	{"meta names a longer name", "names the files", resealed(func(m *meta) { m.Artifact.Name = "artifact/../x" })},
	{"meta of another shape", "this version of qdgen does not write", func(t *testing.T, dir string) error {
		data, err := sealed([]int{1, 2})
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, "meta.json"), data, filePerm)
	}},
	{"source missing", "source.zst: it is missing", remove("source.zst")},
	{"source truncated", "source.zst: it has 3 bytes", truncate("source.zst", 3)},
	{"source is a directory", "source.zst", directory("source.zst")},
	{"entry is empty", "meta.json: it is missing", func(t *testing.T, dir string) error {
		return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, dirPerm))
	}},
	{"entry is a file", "meta.json", func(t *testing.T, dir string) error {
		return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, []byte("x"), filePerm))
	}},
}

// Whatever happens to an entry: one warning that names it and says what is wrong,
// a right result, and a sound cache afterwards.
func TestDamagedEntry(t *testing.T) {
	for _, d := range damages {
		for _, how := range []string{"Build", "Get"} {
			t.Run(d.name+"/"+how, func(t *testing.T) {
				log := testenv.Logged(t)
				c := open(t, t.TempDir())
				e := build(t, c, "k", 5000)
				build(t, c, "sound", 5000)
				if err := d.do(t, filepath.Dir(e.Path)); err != nil {
					t.Fatal(err)
				}
				problems, err := c.Verify()
				if err != nil || len(problems) != 1 || problems[0].Kind != "module" || problems[0].Path != filepath.Dir(e.Path) {
					t.Errorf("Verify: %+v, %v; want one problem", problems, err)
				} else if !strings.Contains(problems[0].Err.Error(), d.says) {
					t.Errorf("Verify: %v, want it to say %q", problems[0].Err, d.says)
				}
				log.WantNone(t)
				if how == "Get" {
					if _, err := c.Get(key("k")); !errors.Is(err, ErrMiss) {
						t.Errorf("Get: %v, want ErrMiss", err)
					}
					if _, err := os.Lstat(filepath.Dir(e.Path)); err == nil {
						t.Error("the damaged entry is still there")
					}
				}
				build(t, c, "k", 5000)
				log.Want(t, "removed a damaged entry", key("k").String(), d.says)
				hit(t, c, "k", 5000)
				hit(t, c, "sound", 5000)
				log.WantNone(t)
				clean(t, c)
			})
		}
	}
}

// A pipe in the place of a file: opening one waits for a writer, for ever.
func TestPipeInsteadOfFile(t *testing.T) {
	for _, name := range []string{"artifact.so", "meta.json", "source.zst", "hits"} {
		t.Run(name, func(t *testing.T) {
			log := testenv.Logged(t)
			c := open(t, t.TempDir())
			e := build(t, c, "k", 5000)
			path := filepath.Join(filepath.Dir(e.Path), name)
			_ = os.Remove(path)
			makePipe(t, path)
			if name == "hits" {
				hit(t, c, "k", 5000)
				log.WantNone(t)
				return
			}
			build(t, c, "k", 5000)
			log.Want(t, "not a regular file")
			clean(t, c)
		})
	}
}

// The kept source's contents are verified when they are asked for.
func TestDamagedSource(t *testing.T) {
	c := open(t, t.TempDir())
	e := build(t, c, "k", 100)
	if err := flip("source.zst", 20)(t, filepath.Dir(e.Path)); err != nil {
		t.Fatal(err)
	}
	var damage *DamageError
	if _, err := c.Source(key("k")); !errors.As(err, &damage) || !strings.HasSuffix(damage.Path, "source.zst") {
		t.Errorf("Source: %v, want a *DamageError about source.zst", err)
	}
	problems, err := c.Verify()
	if err != nil || len(problems) != 1 {
		t.Fatalf("Verify: %v, %v; want one problem", problems, err)
	}
	if err := c.Remove(problems[0]); err != nil {
		t.Fatal(err)
	}
	clean(t, c)
	build(t, c, "k", 100)
	if err := c.Remove(problems[0]); err != nil {
		t.Fatal(err)
	}
	hit(t, c, "k", 100) // the problem is none any more: nothing is removed
}

func TestDamagedRecord(t *testing.T) {
	for _, d := range []struct {
		name, says string
		do         func(path string) error
	}{
		{"truncated", "ends too early", func(p string) error { return os.Truncate(p, 120) }},
		{"empty", "first line", func(p string) error { return os.Truncate(p, 0) }},
		{"bit flipped", "SHA-256", func(p string) error {
			return edit(p, func(b []byte) []byte { b[150] ^= 1; return b })
		}},
		{"is a directory", "not a regular file", func(p string) error {
			return errors.Join(os.Remove(p), os.Mkdir(p, dirPerm), os.Mkdir(filepath.Join(p, "x"), dirPerm))
		}},
		{"of another key", "belongs to the key", func(p string) error {
			data, err := sealed(indexRecord{First: key("other")})
			return errors.Join(err, os.WriteFile(p, data, filePerm))
		}},
		{"a file where its directory should be", "cannot be read", func(p string) error {
			return errors.Join(os.RemoveAll(filepath.Dir(p)), os.WriteFile(filepath.Dir(p), nil, filePerm))
		}},
	} {
		for _, how := range []string{"looked up", "stored over"} {
			t.Run(d.name+"/"+how, func(t *testing.T) {
				log := testenv.Logged(t)
				c := open(t, t.TempDir())
				first, r := key("first"), Record{Second: key("second")}
				if err := c.StoreIndex(first, r); err != nil {
					t.Fatal(err)
				}
				if err := d.do(c.kept.record(first)); err != nil {
					t.Fatal(err)
				}
				if problems, err := c.Verify(); err != nil || len(problems) != 1 {
					t.Errorf("Verify: %+v, %v; want one problem", problems, err)
				}
				if how == "looked up" {
					if got, ok := c.LookupIndex(first); ok {
						t.Errorf("LookupIndex: %+v, want a miss", got)
					}
					log.Want(t, "removed a damaged record", first.String(), d.says)
				}
				if err := c.StoreIndex(first, r); err != nil {
					t.Fatal(err)
				}
				if got, ok := c.LookupIndex(first); !ok || got.Second != r.Second {
					t.Errorf("LookupIndex after StoreIndex: %+v, %v", got, ok)
				}
				log.WantNone(t)
				clean(t, c)
			})
		}
	}
}

// Every bit of a sealed file counts.
func TestSealCoversEveryBit(t *testing.T) {
	data, err := sealed(indexRecord{First: key("f"), Record: Record{Second: key("s"), Meta: []byte(`{"a":1}`)}})
	if err != nil {
		t.Fatal(err)
	}
	var r indexRecord
	if err := unseal(data, &r); err != nil || r.Second != key("s") {
		t.Fatalf("unseal: %+v, %v", r, err)
	}
	for i := range data {
		for bit := range 8 {
			bad := bytes.Clone(data)
			bad[i] ^= 1 << bit
			if err := unseal(bad, &r); err == nil {
				t.Fatalf("bit %d of byte %d (%q) does not count", bit, i, data[i])
			}
		}
	}
	for n := range len(data) {
		if err := unseal(data[:n], &r); err == nil {
			t.Fatalf("the first %d of %d bytes are taken", n, len(data))
		}
	}
	if err := unseal(append(bytes.Clone(data), '\n'), &r); err == nil {
		t.Error("bytes after the end are taken")
	}
}

// Files that are none of the cache's are named, and cleared away.
func TestStrangers(t *testing.T) {
	c := open(t, t.TempDir())
	build(t, c, "k", 100)
	k := key("k").String()
	for _, path := range []string{
		filepath.Join(c.kept.modules(), "notes.txt"),
		filepath.Join(c.kept.modules(), k[:2], "core"),
		filepath.Join(c.kept.modules(), "zz", k),
		filepath.Join(c.kept.index(), k[:2], "x.json"),
		filepath.Join(c.kept.index(), k[:2], k), // without .json
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), dirPerm), os.WriteFile(path, nil, filePerm)); err != nil {
			t.Fatal(err)
		}
	}
	problems, err := c.Verify()
	if err != nil || len(problems) != 5 {
		t.Fatalf("Verify: %d problems, %v; want 5: %+v", len(problems), err, problems)
	}
	for _, p := range problems {
		if p.Kind != "stranger" {
			t.Errorf("%s is called %s", p.Path, p.Kind)
		}
		if err := c.Remove(p); err != nil {
			t.Error(err)
		}
	}
	clean(t, c)
	hit(t, c, "k", 100)
}

func truncate(name string, size int64) func(*testing.T, string) error {
	return func(_ *testing.T, dir string) error { return os.Truncate(filepath.Join(dir, name), size) }
}

func remove(name string) func(*testing.T, string) error {
	return func(_ *testing.T, dir string) error { return os.Remove(filepath.Join(dir, name)) }
}

func write(name, text string) func(*testing.T, string) error {
	return func(_ *testing.T, dir string) error {
		return os.WriteFile(filepath.Join(dir, name), []byte(text), filePerm)
	}
}

func directory(name string) func(*testing.T, string) error {
	return func(_ *testing.T, dir string) error {
		path := filepath.Join(dir, name)
		return errors.Join(os.Remove(path), os.Mkdir(path, dirPerm))
	}
}

func link(name string) func(*testing.T, string) error {
	return func(t *testing.T, dir string) error {
		if runtime.GOOS == "windows" {
			t.Skip("links need a privilege on Windows")
		}
		path := filepath.Join(dir, name)
		return errors.Join(os.Remove(path), os.Symlink("nowhere", path))
	}
}

func flip(name string, at int) func(*testing.T, string) error {
	return func(_ *testing.T, dir string) error {
		return edit(filepath.Join(dir, name), func(b []byte) []byte { b[at] ^= 4; return b })
	}
}

func edit(path string, f func([]byte) []byte) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, f(data), filePerm)
}

// resealed changes what an entry's meta.json says and seals it again, as an
// attacker or another program could.
func resealed(change func(*meta)) func(*testing.T, string) error {
	return func(_ *testing.T, dir string) error {
		return edit(filepath.Join(dir, "meta.json"), func(data []byte) []byte {
			_, body, _ := bytes.Cut(data, []byte("\n"))
			var m meta
			if err := json.Unmarshal(body, &m); err != nil {
				return nil
			}
			change(&m)
			again, err := sealed(&m)
			if err != nil {
				return nil
			}
			return again
		})
	}
}

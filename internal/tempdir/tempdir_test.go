package tempdir

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// What killed programs have left, of any kind, is removed when a process makes its first directory. What is young, a
// file, or of something else stays.
func TestSweep(t *testing.T) {
	in := t.TempDir()
	long := time.Now().Add(-2 * life)
	put := func(name string, at time.Time) {
		t.Helper()
		path := filepath.Join(in, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "program"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"qdgen-other-old", "qdgen-build-file"}
	put("qdgen-other-old", long)
	file := filepath.Join(in, "qdgen-build-file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, long, long); err != nil {
		t.Fatal(err)
	}
	for _, prefix := range prefixes {
		put(prefix+"old", long)
		put(prefix+"young", time.Now())
		want = append(want, prefix+"young")
	}
	check := func() {
		t.Helper()
		made, err := Make(in, Origin)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, filepath.Base(made))
		slices.Sort(want)
		entries, err := os.ReadDir(in)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check()
	put("qdgen-build-later", long) // for the next process: this one reads the directory once
	want = append(want, "qdgen-build-later")
	check()
}

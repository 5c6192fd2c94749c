package registry

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"runtime"
	"testing"

	"github.com/qdgen/qd/frontend/load"
)

// The files of the standard library that a generated file has count in a program of the same release of Go.
func TestStandardTexts(t *testing.T) {
	before := texts.standard
	t.Cleanup(func() { texts.standard = before })
	pack := func(names ...string) string {
		var packed bytes.Buffer
		z := zip.NewWriter(&packed)
		for _, name := range names {
			w, err := z.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte("package p // " + name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		text := base64.StdEncoding.EncodeToString(packed.Bytes())
		return "\n" + text[:10] + "\n" + text[10:] + "\n"
	}
	Standard(runtime.Version(), pack("hash/none/a.go", "hash/none/below/b.go", "io/c.go"))
	Standard(runtime.Version(), pack("hash/none/a.go", "io/d.go"))
	Standard("go1.1", pack("old/a.go"))
	for _, tt := range []struct {
		path     string
		files    int
		hostOnly bool
	}{{"hash/none", 1, false}, {"hash/none/below", 1, false}, {"io", 2, true}, {"hash", 0, false}} {
		p, err := registeredTexts{}.Package(tt.path)
		if err != nil || (p == nil) != (tt.files == 0) {
			t.Errorf("%s: %v, %v", tt.path, p, err)
			continue
		}
		if p != nil && (len(p.Files) != tt.files || p.HostOnly != tt.hostOnly || p.Partial != tt.hostOnly) {
			t.Errorf("%s: %d files, HostOnly is %v, Partial %v", tt.path, len(p.Files), p.HostOnly, p.Partial)
		}
	}
	if _, err := (registeredTexts{}).Package("old"); err == nil {
		t.Error("files of another release of Go count")
	} else if _, ok := err.(*load.UnprovenError); !ok {
		t.Errorf("%T: %v", err, err)
	}
}

package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asked notes which packages were there.
type asked struct {
	Sources
	found map[string]bool
}

func (a asked) Package(path string) (*Package, error) {
	p, err := a.Sources.Package(path)
	if p != nil {
		a.found[path] = true
	}
	return p, err
}

// The standard library is source where a kernel uses it, and no file of it is read where none does.
func TestStandard(t *testing.T) {
	if root, err := goRoot(); root == "" || err != nil {
		t.Skip("this machine has no Go of the release that the test was built with: ", err)
	}
	const file = `package k

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/qdgen/qd"
)

func main() { fmt.Println(json.Valid(nil), strings.ToUpper(""), rand.Int(), slices.Max([]int{1})) }

//qd:kernel
func plain(t qd.Thread, x []int) { x[t.ID()]++ }

//qd:kernel
func search(t qd.Thread, x []int) { x[t.ID()], _ = slices.BinarySearch(x, 3) }

//qd:kernel
func prints(t qd.Thread, x []int) { log.Println(x[t.ID()]) }
`
	for kernel, want := range map[string]string{"plain": "", "search": "cmp slices", "prints": "log"} {
		found := make(map[string]bool)
		src := Chain(sources(map[string]string{"k/k.go": file}), asked{Standard{}, found})
		p, err := Check(src, Ref{Pkg: "k", Name: kernel, File: "k/k.go"})
		if err != nil {
			t.Errorf("%s: %v", kernel, err)
			continue
		}
		if kernel == "plain" && len(found) > 0 {
			t.Errorf("a kernel that uses none of them reads %v", found)
		}
		for path := range strings.FieldsSeq(want) {
			if !found[path] {
				t.Errorf("%s does not read %s, but %v", kernel, path, found)
			}
		}
		for f := range p.Funcs {
			if f.Pkg().Path() == "log" {
				t.Errorf("%s has a body of %s, which only the host can run", kernel, f)
			}
		}
	}
}

// Another release of Go than the program was built with is none of its source.
func TestRelease(t *testing.T) {
	dir := t.TempDir()
	if err := checkRelease(dir, "devel go1.99-abc"); err != nil {
		t.Errorf("a directory without a VERSION is refused: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "VERSION"), []byte("go1.99.1\ntime 2030-01-01T00:00:00Z\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for version, ok := range map[string]bool{"go1.99.1": true, "go1.99.1 X:synctest": true, "go1.99": false, "go1.99.10": false} {
		if err := checkRelease(dir, version); (err == nil) != ok {
			t.Errorf("%s: %v", version, err)
		}
	}
}

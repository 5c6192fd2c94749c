package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGenVendor writes nothing into a vendor directory. Its files come from a directory, where they are generated.
func TestGenVendor(t *testing.T) {
	t.Parallel()
	dir := newModule(t, []byte(`-- main.go --
package main

import (
	"github.com/qdgen/qd"

	"example.com/lib"
	"example.com/lib/kernels"
)

//qd:kernel
func run(t qd.Thread, x []int) { x[t.ID()] = lib.Twice(x[t.ID()]) }

func main() { _, _ = run, kernels.Clear }
-- vendor/example.com/lib/lib.go --
package lib

func Twice(x int) int { return 2 * x }
-- vendor/example.com/lib/kernels/kernels.go --
package kernels

import "github.com/qdgen/qd"

//qd:kernel
func Clear(t qd.Thread, x []int) { x[t.ID()] = 0 }
`))
	// The module is replaced by the vendor directory itself: packages are found there as with go mod vendor, which would have
	// all of qd be compiled anew.
	lib := filepath.Join(dir, "vendor", "example.com", "lib")
	mod := read(t, filepath.Join(dir, "go.mod"))
	write(t, filepath.Join(lib, "go.mod"), strings.Replace(mod, "example.com/app", "example.com/lib", 1))
	write(t, filepath.Join(lib, "go.sum"), read(t, filepath.Join(dir, "go.sum")))
	write(t, filepath.Join(dir, "go.mod"), mod+"\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ./vendor/example.com/lib\n")
	const where = " is in a vendor directory, which go mod vendor writes: its files come from ./vendor/example.com/lib; "
	aboutLib := "package example.com/lib" + where + "add //go:generate go tool qdgen gen to it there, run go tool qdgen gen there, and go mod vendor again\n"
	const aboutKernels = "package example.com/lib/kernels" + where + "run go tool qdgen gen there, and go mod vendor again\n"
	files := func() []string {
		list, _ := filepath.Glob(filepath.Join(lib, "*", "*.go"))
		more, _ := filepath.Glob(filepath.Join(lib, "*.go"))
		return append(list, more...)
	}
	before := files()
	qdgen(t, dir, inModule, "gen", "./...").want(t, 0, nil, []string{"note: kernels of example.com/app need a qd_gen.go in package example.com/lib too: " + aboutLib})
	r := qdgen(t, dir, inModule, "gen", ".", "example.com/lib", "example.com/lib/kernels")
	r.want(t, 1, nil, []string{"qdgen: no qd_gen.go is written: " + aboutLib, "no qd_gen.go is written: " + aboutKernels})
	if after := files(); !slices.Equal(after, before) || len(before) != 2 {
		t.Errorf("gen leaves %v in the vendor directory, where there was %v", after, before)
	}
	read(t, filepath.Join(dir, "qd_gen.go"))

	// It is written where the module itself is worked on, of a package without kernels if that asks for it. A comment about
	// all packages asks for those with kernels.
	write(t, filepath.Join(lib, "doc.go"), "//go:generate go tool qdgen gen --standard=false ./...\n\npackage lib\n")
	qdgen(t, lib, inModule, "gen", "./...").want(t, 0, nil, nil)
	if _, err := os.Stat(filepath.Join(lib, "qd_gen.go")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a package without kernels has a file because of a comment about ./...: %v", err)
	}
	write(t, filepath.Join(lib, "doc.go"), "//go:generate go tool qdgen gen\n\npackage lib\n")
	qdgen(t, lib, inModule, "gen", "./...").want(t, 0, nil, nil)
	qdgen(t, dir, inModule, "gen", ".", "example.com/lib", "example.com/lib/kernels").want(t, 0, nil, nil)
	qdgen(t, dir, inModule, "gen", "-check", ".").want(t, 0, nil, nil)
}

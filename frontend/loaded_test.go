package frontend

import (
	"maps"
	"slices"
	"testing"

	"github.com/qdgen/qd/frontend/load"
)

// counting are Sources that count the packages that are asked for, and their files.
type counting struct {
	load.Sources
	files map[string]int
}

func (c *counting) Package(path string) (*load.Package, error) {
	p, err := c.Sources.Package(path)
	if p != nil {
		c.files[path] += len(p.Files)
	}
	return p, err
}

// notedSources are Sources that note which packages they are asked for, whether they have them or not.
type notedSources struct {
	load.Sources
	paths map[string]bool
}

func (a *notedSources) Package(path string) (*load.Package, error) {
	a.paths[path] = true
	return a.Sources.Package(path)
}

// TestLoaded counts the files that are read for a kernel: of the standard library none where nothing of it is used but
// what comes with the front end, and for package variables no more than is needed.
func TestLoaded(t *testing.T) {
	one := func(path string, texts ...string) *load.Package {
		p := &load.Package{Path: path}
		for i, text := range texts {
			p.Files = append(p.Files, load.File{Name: string(rune('a'+i)) + ".go", Src: []byte("package " + path[len(path)-1:] + "\n\n" + text)})
		}
		return p
	}
	for _, tt := range []struct {
		name, imports, decls, body string
		want                       map[string]int // beside package qd
		checks                     int
	}{
		{"nothing", "", "", "x[0] = 1", map[string]int{"p": 1}, 1},
		{"what comes with the front end", "import \"math\"; import \"math/bits\"; import \"errors\"", "var errBad = errors.New(\"bad\")",
			"x[0] = math.Sin(x[0]) + float64(bits.Len(3)); if err := error(nil); err == errBad { x[0] = 1 }", map[string]int{"p": 1}, 1},
		{"imported and not reached", "import \"sort\"; import \"fmt\"; import \"x.org/q\"", "func Host() { fmt.Println(sort.SearchInts(nil, 1), q.V) }", "x[0] = 1", map[string]int{"p": 1}, 1},
		{"a variable with a constant", "import \"fmt\"", "var n = 3; func init() { fmt.Println(n) }", "x[0] = float64(n)", map[string]int{"p": 1}, 1},
		{"a table that init fills", "import \"fmt\"", "var n [4]float64; func init() { for i := range n { n[i] = 2 } }; func init() { fmt.Println() }", "x[0] = n[1]", map[string]int{"p": 2}, 2},
		{"the standard library", "import \"slices\"", "", "x[0] = slices.Max(x)", map[string]int{"p": 1, "slices": 1, "cmp": 1}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "import \"github.com/qdgen/qd\"; " + tt.imports + "\n" + tt.decls + "\nfunc k(t qd.Thread, x []float64) {\n" + tt.body + "\n}\n"
			qdFiles := len(ownSources(t)[load.QDPath].Files)
			given := sources(t, one("p", text), one("x.org/q", "var V = 1"))
			standard := &notedSources{load.Standard{}, map[string]bool{}}
			src := &counting{load.Chain(given, standard), map[string]int{}}
			if _, err := Specialize(Options{}, src, load.Ref{Pkg: "p", Name: "k"}); err != nil {
				t.Fatal(err)
			}
			if n := src.files[load.QDPath]; n != tt.checks*qdFiles {
				t.Errorf("%d files of package qd, want %d", n, tt.checks*qdFiles)
			}
			delete(src.files, load.QDPath)
			for path := range standard.paths {
				if tt.want[path] == 0 {
					t.Errorf("the standard library is asked for %s", path)
				}
			}
			for path := range src.files {
				if path != "p" { // how many they have depends on the release of Go
					src.files[path] = 1
				}
			}
			if !maps.Equal(src.files, tt.want) {
				t.Errorf("files of %v, want %v", slices.Sorted(maps.Keys(src.files)), slices.Sorted(maps.Keys(tt.want)))
			}
		})
	}
}

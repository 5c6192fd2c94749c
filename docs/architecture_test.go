package docs_test

import (
	"go/build"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// module is the path that the imports of this module's packages begin with.
const module = "github.com/qdgen/qd"

// A layer is a row of the table in architecture.md: some packages with one concern.
type layer struct {
	name     string
	place    int      // in the table, from the top
	packages []string // paths in the module, "." for its root
}

var (
	layerRow = regexp.MustCompile("(?m)^\\| \\*\\*([\\w-]+)\\*\\* \\| ((?:`[^`]+`(?:, )?)+) \\|")
	arrow    = regexp.MustCompile(`(?m)^ *([\w-]+) --> ([\w-]+)$`)
	inQuotes = regexp.MustCompile("`([^`]+)`")
)

// readLayers reads the layers and the arrows between them from architecture.md.
func readLayers(t *testing.T) (layers []*layer, drawn map[[2]string]bool) {
	t.Helper()
	page, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range layerRow.FindAllStringSubmatch(string(page), -1) {
		r := &layer{name: row[1], place: len(layers)}
		for _, path := range inQuotes.FindAllStringSubmatch(row[2], -1) {
			r.packages = append(r.packages, path[1])
		}
		layers = append(layers, r)
	}
	drawn = map[[2]string]bool{}
	for _, a := range arrow.FindAllStringSubmatch(string(page), -1) {
		drawn[[2]string{a[1], a[2]}] = true
	}
	if len(layers) == 0 || len(drawn) == 0 {
		t.Fatal("architecture.md has no table of layers, or no diagram with arrows")
	}
	return layers, drawn
}

// layerOf finds the layer of a package: the one with the longest path that is the package or a parent of it.
func layerOf(layers []*layer, pkg string) (found *layer) {
	longest := -1
	for _, r := range layers {
		for _, path := range r.packages {
			within := pkg == path || path != "." && strings.HasPrefix(pkg, path+"/")
			if within && len(path) > longest {
				found, longest = r, len(path)
			}
		}
	}
	return found
}

// packageImports lists what each package of the module imports of it, tests left out, as
// paths in the module. It reads nothing but the files, so that go test knows when to run
// this again.
func packageImports(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	err := testenv.Walk("..", func(path string, d fs.DirEntry) error {
		if !d.IsDir() {
			return nil
		}
		if name := d.Name(); strings.HasPrefix(name, "_") || name == "testdata" {
			return filepath.SkipDir
		}
		rel := path
		path = filepath.Join("..", path)
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && rel != "." {
			return filepath.SkipDir // a module of its own
		}
		p, err := build.ImportDir(path, 0)
		if _, empty := err.(*build.NoGoError); empty {
			return nil
		}
		if err != nil || len(p.GoFiles) == 0 {
			return err
		}
		imports[rel] = nil
		for _, to := range p.Imports {
			if to == module {
				imports[rel] = append(imports[rel], ".")
			} else if below, ok := strings.CutPrefix(to, module+"/"); ok {
				imports[rel] = append(imports[rel], below)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

// Each package is in a layer, each layer has packages, and imports go down the table only.
// The diagram's arrows are the imports between layers, except those that a longer path of
// arrows implies.
func TestArchitecture(t *testing.T) {
	layers, drawn := readLayers(t)
	imports := packageImports(t)
	between := map[[2]string]bool{}
	reach := map[string]map[string]bool{} // from each layer, directly
	used := map[*layer]bool{}
	for _, from := range slices.Sorted(maps.Keys(imports)) {
		r := layerOf(layers, from)
		if r == nil {
			t.Errorf("package %s is in no layer of architecture.md", from)
			continue
		}
		used[r] = true
		for _, to := range imports[from] {
			o := layerOf(layers, to)
			switch {
			case o == nil || o == r:
			case o.place < r.place:
				t.Errorf("package %s (%s) imports %s (%s): that goes up", from, r.name, to, o.name)
			default:
				between[[2]string{r.name, o.name}] = true
				if reach[r.name] == nil {
					reach[r.name] = map[string]bool{}
				}
				reach[r.name][o.name] = true
			}
		}
	}
	for _, r := range layers {
		if !used[r] {
			t.Errorf("layer %s of architecture.md has no package", r.name)
		}
	}
	want := map[[2]string]bool{}
	for a := range between {
		implied := false
		for via := range reach[a[0]] {
			implied = implied || via != a[1] && reaches(reach, via, a[1])
		}
		if !implied {
			want[a] = true
		}
	}
	for a := range want {
		if !drawn[a] {
			t.Errorf("the diagram lacks the arrow %s --> %s", a[0], a[1])
		}
	}
	for a := range drawn {
		if !want[a] {
			t.Errorf("the diagram's arrow %s --> %s is not an import, or a longer path of arrows implies it", a[0], a[1])
		}
	}
}

// The pipeline that the page shows is the one that is run.
func TestPipelineShown(t *testing.T) {
	page, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("../compile/targets.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`(?m)^CPU = Pipeline\{.*\}$`).FindString(string(page))
	if shown == "" || !strings.Contains(string(code), shown) {
		t.Errorf("the page shows %q, which is not in compile/targets.go", shown)
	}
}

// reaches reports whether a way of imports leads from a layer to another one, which are
// acyclic where TestArchitecture has no complaint.
func reaches(direct map[string]map[string]bool, from, to string) bool {
	seen := map[string]bool{}
	var visit func(string) bool
	visit = func(r string) bool {
		if r == to {
			return true
		}
		if seen[r] {
			return false
		}
		seen[r] = true
		for next := range direct[r] {
			if visit(next) {
				return true
			}
		}
		return false
	}
	return visit(from)
}

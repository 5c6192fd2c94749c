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
)

// module is the path that the imports of this module's packages begin with.
const module = "github.com/qdgen/qd"

// A room is a row of the table in architecture.md: some packages with one concern.
type room struct {
	name     string
	place    int      // in the table, from the top
	packages []string // paths in the module, "." for its root
}

var (
	roomRow  = regexp.MustCompile("(?m)^\\| \\*\\*([\\w-]+)\\*\\* \\| ((?:`[^`]+`(?:, )?)+) \\|")
	arrow    = regexp.MustCompile(`(?m)^ *([\w-]+) --> ([\w-]+)$`)
	inQuotes = regexp.MustCompile("`([^`]+)`")
)

// readRooms reads the rooms and the arrows between them from architecture.md.
func readRooms(t *testing.T) (rooms []*room, drawn map[[2]string]bool) {
	t.Helper()
	page, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range roomRow.FindAllStringSubmatch(string(page), -1) {
		r := &room{name: row[1], place: len(rooms)}
		for _, path := range inQuotes.FindAllStringSubmatch(row[2], -1) {
			r.packages = append(r.packages, path[1])
		}
		rooms = append(rooms, r)
	}
	drawn = map[[2]string]bool{}
	for _, a := range arrow.FindAllStringSubmatch(string(page), -1) {
		drawn[[2]string{a[1], a[2]}] = true
	}
	if len(rooms) == 0 || len(drawn) == 0 {
		t.Fatal("architecture.md has no table of rooms, or no picture with arrows")
	}
	return rooms, drawn
}

// roomOf finds the room of a package: that of the longest path that it is or is below of.
func roomOf(rooms []*room, pkg string) (found *room) {
	longest := -1
	for _, r := range rooms {
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
// paths in the module. Nothing but the files is asked, so that go test knows when to run
// this again.
func packageImports(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); path != ".." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || path == "../build") {
			return filepath.SkipDir
		}
		p, err := build.ImportDir(path, 0)
		if _, empty := err.(*build.NoGoError); empty {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("..", path)
		if err != nil || len(p.GoFiles) == 0 {
			return err
		}
		rel = filepath.ToSlash(rel)
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

// Each package is in a room, each room has packages, and imports go down the table only.
// The picture's arrows are the imports between rooms, but for those that a longer way of
// arrows implies.
func TestArchitecture(t *testing.T) {
	rooms, drawn := readRooms(t)
	imports := packageImports(t)
	between := map[[2]string]bool{}
	reach := map[string]map[string]bool{} // from each room, directly
	used := map[*room]bool{}
	for _, from := range slices.Sorted(maps.Keys(imports)) {
		r := roomOf(rooms, from)
		if r == nil {
			t.Errorf("package %s is in no room of architecture.md", from)
			continue
		}
		used[r] = true
		for _, to := range imports[from] {
			o := roomOf(rooms, to)
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
	for _, r := range rooms {
		if !used[r] {
			t.Errorf("room %s of architecture.md has no package", r.name)
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
			t.Errorf("the picture lacks the arrow %s --> %s", a[0], a[1])
		}
	}
	for a := range drawn {
		if !want[a] {
			t.Errorf("the picture's arrow %s --> %s is no import, or a longer way of arrows implies it", a[0], a[1])
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

// reaches reports whether a way of imports leads from a room to another one, which are
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

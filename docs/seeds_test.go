package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// seedCases are the cases of examples/seeds: what is called Name in the tables of samples, of cases, and
// of tests.
func seedCases(t *testing.T) map[string]bool {
	t.Helper()
	cases := map[string]bool{}
	err := filepath.WalkDir("../examples/seeds", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.VAR {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				field, ok := n.(*ast.KeyValueExpr)
				if !ok {
					return true
				}
				key, isIdent := field.Key.(*ast.Ident)
				lit, isLit := field.Value.(*ast.BasicLit)
				if isIdent && isLit && key.Name == "Name" {
					name, err := strconv.Unquote(lit.Value)
					if err != nil || cases[name] {
						t.Errorf("%s: there are two cases %s", path, lit.Value)
					}
					cases[name] = true
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// Where a statement has no case, its row begins the last column with one of these.
var reasons = []string{"not there yet", "no program shows it"}

// TestSeeds holds the table of the documents' statements to the cases of examples/seeds.
func TestSeeds(t *testing.T) {
	cases := seedCases(t)
	page, err := os.ReadFile("seeds.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`((?:warp|triton|quadrants|cute)/[\\w/-]+)`")
	shown, stated := map[string]bool{}, map[string]bool{}
	rows := 0
	for i, line := range strings.Split(string(page), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| statement |") || strings.HasPrefix(line, "| --- |") {
			continue
		}
		rows++
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 3 {
			t.Errorf("seeds.md:%d has %d columns, not 3", i+1, len(cells))
			continue
		}
		statement, note := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[2])
		if stated[statement] {
			t.Errorf("seeds.md:%d is the second that says %q", i+1, statement)
		}
		stated[statement] = true
		if rest := strings.TrimSpace(quoted.ReplaceAllString(cells[1], "")); rest != "" {
			t.Errorf("seeds.md:%d: %q is no case", i+1, rest)
		}
		named := quoted.FindAllStringSubmatch(cells[1], -1)
		if len(named) == 0 && !slices.ContainsFunc(reasons, func(r string) bool { return strings.HasPrefix(note, r) }) {
			t.Errorf("seeds.md:%d has neither a case nor a reason", i+1)
		}
		for _, m := range append(named, quoted.FindAllStringSubmatch(cells[2], -1)...) {
			if !cases[m[1]] {
				t.Errorf("seeds.md:%d: there is no case %s in examples/seeds", i+1, m[1])
			}
			shown[m[1]] = true
		}
	}
	if rows < 100 || len(cases) < 100 {
		t.Errorf("%d statements and %d cases: fewer than there were", rows, len(cases))
	}
	for name := range cases {
		if !shown[name] {
			t.Errorf("seeds.md does not have the case %s", name)
		}
	}
}

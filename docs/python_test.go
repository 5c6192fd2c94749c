package docs_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the programs in examples/seeds/README.md anew")

// pythonPage sets Python beside Go. The Go is that of examples/seeds, where it is run.
const pythonPage = "../examples/seeds/README.md"

// included is a cell with Go: which declarations of which file it shows, and, in the
// place of the second group, what is shown.
var included = regexp.MustCompile(`(?s)<!-- ([\w/]+\.go): ([\w. ]+) -->\n(.*?)</td>`)

// A goFile is a file of examples/seeds.
type goFile struct {
	src  string
	fset *token.FileSet
	file *ast.File
}

func readGo(name string) (*goFile, error) {
	src, err := os.ReadFile(filepath.Join("..", "examples", "seeds", filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	g := &goFile{src: string(src), fset: token.NewFileSet()}
	g.file, err = parser.ParseFile(g.fset, name, src, parser.ParseComments)
	return g, err
}

// names are those that a declaration declares, "T.M" for a method.
func names(d ast.Decl) (list []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		t := d.Recv.List[0].Type
		if x, ok := t.(*ast.IndexExpr); ok {
			t = x.X
		}
		if x, ok := t.(*ast.IndexListExpr); ok {
			t = x.X
		}
		return []string{t.(*ast.Ident).Name + "." + d.Name.Name}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				list = append(list, s.Name.Name)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					list = append(list, id.Name)
				}
			}
		}
	}
	return list
}

// show is the source of a declaration with its comment, and of a sample what it
// prints, which is left out of the source.
func (g *goFile) show(name string) (code, output string, err error) {
	i := slices.IndexFunc(g.file.Decls, func(d ast.Decl) bool { return slices.Contains(names(d), name) })
	if i < 0 {
		return "", "", fmt.Errorf("there is no %s", name)
	}
	d := g.file.Decls[i]
	pos := d.Pos()
	var doc *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	if doc != nil {
		pos = doc.Pos()
	}
	offset := func(p token.Pos) int { return g.fset.Position(p).Offset }
	code = g.src[offset(pos):offset(d.End())]
	for _, c := range g.file.Comments {
		text, ok := strings.CutPrefix(c.Text(), "Output:\n")
		if ok && d.Pos() < c.Pos() && c.End() < d.End() {
			code = strings.TrimRight(g.src[offset(pos):offset(c.Pos())], "\t\n") + "\n}"
			output = text
		}
	}
	return code + "\n", output, nil
}

// cell is what a cell has to show.
func cell(file, list string) (string, error) {
	g, err := readGo(file)
	if err != nil {
		return "", err
	}
	var parts []string
	output := ""
	short := true // the last was a declaration of one line, without a comment
	for i, name := range strings.Fields(list) {
		code, out, err := g.show(name)
		if err != nil {
			return "", err
		}
		one := strings.Count(code, "\n") == 1
		if i > 0 && !(one && short) {
			parts = append(parts, "\n")
		}
		short = one
		parts = append(parts, code)
		output += out
	}
	text := "\n```go\n" + strings.Join(parts, "") + "```\n"
	if output != "" {
		text += "\n```text\n" + output + "```\n"
	}
	return text + "\n", nil
}

// TestPythonPage compares the Go of the page with the samples that the tests run.
func TestPythonPage(t *testing.T) {
	page, err := os.ReadFile(pythonPage)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	current := included.ReplaceAllStringFunc(string(page), func(text string) string {
		m := included.FindStringSubmatch(text)
		want, err := cell(m[1], m[2])
		if err != nil {
			t.Errorf("%s: %s: %v", pythonPage, m[1], err)
			return text
		}
		for _, name := range strings.Fields(m[2]) {
			shown[filepath.Dir(m[1])+"."+name] = true
		}
		if m[3] != want && !*update {
			t.Errorf("%s is not as %s has it: %s", pythonPage, m[1], m[2])
		}
		return "<!-- " + m[1] + ": " + m[2] + " -->\n" + want + "</td>"
	})
	if *update {
		if err := os.WriteFile(pythonPage, []byte(current), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// Every sample is on the page.
	for _, dir := range []string{"warp", "quadrants", "cute", "triton"} {
		g, err := readGo(dir + "/doc.go")
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`Run:\s+(\w+)\}`).FindAllStringSubmatch(g.src, -1)
		if len(found) == 0 {
			t.Errorf("%s has no samples", dir)
		}
		for _, m := range found {
			if !shown[dir+"."+m[1]] {
				t.Errorf("%s: the sample %s of %s is missing", pythonPage, m[1], dir)
			}
		}
	}
}

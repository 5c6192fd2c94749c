package docs_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// documents are those that are written for people.
func documents(t *testing.T) []string {
	list, err := filepath.Glob("*.md")
	if err != nil || len(list) < 10 {
		t.Fatalf("%d pages, %v", len(list), err)
	}
	return append(list, filepath.Join("..", "README.md"), filepath.Join("..", "CONTRIBUTING.md"))
}

var (
	fence    = regexp.MustCompile("(?ms)^```.*?^```$")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	title    = regexp.MustCompile(`(?m)^#+ (.*)$`)
	code     = regexp.MustCompile("`([^`\n]+)`")
	filePath = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)*/?$`)
	testName = regexp.MustCompile(`\bTest[A-Z]\w+`)
	target   = regexp.MustCompile(`^make ([a-z-]+)`)
)

// anchor is what GitHub makes of a title.
func anchor(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r > 127:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// anchors are those of a document.
func anchors(text []byte) (list []string) {
	for _, m := range title.FindAllSubmatch(fence.ReplaceAll(text, nil), -1) {
		list = append(list, anchor(string(m[1])))
	}
	return list
}

// TestLinks follows the links of the documents, to files and to titles.
func TestLinks(t *testing.T) {
	links := 0
	for _, name := range documents(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllSubmatch(code.ReplaceAll(fence.ReplaceAll(text, nil), []byte("code")), -1) {
			to := string(m[1])
			if strings.Contains(to, "://") || strings.HasPrefix(to, "../build/") { // build has what make makes
				continue
			}
			links++
			file, part, hasPart := strings.Cut(to, "#")
			found, target := text, name
			if file != "" {
				target = filepath.Join(filepath.Dir(name), filepath.FromSlash(file))
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s: link to %s: %v", name, to, err)
					continue
				}
				if hasPart {
					if found, err = os.ReadFile(target); err != nil {
						t.Fatal(err)
					}
				}
			}
			if hasPart && !slices.Contains(anchors(found), part) {
				t.Errorf("%s: link to %s: %s has no such title", name, to, target)
			}
		}
	}
	if links < 100 {
		t.Errorf("the documents have %d links", links)
	}
}

// TestContents expects each section of the reference in the list at its beginning.
func TestContents(t *testing.T) {
	text, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := bytes.Cut(text, []byte("\n## "))
	for _, a := range anchors(append([]byte("\n## "), rest...)) {
		if !bytes.Contains(head, []byte("(#"+a+")")) {
			t.Errorf("the contents of language.md lack #%s", a)
		}
	}
}

// TestNames looks for the files, the tests and the targets of make that CONTRIBUTING.md and the pages about the code name.
func TestNames(t *testing.T) {
	root := ".."
	files, tests := make(map[string]bool), make(map[string]bool) // by every end of their paths
	function := regexp.MustCompile(`(?m)^func (Test[A-Z]\w+)\(`)
	err := testenv.Walk(root, func(name string, _ fs.DirEntry) error {
		for rel := name; ; {
			files[rel] = true
			_, after, ok := strings.Cut(rel, "/")
			if !ok {
				break
			}
			rel = after
		}
		if strings.HasSuffix(name, "_test.go") {
			text, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				return err
			}
			for _, m := range function.FindAllSubmatch(text, -1) {
				tests[string(m[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := []string{".go", ".md", ".sh", ".txt", ".txtar", ".h"}
	names := 0
	for _, page := range []string{"../CONTRIBUTING.md", "architecture.md", "../README.md", "explain.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range testName.FindAllString(string(text), -1) {
			if names++; !tests[name] {
				t.Errorf("%s: there is no test %s", page, name)
			}
		}
		for _, m := range code.FindAllSubmatch(fence.ReplaceAll(text, nil), -1) {
			name := string(m[1])
			if m := target.FindStringSubmatch(name); m != nil {
				if names++; !regexp.MustCompile(`(?m)^([\w -]+ )?` + m[1] + `( [\w -]+)?:`).Match(makefile) {
					t.Errorf("%s: there is no target %s", page, m[1])
				}
			}
			first, _, deep := strings.Cut(name, "/")
			if !filePath.MatchString(name) || first == "build" || !slices.Contains(kinds, filepath.Ext(name)) && (!deep || !files[first]) {
				continue
			}
			if names++; !files[strings.TrimSuffix(name, "/")] {
				t.Errorf("%s: there is no file %s", page, name)
			}
		}
	}
	if names < 100 {
		t.Errorf("the pages have %d names", names)
	}
}

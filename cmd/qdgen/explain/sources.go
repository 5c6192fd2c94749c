package explain

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"

	"github.com/qdgen/qd/frontend/load"
)

// maxWhole is how many lines a file may have that is shown as a whole. Of longer ones, and of those of libraries, the
// declarations are shown that kernels come from.
const maxWhole = 1500

// files are the Go files that kernels come from.
type files struct {
	text  map[string][]byte
	own   map[string]bool // of the kernel's own packages
	lines map[string]map[int]bool
	tried map[string]bool // packages of libraries
}

func newFiles() *files {
	return &files{text: make(map[string][]byte), own: make(map[string]bool), lines: make(map[string]map[int]bool), tried: make(map[string]bool)}
}

// know notes the files of the packages of a program, and of the libraries that kernels use.
func (f *files) know(packages []*load.Package, src load.Sources) {
	add := func(p *load.Package, own bool) {
		for _, file := range p.Files {
			f.text[file.Name] = file.Src
			f.own[file.Name] = own
		}
	}
	for _, p := range packages {
		add(p, true)
	}
	for _, path := range load.OwnPaths {
		if f.tried[path] {
			continue
		}
		f.tried[path] = true
		if p, err := src.Package(path); err == nil && p != nil {
			add(p, false)
		}
	}
}

// use notes that a line is shown.
func (f *files) use(p Pos) {
	if p.File == "" || p.Line == 0 {
		return
	}
	if f.lines[p.File] == nil {
		f.lines[p.File] = make(map[int]bool)
	}
	f.lines[p.File][p.Line] = true
}

// list are the files that are used, with the parts that are shown.
func (f *files) list() (list []*File) {
	for name, used := range f.lines {
		text, ok := f.text[name]
		if !ok {
			var err error
			if text, err = os.ReadFile(name); err != nil {
				continue // of a value that has no source
			}
		}
		list = append(list, fileOf(name, text, used, f.own[name]))
	}
	slices.SortFunc(list, func(a, b *File) int {
		if f.own[a.Name] != f.own[b.Name] {
			if f.own[a.Name] {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return list
}

// fileOf is a file with the parts of it that are used.
func fileOf(name string, text []byte, used map[int]bool, own bool) *File {
	lines := strings.Split(strings.ReplaceAll(strings.TrimRight(string(text), "\n"), "\r\n", "\n"), "\n")
	fset := token.NewFileSet()
	tree, _ := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution) // of broken source there is what could be parsed
	heads := headsOf(fset, tree, len(lines))
	part := func(from, to int) Part {
		return Part{From: from, Lines: lines[from-1 : to], Heads: heads[from : to+1]}
	}
	if own && len(lines) <= maxWhole || tree == nil {
		return &File{Name: name, Parts: []Part{part(1, len(lines))}}
	}
	made := &File{Name: name}
	for _, d := range tree.Decls {
		from, to := fset.PositionFor(d.Pos(), false).Line, fset.PositionFor(d.End(), false).Line
		if f, ok := d.(*ast.FuncDecl); ok && f.Doc != nil {
			from = fset.PositionFor(f.Doc.Pos(), false).Line
		}
		for line := from; line <= to; line++ {
			if used[line] {
				made.Parts = append(made.Parts, part(from, min(to, len(lines))))
				break
			}
		}
	}
	return made
}

// headsOf tells for each line, from 1, the line on which the statement begins that it is in, 0 for none. A statement
// that has others in it has its own lines only: the header of a loop.
func headsOf(fset *token.FileSet, tree *ast.File, n int) []int {
	heads := make([]int, n+1)
	if tree == nil {
		return heads
	}
	line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	set := func(head, from, to int) {
		for l := from; l <= min(to, n); l++ {
			heads[l] = head
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.LabeledStmt:
		case ast.Stmt:
			set(line(n.Pos()), line(n.Pos()), line(n.End()))
		case *ast.FuncDecl:
			if n.Body != nil {
				set(line(n.Pos()), line(n.Pos()), line(n.Body.Pos()))
			}
		}
		return true
	})
	return heads
}

package corpus

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// A File is one case: a few kernels and their launches.
type File struct {
	Name    string // base name without ".txtar"
	Path    string // where it was read from
	Doc     string // what the case is for
	Source  string // the section kernel.go
	Kernels []*Kernel
}

// A Kernel is one kernel of a case, with what is expected of its translation.
type Kernel struct {
	Name     string
	Grid     bool    // its first parameter is a Grid: it is run, without dimensions
	Params   []Param // without the first
	Launches []*Launch
	Prints   bool // it, or something in its file, calls qd.Printf

	// Texts are the expected texts that the case shows, by the section's kind.
	Texts map[string]string
}

// A Param is a parameter of a kernel, or a field of one that is a struct.
type Param struct {
	Name string
	Type string // "float32", "[]float32", "[][4]float32"

	// Struct is the parameter that this is a field of, "" for none. Its name is that of both then: "p.X".
	Struct string
}

// Sections of a case. Those of launches come before those of kernels.
const (
	sectionSource = "kernel.go"
	sectionLaunch = "launch"
	sectionResult = "result"
	sectionStdout = "stdout"
)

// The sections of a kernel's texts.
const (
	sectionLowered = "lowered"
	sectionSSA     = "ssa"
	sectionCPP     = "cpp"
	sectionChecked = "checked"
	sectionCUDA    = "cu"
)

// textSections are these in the order in which they are written.
var textSections = []string{sectionLowered, sectionSSA, sectionCPP, sectionChecked, sectionCUDA}

// Dirs are the directories of the corpus, below the root of the repository.
var Dirs = []string{"testdata/goldens", "testdata/corpus", "testdata/fixedbugs"}

// Load reads all cases, from a copy of the repository.
func Load(root string) ([]*File, error) {
	var files []*File
	for _, dir := range Dirs {
		paths, err := filepath.Glob(filepath.Join(root, dir, "*.txtar"))
		if err != nil {
			return nil, err
		}
		slices.Sort(paths)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			f, err := Parse(path, text)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
	}
	return files, nil
}

// Parse reads one case.
func Parse(path string, text []byte) (*File, error) {
	f := &File{Name: strings.TrimSuffix(filepath.Base(path), ".txtar"), Path: path}
	ar := txtar.Parse(text)
	f.Doc = strings.TrimSpace(string(ar.Comment))
	if f.Doc == "" || strings.Contains(f.Doc, "\n") {
		return nil, fmt.Errorf("%s: must begin with one line that says what the case is for", path)
	}
	at := slices.IndexFunc(ar.Files, func(s txtar.File) bool { return s.Name == sectionSource })
	if at < 0 {
		return nil, fmt.Errorf("%s: no section %s", path, sectionSource)
	}
	f.Source = string(ar.Files[at].Data)
	if err := f.parseSource(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, s := range slices.Delete(ar.Files, at, at+1) {
		if err := f.parseSection(s.Name, string(s.Data)); err != nil {
			return nil, fmt.Errorf("%s: section %q: %w", path, s.Name, err)
		}
	}
	for _, k := range f.Kernels {
		if len(k.Launches) == 0 {
			return nil, fmt.Errorf("%s: kernel %s is not launched", path, k.Name)
		}
	}
	return f, nil
}

// parseSource finds the kernels and their parameters.
func (f *File) parseSource() error {
	file, err := parser.ParseFile(token.NewFileSet(), f.Name+".go", f.Source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Doc == nil || !slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool { return c.Text == "//qd:kernel" }) {
			continue
		}
		k := &Kernel{Name: fn.Name.Name, Prints: strings.Contains(f.Source, "qd.Printf("), Texts: map[string]string{}}
		for _, field := range fn.Type.Params.List {
			typ, err := typeName(field.Type)
			if err != nil {
				return fmt.Errorf("kernel %s: %w", k.Name, err)
			}
			fields, err := fieldsOf(file, typ)
			if err != nil {
				return fmt.Errorf("kernel %s: %w", k.Name, err)
			}
			for _, name := range field.Names {
				for _, f := range fields {
					k.Params = append(k.Params, Param{Name: name.Name + "." + f.Name, Type: f.Type, Struct: name.Name})
				}
				if fields == nil {
					k.Params = append(k.Params, Param{Name: name.Name, Type: typ})
				}
			}
		}
		if len(k.Params) == 0 || !slices.Contains([]string{"qd.Thread", "qd.Block", "qd.Grid"}, k.Params[0].Type) {
			return fmt.Errorf("kernel %s: the first parameter is no qd.Thread, qd.Block or qd.Grid", k.Name)
		}
		k.Grid = k.Params[0].Type == "qd.Grid"
		k.Params = k.Params[1:]
		f.Kernels = append(f.Kernels, k)
	}
	if len(f.Kernels) == 0 {
		return fmt.Errorf("no function is marked //qd:kernel")
	}
	return nil
}

// fieldsOf are the fields of a struct that a file declares, nil of another type.
func fieldsOf(file *ast.File, typ string) (fields []Param, err error) {
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range group.Specs {
			t, ok := spec.(*ast.TypeSpec)
			if !ok || t.Name.Name != typ {
				continue
			}
			s, ok := t.Type.(*ast.StructType)
			if !ok {
				return nil, nil
			}
			for _, f := range s.Fields.List {
				of, err := typeName(f.Type)
				if err != nil {
					return nil, err
				}
				for _, name := range f.Names {
					fields = append(fields, Param{Name: name.Name, Type: of})
				}
			}
		}
	}
	return fields, nil
}

// typeName writes a parameter's type as in the source.
func typeName(e ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name, nil
	case *ast.SelectorExpr:
		pkg, err := typeName(e.X)
		return pkg + "." + e.Sel.Name, err
	case *ast.ArrayType:
		elem, err := typeName(e.Elt)
		if e.Len == nil {
			return "[]" + elem, err
		}
		if n, ok := e.Len.(*ast.BasicLit); ok {
			return "[" + n.Value + "]" + elem, err
		}
	}
	return "", fmt.Errorf("parameter of type %T: the corpus has numbers, bools, and slices of them or of arrays of them", e)
}

// parseSection reads one section other than the source.
func (f *File) parseSection(name, text string) error {
	kind, rest, _ := strings.Cut(name, " ")
	switch kind {
	case sectionLaunch, sectionResult, sectionStdout:
		kernel, _, _ := strings.Cut(rest, "/")
		k, err := f.kernel(kernel)
		if err != nil {
			return err
		}
		if kind == sectionLaunch {
			l, err := parseLaunch(k, rest, text)
			if err != nil {
				return err
			}
			k.Launches = append(k.Launches, l)
			return nil
		}
		at := slices.IndexFunc(k.Launches, func(l *Launch) bool { return l.Name == rest })
		if at < 0 {
			return fmt.Errorf("no section %q stands before it", strings.TrimSpace(sectionLaunch+" "+rest))
		}
		if kind == sectionResult {
			k.Launches[at].Result = text
		} else {
			k.Launches[at].Stdout = text
		}
		return nil
	}
	if slices.Contains(textSections, kind) {
		k, err := f.kernel(rest)
		if err != nil {
			return err
		}
		k.Texts[kind] = text
		return nil
	}
	return fmt.Errorf("unknown; see the documentation of package corpus")
}

// kernel finds a kernel; "" is the only one.
func (f *File) kernel(name string) (*Kernel, error) {
	if name == "" && len(f.Kernels) == 1 {
		return f.Kernels[0], nil
	}
	for _, k := range f.Kernels {
		if k.Name == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("no kernel %q in %s", name, sectionSource)
}

// Format writes the case, as [Parse] reads it.
func (f *File) Format() []byte {
	ar := &txtar.Archive{Comment: []byte(f.Doc + "\n")}
	add := func(kind, name, text string) {
		ar.Files = append(ar.Files, txtar.File{Name: strings.TrimSpace(kind + " " + name), Data: []byte(text)})
	}
	add(sectionSource, "", f.Source)
	for _, k := range f.Kernels {
		for _, l := range k.Launches {
			add(sectionLaunch, l.Name, l.Text)
			if l.Result != "" {
				add(sectionResult, l.Name, l.Result)
			}
			if l.Stdout != "" {
				add(sectionStdout, l.Name, l.Stdout)
			}
		}
	}
	for _, k := range f.Kernels {
		name := ""
		if len(f.Kernels) > 1 {
			name = k.Name
		}
		for _, kind := range textSections {
			if text, ok := k.Texts[kind]; ok {
				add(kind, name, text)
			}
		}
	}
	return txtar.Format(ar)
}

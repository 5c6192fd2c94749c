package frontend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/load"
)

// unreachable are the diagnostics that no fixture can have, with the reason.
var unreachable = map[string]string{
	"the type arguments of %s cannot be determined":                                        "a mutation in TestGoFilesChanged has one, -seed 7000",
	"a string of more than %d bytes":                                                       "TestValueErrors has one",
	"parameter %s cannot be %s of type %s":                                                 "TestValueErrors has one",
	"receiver %s cannot be %s of type %s":                                                  "TestValueErrors has one",
	"%s, which the kernel captures, cannot be %s of type %s":                               "TestValueErrors has one",
	"package variable %s cannot be %s of type %s":                                          "TestGlobalErrors has one",
	"the source of function %s is not available":                                           "TestValueErrors has one",
	"qd.Static(%s): %v":                                                                    "TestStaticErrors has one",
	"compiled Go cannot evaluate qd.Static(%s): %s":                                        "TestStaticErrors has one",
	"qd.Static(%s) is %s of type %s, which kernels cannot have":                            "TestStaticErrors has one",
	"two pointers of type %s are compared in a kernel, which has its own copies of tables": "package qd's TestTableAddresses has one",
	"a pointer of type %s is converted in a kernel, which has its own copies of tables: their addresses must not be compared": "package qd's TestTableAddresses has one",
	"whether two slices share memory is not known at compile time":                                                            "package qd's TestUnknownSlices has one",
	"captured variable %s is changed in the kernel":                                                                           "TestCaptured has one",
	"the function captures %s, which is declared in the function around it, without naming it":                                "package qd's TestClosuresRefused has one",
	"the unrolled loops of the kernel are too much code":                                                                      "TestUnrollLimits has one",
	"it is not supported":                          "each kind of type has a reason of its own",
	"calls are nested deeper than %d functions":    "TestDeepCalls has one",
	"an unrolled loop has more than %d iterations": "TestUnrollLimits has one",
	"the kernel's calls of functions that take functions or interfaces come to more than %d bytes of source, because each call is compiled separately": "TestDoublingCalls has one",
}

// TestEveryDiagnostic holds the fixtures to having each diagnostic of lowering at least
// once: what nothing provokes may as well be wrong.
func TestEveryDiagnostic(t *testing.T) {
	said := fixtureMessages(t)
	verb := regexp.MustCompile(`%(?:%|[-+# 0]*[a-z])`)
	for format, at := range diagnosticFormats(t) {
		pattern := "(?s)"
		rest := format
		for _, at := range verb.FindAllStringIndex(format, -1) {
			from := len(format) - len(rest)
			pattern += regexp.QuoteMeta(format[from:at[0]]) + ".*"
			rest = format[at[1]:]
		}
		re := regexp.MustCompile(pattern + regexp.QuoteMeta(rest))
		found := strings.Trim(pattern+rest, "(?s).* ") == "" // only verbs: the parts are formats of their own
		for _, msg := range said {
			found = found || re.MatchString(msg)
		}
		if reason, ok := unreachable[format]; ok == found {
			t.Errorf("%s: %q: provoked by a fixture: %v; listed as unreachable: %q", at, format, found, reason)
		}
	}
}

// fixtureMessages are the diagnostics of all fixtures.
func fixtureMessages(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/errors/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	var said []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		src := sources(t, onePackage("example.com/errors", filepath.Base(file), string(text)))
		src[load.QDPath].Files = append(src[load.QDPath].Files, load.File{Name: "qd/later.go", Src: []byte(later)})
		for _, list := range diagnoseAll(t, src, "example.com/errors") {
			for _, d := range list {
				said = append(said, d.Msg)
			}
		}
	}
	return said
}

// diagnosticFormats are the format strings of the rooms' diagnostics, with where
// they stand: the literals that Refuse is given, and those of tables and functions
// that say why something is not supported.
func diagnosticFormats(t *testing.T) map[string]string {
	t.Helper()
	var names []string
	for _, room := range []string{"check", "eval", "lower"} {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal("no files in", room, err)
		}
		names = append(names, files...)
	}
	formats := make(map[string]string)
	fset := token.NewFileSet()
	note := func(e ast.Expr, always bool) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return
		}
		if text, err := strconv.Unquote(lit.Value); err == nil && (always || strings.Contains(text, "not supported")) {
			formats[text] = fset.Position(lit.Pos()).String()
		}
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Refuse" || sel.Sel.Name == "refuse") && len(n.Args) >= 3 {
					note(n.Args[2], true)
				}
			case *ast.BasicLit:
				note(n, false)
			}
			return true
		})
	}
	if len(formats) < 30 {
		t.Fatalf("only %d formats found", len(formats))
	}
	return formats
}

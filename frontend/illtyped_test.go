package frontend

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
)

// An illTypedTest is a package with type errors, which must not hide what else
// is wrong and must not be followed by noise.
type illTypedTest struct {
	name string
	body string // of kernel k, from line 7 on, or the whole file
	want []string
}

const illTypedHead = `package k

import "fmt"
import "math"
import "github.com/qdgen/qd"
func k(t qd.Thread, n int, a float32, x []float32, y []int32) {
`

func (test illTypedTest) source() string {
	if strings.HasPrefix(test.body, "package") {
		return test.body
	}
	return illTypedHead + test.body + "\n}\n\nfunc two() (int, int) { return 1, 2 }\n\nvar global = 1\n\nvar _, _ = fmt.Print, math.Sqrt\n"
}

var illTyped = slices.Concat(illTypedDeclarations, illTypedStatements)

func TestIllTyped(t *testing.T) {
	for _, test := range illTyped {
		t.Run(test.name, func(t *testing.T) {
			text := test.source()
			_, _, err := Compile(sources(t, onePackage("k", "k.go", text)), functions(text)[:1]...)
			var ds *diag.Diagnostics
			if !errors.As(err, &ds) {
				t.Fatalf("error is %v", err)
			}
			checkDiagnostics(t, ds)
			var got []string
			for _, d := range ds.List {
				got = append(got, fmt.Sprintf("%d:%d: %s", d.Pos.Line, d.Pos.Column, d.Msg))
			}
			if g, w := strings.Join(got, "\n"), strings.Join(test.want, "\n"); g != w {
				t.Errorf("got\n%s\nwant\n%s", g, w)
			}
		})
	}
}

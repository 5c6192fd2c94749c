package frontend

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/load"
)

// TestWrongArguments calls each function that kernels can call with arguments of other numbers and types: the type checker says
// what is wrong, and lowering, which looks for more, stays quiet.
func TestWrongArguments(t *testing.T) {
	files := map[string][]string{"math": {"load/stubs/math.go.txt"}, "bits": {"load/stubs/math_bits.go.txt"}, "cmplx": {"load/stubs/math_cmplx.go.txt"}}
	for short, pattern := range map[string]string{"qd": "../*.go", "tile": "../tile/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files[short] = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	}
	for short, files := range files {
		called := make(map[string]bool)
		for _, file := range files {
			for _, fn := range declared(t, file) {
				called[fn.Name.Name] = called[fn.Name.Name] || fn.Recv == nil
			}
		}
		for _, args := range []string{"", "1", "1.5, 2", "x, 1, 2", "x, x, x", "nil, nil, nil, nil", "\"a\", t", "func() {}, 1, 2, 3", "two()", "undefined, 1"} {
			t.Run(short+" "+args, func(t *testing.T) {
				var text strings.Builder
				text.WriteString("package k\n\nimport (\n\t\"math\"\n\t\"math/bits\"\n\t\"math/cmplx\"\n\n\t\"github.com/qdgen/qd\"\n\t\"github.com/qdgen/qd/tile\"\n)\n\n" +
					"var _, _, _, _ = math.Pi, bits.UintSize, cmplx.Inf, tile.Of[int]{}\n\nfunc two() (int, int) { return 1, 2 }\n\nfunc k(t qd.Thread, x []int) {\n")
				for _, name := range slices.Sorted(maps.Keys(called)) {
					if !called[name] {
						continue // a method
					}
					fmt.Fprintf(&text, "\t%s.%s(%s)\n\t_ = %[1]s.%[2]s(%[3]s)\n", short, name, args)
				}
				text.WriteString("}\n")
				compileAny(t, sources(t, onePackage("k", "k.go", text.String())), []load.Ref{{Pkg: "k", Name: "k"}})
			})
		}
	}
}

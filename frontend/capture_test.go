package frontend

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// TestCaptured lowers kernels that are function literals, with what they capture.
func TestCaptured(t *testing.T) {
	for _, tt := range []struct {
		name, before, kernel string
		captured             map[string]comptime.Value
		params               string
		want                 string // what is stored, or "!" and a part of the error
	}{
		{"number", "c := 2", "func(t qd.Thread, x []int) { x[0] = c * 3; if c == 3 { x[1] = 1 } }", map[string]comptime.Value{"c": intValue(3)}, "", "9 1"},
		{"several", `s, n := "ab", [2]int{1, 2}`, "func(t qd.Thread, x []int) { x[0] = len(s) + n[1]; m := n; m[0] = x[1]; x[2] = m[1] }", map[string]comptime.Value{
			"s": strValue("abc"),
			"n": {Kind: comptime.Array, Type: "[2]int", Elems: []comptime.Value{intValue(5), intValue(6)}},
		}, "", "9 ? 6"},
		{"function", "f := add", "func(t qd.Thread, x []int) { x[0] = f(1, x[1]) }", map[string]comptime.Value{
			"f": {Kind: comptime.Func, Type: "func(int, int) int", Func: &load.Ref{Pkg: "p", Name: "add", File: "k.go", Line: 7}},
		}, "", "?"},
		{"nested literal", "c := 2", "func(t qd.Thread, x []int) { g := func(y int) int { return y * c }; x[0] = g(2) }", map[string]comptime.Value{"c": intValue(4)}, "", "8"},
		{"of a literal", "k := func(c int) *qd.Kernel { d := c; return", "func(t qd.Thread, x []int) { x[0] = c + d }", map[string]comptime.Value{"c": intValue(1), "d": intValue(2)}, "", "3"},
		{"constant", "const c = 2; type l int", "func(t qd.Thread, x []int) { var y l = c; x[0] = int(y) }", nil, "", "2"},
		{"static", "n := 3", "func(t qd.Thread, x []int) { for i := range qd.Static(n) { x[i] = i } }", map[string]comptime.Value{"n": intValue(3)}, "", "0 1 2"},
		{"assigned", "c := 2", "func(t qd.Thread, x []int) { c = 3 }", map[string]comptime.Value{"c": intValue(3)}, "", "!captured variable c is changed in the kernel"},
		{"counted", "c := 2", "func(t qd.Thread, x []int) { c++ }", map[string]comptime.Value{"c": intValue(3)}, "", "!captured variable c is changed in the kernel"},
		{"part assigned", "c := [2]int{}", "func(t qd.Thread, x []int) { c[0] = 1 }", map[string]comptime.Value{"c": {Kind: comptime.Array, Type: "[2]int", Elems: []comptime.Value{intValue(5), intValue(6)}}}, "", "!captured variable c is changed in the kernel"},
		{"address", "c := 2", "func(t qd.Thread, x []int) { p := &c; x[0] = *p }", map[string]comptime.Value{"c": intValue(3)}, "", "!captured variable c is changed in the kernel"},
		{"missing", "c := 2", "func(t qd.Thread, x []int) { x[0] = c }", nil, "", "!the kernel captures c, which is declared in the function around it, without naming it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			close := ""
			if strings.Contains(tt.before, "return") {
				close = " }; _ = k"
			}
			text := "package p\n\nimport (\n\t\"github.com/qdgen/qd\"\n)\n\nfunc add(x, y int) int { return x + y }\n\nfunc f() {\n" + tt.before + " qd.NewKernel(\n"
			if close == "" {
				text = strings.Replace(text, " qd.NewKernel(", "; qd.NewKernel(", 1)
			}
			line := 1 + strings.Count(text, "\n")
			text += tt.kernel
			for name := range tt.captured {
				text += fmt.Sprintf(", qd.Capture(%q, %s)", name, name)
			}
			text += ")" + close + "\n}\n"
			src := sources(t, onePackage("p", "k.go", text))
			s, err := Specialize(Options{Captured: tt.captured}, src, load.Ref{Pkg: "p", Name: "f.func1", File: "k.go", Line: line, Params: tt.params})
			if want, ok := strings.CutPrefix(tt.want, "!"); ok {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %s", err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := stored(t, s); got != tt.want {
				t.Errorf("stores %s, want %s\n%s", got, tt.want, s.Module)
			}
		})
	}
}

// TestCapturedInGeneric lowers a literal of a generic function: its types follow from the
// parameters and from what it captures.
func TestCapturedInGeneric(t *testing.T) {
	const text = `package p

import "github.com/qdgen/qd"

func scale[T qd.Float, N any](by T, n N) *qd.Kernel {
	return qd.NewKernel(func(t qd.Thread, x []T) {
		x[0] = by * T(2)
		var m N = n
		_ = m
	}, qd.Capture("by", by), qd.Capture("n", n))
}
`
	src := sources(t, onePackage("p", "k.go", text))
	captured := map[string]comptime.Value{"by": {Kind: comptime.Float32, Type: "float32", Bits: 0x40400000}, "n": intValue(1)}
	s, err := Specialize(Options{Captured: captured}, src, load.Ref{Pkg: "p", Name: "scale[...].func1", File: "k.go", Line: 6, Params: "github.com/qdgen/qd.Thread,[]float32"})
	if err != nil {
		t.Fatal(err)
	}
	if got := stored(t, s); got != "6" || s.Module.Name != "scale_func1[float32,int]" {
		t.Errorf("%s stores %s\n%s", s.Module.Name, got, s.Module)
	}
}

package load

import (
	"errors"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
)

// What looks like the directive to its writer and not to Go is reported, at its line.
func TestMisspelledDirective(t *testing.T) {
	const hint = "write //qd:kernel alone on its line, without a space and in lower case"
	for _, line := range []string{
		"// qd:kernel", "//\tqd:kernel", "//qd:Kernel", "//QD:KERNEL", "//qd: kernel", "//qd :kernel", "// qd:kernel ", "//qd:kernel saxpy", "//qd:kernel // fast",
	} {
		src := sources(map[string]string{"a/a.go": "package a\n\n// k adds.\n//\n" + line + "\nfunc k() {}\n\n//qd:kernel\nfunc right() {}\n"})
		refs, err := Kernels(src, "a")
		var ds *diag.Diagnostics
		if !errors.As(err, &ds) || len(ds.List) != 1 {
			t.Errorf("%q: %v, %v", line, refs, err)
			continue
		}
		if len(refs) != 1 || refs[0].Name != "right" {
			t.Errorf("%q: the other kernels are %v", line, refs)
		}
		d := ds.List[0]
		if want := strings.TrimSpace(line) + " is not the directive that makes k a kernel"; d.Msg != want || d.Hint != hint || d.Pos.String() != "a/a.go:5:1" {
			t.Errorf("%q:\n%v", line, d)
		}
	}
	for _, line := range []string{
		"// like qd:kernel", "// qd:kernel makes a kernel", "// qd:gradient of f is made", "// see qd:gradient f", "//qd:kernel.", "//qdkernel", "// kernel", "//go:noinline",
	} {
		src := sources(map[string]string{"a/a.go": "package a\n\n" + line + "\nfunc k() {}\n"})
		if refs, err := Kernels(src, "a"); len(refs) != 0 || err != nil {
			t.Errorf("%q: %v, %v", line, refs, err)
		}
	}
	// With the directive in place the rest is prose.
	src := sources(map[string]string{"a/a.go": "package a\n\n//qd:kernel\n// qd:kernel\nfunc k() {}\n\nfunc f() {\n\t// qd:kernel\n}\n"})
	if refs, err := Kernels(src, "a"); len(refs) != 1 || err != nil {
		t.Errorf("%v, %v", refs, err)
	}
}

// A directive that makes nothing a kernel is reported, for its writer thinks that it does.
func TestStrayDirective(t *testing.T) {
	for text, want := range map[string]string{
		"//qd:kernle\nfunc k() {}\n":                             "unknown directive //qd:kernle",
		"//qd:kernels\nfunc k() {}\n":                            "unknown directive //qd:kernels",
		"//qd:gradients f\nfunc k() {}\n":                        "unknown directive //qd:gradients",
		"// qd:gradient f\nfunc k() {}\n":                        "// qd:gradient f is not the directive that makes k a companion of f",
		"//qd:Replay f\nfunc k() {}\n":                           "//qd:Replay f is not the directive that makes k a companion of f",
		"//qd:kernel\n//qd:reply f\nfunc k() {}\n":               "unknown directive //qd:reply",
		"//qd:kernel\n//qd:gradient f\nfunc k() {}\nfunc f() {}": "//qd:gradient above kernel k",
		"//qd:gradient k\nfunc g() {}\n//qd:kernel\nfunc k() {}": "//qd:gradient: k is a kernel, whose gradient is made from its code",
		"//qd:kernel\nvar x int\n":                               "//qd:kernel has no effect here",
		"//qd:kernel\ntype t struct{}\n":                         "//qd:kernel has no effect here",
		"//qd:kernel\n\nfunc k() {}\n":                           "//qd:kernel has no effect here",
		"func f() {\n\t//qd:kernel\n\tk := func() {}; k()\n}\n":  "//qd:kernel has no effect here",
	} {
		src := sources(map[string]string{"a/a.go": "package a\n\n" + text})
		_, err := Kernels(src, "a")
		var ds *diag.Diagnostics
		if !errors.As(err, &ds) || len(ds.List) != 1 || ds.List[0].Msg != want || ds.List[0].Hint == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

package load

import (
	"go/types"
	"strings"
	"testing"
)

// Of a function in assembly, the Go of another build is the source.
func TestTwins(t *testing.T) {
	const kernel = "package k\n\nimport (\n\t\"e/asm\"\n\n\t\"github.com/qdgen/qd\"\n)\n\n//qd:kernel\nfunc kernel(t qd.Thread, x []float32) { x[0] = asm.F(x[0]) }\n"
	const common = "package asm\n\nfunc F(x float32) float32 {\n\tif fast {\n\t\treturn f(x)\n\t}\n\treturn x\n}\n"
	for _, tt := range []struct {
		name, files, want string // the file whose f is taken, "" for none
	}{
		{"purego", "asm.go:!purego:asm generic.go:purego:go", "generic.go"},
		{"noasm", "asm.go:!noasm:asm generic.go:noasm:go", "generic.go"},
		{"an architecture", "f_amd64.go::asm f_arm64.go::asm generic.go:!amd64&&!arm64:go", "generic.go"},
		{"another type", "asm.go:!purego:type generic.go:purego:go", ""},
		{"none", "asm.go::asm", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"k/k.go": kernel, "e/asm/f.go": common}
			for file := range strings.FieldsSeq(tt.files) {
				parts := strings.Split(file, ":")
				text := "package asm\n\n"
				if parts[1] != "" {
					text = "//go:build " + strings.ReplaceAll(parts[1], "&&", " && ") + "\n\n" + text
				}
				switch parts[2] {
				case "asm":
					text += "const fast = true\n\nfunc f(x float32) float32\n"
				case "type":
					text += "const fast = true\n\ntype T struct{ wide int }\n\nfunc f(x float32) float32\n"
				default:
					text += "const fast = false\n\nfunc f(x float32) float32 { return x }\n"
				}
				files["e/asm/"+parts[0]] = text
			}
			p, err := Check(sources(files), Ref{Pkg: "k", Name: "kernel", File: "k/k.go"})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for obj, f := range p.Funcs {
				if obj.Name() == "f" {
					got = baseName(f.File.Name)
				}
				if obj.Name() == "F" {
					fast, _ := obj.Pkg().Scope().Lookup("fast").(*types.Const)
					if fast == nil || (fast.Val().String() == "false") != (tt.want != "") {
						t.Errorf("fast is %v", fast)
					}
				}
			}
			if got != tt.want {
				t.Errorf("f is taken from %q, want %q", got, tt.want)
			}
		})
	}
}

package load

import (
	"fmt"
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

// A function in assembly that is a jump to one in Go, in whichever build, calls that one.
func TestJumps(t *testing.T) {
	const kernel = "package k\n\nimport (\n\t\"e/asm\"\n\n\t\"github.com/qdgen/qd\"\n)\n\n//qd:kernel\nfunc kernel(t qd.Thread, x []float32) { x[0] = asm.F(x[0], 2) }\n"
	const text = "package asm\n\nfunc F(x float32, n int) float32\n\nfunc inGo(x float32, n int) float32 { return x * float32(n) }\n\nfunc other(x float32, n int) float32 { return x }\n"
	for _, tt := range []struct {
		name, assembly, other string
		want                  bool
	}{
		{"a jump", "#include \"textflag.h\"\n\n// func F\nTEXT ·F(SB), NOSPLIT, $0\n\tJMP ·inGo(SB) // there\n", "", true},
		{"beside a function", "TEXT ·g(SB), NOSPLIT, $0\n\tMOVL AX, BX\n\tRET\n\nTEXT ·F<ABIInternal>(SB), NOSPLIT, $0-16\n\tB ·inGo(SB);\n", "", true},
		{"more than a jump", "TEXT ·F(SB), NOSPLIT, $0\n\tCMPB ·fast(SB), $1\n\tJMP ·inGo(SB)\n", "", false},
		{"to itself", "TEXT ·F(SB), NOSPLIT, $0\n\tJMP ·F(SB)\n", "", false},
		{"to two", "TEXT ·F(SB), NOSPLIT, $0\n\tJMP ·inGo(SB)\n", "TEXT ·F(SB), NOSPLIT, $0\n\tJMP ·other(SB)\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := sources(map[string]string{"k/k.go": kernel, "e/asm/f.go": text})
			for i, text := range []string{tt.assembly, tt.other} {
				if f, ok := Assembly(fmt.Sprintf("e/asm/a%d.s", i), []byte(text)); ok {
					src["e/asm"].Assembly = append(src["e/asm"].Assembly, f)
				}
			}
			p, err := Check(src, Ref{Pkg: "k", Name: "kernel", File: "k/k.go"})
			if err != nil {
				t.Fatal(err)
			}
			got := false
			for obj := range p.Funcs {
				got = got || obj.Name() == "inGo"
			}
			if got != tt.want {
				t.Errorf("the function in Go is reached: %v", got)
			}
		})
	}
}

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/testenv"
)

// What is written is what is expected, and current as long as nobody changes it.
func TestTypes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, golden := filepath.Join(dir, "qd_types.go"), "testdata/types/vec5.golden"
	write(t, filepath.Join(dir, "a.go"), "package p\n")
	write(t, filepath.Join(dir, "a_test.go"), "package p_test\n\ntype Vec5 int\n") // of another package
	write(t, filepath.Join(dir, "main.go"), "//go:build ignore\n\npackage main\n\ntype Vec5 int\n")
	qdgen(t, dir, nil, "types", "Vec5", "Vec5").want(t, 0, nil, nil)
	text := read(t, file)
	if *update {
		write(t, golden, text)
	}
	if text != read(t, golden) {
		t.Errorf("%s is not what types writes; see what -update makes of it", golden)
	}
	for _, args := range [][]string{{"types", "--check", "Vec5"}, {"types", "--check"}, {"types"}} {
		qdgen(t, dir, nil, args...).want(t, 0, nil, nil)
	}
	// Without names, those of the first line.
	write(t, file, strings.Replace(text, "\npackage p\n", "\npackage other\n", 1))
	qdgen(t, dir, nil, "types", "--check").want(t, 1, []string{"qd_types.go", "is out of date: line 3 is\n\tpackage other\nand is to be\n\tpackage p\n"}, nil)
	qdgen(t, dir, nil, "types").want(t, 0, nil, nil)
	if read(t, file) != text {
		t.Error("the file is not written anew")
	}
	qdgen(t, dir, nil, "types", "--check", "-o", "more.go", "Vec7").want(t, 1, []string{"more.go does not exist"}, nil)
}

func TestTypesErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p/a.go"), "package p\n\ntype Bool6 bool\n\nfunc Mat3x6As() {}\n")
	write(t, filepath.Join(dir, "q/a.go"), "package q\n\nconst qd = 1\n")
	write(t, filepath.Join(dir, "empty/a.txt"), "")
	for _, tt := range []struct {
		in   string
		args string
		exit int
		want []string
	}{
		{"p", "", 2, []string{"name the types to write", "there is no qd_types.go"}},
		{"p", "-o a.go", 1, []string{"a.go was not written by qdgen types"}},
		{"p", "Vec7 -o a.go", 1, []string{"a.go was not written by qdgen types; rename it, or remove it"}},
		{"p", "Vec7 -o a.txt", 2, []string{`"a.txt" does not end in .go`}},
		{"p", "Vex Vec07 Mat6 vec6", 2, []string{`"Vex" is no name`, `"Vec07" is no name`, `"Mat6" is no name`, `"vec6" is no name`, "types are called Vec6"}},
		{"p", "Vec3 Mat4x2", 2, []string{"package qd has Vec3: use qd.Vec3[T]", "use qd.Mat4x2[T]"}},
		{"p", "Vec1 Mat1x7", 2, []string{"Vec1: there are no types of a single row, column or element", "Mat1x7: there are no"}},
		{"p", "Vec257 Mat33x2 Vec99999999999999999999", 2, []string{"Vec257 is too large, the most are 256 elements", "Mat33x2 is too large, the most are 32 rows and columns", "qd.View2"}},
		{"p", "Mat3x6", 1, []string{"rename what is here:\na.go:3:6: Bool6\na.go:5:6: Mat3x6As\n"}},
		{"q", "Vec6", 1, []string{"a.go:3:7: qd\n"}},
		{"empty", "Vec6", 1, []string{"there is no Go package in ", "empty: begin one with a file that has a package clause"}},
		{"p", "Vec6 -o ../none/types.go", 1, []string{"none"}},
	} {
		args := append([]string{"types"}, strings.Fields(tt.args)...)
		qdgen(t, filepath.Join(dir, tt.in), nil, args...).want(t, tt.exit, nil, tt.want)
	}
}

// A user's module has types generated and runs a kernel with them, on device go and on the
// CPU, with the same results.
func TestTypesInKernel(t *testing.T) {
	t.Parallel()
	if _, err := clang.Find(); err != nil {
		testenv.Missing(t, err)
	}
	dir := newModule(t, []byte(typesProgram))
	qdgen(t, dir, inModule, "types", "Vec6", "Mat6x6", "Mat3x6").want(t, 0, nil, nil)
	out := goTool(t, dir, "run", ".")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2 || strings.TrimPrefix(lines[0], "go ") != strings.TrimPrefix(lines[1], "cpu ") {
		t.Errorf("devices differ:\n%s", out)
	}
	// The sum of 1 to 6, of the rows of 2s, and of 1 where 3 < v.
	if want := "[21 12 3 126 6]"; !strings.Contains(out, want) {
		t.Errorf("%s, want %s", out, want)
	}
}

const typesProgram = `-- main.go --
package main

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/qdgen/qd"
)

//qd:kernel
func sums(t qd.Thread, in []Vec6[float32], out []float32) {
	v := in[t.ID()]
	out[0] = v.Sum()
	twos := Mat6x6Diag(Vec6Splat[float32](2))
	out[1] = twos.MulVec(Vec6Splat[float32](1)).Sum()
	out[2] = Vec6Splat[float32](1).Where(v.Greater(Vec6Splat[float32](3)), Vec6[float32]{}).Sum()
	m := Mat3x6FromRows(v, v, v).Mul(twos)
	out[3] = qd.Vec3Splat[float32](1).Dot(m.MulVec(Vec6Splat[float32](1)))
	x, ok := twos.Solve(Vec6Splat[float32](2))
	if ok {
		out[4] = x.Sum()
	}
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		if err != nil {
			panic(err)
		}
		out := make([]float32, 5)
		if err := dev.Launch(sums, qd.Dim(1), []Vec6[float32]{{1, 2, 3, 4, 5, 6}}, out); err != nil {
			panic(err)
		}
		fmt.Println(name, out)
	}
}
`

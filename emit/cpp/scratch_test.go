package cpp_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/emit/cpp"
	"github.com/qdgen/qd/emit/cuda"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

func TestScratch(t *testing.T) {
	file := os.Getenv("QSRC")
	if file == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(file)
	qd := &load.Package{Path: load.QDPath}
	for _, name := range []string{"thread.go", "math.go", "atomic.go", "printf.go", "constraints.go"} {
		b, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		qd.Files = append(qd.Files, load.File{Name: "qd/" + name, Src: b})
	}
	m := load.Map{load.QDPath: qd, "example.com/k": &load.Package{Path: "example.com/k", Files: []load.File{{Name: file, Src: src}}}}
	refs, err := frontend.Kernels(m, "example.com/k")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range refs {
		p, err := load.Check(m, r)
		if err != nil {
			t.Fatal(err)
		}
		mod, err := frontend.Lower(p, p.Kernels[0], frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ssa.Optimize(mod, nil)
		o := emit.Options{LineDirectives: os.Getenv("QLINE") != ""}
		if os.Getenv("QSSA") != "" {
			fmt.Println(mod)
		}
		c := cpp.Emit(mod, o)
		os.WriteFile("/tmp/k/"+r.Name+".cpp", []byte(c.Source), 0o644)
		g := cuda.Emit(mod, o)
		os.WriteFile("/tmp/k/"+r.Name+".cu", []byte(g.Source), 0o644)
	}
}

package frontend

import (
	"testing"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/processor"
)

// BenchmarkSortLocal is what the front end takes for a kernel that sorts a local array with package slices, beside one that does
// not: most of it is the source of package slices.
func BenchmarkSortLocal(b *testing.B) {
	own := sources(b)[load.QDPath]
	for name, statement := range map[string]string{"sort": "slices.Sort(a[:])", "plain": "clear(a[:])"} {
		text := "package k\n\nimport (\n\"slices\"\n\"github.com/qdgen/qd\"\n)\n\n" +
			"//qd:kernel\nfunc K(t qd.Thread, x []int) {\nvar a [16]int\ncopy(a[:], x)\n" + statement + "\ncopy(x, a[:])\n}\n"
		b.Run(name, func(b *testing.B) {
			before := processor.Own()
			for b.Loop() {
				src := load.Chain(load.Map{load.QDPath: own, "k": onePackage("k", "k.go", text)}, load.Standard{})
				if _, err := Specialize(Options{}, src, load.Ref{Pkg: "k", Name: "K"}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processor.Own()-before).Seconds()*1e3/float64(b.N), "cpu-ms/op")
		})
	}
}

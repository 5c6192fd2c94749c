package load

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkCheckOne is one small kernel, with packages qd and math known.
func BenchmarkCheckOne(b *testing.B) {
	src := sources(map[string]string{"k/k.go": saxpy})
	b.ReportAllocs()
	for b.Loop() {
		mustCheck(b, src, Ref{Pkg: "k", Name: "saxpy"})
	}
}

// hundred is a package of 100 kernels in one file, each with a device function.
func hundred() (Map, []Ref) {
	var text strings.Builder
	text.WriteString("package k\n\nimport (\n\t\"math\"\n\n\t\"github.com/qdgen/qd\"\n)\n")
	var refs []Ref
	for i := range 100 {
		fmt.Fprintf(&text, `
func help%[1]d(x, y float32) (float32, bool) {
	if x > y {
		return qd.Sqrt(x*x - y*y), true
	}
	return float32(math.Sin(float64(x))), false
}

//qd:kernel
func kernel%[1]d(t qd.Thread, n int, a float32, x, y []float32, count []int) {
	i := t.ID()
	sum := float32(0)
	for j := range n {
		v, ok := help%[1]d(a*x[i], y[j])
		if !ok {
			continue
		}
		sum += v
		if sum > %[1]d {
			break
		}
	}
	if i%%2 == 0 && sum > 0 || i&3 == 1 {
		qd.AtomicAdd(&count[0], 1)
	}
	y[i] = sum + a*x[i]
}
`, i)
		refs = append(refs, Ref{Pkg: "k", Name: fmt.Sprintf("kernel%d", i)})
	}
	return sources(map[string]string{"k/k.go": text.String()}), refs
}

// BenchmarkCheckHundred is a package of 100 kernels, checked together.
func BenchmarkCheckHundred(b *testing.B) {
	src, refs := hundred()
	b.ReportAllocs()
	for b.Loop() {
		mustCheck(b, src, refs...)
	}
}

// BenchmarkCheckOneOfHundred is one kernel of them.
func BenchmarkCheckOneOfHundred(b *testing.B) {
	src, refs := hundred()
	b.ReportAllocs()
	for b.Loop() {
		mustCheck(b, src, refs[50])
	}
}

// BenchmarkLibraries is what the first Check in a process does besides: packages
// math, math/bits and what kernels reach of qd, one without vectors and one with.
func BenchmarkLibraries(b *testing.B) {
	src := realOwn(b)
	for _, c := range []struct{ name, body string }{
		{"scalars", "x[t.ID()] = qd.Sqrt(x[0])"},
		{"vectors", "x[t.ID()] = v[0].Cross(v[1]).Dot(v[2])"},
		{"matrices", "x[t.ID()] = f32.Mat3FromRows(v[0], v[1], v[2]).Mul(f32.Mat3FromCols(v[0], v[1], v[2])).MulVec(v[1])[0]"},
	} {
		b.Run(c.name, func(b *testing.B) {
			text := "package k\n\nimport (\n\"" + QDPath + "\"\n\"" + QDPath + "/f32\"\n)\n\nfunc k(t qd.Thread, x []float32, v []f32.Vec3) { " + c.body + " }\n"
			if c.name == "scalars" {
				text = strings.Replace(text, ", v []f32.Vec3", "", 1)
			}
			src["k"] = &Package{Path: "k", Files: []File{{Name: "k/k.go", Src: []byte(text)}}}
			b.ReportAllocs()
			for b.Loop() {
				newStub("math", firstBase, mathStub)
				newStub("math/bits", bitsBase, bitsStub)
				latestOwn.ownPackages = nil
				mustCheck(b, src, Ref{Pkg: "k", Name: "k"})
			}
		})
	}
}

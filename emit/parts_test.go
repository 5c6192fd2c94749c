package emit_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/ssa"
)

// partTypes are what the kernels of these tests have slices of.
const partTypes = `
type (
	row  [4]float32
	mat  [4]row
	long [16]float64
	body struct {
		at, vel [3]float32
		mass    float32
		turn    row
	}
	mixed struct {
		id  int32
		row [11]float32
	}
	padded struct {
		on  bool
		row [11]float32
	}
	huge [257]float32
)

// heavy is worth 48 operations, on all numbers of a matrix.
func heavy(m mat) float32 {
	s := float32(0)
	s += m[0][0]*m[1][0] - m[0][1]*m[1][1] + m[0][2]*m[1][2] - m[0][3]*m[1][3]
	s += m[2][0]*m[3][0] - m[2][1]*m[3][1] + m[2][2]*m[3][2] - m[2][3]*m[3][3]
	s -= s*m[0][0] + s*m[0][1] - s*m[0][2] + s*m[0][3] - s*s*s*s
	s -= s*m[1][0] + s*m[1][1] - s*m[1][2] + s*m[1][3] - s*s*s*s
	s -= s*m[2][0] + s*m[2][1] - s*m[2][2] + s*m[2][3] - s*s*s*s
	return s
}

func pick(m mat, j int) float32 { return m[1][j] }

func peek(x []float32) float32 { return x[3] }
`

// Numbers of the elements of threads are shuffled into vectors where that pays, and where nobody can tell.
func TestParts(t *testing.T) {
	for body, want := range map[string]bool{
		"x[i] = heavy(p[i])":                                         true,
		"p[i][0][0] = heavy(p[i])":                                   true,
		"p[i] = mat{row{heavy(p[i])}}":                               true,
		"v[i] = row{heavy(p[i]), heavy(q[i]), v[i][2]}":              true,
		"a := v[i]; v[i] = row{heavy(p[i]), a[0]}":                   true,
		"v[i] = row{heavy(p[i])}; x[i] = heavy(q[i])":                true,
		"h := heavy(q[i]); v[i] = row{heavy(p[i])}; x[i] = h":        true,
		"x[i] = heavy(p[i]); x[i] = heavy(p[i]) + 1":                 true,
		"if x[i] > 0 { x[i] = heavy(p[i]) }":                         true,
		"if x[i] > 0 { return }; x[i] = heavy(p[i])":                 true,
		"h := float32(1); if x[i] > 0 { h = heavy(p[i]) }; x[i] = h": true,
		"x[i] = heavy(p[i+1])":                                       true,
		"x[i] = heavy(p[i]) + float32(i)":                            true,
		"x[i] = heavy(p[i]) + p[i][n[i]&3][1]":                       true, // an index of each thread's own is gathered
		"r := p[i][n[0]&3]; x[i] = heavy(p[i]) + r[2]":               true,
		"x[i] = heavy(p[i]) + pick(p[i], 2)":                         true,
		"x[i] = heavy(p[i]) + pick(p[i], int(n[i]&3))":               true,
		"x[i] = heavy(p[n[i]])":                                      false, // p would be gathered
		"x[i] = heavy(p[i]) + x[n[i]]":                               true,
		"x[i] = heavy(p[i]) + y[n[i]]":                               true, // n and x are in tiles
		"x[i] = heavy(p[i]) + v[3][1]":                               true,
		"x[i] = heavy(p[i]) + peek(x)":                               true,
		"h := heavy(p[i]) + peek(y); x[i] = h":                       true,
		"x[i] = heavy(p[i]) + float32(len(p))":                       true,
		"x[i] = heavy(p[i]) + float32(len(y))":                       true,
		"x[i] = heavy(p[i]); qd.Printf(\"done\\n\")":                 false,
		"qd.AtomicAdd(&y[0], heavy(p[i]))":                           false,
		"h := heavy(p[i]); for range n[i] { h *= h }; x[i] = h":      true,
		"h := heavy(p[i]); if h < 0 { panic(1) }; x[i] = h":          true,
		"x[i] = heavy(p[i]) / float32(n[i]/n[i])":                    true,
		"x[i] = heavy(p[i]) / float32(n[i]/7)":                       true,
		"x[i] = qd.Exp(heavy(p[i]))":                                 true,
		"l[i] = float64(heavy(p[i]))":                                true,
		"b := s[i]; x[i] = heavy(mat{b.turn, b.turn}) * b.mass":      true,
		"x[i] = heavy(mat{s[i].turn, p[i][1]})":                      true,
		"b := s[i]; h := heavy(mat{b.turn, b.turn, b.turn, b.turn}) * heavy(p[i]); b.mass *= h; s[i] = b": true,
		"m := o[i].row; x[i] = heavy(mat{row{m[0], m[1], m[2], m[3]}, row{m[4], m[5], m[6], m[7]}})":      true,
		"m := g[i]; x[i] = heavy(mat{row{m[0], m[16], m[32], m[48], }, row{m[64]}})":                      false, // too long
	} {
		m := lower(t, partTypes+`
//qd:kernel
func k(t qd.Thread, p, q []mat, v []row, s []body, o []mixed, g []huge, x, y []float32, l []float64, n []int32) {
	i := t.ID()
	`+body+`
}
`)
		text := compile.CPU.Text(m, emit.Options{}).Source
		_, kernel, _ := strings.Cut(text, "struct k_args")
		if got := strings.Contains(kernel, "k_wide") && strings.Contains(text, "load_parts"); got != want {
			t.Errorf("%s: in lanes is %v\n%s", body, got, kernel)
		}
	}
}

// Elements of any number of numbers come out of vectors as their threads leave them one by one, for any
// number of threads, and nothing behind the last of them changes.
func TestPartValues(t *testing.T) {
	const most, others = 40, 9 // threads, and numbers of the elements that are only read
	for _, number := range []ssa.Basic{ssa.Float32, ssa.Float64, ssa.Int32, ssa.Uint64} {
		t.Run(number.String(), func(t *testing.T) {
			t.Parallel()
			sizes := []int{1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 31, 32}
			var modules []*ssa.Module
			var kernels []*ssa.Func
			for _, n := range sizes {
				var src strings.Builder
				fmt.Fprintf(&src, "//qd:kernel\nfunc k%[1]d(t qd.Thread, p [][%[2]d]%[3]s, out [][%[1]d]%[3]s) {\n\ti := t.ID()\n\ta, o := p[i], out[i]\n\tout[i] = [...]%[3]s{", n, others, number)
				for k := range n {
					fmt.Fprintf(&src, "(a[%[2]d]*o[%[1]d]+3)*(a[%[3]d]+o[%[1]d]) + (a[%[4]d]*a[%[3]d]-o[%[1]d])*(a[%[2]d]-2) + a[%[3]d]*a[%[4]d]*5 + (a[%[4]d]-1)*(o[%[1]d]+1)*(a[%[2]d]+4), ", k, k%others, 2*k%others, (k+4)%others)
				}
				src.WriteString("}\n}\n")
				m := lower(t, src.String())
				modules = append(modules, m)
				kernels = append(kernels, m.Kernels()...)
			}
			text := compile.CPU.TextOf(modules).Source
			if got := strings.Count(text, "_wide(Thread{"); got != len(sizes) {
				t.Fatalf("%d of %d kernels run in lanes", got, len(sizes))
			}
			b := compileText(t, targets[0], text, kernels)
			size := number.Size()
			put := func(a *array, i int, v int64) { write(number, a.data[i*size:], scalar(bitsOf(number, v))) }
			for at, n := range sizes {
				for threads := 1; threads <= most; threads++ {
					p, out, want := newArray(others*size, most+1), newArray(n*size, most+1), newArray(n*size, most+1)
					for i := range (most + 1) * others {
						put(p, i, int64(i*i%17-8))
					}
					for i := range most + 1 {
						for k := range n {
							o := int64((5*i+3*k)%13 - 6)
							put(out, i*n+k, o)
							if i < threads {
								a := func(k int) int64 { i := i*others + k%others; return int64(i*i%17 - 8) }
								o = (a(k)*o+3)*(a(2*k)+o) + (a(k+4)*a(2*k)-o)*(a(k)-2) + a(2*k)*a(k+4)*5 + (a(k+4)-1)*(o+1)*(a(k)+4)
							}
							put(want, i*n+k, o)
						}
					}
					b.run(t, kernels[at], []int{threads}, p, out)
					if !bytes.Equal(out.data, want.data) {
						t.Fatalf("%d threads, elements of %d: %v, want %v", threads, n, out.data, want.data)
					}
				}
			}
		})
	}
}

// Where two parameters are one slice, what is written last is there in the end.
func TestPartOrder(t *testing.T) {
	m := lower(t, `
//qd:kernel
func k(t qd.Thread, p [][9]int32, first, second []int32) {
	i := t.ID()
	a := p[i]
	b := (a[0]*a[1]+a[2])*(a[3]*a[4]-a[5]) + a[6]*a[7]*a[8]
	second[i] = b*b*b + b + 3
	first[i] = b*b*b + b
}
`)
	text := compile.CPU.Text(m, emit.Options{}).Source
	if !strings.Contains(text, "k_wide") {
		t.Fatalf("not in lanes:\n%s", text)
	}
	b := build(t, targets[0], m)
	const threads = 37
	p, x := newArray(9*4, threads), newArray(4, threads)
	b.run(t, m.Kernels()[0], []int{threads}, p, x, x)
	for i := range threads {
		if x.get(i) != 0 {
			t.Fatalf("element %d is %d", i, x.get(i))
		}
	}
}

// Types may have the names of what runs the threads of a kernel, and kernels of other kinds stand in one text
// with those that run in lanes.
func TestPartNames(t *testing.T) {
	var modules []*ssa.Module
	var kernels []*ssa.Func
	add := func(src string) {
		m := lower(t, src)
		modules = append(modules, m)
		kernels = append(kernels, m.Kernels()...)
	}
	for i, name := range []string{"a", "args", "begin", "end", "flat", "i", "lane", "vec", "parts", "run", "indices", "vector", "numbers", "first"} {
		src := strings.NewReplacer("NAME", name, "KERNEL", fmt.Sprintf("k%d", i)).Replace(`
type (
	NAME struct { low, high [8]float32 }
	none struct{}
)

//qd:kernel
func KERNEL(t qd.Thread, tile []NAME, x []float32) {
	b := tile[t.ID()]
	s := float32(0)
	for j := range qd.Static(8) {
		s += s*b.low[j] + b.high[j]*b.high[j]
	}
	x[t.ID()] = s
}
`)
		add(src)
		if text := compile.CPU.Text(modules[i], emit.Options{}).Source; !strings.Contains(text, "_wide") {
			t.Fatalf("not in lanes:\n%s", text)
		}
	}
	add(`
type flat struct{}

//qd:kernel
func empty(t qd.Thread, f flat, x []float32) { x[t.ID()] = 1 }
`)
	add(`
//qd:kernel
func lanes(t qd.Thread, x []float32) {
	n := int(x[0])
	l := t.Lane() & 255
	var a, b [140]float32
	for k := range 140 {
		a[(k*7+n+l)%140], b[(k*3+n+l)%140] = float32(k), float32(l)
	}
	s := qd.Shared[float32](t, 256)
	s[l] = a[n]
	t.Sync()
	x[t.ID()] = s[(l+1)&255] + a[n+1] + b[n+2]
}
`)
	compileText(t, targets[0], compile.CPU.TextOf(modules).Source, kernels)
	empty := modules[len(modules)-2]
	for _, to := range targets {
		build(t, to, empty)
	}
}

// A function is inlined where it clamps an index, so that rows are split. If it is inlined into one kernel, it is not
// inlined many times into another for that.
func TestInlined(t *testing.T) {
	const body = "x := v[max(j-1, 0)]\ns := float32(1)\nfor i := range qd.Static(20) {\ns += s*x + x/(1+s*s+float32(i))\n}\nreturn s"
	for second, left := range map[string]bool{"f(x, i) + f(y, i)": false, "g(x, i)": true} {
		m := lower(t, `
func f(v []float32, j int) float32 {
	`+body+`
}

func g(v []float32, j int) (s float32) {
	for k := range qd.Static(60) {
		s += f(v, j+k)
	}
	return s
}

//qd:kernel
func k(g_ qd.Grid, x, y []float32) {
	g_.For(len(x), func(i int) { y[i] = f(x, i) })
	g_.For(len(x), func(i int) { y[i] = `+second+` })
}
`)
		text := compile.CPU.Text(m, emit.Options{}).Source
		if got := strings.Contains(text, "static inline float32 f("); got != left {
			t.Errorf("%s: left is %v\n%s", second, got, text)
		}
		_, first, _ := strings.Cut(text, "static void k_1_interior(")
		if first, _, _ = strings.Cut(first, "\n}\n"); !strings.Contains(first, "i = 19: s += ") {
			t.Errorf("%s: it is not inlined into the first kernel\n%s", second, text)
		}
	}
}

// bitsOf are those of a small number.
func bitsOf(t ssa.Basic, v int64) uint64 {
	switch t {
	case ssa.Float32:
		return toBits(float32(v))
	case ssa.Float64:
		return toBits(float64(v))
	}
	return uint64(v)
}

package emit_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
)

// Whether an integer is an index is found in a bounded number of steps, however many paths
// lead through the sums that it comes from.
func TestGathersOfSums(t *testing.T) {
	compile.CPU.Text(lower(t, `
//qd:kernel
func k(t qd.Thread, x []int) {
	i := t.ID()
	n := x[i]
	`+strings.Repeat("n += n\n\t", 200)+`
	x[i] = n
}
`), emit.Options{})
}

// A loop over threads that would gather numbers from far apart for little arithmetic is not
// vectorized. Matrices of which a column becomes a row are read by rows there.
func TestGathers(t *testing.T) {
	for body, want := range map[string]struct {
		scalar bool
		loads  int
	}{
		"out[i] = p[i].add(q[i])":                             {true, 0}, // its rows would only be copied
		"c[i] = d[i].turned()":                                {true, 1},
		"c[i] = d[i].turned().add(e[i])":                      {true, 1},
		"c[i] = d[i].add(e[i].turned())":                      {true, 1},
		"a := p[i]; out[i] = a.add(a)":                        {true, 0},
		"a := d[i]; c[i] = a.add(a.turned())":                 {true, 1},
		"out[i][0] = row{p[i][0][2], p[i][1][2], 3, x[i]}":    {true, 0},  // few of its elements are loaded
		"out[i] = p[3].add(p[0])":                             {true, 0},  // out alone is far apart
		"x[i] = p[3].add(p[0])[1][2]":                         {false, 0}, // nothing is
		"out[i] = p[i]":                                       {true, 0},  // a copy has no use for rows
		"x[i] = p[i][1][2]":                                   {true, 0},
		"s[i] = p[i][1]":                                      {true, 0},
		"s[i] = row{s[i][0] + 1, 2, s[i][3], x[i]}":           {false, 0}, // four side by side are no gather
		"out[i] = p[i].turned()":                              {true, 0},  // its rows are short
		"c[i] = d[i].add(e[i])":                               {true, 0},  // its rows would only be copied
		"x[i] = p[i].powers()":                                {false, 0},
		"x[i] = x[16*i] + x[16*i+5]":                          {true, 0},
		"x[i] = x[4*i] + x[4*i+3]":                            {false, 0},
		"o := w[i]; x[i] = float32(o.a) + o.b + o.c":          {true, 0},
		"u[i] = tall{u[i][0], u[i][2], u[i][1]}":              {true, 0}, // rows of three are no vectors
		"c[i] = d[n[i]].turned().add(e[i])":                   {true, 1}, // from anywhere
		"x[i] = x[n[i]]":                                      {false, 0},
		"a := p[i]; for range n { a = a.add(a) }; out[i] = a": {false, 0},
		"a := d[i].turned(); for range n { a = a.add(e[i].turned()) }; c[i] = a": {false, 0}, // in vectors of threads
	} {
		m := lower(t, `
type (
	row  [4]float32
	mat  [4]row
	tall [3][3]float32
	long [4]float64
	big  [4]long
	wide struct {
		a    int8
		b, c float32
		d    [8]float32
	}
)

func (a row) add(b row) row { return row{a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]} }

func (a mat) add(b mat) mat { return mat{a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2]), a[3].add(b[3])} }

func (a mat) turned() mat { return mat{{a[0][0], a[1][0], a[2][0], a[3][0]}, a[1], a[2], a[3]} }

func (a long) add(b long) long { return long{a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]} }

func (a big) add(b big) big { return big{a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2]), a[3].add(b[3])} }

func (a big) column(j int) long { return long{a[0][j], a[1][j], a[2][j], a[3][j]} }

func (a big) turned() big { return big{a.column(0), a.column(1), a.column(2), a.column(3)} }

func (a mat) powers() float32 {
	s := float32(0)
	for i := range 4 {
		for j := range 4 {
			s += a[i][j]*a[i][j]*a[i][j] + a[i][j]*a[j][i]
		}
	}
	return s
}

//qd:kernel
func k(t qd.Thread, p, q, out []mat, d, e, c []big, s []row, u []tall, w []wide, x []float32, n []int32) {
	i := t.ID()
	`+body+`
}
`)
		text := compile.CPU.Text(m, emit.Options{}).Source
		// The threads that remain behind those in lanes have no vectors either.
		if got := strings.Contains(text, "vectorize(disable)"); got != (want.scalar || strings.Contains(text, "k_wide(")) {
			t.Errorf("%s: not vectorized is %v\n%s", body, got, text)
		}
		if got := strings.Count(text, "load(p[") + strings.Count(text, "load(q[") + strings.Count(text, "load(d[") + strings.Count(text, "load(e["); got != want.loads {
			t.Errorf("%s: %d matrices are read by rows, want %d\n%s", body, got, want.loads, text)
		}
		if text := compile.CUDA.Text(m, emit.Options{}).Source; strings.Contains(text, "load(") {
			t.Errorf("%s: CUDA reads by rows\n%s", body, text)
		}
	}
}

// What is decided about the threads of a kernel is decided about those in the interior of its rows, too.
func TestInteriorGathers(t *testing.T) {
	for body, hint := range map[string]string{
		"c[i*m+j] = d[i*m+max(j-1, 0)].turned()":                                   "vectorize(disable)", // too far from each other
		"x[i*m+j] = uint64(uint32(x[i*m+max(j-1, 0)])*3) + uint64(n[max(j-1, 0)])": "vectorize(enable)",  // other sizes
	} {
		m := lower(t, `
type big [4][4]float64

func (a big) turned() (b big) {
	for i := range 4 {
		b[i] = [4]float64{a[0][i], a[1][i], a[2][i], a[3][i]}
	}
	return b
}

//qd:kernel
func k(t qd.Thread, c, d []big, x []uint64, n []uint32) {
	i, j := t.ID2()
	m := t.Dim(1)
	`+body+`
}
`)
		text := compile.CPU.Text(m, emit.Options{}).Source
		loop, _, ok := strings.Cut(text, "for (int64 col = lo; ")
		lines := strings.Split(strings.TrimSuffix(loop, "\n"), "\n")
		if before := lines[len(lines)-2]; !ok || before != "#pragma clang loop "+hint {
			t.Errorf("%s: before the loop over the interior is %q\n%s", body, before, text)
		}
		_, inside, _ := strings.Cut(text, "k_interior(")
		inside, _, _ = strings.Cut(inside, "\n}\n")
		if byRows := strings.Contains(inside, "load("); byRows != strings.Contains(body, "turned") {
			t.Errorf("%s: the interior reads by rows: %v\n%s", body, byRows, text)
		}
	}
}

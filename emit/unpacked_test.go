package emit_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/qdgen/qd/emit"
)

// unpackedKernels have structs with unpacked fields. Each is emitted once as it is, and once
// as byHand writes it.
var unpackedKernels = map[string]string{
	"fields": `
type Tile struct {
	r     [4]float32 ¬qd:"unpacked"¬
	m     [2][3]int8 ¬qd:"unpacked"¬
	on    [2]bool    ¬qd:"unpacked"¬
	scale float32
}

//qd:kernel
func k(t qd.Thread, x []float32, n []int8) {
	i := t.ID()
	var a Tile
	a.r[0], a.r[3] = x[i], x[i+1]
	a.r[1] += a.r[0] * a.r[3]
	a.m[1][2] = n[i]
	a.m[0][1]++
	a.on[1] = a.r[1] > 0 && a.r[2] < 1
	b := a
	b.r[2] = 3
	if a == b || b.on[1] {
		x[i] = b.r[1] + b.scale
	}
	n[i] = a.m[1][2] - a.m[0][1]
}
`,
	"literals": `
type Tile struct {
	scale float32
	r     [4]float32 ¬qd:"unpacked"¬
}

//qd:kernel
func k(t qd.Thread, x []float32) {
	i := t.ID()
	a := Tile{r: [4]float32{x[i], 2, x[i+1]}, scale: 3}
	b := Tile{scale: x[i], r: [4]float32{1, 2, 3, 4}}
	if x[i] > 0 {
		b = a
	}
	x[i] = a.r[0]*b.r[0] + a.r[3]*b.r[3] + a.r[2]*b.r[2] + b.scale
}
`,
	"pointers, slices, arrays": `
type Tile struct {
	r [4]float32 ¬qd:"unpacked"¬
	n int
}

type Pair struct {
	a, b Tile
	c    [2]Tile
}

func (t *Tile) scale(s float32) {
	t.r[0] *= s
	t.r[1] *= s
	t.r[2] *= s
	t.r[3] *= s
}

func (t Tile) sum() float32 { return t.r[0] + t.r[1] + t.r[2] + t.r[3] }

func add(p *Tile, q Tile) Tile {
	p.r[0] += q.r[0]
	p.r[3] += q.r[3]
	return *p
}

//qd:kernel
func k(t qd.Thread, tiles []Tile, pairs []Pair, one Tile, x []float32) {
	i := t.ID()
	tiles[i].r[2] = one.r[1]
	pairs[i].a.r[0] += pairs[i].c[i&1].r[3]
	p := &pairs[i].b
	p.scale(tiles[i].sum())
	c := add(p, tiles[i+1])
	qd.AtomicAdd(&x[0], c.r[3])
	qd.AtomicAdd(&tiles[0].r[1], p.sum())
	for j := 0; j < 4 && c.r[0] < 100; j++ {
		c.r[0] += x[j]
		c.r[1], c.r[2] = c.r[2], c.r[1]
	}
	tiles[i] = c
}
`,
	"unrolled": `
type Row[T qd.Number] struct {
	r [8]T ¬qd:"unpacked"¬
}

type Both struct {
	Row[float32]
	s [8]float32 ¬qd:"unpacked"¬
}

//qd:kernel
func k(t qd.Thread, x []float32, n []int32) {
	i := t.ID()
	var a Both
	var b Row[int32]
	for j := range 8 {
		a.r[j] = x[i*8+j]
		b.r[j] = n[i+j]
	}
	for j := range 8 {
		a.s[j] = a.r[j] + x[i]
	}
	for j := range 8 {
		x[i*8+j] = a.s[7-j]
		n[i+j] = b.r[j]
	}
}
`,
}

var (
	unpackedDecl = regexp.MustCompile("(?m)^\t(\\w+) +((?:\\[\\d\\])+)(\\w+) +¬qd:\"unpacked\"¬$")
	unpackedLit  = regexp.MustCompile(`r: \[4\]float32\{([^}]*)\}`)
	unpackedElem = regexp.MustCompile(`\.([rsm]|on)\[(\d)\](?:\[(\d)\])?`)
	unpackedLoop = regexp.MustCompile(`(?m)^\tfor j := range 8 \{\n((?:\t\t.*\n)*)\t\}\n`)
)

// byHand writes out what the tag stands for: a field for each element, its name in the
// place of an index, and the turns of the loops over them.
func byHand(src string) string {
	src = unpackedLoop.ReplaceAllStringFunc(src, func(loop string) string {
		var turns strings.Builder
		for j := range 8 {
			body := unpackedLoop.FindStringSubmatch(loop)[1]
			body = strings.NewReplacer("[j]", fmt.Sprintf("[%d]", j), "[7-j]", fmt.Sprintf("[%d]", 7-j), "+j]", fmt.Sprintf("+%d]", j)).Replace(body)
			turns.WriteString(body)
		}
		return turns.String()
	})
	src = unpackedDecl.ReplaceAllStringFunc(src, func(decl string) string {
		m := unpackedDecl.FindStringSubmatch(decl)
		dims := strings.Split(strings.Trim(m[2], "[]"), "][")
		var names []string
		for i := range int(dims[0][0] - '0') {
			name := fmt.Sprintf("%s%d", m[1], i)
			if len(dims) == 1 {
				names = append(names, name)
				continue
			}
			for j := range int(dims[1][0] - '0') {
				names = append(names, fmt.Sprintf("%s_%d", name, j))
			}
		}
		return "\t" + strings.Join(names, ", ") + " " + m[3]
	})
	src = unpackedLit.ReplaceAllStringFunc(src, func(lit string) string {
		var fields []string
		for i, elem := range strings.Split(unpackedLit.FindStringSubmatch(lit)[1], ", ") {
			fields = append(fields, fmt.Sprintf("r%d: %s", i, elem))
		}
		return strings.Join(fields, ", ")
	})
	return unpackedElem.ReplaceAllStringFunc(src, func(elem string) string {
		m := unpackedElem.FindStringSubmatch(elem)
		if m[3] != "" {
			return "." + m[1] + m[2] + "_" + m[3]
		}
		return "." + m[1] + m[2]
	})
}

// TestUnpacked wants the code of structs with unpacked fields to be that of structs with
// scalar fields, to the letter, but for the Go lines in the comments.
func TestUnpacked(t *testing.T) {
	for name, src := range unpackedKernels {
		tagged, plain := strings.ReplaceAll(src, "¬", "`"), byHand(src)
		if strings.Contains(plain, "unpacked") || unpackedElem.MatchString(plain) {
			t.Fatalf("%s is not written out:\n%s", name, plain)
		}
		forTargets(t, func(t *testing.T, to target) {
			got, want := to.emit(lower(t, tagged), emit.Options{}).Code(), to.emit(lower(t, plain), emit.Options{}).Code()
			if got != want {
				t.Errorf("%s:\n%s\nis not the code of the scalars:\n%s", name, got, want)
			}
		})
	}
}

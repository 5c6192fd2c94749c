//go:build !race

package qd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd"
)

// A tapeProgram does launches at random to arrays, and the same to complex numbers: where one number has a small imaginary
// part, those of the others are its derivatives.
type tapeProgram struct {
	random *rand.Rand
	dev    *qd.Device
	tape   *qd.Tape
	arrays []*qd.Array[float64]
	steps  []func(values [][]complex128)
	text   string
}

const (
	tapeLeaves = 2
	tapeArrays = 5
	tapeLength = 4
)

func (p *tapeProgram) step(t *testing.T, depth int) {
	t.Helper()
	a := func() int { return p.random.IntN(tapeArrays) }
	x, y, z := a(), a(), a()
	say := func(format string, args ...any) { p.text += fmt.Sprintf(format+"\n", args...) }
	add := func(err error, f func(v [][]complex128)) {
		t.Helper()
		if err != nil {
			t.Fatalf("%v\n%s", err, p.text)
		}
		p.steps = append(p.steps, f)
	}
	dim := qd.Dim(tapeLength)
	switch k := p.random.IntN(10); {
	case k < 3:
		say("mix %d %d %d", x, y, z)
		add(p.tape.Launch(mixOf, dim, p.arrays[x], p.arrays[y], p.arrays[z]), func(v [][]complex128) {
			for i := range tapeLength {
				v[z][i] = 0.5*v[x][i]*v[y][i] + 0.4*v[x][i] - 0.3*v[y][i]
			}
		})
	case k < 5 && x != z:
		say("turn %d %d", x, z)
		add(p.tape.Launch(turnOf, dim, p.arrays[x], p.arrays[z]), func(v [][]complex128) {
			for i := range tapeLength {
				v[z][i] += 0.5*v[x][(i+1)%tapeLength]*v[x][i] - 0.2*v[z][i]*v[z][i]
			}
		})
	case k < 6:
		say("first %d %d", x, z)
		add(p.tape.Launch(firstOf, dim, p.arrays[x], p.arrays[z]), func(v [][]complex128) {
			for i := 0; i < tapeLength; i += 2 {
				v[z][i] = 0.9 * v[x][i]
			}
		})
	case k < 7 && z >= tapeLeaves:
		host := make([]float64, tapeLength)
		for i := range host {
			host[i] = p.random.Float64() - 0.5
		}
		say("copy %d", z)
		add(p.arrays[z].CopyFrom(host), func(v [][]complex128) {
			for i := range host {
				v[z][i] = complex(host[i], 0)
			}
		})
	case k < 8:
		plain := make([]float64, tapeLength)
		for i := range plain {
			plain[i] = p.random.Float64() - 0.5
		}
		was := append([]float64{}, plain...)
		say("mix plain %d %d", y, z)
		err := p.tape.Launch(mixOf, dim, plain, p.arrays[y], p.arrays[z])
		plain[0] = 1000 // the program may use it again
		add(err, func(v [][]complex128) {
			for i := range tapeLength {
				x := complex(was[i], 0)
				v[z][i] = 0.5*x*v[y][i] + 0.4*x - 0.3*v[y][i]
			}
		})
	case k < 9 && depth < 3 && p.random.IntN(2) == 0:
		n := p.random.IntN(6)
		say("steps %d {", n)
		err := p.tape.Steps(n, func(int) error {
			for range p.random.IntN(3) {
				p.step(t, depth+1)
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, p.text)
		}
		say("}")
	case k < 9 && depth < 3:
		say("checkpoint {")
		err := p.tape.Checkpoint(func() error {
			for range 1 + p.random.IntN(6) {
				p.step(t, depth+1)
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, p.text)
		}
		say("}")
	}
}

// Programs of launches, copies and checkpoints at random have the gradients that complex numbers have.
func TestTapeRandom(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		programs := 150
		if dev.String() == "cuda:0" || testing.Short() {
			programs = 40
		}
		for seed := range programs {
			p := &tapeProgram{random: rand.New(rand.NewPCG(uint64(seed), 7)), dev: dev, tape: qd.NewTape(dev, qd.TapeSnapshots(seed%4))}
			var start [][]float64
			for i := range tapeArrays {
				host := make([]float64, tapeLength)
				for j := range host {
					host[j] = p.random.Float64() - 0.5
				}
				start = append(start, host)
				p.arrays = append(p.arrays, qd.From(dev, host))
				if i < tapeLeaves {
					p.arrays[i].WithGrad()
				}
			}
			for range 12 {
				p.step(t, 0)
			}
			weights := []float64{1, -2, 0.5, 3}
			run := func(leaf, at int) [][]complex128 {
				var v [][]complex128
				for i, host := range start {
					v = append(v, make([]complex128, tapeLength))
					for j, x := range host {
						if v[i][j] = complex(x, 0); i == leaf && j == at {
							v[i][j] += 1e-30i
						}
					}
				}
				for _, f := range p.steps {
					f(v)
				}
				return v
			}
			for y, a := range p.arrays {
				now := a.Slice()
				for j, v := range run(-1, 0)[y] {
					if math.Abs(now[j]-real(v)) > 1e-12 {
						t.Fatalf("seed %d: array %d: %v, not %v\n%s", seed, y, now[j], real(v), p.text)
					}
				}
				for l := range tapeLeaves {
					must(t, p.arrays[l].ZeroGrad())
				}
				if err := p.tape.BackwardFrom(a, weights); err != nil {
					if y < tapeLeaves {
						wants(t, err, "no launch with the array") // of a leaf that nothing has used
						continue
					}
					for l := range tapeLeaves { // it depends on none
						for j := range tapeLength {
							for _, v := range run(l, j)[y] {
								if imag(v) != 0 {
									t.Fatalf("seed %d: array %d: %v\n%s", seed, y, err, p.text)
								}
							}
						}
					}
					continue
				}
				for l := range tapeLeaves {
					for j, got := range p.arrays[l].Grad().Slice() {
						want := 0.0
						for i, v := range run(l, j)[y] {
							want += weights[i] * imag(v) * 1e30
						}
						if math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
							t.Fatalf("seed %d: array %d by element %d of %d: %v, not %v\n%s", seed, y, j, l, got, want, p.text)
						}
					}
				}
			}
			p.tape.Reset()
			if n := p.tape.Memory(); n != 0 {
				t.Errorf("seed %d: %d bytes after Reset", seed, n)
			}
		}
	})
}

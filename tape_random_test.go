//go:build !race

package qd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
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
	used   [tapeArrays]bool // by a launch: until then, an array with a gradient begins with what it is set to
	steps  []func(values [][]complex128)
	text   string

	leaf, at int // the number with an imaginary part, while steps are done to complex numbers
}

// begin gives a number of an array that begins its imaginary part.
func (p *tapeProgram) begin(v [][]complex128, array, i int) {
	if array == p.leaf && i == p.at {
		v[array][i] += 1e-30i
	}
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
	use := func(arrays ...int) {
		for _, a := range arrays {
			p.used[a] = true
		}
	}
	part := func() (from, n int) {
		if p.random.IntN(2) == 0 {
			return 0, tapeLength
		}
		from = p.random.IntN(tapeLength)
		return from, 1 + p.random.IntN(tapeLength-from)
	}
	dim := qd.Dim(tapeLength)
	switch k := p.random.IntN(13); {
	case k < 3:
		use(x, y, z)
		say("mix %d %d %d", x, y, z)
		add(p.tape.Launch(mixOf, dim, p.arrays[x], p.arrays[y], p.arrays[z]), func(v [][]complex128) {
			for i := range tapeLength {
				v[z][i] = 0.5*v[x][i]*v[y][i] + 0.4*v[x][i] - 0.3*v[y][i]
			}
		})
	case k < 5 && x != z:
		use(x, z)
		say("turn %d %d", x, z)
		add(p.tape.Launch(turnOf, dim, p.arrays[x], p.arrays[z]), func(v [][]complex128) {
			for i := range tapeLength {
				v[z][i] += 0.5*v[x][(i+1)%tapeLength]*v[x][i] - 0.2*v[z][i]*v[z][i]
			}
		})
	case k < 6:
		use(x, z)
		say("first %d %d", x, z)
		add(p.tape.Launch(firstOf, dim, p.arrays[x], p.arrays[z]), func(v [][]complex128) {
			for i := 0; i < tapeLength; i += 2 {
				v[z][i] = 0.9 * v[x][i]
			}
		})
	case k < 7:
		from, n := part()
		host, was := make([]float64, n), make([]float64, n)
		for i := range host {
			host[i] = p.random.Float64() - 0.5
		}
		copy(was, host)
		first := !p.used[z]
		say("copy to %d from %d on: %v", z, from, host)
		err := p.arrays[z].Sub(from, from+n).CopyFrom(host)
		clear(host) // the program may use it again
		add(err, func(v [][]complex128) {
			for i, x := range was {
				if v[z][from+i] = complex(x, 0); first {
					p.begin(v, z, from+i)
				}
			}
		})
	case k < 8:
		from, n := part()
		x, first := p.random.Float64()-0.5, !p.used[z]
		say("fill %d of %d from %d on with %v", n, z, from, x)
		add(p.arrays[z].Sub(from, from+n).Fill(x), func(v [][]complex128) {
			for i := from; i < from+n; i++ {
				if v[z][i] = complex(x, 0); first {
					p.begin(v, z, i)
				}
			}
		})
	case k < 10:
		if z < tapeLeaves && !p.used[z] || x < tapeLeaves && !p.used[x] {
			break // what has a gradient is recorded from the first launch with it on
		}
		from, n := part()
		to := p.random.IntN(tapeLength - n + 1)
		say("copy %d of %d from %d on to %d from %d on", n, x, from, z, to)
		add(p.arrays[z].Sub(to, to+n).CopyArray(p.arrays[x].Sub(from, from+n)), func(v [][]complex128) {
			copy(v[z][to:to+n], v[x][from:from+n])
		})
	case k < 11:
		use(y, z)
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
	case k < 12 && depth < 3 && p.random.IntN(2) == 0:
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
	case depth < 3:
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

// Programs of launches, copies of all kinds, steps and checkpoints at random have the gradients that complex numbers have.
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
				p.leaf, p.at = leaf, at
				var v [][]complex128
				for i, host := range start {
					v = append(v, make([]complex128, tapeLength))
					for j, x := range host {
						v[i][j] = complex(x, 0)
						p.begin(v, i, j)
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
					if unused := strings.Contains(err.Error(), "no launch with the array"); unused && y < tapeLeaves {
						continue
					} else if !unused {
						wants(t, err, "depends on no array that has a gradient")
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

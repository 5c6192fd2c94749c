package qd_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

//qd:kernel
func mixOf(t qd.Thread, x, y, z []float64) {
	i := t.ID()
	z[i] = 0.5*x[i]*y[i] + 0.4*x[i] - 0.3*y[i]
}

//qd:kernel
func turnOf(t qd.Thread, x, z []float64) {
	i := t.ID()
	n := len(x)
	z[i] += 0.5*x[(i+1)%n]*x[i] - 0.2*z[i]*z[i]
}

//qd:kernel
func firstOf(t qd.Thread, x, z []float64) {
	if i := t.ID(); i%2 == 0 {
		z[i] = 0.9 * x[i]
	}
}

// The kinds of kernels that an adverse program mixes. Each works on arrays of 8 numbers.

//qd:kernel
func adverseGrid(g qd.Grid, steps int, x, z []float64) {
	for range steps {
		g.For(len(x), func(i int) { z[i] = 0.6*z[i] + 0.5*x[(i+3)%len(x)]*x[i] })
	}
}

//qd:kernel
func adverseBlock(b qd.Block, x, z []float64) {
	s := qd.Shared[float64](b, 4)
	first := b.ID() * 4
	b.For(4, func(i int) { s[i] = x[first+i] * x[first+i] })
	b.For(4, func(i int) { z[first+i] += 0.3*s[(i+1)%4] - 0.2*z[first+i]*s[i] })
}

//qd:kernel
func adverseTile(b qd.Block, x, z []float64) {
	row := tile.Load(b, x, b.ID()*4, 4)
	row.MulScalar(0.3*row.Sum()).Add(tile.Load(b, z, b.ID()*4, 4)).MulScalar(0.5).Store(z, b.ID()*4)
}

//qd:kernel
func adverseShared(t qd.Thread, x, z []float64) {
	s := qd.Shared[float64](t, 4)
	s[t.Lane()] = x[t.ID()]
	t.Sync()
	z[t.ID()] = 0.7*s[t.Lane()^1]*z[t.ID()] + 0.2*s[t.Lane()]
}

//qd:kernel
func adverseWhile(t qd.Thread, x, z []float64) {
	i := t.ID()
	v := x[i]
	for u := float64(i); u > 0.5; u *= 0.6 { // not by v: where the number of turns changes, differences say nothing
		v = v*v*0.5 + 0.25*v
	}
	z[i] = 0.5*z[i] + 0.4*v
}

//qd:kernel
func adverseScatter(t qd.Thread, at []int32, x, z []float64) {
	i := t.ID()
	qd.AtomicAdd(&z[at[i]], 0.25*x[i]*x[i])
	at[i] = (at[i] + 3) % int32(t.Dim(0))
}

// An adverseRunner runs what an adverse program consists of: a tape does, and for differences a device.
type adverseRunner interface {
	Launch(kernel any, dim qd.Dims, args ...any) error
	Run(kernel any, args ...any) error
	Checkpoint(f func() error) error
	Steps(n int, f func(i int) error) error
}

// plainRunner records nothing.
type plainRunner struct{ *qd.Device }

func (plainRunner) Checkpoint(f func() error) error { return f() }

func (plainRunner) Steps(n int, f func(i int) error) (err error) {
	for i := 0; i < n && err == nil; i++ {
		err = f(i)
	}
	return err
}

// adverseArrays is what a program works on. The first two have a gradient on a tape.
type adverseArrays struct {
	dev    *qd.Device
	floats []*qd.Array[float64]
	at     *qd.Array[int32]
	tape   *qd.Tape // nil without
}

// An adverseStep is a part of a program.
type adverseStep func(r adverseRunner, a *adverseArrays) error

const adverseCount, adverseLength = 5, 8

// adverseProgram makes steps at random.
func adverseProgram(random *rand.Rand, depth, n int, text *string) adverseStep {
	var steps []adverseStep
	say := func(format string, args ...any) {
		*text += strings.Repeat("  ", depth) + fmt.Sprintf(format+"\n", args...)
	}
	host := func() []float64 {
		list := make([]float64, adverseLength)
		for i := range list {
			list[i] = random.Float64() - 0.5
		}
		return list
	}
	add := func(s adverseStep) { steps = append(steps, s) }
	for range n {
		x, z := random.IntN(adverseCount), random.IntN(adverseCount)
		if x == z {
			x = (x + 1) % adverseCount
		}
		dim := qd.Dim(adverseLength)
		switch k := random.IntN(21); {
		case k < 2:
			turns := random.IntN(4)
			say("grid %d, %d times, to %d", x, turns, z)
			add(func(r adverseRunner, a *adverseArrays) error {
				return r.Run(adverseGrid, turns, a.floats[x], a.floats[z])
			})
		case k < 4:
			say("block %d to %d", x, z)
			add(func(r adverseRunner, a *adverseArrays) error {
				return r.Launch(adverseBlock, qd.Dim(2), a.floats[x], a.floats[z])
			})
		case k < 6:
			say("tile %d to %d", x, z)
			add(func(r adverseRunner, a *adverseArrays) error {
				return r.Launch(adverseTile, qd.Dim(2), a.floats[x], a.floats[z])
			})
		case k < 8:
			say("shared %d to %d", x, z)
			add(func(r adverseRunner, a *adverseArrays) error {
				return r.Launch(qd.NewKernel(adverseShared).WithBlockDim(4), dim, a.floats[x], a.floats[z])
			})
		case k < 10:
			say("while %d to %d", x, z)
			add(func(r adverseRunner, a *adverseArrays) error {
				return r.Launch(adverseWhile, dim, a.floats[x], a.floats[z])
			})
		case k < 12:
			say("scatter %d to %d", x, z)
			add(func(r adverseRunner, a *adverseArrays) error {
				return r.Launch(adverseScatter, dim, a.at, a.floats[x], a.floats[z])
			})
		case k < 13 && z >= 2:
			list := host()
			say("copy to %d", z)
			add(func(r adverseRunner, a *adverseArrays) error { return a.floats[z].CopyFrom(list) })
		case k < 14:
			first := int32(random.IntN(8))
			say("indices from %d", first)
			add(func(r adverseRunner, a *adverseArrays) error {
				list := make([]int32, adverseLength)
				for i := range list {
					list[i] = (int32(5*i) + first) % adverseLength
				}
				return a.at.CopyFrom(list)
			})
		case k < 15:
			list := host()
			say("plain to %d", z)
			add(func(r adverseRunner, a *adverseArrays) error {
				plain := append([]float64{}, list...)
				err := r.Launch(mixOf, dim, plain, a.floats[x], a.floats[z])
				plain[0] = 1000
				return err
			})
		case k < 16:
			say("through an array that is freed, %d to %d", x, z)
			add(func(r adverseRunner, a *adverseArrays) error {
				h := qd.Zeros[float64](a.dev, adverseLength)
				defer h.Free()
				return errors.Join(r.Launch(firstOf, dim, a.floats[x], h), r.Launch(sumOf, dim, a.floats[x], h, a.floats[z]))
			})
		case k < 17:
			say("from outside to a constant, then to %d", z)
			add(func(r adverseRunner, a *adverseArrays) error {
				c := qd.Zeros[float64](a.dev, adverseLength)
				return errors.Join(
					r.Launch(mixOf, dim, c, a.floats[x], a.floats[z]), a.dev.Launch(setAll, dim, 0.5, c),
					r.Launch(mixOf, dim, c, a.floats[x], a.floats[z]), a.dev.Launch(setAll, dim, -0.25, c),
					r.Launch(mixOf, dim, c, a.floats[x], a.floats[z]))
			})
		case k < 18 && depth < 3:
			say("checkpoint {")
			f := adverseProgram(random, depth+1, 1+random.IntN(5), text)
			say("}")
			add(func(r adverseRunner, a *adverseArrays) error {
				return r.Checkpoint(func() error { return f(r, a) })
			})
		case k < 19 && depth < 3:
			n := random.IntN(7)
			say("%d steps, the fourth one with more {", n)
			f, more := adverseProgram(random, depth+1, 1+random.IntN(3), text), adverseProgram(random, depth+1, 1+random.IntN(3), text)
			say("}")
			add(func(r adverseRunner, a *adverseArrays) error {
				return r.Steps(n, func(i int) error {
					if err := f(r, a); err != nil || i != 3 {
						return err
					}
					return more(r, a)
				})
			})
		case k < 20:
			x, z := 2+random.IntN(adverseCount-2), 2+random.IntN(adverseCount-2)
			from, to := random.IntN(adverseLength/2), random.IntN(adverseLength/2)
			say("array %d from %d on to %d from %d on", x, from, z, to)
			add(func(r adverseRunner, a *adverseArrays) error {
				return a.floats[z].Sub(to, to+adverseLength/2).CopyArray(a.floats[x].Sub(from, from+adverseLength/2))
			})
		case depth == 0:
			say("backward from %d", z)
			add(func(r adverseRunner, a *adverseArrays) error {
				if a.tape != nil { // whatever it gives, what follows is not changed by it
					_ = a.tape.BackwardFrom(a.floats[z], host())
				}
				return nil
			})
		}
	}
	return func(r adverseRunner, a *adverseArrays) error {
		for _, s := range steps {
			if err := s(r, a); err != nil {
				return err
			}
		}
		return nil
	}
}

// Programs that mix kinds of kernels, copies, checkpoints, loops of steps, plain slices, arrays that are freed and calls of Backward have
// the gradients that differences say, or an error that says why not.
func TestTapeAdverse(t *testing.T) {
	plain, err := qd.Open("go")
	must(t, err)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		programs := 30
		if dev.String() != "cpu" || testing.Short() {
			programs = 9
		}
		if raceDetector { // what the programs compute is for the other run
			programs = 3
		}
		var wg sync.WaitGroup
		refused := make([]int, 3)
		for worker := range refused { // tapes are independent
			wg.Go(func() {
				for seed := worker; seed < programs; seed += len(refused) {
					refused[worker] += adverseCase(t, dev, plain, uint64(seed))
				}
			})
		}
		wg.Wait()
		n := 0
		for _, r := range refused {
			n += r
		}
		if t.Logf("%d of %d gradients are refused", n, programs*adverseCount); n > programs*adverseCount/2 {
			t.Error("these are most: the test says little")
		}
	})
}

// adverseCase compares the gradients of a program, and tells how many are refused.
func adverseCase(t *testing.T, dev, plain *qd.Device, seed uint64) (refused int) {
	random := rand.New(rand.NewPCG(seed, 11))
	text := ""
	var start [][]float64
	for range adverseCount {
		var host []float64
		for range adverseLength {
			host = append(host, random.Float64()-0.5)
		}
		start = append(start, host)
	}
	before, after := adverseProgram(random, 0, 3, &text), adverseProgram(random, 0, 9, &text)
	options := [][]qd.TapeOption{nil, {qd.TapeSnapshots(1)}, {qd.TapeSnapshots(2)}, {qd.TapeMemory(3000)}}[seed%4]
	arrays := func(dev *qd.Device) *adverseArrays {
		a := &adverseArrays{dev: dev, at: qd.From(dev, []int32{0, 5, 2, 7, 4, 1, 6, 3})}
		for _, host := range start {
			a.floats = append(a.floats, qd.From(dev, host))
		}
		return a
	}
	a := arrays(dev)
	for _, f := range a.floats[:2] {
		f.WithGrad()
	}
	a.tape = qd.NewTape(dev, options...)
	fail := func(format string, args ...any) {
		t.Errorf("seed %d: %s\n%s", seed, fmt.Sprintf(format, args...), text)
	}
	// tooLittle reports whether an error is about the memory that the tape may take.
	tooLittle := func(err error) bool { return seed%4 == 3 && strings.Contains(err.Error(), "qd.TapeMemory") }
	if err := before(a.tape, a); err != nil {
		if !tooLittle(err) {
			fail("%v", err)
		}
		return adverseCount
	}
	a.tape.Reset() // in the middle: what was before is no part of it
	for i, f := range a.floats {
		start[i] = f.Slice()
	}
	indices := a.at.Slice()
	if err := after(a.tape, a); err != nil {
		if !tooLittle(err) {
			fail("%v", err)
		}
		return adverseCount
	}
	run := func(leaf, at int, by float64) [][]float64 {
		p := arrays(plain)
		if err := p.at.CopyFrom(indices); err != nil {
			fail("%v", err)
		}
		if by != 0 {
			host := append([]float64{}, start[leaf]...)
			host[at] += by
			if err := p.floats[leaf].CopyFrom(host); err != nil {
				fail("%v", err)
			}
		}
		if err := after(plainRunner{plain}, p); err != nil {
			fail("%v", err)
		}
		var values [][]float64
		for _, f := range p.floats {
			values = append(values, f.Slice())
		}
		return values
	}
	weights := []float64{1, -2, 0.5, 3, 0.25, 1.5, -1, 2}
	const h = 1e-4
	var differences [2][adverseLength][adverseCount]float64 // of each array, weighed
	for l := range differences {
		for i := range differences[l] {
			p, m, p2, m2 := run(l, i, h), run(l, i, -h), run(l, i, 2*h), run(l, i, -2*h)
			for y := range adverseCount {
				for k, w := range weights {
					differences[l][i][y] += w * (8*(p[y][k]-m[y][k]) - (p2[y][k] - m2[y][k])) / (12 * h)
				}
			}
		}
	}
	for y, want := range run(0, 0, 0) {
		for k, v := range a.floats[y].Slice() {
			if math.Abs(v-want[k]) > 1e-12 {
				fail("array %d: element %d is %v, not %v", y, k, v, want[k])
			}
		}
		if err := errors.Join(a.floats[0].ZeroGrad(), a.floats[1].ZeroGrad()); err != nil {
			fail("%v", err)
		}
		constant := true
		for l := range differences {
			for i := range differences[l] {
				constant = constant && math.Abs(differences[l][i][y]) < 1e-9
			}
		}
		if err := a.tape.BackwardFrom(a.floats[y], weights); err != nil {
			refused++
			switch {
			case tooLittle(err), strings.Contains(err.Error(), "has been freed"):
			case strings.Contains(err.Error(), "no launch with the array"), strings.Contains(err.Error(), "depends on no array") && constant:
			default:
				fail("array %d: %v", y, err)
			}
			continue
		}
		for l := range differences {
			for i, got := range a.floats[l].Grad().Slice() {
				if want := differences[l][i][y]; math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
					fail("array %d by element %d of %d: %v, differences say %v", y, i, l, got, want)
				}
			}
		}
	}
	a.tape.Reset()
	if n := a.tape.Memory(); n != 0 {
		fail("%d bytes after Reset", n)
	}
	return refused
}

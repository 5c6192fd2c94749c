package gradient_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/qdgen/qd/internal/corpus"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/interp"
)

// tangents runs the tangent kernel of a trial along a direction: for each float in memory, the derivative of what it
// has become. It fails if the kernel does not compute what the kernel itself does.
func (tr *trial) tangents(along []float64) ([]float64, error) {
	plain := tr.arguments()
	if err := launch(tr.kernel, &plain.memory, plain.bytes, tr.threads); err != nil {
		return nil, err
	}
	a, twins := tr.arguments(), tr.arguments()
	for i, f := range twins.floats() {
		twins.set(f, along[i])
	}
	args := slices.Clone(a.bytes)
	for _, g := range tr.tangent.Gradients {
		i, at := g-tr.places(), 0
		b := slices.Clone(twins.bytes[i])
		relocate(tr.params()[i].Type, b, func(slice []byte) {
			m := twins.slices[i][at]
			at++
			copy(slice, interp.SliceArg(a.memory.Add(m.p), len(m.p)/max(1, m.elem.Size())))
		})
		args = append(args, b)
	}
	if err := launch(tr.tangent.Kernel, &a.memory, args, tr.threads); err != nil {
		return nil, err
	}
	for i := range a.slices {
		for k, m := range a.slices[i] {
			if !slices.Equal(m.p, plain.slices[i][k].p) {
				return nil, fmt.Errorf("the tangent kernel leaves something else in %s than the kernel", tr.params()[i].Name)
			}
		}
	}
	var list []float64
	for _, f := range twins.floats() {
		list = append(list, twins.get(f))
	}
	return list, nil
}

// compareTangent compares <w, J v> with <J^T w, v>, if there is a backward kernel, and with differences along v, where these are
// reliable, for directions of one float and of all.
func (tr *trial) compareTangent(tolerance float64) error {
	weights := tr.weights()
	n := len(weights)
	for i := range weights {
		weights[i] += 0.25
	}
	all := make([]float64, n)
	for i := range all {
		all[i] = math.Sin(float64(3*i+1)) * 0.7
	}
	directions := [][]float64{all}
	for i := 0; i < n; i += 1 + n/8 {
		one := make([]float64, n)
		one[i] = 1
		directions = append(directions, one)
	}
	for d, along := range directions {
		twins, err := tr.tangents(along)
		if err != nil {
			return err
		}
		got, size := 0.0, 0.0
		for i, x := range twins {
			got += weights[i] * x
			size += math.Abs(weights[i] * x)
		}
		if tr.back != nil {
			grads, err := tr.gradients(weights)
			if err != nil {
				return err
			}
			want := 0.0
			for i, g := range grads {
				if along[i] != 0 {
					want += g * along[i]
					size += math.Abs(g * along[i])
				}
			}
			if math.IsNaN(got) || math.IsNaN(want) { // zero times an infinity: next to what has no derivative there
				continue
			}
			if math.Abs(got-want) > max(tolerance*1e-3, tr.rounding())*(1+size) {
				return fmt.Errorf("direction %d: the tangent says %.12g, the gradient %.12g", d, got, want)
			}
		}
		var wrong error
		for _, step := range []float64{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8} {
			want, rough, err := tr.difference(weights, along, step)
			if err != nil {
				return err
			}
			if !(rough <= 1e-3*(1+math.Abs(want))) {
				continue
			}
			if math.Abs(got-want) <= tolerance*(1+math.Abs(want))+10*rough {
				wrong = nil
				tr.reliable++
				break
			}
			wrong = fmt.Errorf("direction %d: the tangent is %.10g, differences say %.10g", d, got, want)
		}
		if tr.floats++; wrong != nil && tr.rounding() < 1e-6 {
			return wrong
		}
	}
	return nil
}

// rounding is how exact the floats of the kernel are.
func (tr *trial) rounding() float64 {
	exact := 1e-9
	for _, f := range tr.arguments().floats() {
		if f.t == ssa.Float32 {
			exact = 1e-4
		}
	}
	for _, f := range tr.tangent.Funcs() {
		f.Body.Walk(func(in *ssa.Instr) {
			if slices.ContainsFunc(in.Results, func(v *ssa.Value) bool { return v.Type == ssa.Float32 }) {
				exact = 1e-4
			}
		})
	}
	return exact
}

// Tangents are what differences say, and what the gradients are the transpose of.
func TestTangents(t *testing.T) {
	lib := library(t)
	for _, file := range []string{"testdata/kernels.go", "testdata/mixed.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range kernelsOf(t, string(text)) {
			t.Run(name, func(t *testing.T) {
				m := lower(t, lib, string(text), name)
				k := kernelOf(m)
				tr := &trial{kernel: k, threads: 4}
				tr.back, err = gradient.Of(k, gradient.Options{})
				if err != nil {
					t.Fatal(err)
				}
				tr.tangent, err = gradient.Of(k, gradient.Options{Steps: gradient.Tangent})
				if err != nil {
					t.Fatal(err)
				}
				if err := ssa.Verify(moduleOf(m, tr.tangent)); err != nil {
					t.Fatalf("%v\n%v", err, moduleOf(m, tr.tangent))
				}
				for tr.seed = range 3 {
					if err := tr.compareTangent(1e-6); err != nil {
						t.Fatalf("seed %d: %v\n%v\n%v", tr.seed, err, m, moduleOf(m, tr.tangent))
					}
				}
			})
		}
	}
}

// Tangents of random kernels are what differences and gradients say. The functions whose gradients of their own are in memory are
// differentiated by their bodies here.
func TestRandomTangents(t *testing.T) {
	lib := library(t)
	reliable, floats := 0, 0
	defer func() {
		if t.Logf("%d of %d directions are compared with differences", reliable, floats); reliable < floats*8/10 || floats < 4**programs {
			t.Errorf("only %d directions of %d are compared", reliable, floats)
		}
	}()
	writers := []func(seed uint64) string{source, source, gridSource, blockSource}
	for i := range *programs {
		seed := *firstOf + uint64(i)
		text := writers[i%len(writers)](seed)
		tr := &trial{kernel: kernelOf(lower(t, lib, text, "k")), threads: 4, seed: seed}
		tr.makeTangent(t, lib, text)
		var err error
		if tr.back, err = gradient.Of(tr.kernel, gradient.Options{}); err != nil {
			if isRefusedCopy(err) {
				continue
			}
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if tr.kernel.Kind == ssa.BlockKernel {
			tr.threads = 3 // blocks of 4 elements
		}
		if !tr.isTame() {
			continue
		}
		if err := tr.compareTangent(1e-6); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		reliable, floats = reliable+tr.reliable, floats+tr.floats
	}
}

// So are those of the corpus's kernels.
func TestCorpusTangents(t *testing.T) {
	files, err := corpus.Load("../..")
	if err != nil {
		t.Fatal(err)
	}
	lib := library(t)
	compared := 0
	for _, file := range files {
		for _, k := range file.Kernels {
			m := lower(t, lib, file.Source, k.Name)
			f := kernelOf(m)
			tr := &trial{kernel: f, threads: 1, seed: 1}
			if unbounded[k.Name] {
				continue
			}
			if tr.tangent, err = gradient.Of(f, gradient.Options{Steps: gradient.Tangent}); err != nil {
				continue // it is refused
			}
			if err := ssa.Verify(moduleOf(m, tr.tangent)); err != nil {
				t.Errorf("%s, %s: %v\n%v", file.Name, k.Name, err, moduleOf(m, tr.tangent))
				continue
			}
			if len(tr.tangent.Gradients) == 0 || f.Kind != ssa.ThreadKernel || m.Waits() || !tr.runs() {
				continue
			}
			compared++
			tr.back, _ = gradient.Of(f, gradient.Options{})
			if err := tr.compareTangent(1e-6); err != nil {
				t.Errorf("%s, %s: %v", file.Name, k.Name, err)
			}
		}
	}
	if t.Logf("%d kernels compared", compared); compared < 100 {
		t.Errorf("only %d kernels were compared", compared)
	}
}

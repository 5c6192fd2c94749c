package gradient_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/interp"
)

// lowerChecked is lower for a checked build.
func lowerChecked(t testing.TB, lib load.Map, source, kernel string) *ssa.Module {
	t.Helper()
	src := load.Chain(load.Map{"k": {Path: "k", Files: []load.File{{Name: "k.go", Src: []byte(source)}}}}, lib, load.Standard{})
	u := &compile.Unit{Pipeline: compile.Go, Kernel: load.Ref{Pkg: "k", Name: kernel}, Source: src}
	u.Options.Checked = true
	if err := u.Run(context.Background()); err != nil {
		t.Fatalf("%s: %v", kernel, err)
	}
	return u.Module
}

// faultOf describes the fault that a launch ends in, "" for none.
func faultOf(err error) string {
	f := (*interp.Fault)(nil)
	if !errors.As(err, &f) {
		return fmt.Sprint(err)
	}
	pos := f.Instr.Place()
	return fmt.Sprintf("%v at %s:%d:%d", err, pos.File, pos.Line, pos.Col)
}

// checksAreEqual compares the faults of a kernel with those of the kernel that only does the checks, for slices of
// several lengths. It returns how many launches had faults.
func checksAreEqual(t *testing.T, m *ssa.Module, seed uint64) (faults int) {
	t.Helper()
	checks, b := gradient.Checks(m)
	if err := ssa.Verify(checks); err != nil {
		t.Fatalf("%v\n%v", err, checks)
	}
	if checks.Prints() {
		t.Errorf("the checks print:\n%v", checks)
	}
	k := kernelOf(m)
	places := len(k.Params())
	for _, n := range []int{1, 3, 4, 7, 12} {
		old := elements
		elements = n
		run := func(k *ssa.Func) (*arguments, string) {
			tr := &trial{kernel: k, seed: seed}
			a := tr.arguments()
			return a, faultOf(launch(k, &a.memory, a.bytes, 4))
		}
		_, want := run(k)
		if want != fmt.Sprint(error(nil)) {
			faults++
		}
		before := (&trial{kernel: k, seed: seed}).arguments()
		a, got := run(b.Kernel)
		elements = old
		if got != want {
			t.Errorf("slices of %d: the checks say %q, the kernel %q\n%v\n%v", n, got, want, m, checks)
		}
		first := places - len(a.slices)
		written := make(map[int]bool)
		for _, i := range b.Copies {
			written[i-first] = true
		}
		for i, list := range a.slices {
			for j, s := range list {
				if !written[i] && string(s.p) != string(before.slices[i][j].p) {
					t.Errorf("slices of %d: argument %d is written and is no copy\n%v", n, i, checks)
				}
			}
		}
	}
	return faults
}

// The kernel that only does the checks finds the faults that the kernel finds, and writes nothing but copies.
func TestChecks(t *testing.T) {
	lib := library(t)
	faults := 0
	for _, file := range []string{"testdata/kernels.go", "testdata/mixed.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range kernelsOf(t, string(text)) {
			t.Run(name, func(t *testing.T) { faults += checksAreEqual(t, lowerChecked(t, lib, string(text), name), 1) })
		}
	}
	if faults < 100 {
		t.Errorf("only %d launches had faults", faults)
	}
}

// So it is of random kernels of all kinds.
func TestRandomChecks(t *testing.T) {
	lib := library(t)
	for _, tt := range []struct {
		name   string
		source func(seed uint64) string
	}{{"threads", source}, {"blocks", blockSource}, {"grids", gridSource}} {
		t.Run(tt.name, func(t *testing.T) {
			faults := 0
			for seed := *firstOf; seed < *firstOf+uint64(*programs) && !t.Failed(); seed++ {
				faults += checksAreEqual(t, lowerChecked(t, lib, tt.source(seed), "k"), seed)
			}
			if faults == 0 {
				t.Error("no launch had a fault")
			}
		})
	}
}

// Of a kernel that writes what nobody reads, nothing is left but the checks. What decides about a check stays.
func TestChecksLeaveOut(t *testing.T) {
	const source = `package k

import "github.com/qdgen/qd"

func told(x float64) float64 { qd.Printf("%v", x); return x }

//qd:kernel
func scales(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] += told(qd.Exp(x[i]))
}

//qd:kernel
func moves(t qd.Thread, x, y []float64, at []int32) {
	at[t.ID()]++
	y[at[t.ID()]] = x[at[t.ID()]]
}
`
	lib := library(t)
	for _, tt := range []struct {
		kernel string
		copies []int
	}{{"scales", nil}, {"moves", []int{3}}} {
		m, b := gradient.Checks(lowerChecked(t, lib, source, tt.kernel))
		if fmt.Sprint(b.Copies) != fmt.Sprint(tt.copies) {
			t.Errorf("%s writes %v, want %v:\n%v", tt.kernel, b.Copies, tt.copies, m)
		}
		checks, others := 0, 0
		b.Kernel.Body.Walk(func(in *ssa.Instr) {
			switch in.Op {
			case ssa.OpCheck:
				checks++
			case ssa.OpMath, ssa.OpPrintf:
				others++
			}
		})
		if checks < 2 || others > 0 || m.Prints() || len(m.Formats) > 0 {
			t.Errorf("%d checks and %d others in\n%v", checks, others, m)
		}
	}
}

package main

import (
	"context"
	"fmt"
	pathpkg "path"
	"time"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/library"
)

// frontEnd times what the first kernel in a process takes from source text to emitted C++.
func frontEnd() ([]result, error) {
	const head = "package p\n\nimport (\n\"" + load.QDPath + "\"\n\"" + load.QDPath + "/f32\"\n)\n\nvar _ f32.Vec3\n\nfunc k(t qd.Thread, "
	var results []result
	for _, c := range []struct{ name, text string }{
		{"scalars", head + "a float32, x, y []float32) {\n\ti := t.ID()\n\ty[i] += a * qd.Sqrt(x[i])\n}\n"},
		{"Vec3", head + "v, w []f32.Vec3) {\n\ti := t.ID()\n\tw[i] = v[i].Cross(w[i]).ZYX().Normalize()\n}\n"},
		{"4x4 inverse", head + "m []f32.Mat4) {\n\ti := t.ID()\n\tm[i] = m[i].Inverse()\n}\n"},
		{"3x3 SVD", head + "m, u, v []f32.Mat3, s []f32.Vec3) {\n\ti := t.ID()\n\tu[i], s[i], v[i] = m[i].SVD()\n}\n"},
	} {
		turn := 0
		cold := func() (time.Duration, error) {
			turn++
			src, err := freshSource(c.text, turn, load.QDPath)
			if err != nil {
				return 0, err
			}
			return timed(func() error {
				return build.NewUnit(compile.CPU, src, load.Ref{Pkg: "p", Name: "k"}, build.Options{}).RunTo(context.Background(), compile.Print)
			})()
		}
		times, _, err := inTurns(*repeats, cold, func() (time.Duration, error) { return 0, nil })
		if err != nil {
			return results, err
		}
		r := result{name: "front end, first kernel: " + c.name, ours: median(times)}
		results = append(results, r)
	}
	unused, err := unusedStandard(head + "a float32, x, y []float32) {\n\ti := t.ID()\n\ty[i] += a * qd.Sqrt(x[i])\n}\n")
	if err != nil {
		return results, err
	}
	sorted, err := sorting()
	return append(append(results, unused), sorted...), err
}

// unusedStandard compares what the first kernel in a process takes that uses nothing of the standard library, with the
// library's source and without it.
func unusedStandard(text string) (result, error) {
	const kernels = 20 // one takes less than a millisecond
	turn := 0
	from := func(rest load.Sources) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			var sources []load.Sources
			for range kernels {
				turn++
				src, err := freshIn(rest, text, turn, load.QDPath)
				if err != nil {
					return 0, err
				}
				sources = append(sources, src)
			}
			d, err := timed(func() error {
				for _, src := range sources {
					if err := build.NewUnit(compile.CPU, src, load.Ref{Pkg: "p", Name: "k"}, build.Options{}).RunTo(context.Background(), compile.Print); err != nil {
						return err
					}
				}
				return nil
			})()
			return d / kernels, err
		}
	}
	with, without, err := inTurns(*repeats, from(load.Chain(library.Sources(), load.Standard{})), from(library.Sources()))
	return result{name: "front end, the standard library unused", ours: median(with), theirs: median(without), bound: bound{ratio: 1.02}, note: "a program without the library's source"}, err
}

// sorting compares the front end's time, from source text to SSA, for kernels that sort a local array: with
// slices.Sort, whose source is the standard library's, and with a function of their own.
func sorting() ([]result, error) {
	const text = "package p\n\nimport (\n%q\n%q\n)\n\nvar _ = slices.Sort[[]int]\n\nfunc sort(x []float32) {\n\tfor i := range x {\n\t\tfor j := i; j > 0 && x[j] < x[j-1]; j-- {\n" +
		"\t\t\tx[j], x[j-1] = x[j-1], x[j]\n\t\t}\n\t}\n}\n\nfunc k(t qd.Thread, x []float32) {\n\tvar a [16]float32\n\tcopy(a[:], x)\n\t%s(a[:])\n\tcopy(x, a[:])\n}\n"
	turn := 0
	with := func(sort string) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			turn++
			src, err := freshSource(fmt.Sprintf(text, load.QDPath, "slices", sort), turn, load.QDPath, "slices", "cmp")
			if err != nil {
				return 0, err
			}
			return timed(func() error {
				return build.NewUnit(compile.CPU, src, load.Ref{Pkg: "p", Name: "k"}, build.Options{}).RunTo(context.Background(), compile.Lower)
			})()
		}
	}
	ours, theirs, err := inTurns(*repeats, with("slices.Sort"), with("sort"))
	return []result{{name: "front end to SSA: slices.Sort", ours: median(ours), theirs: median(theirs), bound: bound{more: 10 * time.Millisecond}, note: "a sort in the kernel's own package"}}, err
}

// freshSource is a kernel's source with packages that this process has not seen: each has a comment that differs in
// each turn.
func freshSource(text string, turn int, fresh ...string) (load.Sources, error) {
	return freshIn(load.Chain(library.Sources(), load.Standard{}), text, turn, fresh...)
}

// freshIn is freshSource with the other packages from given sources.
func freshIn(rest load.Sources, text string, turn int, fresh ...string) (load.Sources, error) {
	packages := load.Map{"p": {Path: "p", Files: []load.File{{Name: "k.go", Src: []byte(text)}}}}
	for _, path := range fresh {
		p, err := rest.Package(path)
		if err != nil {
			return nil, err
		}
		own := *p
		own.Files = append([]load.File{{Name: path + "/turn.go", Src: fmt.Appendf(nil, "package %s // %d\n", pathpkg.Base(path), turn)}}, p.Files...)
		packages[path] = &own
	}
	return load.Chain(packages, rest), nil
}

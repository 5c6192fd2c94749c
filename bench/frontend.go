package main

import (
	"context"
	"fmt"
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
			src, err := freshSource(c.text, turn)
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
	return results, nil
}

// freshSource is a kernel's source with a package qd that this process has not seen: one with a comment
// that differs in each turn.
func freshSource(text string, turn int) (load.Sources, error) {
	p, err := library.Sources().Package(load.QDPath)
	if err != nil {
		return nil, err
	}
	own := &load.Package{Path: load.QDPath, Files: []load.File{{Name: load.QDPath + "/turn.go", Src: fmt.Appendf(nil, "package qd // %d\n", turn)}}}
	own.Files = append(own.Files, p.Files...)
	return load.Chain(load.Map{load.QDPath: own, "p": {Path: "p", Files: []load.File{{Name: "k.go", Src: []byte(text)}}}}, library.Sources()), nil
}

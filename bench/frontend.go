package main

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
)

// vectorFiles are the files of package qd that only programs with vectors need.
var vectorFiles = regexp.MustCompile(`/(z\w+|applyfloat|quat\w*|transform\w*|det|inverse|linalg)\.go$`)

// frontEnd times what the first kernel in a process takes from source text to emitted C++. Beside a
// kernel without vectors is the same with a package qd that has none.
func frontEnd() ([]result, error) {
	const head = "package p\n\nimport \"" + load.QDPath + "\"\n\nfunc k(t qd.Thread, "
	var results []result
	for _, c := range []struct{ name, text string }{
		{"scalars", head + "a float32, x, y []float32) {\n\ti := t.ID()\n\ty[i] += a * qd.Sqrt(x[i])\n}\n"},
		{"Vec3f", head + "v, w []qd.Vec3f) {\n\ti := t.ID()\n\tw[i] = v[i].Cross(w[i]).ZYX().Normalize()\n}\n"},
		{"4x4 inverse", head + "m []qd.Mat4f) {\n\ti := t.ID()\n\tm[i] = m[i].Inverse()\n}\n"},
		{"3x3 SVD", head + "m, u, v []qd.Mat3f, s []qd.Vec3f) {\n\ti := t.ID()\n\tu[i], s[i], v[i] = m[i].SVD()\n}\n"},
	} {
		cold := func(without *regexp.Regexp) func() (time.Duration, error) {
			turn := 0
			return func() (time.Duration, error) {
				turn++
				src, err := freshSource(c.text, without, turn)
				if err != nil {
					return 0, err
				}
				return timed(func() error {
					return build.NewUnit(compile.CPU, src, load.Ref{Pkg: "p", Name: "k"}, build.Options{}).RunTo(context.Background(), compile.Print)
				})()
			}
		}
		r := result{name: "front end, first kernel: " + c.name}
		var err error
		if c.name == "scalars" {
			r.ours, r.theirs, err = sideBySide(cold(nil), cold(vectorFiles))
			r.note = "beside: without vectors in package qd"
		} else {
			var times []time.Duration
			times, _, err = inTurns(*repeats, cold(nil), func() (time.Duration, error) { return 0, nil })
			if err == nil {
				r.ours = median(times)
			}
		}
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	return results, nil
}

// freshSource is a kernel's source with a package qd that this process has not seen: one without
// certain files, and with a comment that differs in each turn.
func freshSource(text string, without *regexp.Regexp, turn int) (load.Sources, error) {
	p, err := qd.KernelSources().Package(load.QDPath)
	if err != nil {
		return nil, err
	}
	own := &load.Package{Path: load.QDPath, Files: []load.File{{Name: load.QDPath + "/turn.go", Src: fmt.Appendf(nil, "package qd // %d %v\n", turn, without)}}}
	for _, f := range p.Files {
		if without == nil || !without.MatchString(f.Name) {
			own.Files = append(own.Files, f)
		}
	}
	return load.Map{load.QDPath: own, "p": {Path: "p", Files: []load.File{{Name: "k.go", Src: []byte(text)}}}}, nil
}

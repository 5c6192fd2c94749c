package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/library"
	"github.com/qdgen/qd/internal/processor"
)

// A row of 32 numbers that each thread holds, in the four ways in which it is written: an
// unpacked field, a packed one, scalars with all statements written out, and scalars behind
// get(i) and set(i, v). The kernel solves a triangular system of 32 equations.

const rowLen = 32

// rowKernel is the source of a kernel, of a declaration of type row, and of how an
// element is read and written in it.
func rowKernel(decl string, get func(i string) string, set func(i, v string) string) string {
	return fmt.Sprintf(`package rows

import "github.com/qdgen/qd"

%s

//qd:kernel
func solve(t qd.Thread, l, x []float32) {
	at := t.ID() * 32
	var row row
	for i := range qd.Static(32) {
		%s
	}
	for i := range qd.Static(32) {
		for j := range qd.Static(i) {
			%s
		}
		%s
	}
	for i := range qd.Static(32) {
		x[at+i] = %s
	}
}
`, decl, set("i", "x[at+i]"), set("i", get("i")+" - l[i*32+j]*"+get("j")), set("i", get("i")+" * l[i*32+i]"), get("i"))
}

// rowArray is the kernel with an array, with a tag or without.
func rowArray(tag string) string {
	elem := func(i string) string { return "row.r[" + i + "]" }
	return rowKernel("type row struct {\n\tr [32]float32 "+tag+"\n}", elem, func(i, v string) string { return elem(i) + " = " + v })
}

// rowFields is a struct of scalars.
func rowFields() string {
	names := make([]string, rowLen)
	for i := range names {
		names[i] = fmt.Sprintf("r%d", i)
	}
	return "type row struct {\n\t" + strings.Join(names, ", ") + " float32\n}"
}

// rowChains is the kernel with scalars that methods choose from.
func rowChains() string {
	var b strings.Builder
	b.WriteString(rowFields() + "\n\nfunc (r *row) get(i int) float32 {\n")
	for i := range rowLen - 1 {
		fmt.Fprintf(&b, "\tif i == %d {\n\t\treturn r.r%d\n\t}\n", i, i)
	}
	fmt.Fprintf(&b, "\treturn r.r%d\n}\n\nfunc (r *row) set(i int, v float32) {\n\tswitch i {\n", rowLen-1)
	for i := range rowLen {
		fmt.Fprintf(&b, "\tcase %d:\n\t\tr.r%d = v\n", i, i)
	}
	b.WriteString("\t}\n}")
	return rowKernel(b.String(), func(i string) string { return "row.get(" + i + ")" }, func(i, v string) string { return "row.set(" + i + ", " + v + ")" })
}

// rowWritten is the kernel with scalars and all statements written out.
func rowWritten() string {
	var b strings.Builder
	fmt.Fprintf(&b, "package rows\n\nimport \"github.com/qdgen/qd\"\n\n%s\n\n//qd:kernel\nfunc solve(t qd.Thread, l, x []float32) {\n\tat := t.ID() * 32\n\tvar row row\n", rowFields())
	for i := range rowLen {
		fmt.Fprintf(&b, "\trow.r%d = x[at+%d]\n", i, i)
	}
	for i := range rowLen {
		for j := range i {
			fmt.Fprintf(&b, "\trow.r%d = row.r%d - l[%d]*row.r%d\n", i, i, i*rowLen+j, j)
		}
		fmt.Fprintf(&b, "\trow.r%d = row.r%d * l[%d]\n", i, i, i*rowLen+i)
	}
	for i := range rowLen {
		fmt.Fprintf(&b, "\tx[at+%d] = row.r%d\n", i, i)
	}
	b.WriteString("}\n")
	return b.String()
}

// emitRow takes a kernel from source text to C++.
func emitRow(text string) (string, error) {
	src := load.Chain(load.Map{"rows": {Path: "rows", Files: []load.File{{Name: "rows.go", Src: []byte(text)}}}}, library.Sources())
	s, err := build.Lower(src, load.Ref{Pkg: "rows", Name: "solve"}, build.Options{})
	if err != nil {
		return "", err
	}
	return compile.CPU.Text(s.Module, emit.Options{}).Source, nil
}

// compileRow takes a kernel from source text to a library.
func compileRow(compiler *clang.Compiler, text string) ([]byte, error) {
	cxx, err := emitRow(text)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "qdgen-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return compiler.Shared(context.Background(), cxx, dir)
}

// rowArgs are the arguments as the emitted text takes them.
type rowArgs struct {
	dim  [4]int
	l    *float32
	lenL int
	x    *float32
	lenX int
}

// solver loads a compiled kernel, as a function that solves the systems in x.
func solver(so []byte, l []float32) (func(x []float32), error) {
	dir, err := os.MkdirTemp("", "qdgen-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "row.so")
	if err := os.WriteFile(file, so, 0o700); err != nil {
		return nil, err
	}
	lib, err := dl.Open(file)
	if err != nil {
		return nil, err
	}
	solve, err := lib.Symbol("solve")
	return func(x []float32) {
		args := []rowArgs{{dim: [4]int{len(x) / rowLen, 1, 1, 1}, l: &l[0], lenL: len(l), x: &x[0], lenX: len(x)}}
		dl.Call(solve, dl.Address(args), 0, uintptr(args[0].dim[0]))
		runtime.KeepAlive(args)
	}, err
}

// unpacked times an unpacked row beside the other ways: to compile it, and to run it. It is
// the processor's time: what a busy machine interrupts does not count.
func unpacked() ([]result, error) {
	compiler, err := clang.Find()
	if err != nil {
		return nil, err
	}
	const systems = 1 << 14
	l, rows := make([]float32, rowLen*rowLen), make([]float32, systems*rowLen)
	for i := range l {
		l[i] = float32(i*7919%64) / 4096
	}
	for i := range rows {
		rows[i] = float32(i * 7919 % 1000)
	}
	ours := rowArray("`qd:\"unpacked\"`")
	x, want := slices.Clone(rows), slices.Clone(rows)
	run := func(text string, x []float32) (func() (time.Duration, error), error) {
		so, err := compileRow(compiler, text)
		if err != nil {
			return nil, err
		}
		solve, err := solver(so, l)
		if err != nil {
			return nil, err
		}
		solve(x)
		return func() (time.Duration, error) {
			start := processor.Own()
			for range 10 {
				copy(x, rows)
				solve(x)
			}
			return processor.Own() - start, nil
		}, nil
	}
	runOurs, err := run(ours, want)
	if err != nil {
		return nil, err
	}
	emitted := func(text string) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			runtime.GC() // what the last turn left is no part of this one
			start := processor.Own()
			_, err := emitRow(text)
			return processor.Own() - start, err
		}
	}
	compiled := func(text string) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			start := processor.Both()
			_, err := compileRow(compiler, text)
			return processor.Both() - start, err
		}
	}
	var results []result
	for _, c := range []struct {
		name, text         string
		emit, compile, run float64 // the bounds
	}{
		{"scalars written out; the C++ is the same", rowWritten(), 1, 0, 1.05},
		{"scalars with get(i), set(i, v)", rowChains(), 1, 1, 1.05},
		{"packed", rowArray(""), 0, 0, 0},
	} {
		copy(x, rows)
		runTheirs, err := run(c.text, x)
		if err != nil {
			return results, fmt.Errorf("%s: %w", c.name, err)
		}
		if !slices.Equal(x, want) {
			return results, fmt.Errorf("%s: other results than of the unpacked row", c.name)
		}
		for _, m := range []struct {
			what         string
			ours, theirs func() (time.Duration, error)
			bound        float64
		}{
			{"to C++", emitted(ours), emitted(c.text), c.emit},
			{"compiled", compiled(ours), compiled(c.text), c.compile},
			{"run", runOurs, runTheirs, c.run},
		} {
			da, db, err := sideBySide(m.ours, m.theirs)
			if err != nil {
				return results, err
			}
			results = append(results, result{name: "unpacked row of 32, " + m.what, ours: da, theirs: db, bound: bound{ratio: m.bound}, note: "beside: " + c.name})
		}
	}
	return results, nil
}

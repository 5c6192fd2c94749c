package main

import (
	"context"
	"fmt"
	"go/token"
	"io"
	"strconv"
	"strings"

	"github.com/qdgen/qd/cmd/qdgen/cost"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/nvrtc"
)

// measure prints what kernels cost on each architecture, and warns of local memory.
func (o *emitOptions) measure(stdout, stderr io.Writer, specs []*specialization) error {
	lib, err := nvrtc.Find()
	if err != nil {
		return err
	}
	all, err := forEach(o, specs, compile.CUDA, nil, func(s *specialization, u *compile.Unit) (all []*cost.Kernel, err error) {
		u.Print = emit.Options{} // the lines that are wanted are those of the text
		if err := u.RunTo(context.Background(), compile.Print); err != nil {
			return nil, err
		}
		for _, arch := range o.archs {
			made, err := cost.Measure(u.Module, u.Text, lib, arch)
			if err != nil {
				return nil, err
			}
			for _, k := range made {
				k.Package = s.pkg.path
			}
			all = append(all, made...)
		}
		return all, nil
	})
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(stdout, append([]*cost.Kernel{}, all...)) // [] and not null if there are none
	}
	if err := costTable(all).print(stdout); err != nil {
		return err
	}
	for _, w := range warningsOf(all) {
		fmt.Fprintln(stderr, w)
	}
	return nil
}

// costTable is a row for each kernel and architecture, and one below it for each function
// that is not inlined. The package is there where there are several.
func costTable(all []*cost.Kernel) table {
	several := false
	for _, k := range all {
		several = several || k.Package != all[0].Package
	}
	t := table{{"KERNEL", "ARCH", " REGISTERS", " FRAME", " SPILL STORES", " SPILL LOADS", " SHARED", " LOCAL", " CONSTANT", " CODE", " THREADS"}}
	for _, k := range all {
		name := k.Kernel
		if several {
			name = k.Package + "." + name
		}
		row := []string{name, k.Arch}
		for _, n := range []int{k.Registers, k.Frame, k.SpillStores, k.SpillLoads, k.Shared, k.Local, k.Constant, k.Code, k.MaxThreads} {
			if n < 0 {
				row = append(row, "?")
				continue
			}
			row = append(row, strconv.Itoa(n))
		}
		t = append(t, row)
		for _, f := range k.Functions {
			t = append(t, []string{"| " + f.Name, k.Arch, "", strconv.Itoa(f.Frame), "", "", "", "", "", strconv.Itoa(f.Code), ""})
		}
	}
	return t
}

// warningsOf are the warnings of kernels as they are printed. What is said of several
// architectures is said once, and so is advice that is the same again.
func warningsOf(all []*cost.Kernel) []string {
	type key struct {
		pkg, kernel string
		pos         token.Position
		text, hint  string
	}
	var order []key
	archs := make(map[key][]string)
	kinds := make(map[key]cost.Kind)
	for _, k := range all {
		for _, w := range k.Warnings {
			id := key{k.Package, k.Kernel, token.Position{Filename: w.File, Line: w.Line, Column: w.Column}, w.Text, w.Hint}
			if archs[id] == nil {
				order = append(order, id)
			}
			archs[id] = append(archs[id], k.Arch)
			kinds[id] = w.Kind
		}
	}
	var list []string
	advised := make(map[string]bool)
	for _, id := range order {
		severity := "warning: "
		if kinds[id] == cost.Library {
			severity = "note: "
		}
		d := diag.Diagnostic{Pos: id.pos, Msg: fmt.Sprintf("%s (kernel %s, %s)", id.text, id.kernel, strings.Join(archs[id], ", "))}
		if !advised[id.hint] {
			d.Hint = id.hint
			advised[id.hint] = true
		}
		list = append(list, severity+d.String())
	}
	return list
}

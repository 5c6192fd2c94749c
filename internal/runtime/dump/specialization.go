package dump

import (
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
)

// ListName is the file with a line of JSON for each specialization, a [Made].
const ListName = "specializations.jsonl"

// A Made is a specialization that a program has made.
type Made struct {
	Package string            `json:"package"`
	Kernel  string            `json:"kernel"` // with its type arguments
	Literal bool              `json:"literal,omitempty"`
	File    string            `json:"file"`
	Line    int               `json:"line"`
	Column  int               `json:"column,omitempty"`
	Device  string            `json:"device"` // that it was made for
	Checked bool              `json:"checked,omitempty"`
	Fused   bool              `json:"fused,omitempty"`
	Values  []Value           `json:"values,omitempty"` // that are known at compile time
	Code    map[string]string `json:"code"`             // the file of each target
}

// A Value is one that a specialization has been made for.
type Value struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"` // "constant", "receiver", "captured" or "variable"
	Value string `json:"value"`
}

// String is the specialization in one line.
func (m *Made) String() string {
	s := fmt.Sprintf("%s.%s (%s:%d", m.Package, m.Kernel, m.File, m.Line)
	if m.Column > 0 {
		s += fmt.Sprintf(":%d", m.Column)
	}
	s += ")"
	for i, v := range m.Values {
		sep := ", "
		if i == 0 {
			sep = " with "
		}
		s += sep
		if v.Kind != "constant" {
			s += v.Kind + " "
		}
		s += v.Name + "=" + v.Value
	}
	if s += " on " + m.Device; m.Checked {
		s += ", checked"
	}
	if m.Fused {
		s += ", fused"
	}
	return s
}

// Wanted reports whether the environment asks for the code of specializations.
func Wanted() bool { return os.Getenv(Env) != "" && os.Getenv(EnvTargets) != "" }

// Specialization writes the code of a specialization, which has been made for a device, for each target that the
// environment names. It does nothing if that names none.
func Specialization(src load.Sources, ref load.Ref, literal bool, device string, opts build.Options) {
	d := named()
	targets := strings.FieldsFunc(os.Getenv(EnvTargets), func(r rune) bool { return r == ',' || r == ' ' })
	if d == nil || len(targets) == 0 {
		return
	}
	made := &Made{Package: ref.Pkg, Kernel: ref.Name, Literal: literal, File: ref.File, Line: ref.Line, Device: device, Checked: opts.Checked, Fused: opts.Fused, Code: map[string]string{}}
	opts.Print = func(string) {} // it has been printed
	opts.Warn = func(diag.Diagnostic) {}
	for _, target := range targets {
		text, ext, spec, err := code(target, src, ref, opts)
		if err != nil {
			slog.Warn(fmt.Sprintf("qd: %s=%s: kernel %s: %v", EnvTargets, target, ref.Pkg+"."+ref.Name, err))
			continue
		}
		made.describe(spec, opts)
		key := cache.NewKey("dumped", []byte(text)).Short()
		name := fileName(key, append([]string{qualified(ref.Pkg, made.Kernel)}, values(opts)...)...) + ext
		d.write(name, []byte(text))
		made.Code[target] = name
	}
	if len(made.Code) == 0 {
		return
	}
	line, err := json.Marshal(made)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	d.add(ListName, line)
}

// pipelineTo leads to the text of a target. It has no stages for one that is not there. That of cpp is what
// the C++ compiler of this machine is given.
func pipelineTo(target string) compile.Pipeline {
	switch target {
	case "cpp":
		return build.HostPipeline()
	case "cuda":
		return compile.CUDA
	}
	return compile.Pipeline{}
}

// StageTarget names the SSA of the first n stages of the pipeline to cpp or cuda, as it is after one of them, or after
// all.
func StageTarget(pipeline string, n int, after string) string {
	return fmt.Sprintf("ssa@%s@%d@%s", pipeline, n, after)
}

// stages is what a StageTarget names.
func stages(target string) (p compile.Pipeline, after string, ok bool) {
	parts := strings.SplitN(target, "@", 4)
	if len(parts) < 4 || parts[0] != "ssa" {
		return p, "", false
	}
	n, err := strconv.Atoi(parts[2])
	if p = pipelineTo(parts[1]); err != nil || n < 1 || n > len(p.Stages) {
		return p, "", false
	}
	return p.First(n), parts[3], true
}

// code is the code of a specialization for a target, and the extension of a file of it.
func code(target string, src load.Sources, ref load.Ref, opts build.Options) (text, ext string, spec *frontend.Specialized, err error) {
	p, last := pipelineTo(target), compile.Print
	if p, after, ok := stages(target); ok {
		view := &compile.View{After: after}
		opts.Narrow = p.Narrows()
		u := build.NewUnit(p, src, ref, opts)
		u.Observe = view.See
		observed := p.Observed()
		err := u.RunTo(context.Background(), observed[len(observed)-1])
		return view.String(), ".ssa", u.Specialized, err
	}
	switch {
	case target == "ssa":
		p, last, ext = pipelineTo("cpp"), compile.Optimize, ".ssa"
	case p.Stages == nil:
		return "", "", nil, fmt.Errorf("there is no such target; the targets are cpp, cuda and ssa")
	default:
		ext = sourceExt[target]
	}
	opts.Narrow = p.Narrows()
	u := build.NewUnit(p, src, ref, opts)
	u.Print = emit.Options{}
	if err := u.RunTo(context.Background(), last); err != nil {
		return "", "", nil, err
	}
	if target == "ssa" {
		return u.Module.String(), ext, u.Specialized, nil
	}
	return u.Text.Source, ext, u.Specialized, nil
}

// describe notes what the front end knows of the specialization.
func (m *Made) describe(spec *frontend.Specialized, opts build.Options) {
	if !m.Literal {
		m.Kernel = spec.Module.Name // with its type arguments
	}
	m.Values = nil
	var sig *types.Signature
	if all := spec.Program.Kernels; len(all) > 0 && all[0].Decl != nil {
		at := spec.Program.Fset.Position(all[0].Decl.Name.Pos())
		m.File, m.Line, m.Column = at.Filename, at.Line, at.Column
		if all[0].Obj != nil {
			sig = all[0].Obj.Signature()
		}
	}
	if opts.Receiver != nil {
		name := "(receiver)"
		if sig != nil && sig.Recv() != nil && sig.Recv().Name() != "" {
			name = sig.Recv().Name()
		}
		m.Values = append(m.Values, Value{Name: name, Kind: "receiver", Value: opts.Receiver.String()})
	}
	for _, i := range slices.Sorted(maps.Keys(opts.Consts)) {
		name := fmt.Sprintf("parameter %d", i)
		if sig != nil && i < sig.Params().Len() {
			name = sig.Params().At(i).Name()
		}
		m.Values = append(m.Values, Value{Name: name, Kind: "constant", Value: opts.Consts[i].String()})
	}
	for _, name := range slices.Sorted(maps.Keys(opts.Captured)) {
		m.Values = append(m.Values, Value{Name: name, Kind: "captured", Value: opts.Captured[name].String()})
	}
	for _, a := range spec.Asked {
		if a.Site == nil && !a.Unknown {
			m.Values = append(m.Values, Value{Name: a.Var.Name, Kind: "variable", Value: a.Value.String()})
		}
	}
}

// values are what tells the specialization from others of its kernel, without names.
func values(opts build.Options) (list []string) {
	add := func(v comptime.Value) { list = append(list, v.String()) }
	if opts.Receiver != nil {
		add(*opts.Receiver)
	}
	for _, i := range slices.Sorted(maps.Keys(opts.Consts)) {
		add(opts.Consts[i])
	}
	for _, name := range slices.Sorted(maps.Keys(opts.Captured)) {
		add(opts.Captured[name])
	}
	return list
}

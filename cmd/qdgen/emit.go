package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/cmd/qdgen/genfile"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/ssa/gradient"
)

// emitOptions are the flags of the command emit.
type emitOptions struct {
	kernels      []string
	target       string
	archs        []string
	after        string
	lines        bool
	checks       bool
	fused        bool
	wide         bool
	stages       int
	interchanged int // 1 more than the axis of --interchange, 0 without it
	gradient     bool
	strips       int
	tangent      bool
	resources    bool
	types        []string
	consts       []string
	dir          string
	json         bool
	program      string
}

// A target is a form in which emit shows a kernel.
type target struct {
	name string
	ext  string
	doc  string
	// show makes the text of a unit that has come to the end of Print. arch is an architecture of --arch
	// where the target has arch set, else "".
	show func(o *emitOptions, u *compile.Unit, arch string) (string, error)
	way  compile.Pipeline // set when it is asked for
	arch bool             // there is a text for each GPU architecture
}

var targets = []target{
	{name: "cuda", ext: ".cu", doc: "CUDA C++, which NVRTC compiles", show: showText},
	{name: "cpp", ext: ".cpp", doc: "C++, which the C++ compiler compiles", show: showText},
	{name: "ssa", ext: ".ssa", doc: "the intermediate representation; see --after"},
	{name: "ptx", ext: ".ptx", doc: "NVIDIA's portable assembly, from NVRTC (needs no GPU)", arch: true, show: showPTX},
	{name: "sass", ext: ".sass", doc: "the GPU's machine code, from nvdisasm, with Go's lines (needs no GPU)", arch: true, show: showSASS},
	{name: "asm", ext: ".s", doc: "the CPU's assembly, from the C++ compiler", show: func(_ *emitOptions, u *compile.Unit, _ string) (string, error) {
		return compileText(context.Background(), "asm", u.Text.Source)
	}},
	{name: "ll", ext: ".ll", doc: "LLVM IR, from clang", show: func(_ *emitOptions, u *compile.Unit, _ string) (string, error) {
		return compileText(context.Background(), "ll", u.Text.Source)
	}},
}

// newEmitCommand makes the command emit.
func newEmitCommand() *cobra.Command {
	var o emitOptions
	var axis int
	const interchangeFlag = "interchange"
	var docs strings.Builder
	for _, t := range targets {
		fmt.Fprintf(&docs, "  %-5s %s\n", t.name, t.doc)
	}
	cmd := &cobra.Command{
		Use:   "emit [packages]",
		Short: "Print the code of kernels",
		Long: `Emit prints the code that the kernels of Go packages are compiled to. It takes
packages like the go command does; the default is the package of the current
directory. It runs no kernel and needs no GPU.

The targets are

` + docs.String() + `
C++ is printed as the compiler of device cpu would be given it: the one that QD_CXX
names, or the one that is found (see 'qdgen doctor'). g++ is given other C++ than
clang. Vectors have the size that is best for this machine's processor. Flags of
QD_CXX can ask for another processor: QD_CXX="clang++ -march=x86-64-v4".

A kernel is compiled in stages. --after shows its SSA after a stage, or after one of
the passes of stage optimize. That stage repeats its passes until none of them
changes anything. The stages and passes are:

` + afterList() + `
--const gives values to parameters of type qd.Const, by their names, and a receiver
to a kernel that is a method. A value is a Go expression. It can use the names that
the kernel's file can use: the package's own declarations and imports. --type gives
types to the type parameters of a generic kernel. Without --const and --type, emit
uses the values and the types of the launches in the kernel's package, if all of
them have the same. If they differ, the error lists them. If no launch gives the
types, emit uses the first ones that their constraints allow.

--gradient prints the backward kernel of each kernel instead. It differentiates the
kernel: from the gradients of what it writes to those of what it reads. If it keeps
values in memory, the kernel that counts them is printed too. --strips is for long
loops: it prints what a tape with qd.TapeStrips uses. --tangent prints the
tangent kernel, which does what the kernel does, and differentiates it forward:
along directions of what is in memory before. With both, the tangent kernel of the
backward kernel is printed.

--resources prints the cost of each kernel on each --arch instead of its code. It
reads the cost from the machine code that NVRTC produces: registers, stack frame,
bytes that are stored and loaded because registers run out, shared memory of a
block, local memory (the frames of the kernel and of functions that are not
inlined), constant memory, code size, and the largest number of threads of a block.
It warns about local memory at the Go line: where an array is declared that is
indexed at run time, or where values spill.

Some values can only be found by running Go: values that are not constants, package
variables that kernels read, and arguments of qd.Static that only Go can evaluate.
To find them, emit builds the package with go build -overlay, without touching its
directory, and runs it up to the end of its initialization. Its output goes to
standard error. QD_STATIC_TIMEOUT limits the time of an evaluation; the default is
10s.

--program builds and runs a program, and prints the specializations that the run
makes, whatever its device is: instances of generic kernels, values of constants,
function literals with what they capture. A comment above each says what it is. With
-o, each is a file, and a list is printed. --kernel and --const select some of them.
What is behind -- goes to the program, as its arguments. The program's output goes
to standard error. If it fails, its exit status becomes that of qdgen.

Emit always compiles again. It does not use the cache.`,
		Example: `  qdgen emit ./examples/saxpy
  qdgen emit ./examples/heat --kernel diffuse --target ptx --arch sm_80
  qdgen emit ./... --target cpp -o build/emitted
  qdgen emit --kernel saxpy --target ssa --after all
  qdgen emit --kernel reduce --target cpp --after fission
  qdgen emit --kernel loss --gradient --target cpp
  qdgen emit ./... --resources --arch sm_80,sm_90
  qdgen emit --kernel matmul --type T=float64 --const tile=32
  qdgen emit --kernel Map.Kernel --const k='Map[float32, ScaleBy]{ScaleBy{2}}'
  qdgen emit --program ./cmd/train --target ptx -o build/ptx -- --epochs 1
  qdgen emit --program ./cmd/train --kernel matmul --const tile=32 --after optimize`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.resources && cmd.Flags().Changed("target") {
				return usageErrorf("--resources and --target exclude each other: one prints the cost of kernels, the other their code; leave one out")
			}
			var programArgs []string
			if at := cmd.ArgsLenAtDash(); at >= 0 && o.program != "" {
				args, programArgs = args[:at], args[at:]
			}
			if cmd.Flags().Changed(interchangeFlag) {
				if axis < 0 {
					return usageErrorf("--interchange %d: the axes are numbered from 0", axis)
				}
				o.interchanged = axis + 1
			}
			return o.run(cmd.OutOrStdout(), cmd.ErrOrStderr(), args, programArgs)
		},
	}
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.name
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.kernels, "kernel", nil, "only the kernel of this `name`; may be repeated")
	f.StringVar(&o.target, "target", "cuda", "what to print: "+strings.Join(names, ", "))
	f.StringSliceVar(&o.archs, "arch", []string{"sm_90"}, "GPU `architecture` for ptx, sass and --resources, such as sm_90, or compute_90 for ptx; may be repeated")
	f.BoolVar(&o.gradient, "gradient", false, "print the backward kernels instead of the kernels")
	f.BoolVar(&o.tangent, "tangent", false, "print the tangent kernels instead of the kernels")
	f.IntVar(&o.strips, "strips", 0, "with --gradient: print the backward kernels of a tape with qd.TapeStrips: they run so many `turns` of a long loop once more at a time")
	f.BoolVar(&o.resources, "resources", false, "print the cost of kernels on a GPU instead of their code: registers, spills, memory")
	f.StringVar(&o.after, "after", "", "print the SSA after this `stage` for target cpp or cuda, see above, or after all (default for ssa: optimize)")
	f.BoolVar(&o.lines, "line-directives", false, "for cuda and cpp: add #line directives, so that compilers and debuggers show Go's lines")
	f.BoolVar(&o.fused, "fused", false, "print a fused build, as with QD_FUSE=1: x*y + z may be one operation")
	f.BoolVar(&o.wide, "wide", false, "for cuda, ptx and sass: print the kernels for launches of any size, which compute indices in 64 bits, instead of those for less than 2^30 threads and elements")
	f.IntVar(&axis, interchangeFlag, 0, "for cpp, asm and ll: print the kernels for launches with short rows, in which this `axis` has changed places with the last one; 0 is the first axis")
	f.IntVar(&o.stages, "stages", 0, "print what Kernel.WithStages makes of a kernel: loops over products of tiles with so many stages")
	f.BoolVar(&o.checks, "checked", false, "print a checked build, as with QD_CHECK=1: where Go panics, the launch fails")
	f.StringArrayVar(&o.types, "type", nil, "the type of a type parameter, as in `T=float32`; may be repeated")
	f.StringArrayVar(&o.consts, "const", nil, "the value of a compile-time parameter or a receiver, as in `n=128`; may be repeated")
	f.StringVarP(&o.dir, "output", "o", "", "write a file for each kernel into this `directory` instead of printing")
	f.BoolVar(&o.json, "json", false, "print a JSON array of objects with package, kernel, target and text")
	f.StringVar(&o.program, "program", "", "build and run the program of this `package`, and print the specializations that it makes")
	complete := func(values []string) cobra.CompletionFunc {
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return values, cobra.ShellCompDirectiveNoFileComp
		}
	}
	for flag, values := range map[string][]string{"target": names, "after": afterNames()} {
		if err := cmd.RegisterFlagCompletionFunc(flag, complete(values)); err != nil {
			panic("BUG: " + err.Error())
		}
	}
	return cmd
}

// emitted is one kernel's code.
type emitted struct {
	Package string `json:"package"`
	Kernel  string `json:"kernel"`
	Target  string `json:"target"`
	Arch    string `json:"arch,omitempty"`
	Text    string `json:"text"`
}

func (o *emitOptions) run(stdout, stderr io.Writer, patterns, programArgs []string) (err error) {
	i := slices.IndexFunc(targets, func(t target) bool { return t.name == o.target })
	if i < 0 {
		return usageErrorf("--target %s: the targets are cuda, cpp, ssa, ptx, sass, asm and ll", o.target)
	}
	t := targets[i]
	t.way = wayTo(t.name)
	switch {
	case o.program != "":
		if err := o.checkProgram(patterns); err != nil {
			return err
		}
		if o.after != "" {
			if t, err = o.ssaTarget(t); err != nil {
				return err
			}
		}
	case o.after != "" || t.name == "ssa":
		if t, err = o.ssaTarget(t); err != nil {
			return err
		}
	case o.derivative() != "":
		t.way = o.differentiated(t.way)
	}
	if err := checkStages(o.stages); err != nil {
		return err
	}
	if o.interchanged != 0 && (!slices.Contains(t.way.Stages, compile.Interchange) || o.program != "" || o.derivative() != "") {
		return usageErrorf("--interchange is for kernels as clang compiles them for the CPU: take --target cpp, asm or ll, or --target cpp with --after")
	}
	if err := checkArchs(o.archs); err != nil {
		return err
	}
	if err := checkStrips(o.strips, o.gradient); err != nil {
		return err
	}
	if o.resources && o.derivative() != "" {
		return usageErrorf("--resources measures kernels and --gradient and --tangent print backward kernels and tangent kernels; leave one out")
	}
	if o.resources && o.dir != "" {
		return usageErrorf("--resources prints a table and --output writes code into files; leave one out")
	}
	if o.json && o.dir != "" {
		return usageErrorf("--json and --output exclude each other: JSON is printed, files hold the plain text; leave one out")
	}
	if o.program != "" {
		return o.runProgram(stdout, stderr, t, programArgs)
	}
	z, specs, missing, err := specializations(newLister(patterns, isSingle(patterns) && len(o.types)+len(o.consts) > 0), o.kernels, o.types, o.consts, stderr)
	defer z.close()
	if err != nil {
		return err
	}
	if o.resources {
		return errors.Join(o.measure(stdout, stderr, specs), missing)
	}
	all, err := o.emit(specs, t)
	if err == nil && len(all) > 0 { // what others lack is no reason to keep it back
		err = o.write(stdout, t, all)
	}
	return errors.Join(err, missing)
}

// checkStrips refuses strips that no loop can have; 0 turns is none.
func checkStrips(turns int, gradient bool) error {
	if turns != 0 && (!gradient || turns < 0) {
		return usageErrorf("--strips is for --gradient, and a strip has 1 turn at least")
	}
	return nil
}

// write prints what kernels have become, or writes it into files.
func (o *emitOptions) write(stdout io.Writer, t target, all []emitted) error {
	switch {
	case o.dir != "":
		return writeFiles(o.dir, t.ext, all)
	case o.json:
		return printJSON(stdout, all)
	}
	for i, e := range all {
		if i > 0 {
			fmt.Fprintln(stdout)
		}
		if _, err := io.WriteString(stdout, e.Text); err != nil {
			return err
		}
	}
	return nil
}

// derivative are the steps of the derivative that is printed instead of kernels, "" for none.
func (o *emitOptions) derivative() (steps string) {
	if o.gradient {
		steps += gradient.Reverse
	}
	if o.tangent {
		steps += gradient.Tangent
	}
	return steps
}

// differentiated is a pipeline for the derivative.
func (o *emitOptions) differentiated(way compile.Pipeline) compile.Pipeline {
	return way.GradientOf(gradient.Options{Steps: o.derivative(), Strip: o.strips})
}

// ssaTarget is the target ssa on the way to another one, up to what --after says.
func (o *emitOptions) ssaTarget(t target) (target, error) {
	if o.after == "" {
		o.after = compile.Optimize.Name
		if o.derivative() != "" {
			o.after = compile.Differentiate.Name
		}
	}
	if o.after == compile.Differentiate.Name && o.derivative() == "" {
		return t, usageErrorf("--after %s: this stage is for backward kernels and tangent kernels; add --gradient or --tangent", o.after)
	}
	if !slices.Contains(afterNames(), o.after) {
		return t, usageErrorf("--after %s: there is no such stage or pass; these are\n%s", o.after, afterList())
	}
	if t.name != "ssa" && ways[t.name].Stages == nil {
		return t, usageErrorf("--after and --target %s exclude each other: only targets cpp and cuda have stages; remove --target, or use one of these", t.name)
	}
	way := wayOf(t.name, o.after)
	if o.derivative() != "" {
		way = o.differentiated(way)
	}
	if o.after != allStages && isIn(ways["cpp"], o.after) && !isIn(toCPP(), o.after) && t.name != "cuda" {
		return t, usageErrorf("--after %s: this stage is for clang, and the C++ compiler is another one; set QD_CXX to a clang, such as QD_CXX=clang++", o.after)
	}
	if o.after != allStages && !isIn(way, o.after) {
		return t, usageErrorf("--after %s: target %s has no such stage; remove --target", o.after, t.name)
	}
	return target{name: "ssa", ext: ".ssa", way: way}, nil
}

// emit makes the code of all kernels, or reports the errors of all.
func (o *emitOptions) emit(specs []*specialization, t target) ([]emitted, error) {
	archs := []string{""}
	if t.arch {
		archs = o.archs
	}
	made := func(s *specialization, arch, text string) emitted {
		return emitted{Package: s.pkg.path, Kernel: s.ref.Name + gradient.Suffix(o.derivative()), Target: t.name, Arch: arch, Text: text}
	}
	if t.name == "ssa" {
		stages := t.way.Observed()
		views := make(map[*compile.Unit]*compile.View)
		watch := func(u *compile.Unit) {
			views[u] = &compile.View{After: o.after}
			u.Observe = views[u].See
		}
		return forEach(o, specs, t.way, watch, func(s *specialization, u *compile.Unit) ([]emitted, error) {
			if err := u.RunTo(context.Background(), stages[len(stages)-1]); err != nil {
				return nil, err
			}
			return []emitted{made(s, "", views[u].String())}, nil
		})
	}
	return forEach(o, specs, t.way, nil, func(s *specialization, u *compile.Unit) (all []emitted, err error) {
		if err := u.RunTo(context.Background(), compile.Print); err != nil {
			return nil, err
		}
		for _, arch := range archs {
			text, err := t.show(o, u, arch)
			if err != nil {
				return nil, err
			}
			all = append(all, made(s, arch, text))
		}
		return all, nil
	})
}

// showText shows the text itself.
func showText(_ *emitOptions, u *compile.Unit, _ string) (string, error) { return u.Text.Source, nil }

// checkArchs refuses values of --arch that cannot be architectures. Which of them there are, only NVRTC knows.
func checkArchs(archs []string) error {
	if len(archs) == 0 {
		return usageErrorf("--arch names no architecture; write sm_90, or sm_80,sm_90")
	}
	for _, a := range archs {
		if !nvrtc.IsArch(a) {
			return usageErrorf("--arch %s: an architecture is written as sm_90, or compute_90 for PTX", a)
		}
	}
	return nil
}

// showPTX has NVRTC compile a module to PTX.
func showPTX(o *emitOptions, u *compile.Unit, arch string) (string, error) {
	return ptxOf(u.Module.Name, u.Text.Source, arch, o.lines)
}

// ptxOf is the PTX of a module's source.
func ptxOf(name, source, arch string, lineInfo bool) (string, error) {
	lib, err := nvrtc.Find()
	if err != nil {
		return "", err
	}
	r, err := lib.Compile(source, name+".cu", nvrtc.Options{Arch: arch, LineInfo: lineInfo})
	if err != nil {
		return "", err
	}
	return string(r.PTX), nil
}

// writeFiles writes a file for each kernel, named for package and kernel, and for the
// architecture where there are several.
func writeFiles(dir, ext string, all []emitted) error {
	several := slices.ContainsFunc(all, func(e emitted) bool { return e.Arch != all[0].Arch })
	for _, e := range all {
		sub := filepath.Join(dir, filepath.FromSlash(e.Package))
		if err := os.MkdirAll(sub, 0o777); err != nil {
			return err
		}
		name := e.Kernel + ext
		if several {
			name = e.Kernel + "." + e.Arch + ext
		}
		if err := genfile.WriteWhole(filepath.Join(sub, name), []byte(e.Text)); err != nil {
			return err
		}
	}
	return nil
}

// compileText has the C++ compiler write text of a kind instead of a module.
func compileText(ctx context.Context, kind, source string) (string, error) {
	compiler, err := clang.Find()
	if err != nil {
		return "", err
	}
	return compiler.Text(ctx, kind, source)
}

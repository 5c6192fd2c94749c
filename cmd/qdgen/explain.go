package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/cmd/qdgen/explain"
	"github.com/qdgen/qd/cmd/qdgen/genfile"
	"github.com/qdgen/qd/frontend/comptime"
	kernels "github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa/gradient"
)

// explainOptions are the flags of the command explain.
type explainOptions struct {
	kernels       []string
	archs         []string
	types, consts []string
	gradient      bool
	tangent       bool
	strips        int
	fused         bool
	stages        int
	against       string
	againstTypes  []string
	againstConsts []string
	file          string
	open          bool
	json          bool
	times         bool
}

// newExplainCommand makes the command explain.
func newExplainCommand() *cobra.Command {
	var o explainOptions
	cmd := &cobra.Command{
		Use:   "explain [packages]",
		Short: "Show on one page what kernels become, from Go to machine code",
		Long: `Explain makes one HTML page of what the kernels of Go packages become. The page
needs no network. At its left is the Go source. At its right are the SSA after each
stage for the CPU and for the GPU, with what the stage has changed marked, and the
C++, the CPU's assembly, the CUDA, the PTX and the GPU's machine code. If you point
at a line, what it comes from and what it becomes light up everywhere. A click keeps
them lit and puts a link to the line into the browser's address. The key ? lists the
keys.

The page also tells, each with its position:

  facts    which values are uniform, linear and varying; which accesses are
           contiguous, interleaved and gathered; where masks are
  remarks  what was vectorized, unrolled and inlined, what was not, and why, from
           qdgen's passes and from clang; what a gradient keeps and computes again
  checks   which checks of a checked build are proven or hoisted, and why the
           others are not
  cost     registers, spills, shared memory and occupancy on each --arch
  cache    the key in the cache, what is in it, and the time of each stage

--const, --type and --kernel are those of 'qdgen emit'. --gradient and --tangent add
the backward kernel and the tangent kernel of each kernel, or the reason why there
is none.

--against REV shows a revision of git beside the source as it stands: the tab
changes lists what differs, and both versions of each text stand beside each other.
The revision is taken from git archive and compiled in a temporary directory.
--against-const and --against-type show the same source with another constant or
type beside it.

Where clang, NVRTC or nvdisasm is missing, its tab says how to get it.`,
		Example: `  qdgen explain ./examples/mandelbrot -o page.html
  qdgen explain --open
  qdgen explain ./examples/heat --kernel diffuse --arch sm_80,sm_90 -o heat.html
  qdgen explain --kernel matmul --const tile=32 --against-const tile=64 --open
  qdgen explain ./kernels --against HEAD~1 -o changes.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.kernels, "kernel", nil, "only the kernel of this `name`; may be repeated")
	f.StringSliceVar(&o.archs, "arch", []string{"sm_90"}, "GPU `architecture`, such as sm_90; may be repeated")
	f.StringArrayVar(&o.types, "type", nil, "the type of a type parameter, as in `T=float32`; may be repeated")
	f.StringArrayVar(&o.consts, "const", nil, "the value of a compile-time parameter or a receiver, as in `n=128`; may be repeated")
	f.BoolVar(&o.gradient, "gradient", false, "show the backward kernels too")
	f.BoolVar(&o.tangent, "tangent", false, "show the tangent kernels too")
	f.IntVar(&o.strips, "strips", 0, "with --gradient: show the backward kernels of a tape with qd.TapeStrips, with strips of so many `turns`")
	f.BoolVar(&o.fused, "fused", false, "show a fused build, as with QD_FUSE=1: x*y + z may be one operation")
	f.IntVar(&o.stages, "stages", 0, "show what Kernel.WithStages makes of a kernel")
	f.StringVar(&o.against, "against", "", "show this `revision` of git beside the source as it stands")
	f.StringArrayVar(&o.againstConsts, "against-const", nil, "show a version with this constant beside the other, as in `n=256`; may be repeated")
	f.StringArrayVar(&o.againstTypes, "against-type", nil, "show a version with this type beside the other, as in `T=float64`; may be repeated")
	f.StringVarP(&o.file, "output", "o", "", "write the page, or its JSON, into this `file` instead of printing it")
	f.BoolVar(&o.open, "open", false, "open the page in a browser")
	f.BoolVar(&o.json, "json", false, "print what the page shows as JSON instead")
	f.BoolVar(&o.times, "times", false, "print the processor time that the page took")
	return cmd
}

// checkStages refuses a number of stages that no kernel can have; 0 is none.
func checkStages(n int) error {
	if n < 0 || n > kernels.MaxStages {
		return usageErrorf("--stages %d: a loop has 1 to %d stages", n, kernels.MaxStages)
	}
	return nil
}

// run makes the page.
func (o *explainOptions) run(ctx context.Context, stdout, stderr io.Writer, patterns []string) error {
	switch {
	case o.against != "" && len(o.againstConsts)+len(o.againstTypes) > 0:
		return usageErrorf("--against compares revisions, --against-const and --against-type compare specializations; leave one out")
	case o.json && (o.against != "" || len(o.againstConsts)+len(o.againstTypes) > 0):
		return usageErrorf("--json prints one version; leave out what it would be compared with")
	case o.json && o.open:
		return usageErrorf("--json prints JSON and --open shows a page; leave one out")
	}
	if err := checkArchs(o.archs); err != nil {
		return err
	}
	if err := checkStages(o.stages); err != nil {
		return err
	}
	if err := checkStrips(o.strips, o.gradient); err != nil {
		return err
	}
	// The process lives for seconds: it does better with more memory and less collecting of garbage.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	tools := explain.FindTools(o.archs)
	if tools.NVRTC != nil {
		for _, arch := range o.archs {
			if err := tools.NVRTC.CheckArch(arch); err != nil {
				return err
			}
		}
	}
	if err := writable(o.file); err != nil {
		return err
	}
	tools.Version = version().String()
	if o.times {
		tools.Clock = explain.NewClock()
		defer func() { fmt.Fprintln(stderr, tools.Clock) }()
	}
	if c, err := cache.Open(""); err == nil {
		tools.Cache = c
	}
	var before *explain.Model
	if o.against != "" {
		var err error
		if before, err = o.revision(ctx, patterns); err != nil {
			return fmt.Errorf("--against %s: %w", o.against, err)
		}
		tools.Clock.Lap(explain.Revision)
	}
	label := strings.Join(slices.Concat(o.types, o.consts), ", ")
	packages := newLister(patterns, isSingle(patterns))
	model, missing, err := o.gather(ctx, label, tools, packages, o.types, o.consts, stderr)
	if err != nil {
		return err
	}
	if o.json {
		var text bytes.Buffer
		if err := printJSON(&text, model); err != nil {
			return err
		}
		return errors.Join(o.deliver(stdout, text.Bytes()), failed(model), missing)
	}
	versions := []*explain.Model{model}
	switch {
	case before != nil:
		model.Label = "this directory"
		versions = []*explain.Model{before, model}
	case len(o.againstConsts)+len(o.againstTypes) > 0:
		types, consts := replaced(o.types, o.againstTypes), replaced(o.consts, o.againstConsts)
		other, missingThere, err := o.gather(ctx, strings.Join(slices.Concat(types, consts), ", "), tools, packages, types, consts, stderr)
		if err != nil {
			return err
		}
		missing = errors.Join(missing, missingThere)
		if model.Label == "" {
			model.Label = "as it is"
		}
		versions = []*explain.Model{other, model}
	}
	if len(model.Kernels) == 0 {
		return missing
	}
	var page bytes.Buffer
	if err := explain.Page(&page, title(model), "qdgen "+strings.Join(shellWords(os.Args[1:]), " "), versions...); err != nil {
		return err
	}
	tools.Clock.Lap(explain.Writing)
	return errors.Join(o.deliver(stdout, page.Bytes()), failed(model), missing)
}

// gather takes the kernels of packages through the pipelines. Those for which values are missing are left out; the
// second result is the error about them.
func (o *explainOptions) gather(ctx context.Context, label string, tools *explain.Tools, packages lister, types, consts []string, stderr io.Writer) (m *explain.Model, missing, err error) {
	z, specs, missing, err := specializations(packages, o.kernels, types, consts, stderr)
	defer z.close()
	if err != nil {
		return nil, nil, err
	}
	steps := []string{""}
	if o.gradient {
		steps = append(steps, gradient.Reverse)
	}
	if o.tangent {
		steps = append(steps, gradient.Tangent)
	}
	var list []explain.Spec
	for _, s := range specs {
		s.opts.Fused, s.opts.Stages = o.fused, o.stages
		for _, step := range steps {
			list = append(list, explain.Spec{Package: s.pkg.path, Given: z.given(s), Ref: s.ref, Source: s.pkg.sources(), Options: s.opts, Steps: step, Strip: o.strips})
		}
	}
	tools.Clock.Lap(explain.Packages)
	return explain.Gather(ctx, label, list, tools), missing, nil
}

// given is what a specialization is of: the values of its compile-time parameters and its receiver.
func (z *specializer) given(s *specialization) string {
	const most = 60
	obj, err := z.kernel(s.pkg, s.ref)
	if obj == nil || err != nil {
		return ""
	}
	var list []string
	add := func(v *types.Var, value comptime.Value) {
		text := v.Name() + "=" + value.String()
		if len(text) > most {
			text = strings.ToValidUTF8(text[:most], "") + "..."
		}
		list = append(list, text)
	}
	if sig := obj.Signature(); s.opts.Receiver != nil && sig.Recv() != nil {
		if st, ok := sig.Recv().Type().Underlying().(*types.Struct); !ok || st.NumFields() > 0 {
			add(sig.Recv(), *s.opts.Receiver)
		}
	}
	for _, i := range slices.Sorted(maps.Keys(s.opts.Consts)) {
		add(obj.Signature().Params().At(i), s.opts.Consts[i])
	}
	return strings.Join(list, ", ")
}

// replaced are values of parameters, some of them replaced by others, each in its place.
func replaced(list, by []string) []string {
	name := func(text string) string { n, _, _ := strings.Cut(text, "="); return strings.TrimSpace(n) }
	list = slices.Clone(list)
	for _, text := range by {
		if i := slices.IndexFunc(list, func(old string) bool { return name(old) == name(text) }); i >= 0 {
			list[i] = text
		} else {
			list = append(list, text)
		}
	}
	return list
}

// title is the page's.
func title(m *explain.Model) string {
	var names []string
	for _, k := range m.Kernels {
		names = append(names, k.Name)
	}
	if len(names) > 3 {
		names = append(names[:3], "...")
	}
	return strings.Join(names, ", ")
}

// failed is the error of kernels that could not be compiled. The page shows it too.
func failed(m *explain.Model) error {
	var errs []error
	for _, k := range m.Kernels {
		if k.Error != "" {
			errs = append(errs, fmt.Errorf("%s: %s", k.Name, k.Error))
		}
	}
	return errors.Join(errs...)
}

// writable finds out whether a page can be written into a file, as far as that is known before: to make the page takes
// a while.
func writable(file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("-o %s: it is a directory; name a file in it", file)
	}
	if _, err := os.Stat(filepath.Dir(file)); err != nil {
		return fmt.Errorf("-o %s: %w", file, err)
	}
	return nil
}

// deliver writes the page where it is wanted.
func (o *explainOptions) deliver(stdout io.Writer, page []byte) error {
	file := o.file
	if file == "" && !o.open {
		_, err := stdout.Write(page)
		return err
	}
	if file == "" {
		dir, err := tempDir("qdgen-explain-")
		if err != nil {
			return err
		}
		file = filepath.Join(dir, "page.html")
	}
	if err := genfile.WriteWhole(file, page); err != nil {
		return err
	}
	if !o.open {
		return nil
	}
	if err := openInBrowser(file); err != nil {
		return fmt.Errorf("no browser could be started (%w); open %s", err, file)
	}
	return nil
}

// openInBrowser has the system show a file.
func openInBrowser(file string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	argv := []string{"xdg-open", file}
	switch runtime.GOOS {
	case "darwin":
		argv[0] = "open"
	case "windows":
		argv = []string{"rundll32", "url.dll,FileProtocolHandler", file}
	}
	return exec.Command(argv[0], argv[1:]...).Run()
}

package explain

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/cmd/qdgen/cost"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/ssa"
)

// add adds a view, and marks one that cannot be made.
func (g *gatherer) add(v *View, missing error) *View {
	v.fail(missing)
	g.k.Views = append(g.k.Views, v)
	return v
}

// compileCPU adds the C++ of a unit, and what the C++ compiler makes of it.
func (g *gatherer) compileCPU(ctx context.Context, u *compile.Unit) {
	g.add(emitted("cpp", "cpp", "C++", "the code that the C++ compiler gets", "cpp", u.Text), nil)
	asm := &View{ID: "asm", Group: "asm", Title: "assembly", Doc: "the machine code of the CPU", Lang: "asm", Up: "cpp"}
	if g.CXX == nil {
		g.add(asm, g.NoCXX)
		return
	}
	g.add(asm, nil)
	var text string
	var remarks []clang.Message
	var err error
	var took time.Duration
	g.jobs.add(func() {
		began := time.Now()
		text, remarks, err = g.CXX.Annotated(ctx, u.Text.Source)
		took = time.Since(began)
	}, func() {
		g.time("cpu", "build", took)
		if asm.fail(err) {
			return
		}
		asm.Lines = assembly(text, u.Text)
		asm.Doc += ", by " + g.CXX.Path + " for " + g.CXX.Arch()
		g.ofCompiler(remarks, u.Text)
	})
}

// fail notes that a view cannot be made, if there is an error.
func (v *View) fail(err error) bool {
	if err != nil {
		v.Missing = err.Error()
	}
	return err != nil
}

// ofCompiler notes what the C++ compiler says.
func (g *gatherer) ofCompiler(remarks []clang.Message, text *emit.Text) {
	reasons := make(map[int]bool) // lines that have a remark with a reason
	for _, m := range remarks {
		reasons[m.Line] = reasons[m.Line] || strings.HasPrefix(m.Text, notVectorized+": ")
	}
	for _, m := range remarks {
		if !reasons[m.Line] || !strings.HasPrefix(m.Text, notVectorized+" [") {
			g.ofLine(m, text)
		}
	}
}

// notVectorized is what clang says of a loop, with a reason or without.
const notVectorized = "loop not vectorized"

// flagOf is the flag at the end of clang's remarks.
var flagOf = regexp.MustCompile(` \[-Rpass(-missed|-analysis)?=([\w-]+)\]$`)

// mangled is the name that the linker has for a C++ function.
var mangled = regexp.MustCompile(`\b_Z\w+`)

// plainName is the name of a C++ function in the source, given the linker's: the parts of it, each behind its length.
func plainName(symbol string) string {
	rest := strings.TrimLeft(strings.TrimPrefix(symbol, "_Z"), "NL")
	nested := strings.HasPrefix(symbol, "_ZN")
	var parts []string
	for {
		rest = strings.TrimLeft(rest, "L")
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n := number(rest[:digits])
		if n == 0 || digits+n > len(rest) {
			break
		}
		parts = append(parts, rest[digits:digits+n])
		if rest = rest[digits+n:]; !nested {
			break
		}
	}
	if parts == nil {
		return symbol
	}
	return strings.Join(parts, "::")
}

// ofLine notes what the C++ compiler says about a line that comes from Go.
func (g *gatherer) ofLine(m clang.Message, text *emit.Text) {
	at := goOf(text, m.Line)
	flag := flagOf.FindStringSubmatch(m.Text)
	if at.File == "" || flag == nil {
		return
	}
	r := Remark{By: "clang " + flag[2], On: "cpu", Pos: at, Text: mangled.ReplaceAllStringFunc(strings.TrimSuffix(m.Text, flag[0]), plainName)}
	switch {
	case flag[1] == "":
		r.Kind = ssa.Done
	case flag[1] == "-missed", strings.HasPrefix(r.Text, notVectorized):
		r.Kind = ssa.Missed
	}
	g.k.Remarks = g.note(g.k.Remarks, r, nil)
}

// compileCUDA adds the CUDA of a unit, and what NVRTC makes of it for each architecture.
func (g *gatherer) compileCUDA(ctx context.Context, u *compile.Unit) {
	g.add(emitted("cuda", "cu", "CUDA", "the code that NVRTC gets", "cpp", u.Text), nil)
	for _, arch := range g.Archs {
		ptx := &View{ID: "ptx/" + arch, Group: "ptx", Title: arch, Doc: "NVIDIA's portable assembly for " + arch, Lang: "ptx", Up: "cuda"}
		sass := &View{ID: "sass/" + arch, Group: "sass", Title: arch, Doc: "the machine code of " + arch, Lang: "sass", Up: "cuda"}
		if g.NVRTC == nil {
			g.add(ptx, g.NoNVRTC)
			g.add(sass, g.NoNVRTC)
			continue
		}
		g.add(ptx, nil)
		g.add(sass, nil)
		b := &gpuBuild{gatherer: g, unit: u, arch: arch, ptx: ptx, sass: sass}
		g.jobs.add(func() { b.run(ctx) }, b.read)
	}
}

// A gpuBuild is what NVRTC makes of a unit for one architecture.
type gpuBuild struct {
	*gatherer
	unit      *compile.Unit
	arch      string
	ptx, sass *View

	made         *nvrtc.Result
	code         string // what nvdisasm prints
	err, noCode  error
	took, toCode time.Duration
}

// run compiles the unit, and disassembles the code.
func (b *gpuBuild) run(ctx context.Context) {
	began := time.Now()
	b.made, b.err = b.NVRTC.Compile(b.unit.Text.Source, b.unit.Module.Name+".cu", nvrtc.Options{Arch: b.arch, LineInfo: true, Usage: true})
	b.took = time.Since(began)
	switch {
	case b.err != nil:
		b.noCode = b.err
	case b.made.Cubin == nil:
		b.noCode = errors.New("NVRTC gives no machine code for it: there is only PTX")
	case b.Disassembler == nil:
		b.noCode = b.NoDisassembler
	default:
		began = time.Now()
		b.code, b.noCode = b.Disassembler.Disassemble(ctx, b.made.Cubin)
		b.toCode = time.Since(began)
	}
}

// read fills in the views, and what the code costs.
func (b *gpuBuild) read() {
	b.time("cuda", "build "+b.arch, b.took)
	if !b.sass.fail(b.noCode) {
		b.time("cuda", "nvdisasm "+b.arch, b.toCode)
		b.sass.Lines = sassLines(b.code, b.unit.Text)
		b.sass.Doc += ", by " + b.Disassembler.Path
	}
	if b.ptx.fail(b.err) {
		return
	}
	b.ptx.Lines = ptxLines(string(b.made.PTX), b.unit.Text)
	b.ptx.Doc += ", by " + b.NVRTC.String()
	if strings.HasPrefix(b.arch, "sm_") {
		if list, err := cost.Of(b.unit.Module, b.unit.Text, b.NVRTC, b.arch, b.made); err == nil {
			b.costs(list)
		}
	}
}

// An annotator makes the lines of a view from text with marks of the lines that it comes from.
type annotator struct {
	text  *emit.Text
	lines []Line
	up    int
	at    Pos
	via   []Pos
}

// from notes that what follows comes from a line of the emitted code, which was inlined at the lines behind it: the
// first one that comes from Go counts.
func (a *annotator) from(chain ...int) {
	a.up, a.at, a.via = 0, Pos{}, nil
	for _, line := range chain {
		switch at := goOf(a.text, line); {
		case at.File == "":
		case a.at.File == "":
			a.up, a.at = line, at
		case at != a.at && !slices.Contains(a.via, at):
			a.via = append(a.via, at)
		}
	}
	if a.up == 0 && len(chain) > 0 {
		a.up = chain[0]
	}
}

// add adds a line. Of blank ones there is one in a row.
func (a *annotator) add(line string) {
	blank := strings.TrimSpace(line) == ""
	if blank && (len(a.lines) == 0 || a.lines[len(a.lines)-1].Text == "") {
		return
	}
	l := Line{Text: strings.TrimRight(line, " \t\r\n"), Go: a.at, Via: a.via, Up: a.up}
	if blank || !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, " ") {
		l.Go, l.Via, l.Up = Pos{}, nil, 0
	}
	a.lines = append(a.lines, l)
}

var (
	locLine     = regexp.MustCompile(`^\s*\.loc\s+(\d+)\s+(\d+)`)
	inlinedLine = regexp.MustCompile(`inlined_at\s+\d+\s+(\d+)`)
	debugLine   = regexp.MustCompile(`^\s*\.section\s+"?\.debug_`)
	hiddenLine  = regexp.MustCompile(`^\s*(\.file|\.cfi_|\.ident|\.addrsig|\.L(tmp|func_begin|func_end|sec_end|debug)[\w$]*:|\.size|\.type|\.p2align|\.text$)`)
)

// assembly makes lines of what clang or gcc writes.
func assembly(text string, of *emit.Text) []Line {
	a := annotator{text: of}
	hidden := false // in a section of tables for debuggers
	lines := strings.Split(text, "\n")
	calls, at := callsOf(lines), 0
	for i, line := range lines {
		switch m := found(locLine, ".loc", line); {
		case m != nil:
			at = number(m[2])
		case strings.HasPrefix(strings.TrimSpace(line), ".section"), strings.TrimSpace(line) == ".text":
			hidden = debugLine.MatchString(line) || strings.Contains(line, ".note.") || strings.Contains(line, ".comment")
			if !hidden && strings.Contains(line, "rodata") {
				a.from()
				a.add(line)
			}
		case hidden, strings.Contains(line, ".") && hiddenLine.MatchString(line):
		default:
			if strings.HasSuffix(strings.TrimSpace(line), "@function") {
				at = 0
			}
			a.from(append([]int{at}, calls[i]...)...)
			a.add(line)
		}
	}
	return a.lines
}

// ptxLines makes lines of PTX.
func ptxLines(text string, of *emit.Text) []Line {
	a := annotator{text: of}
	for line := range strings.Lines(text) {
		switch m := found(locLine, ".loc", line); {
		case m != nil:
			chain := []int{number(m[2])}
			if in := inlinedLine.FindStringSubmatch(line); in != nil {
				chain = append(chain, number(in[1]))
			}
			a.from(chain...)
		case strings.Contains(line, ".debug_") && debugLine.MatchString(line):
			return a.lines
		case strings.HasPrefix(strings.TrimSpace(line), ".file"), strings.HasPrefix(line, "$L__tmp"), strings.HasPrefix(line, "$L__func_"):
		default:
			if strings.HasPrefix(line, ".visible") || strings.HasPrefix(line, ".func") {
				a.from()
			}
			a.add(line)
		}
	}
	return a.lines
}

// sassLine is how nvdisasm gives the line that instructions come from. For an inlined function there are several in a
// row.
var sassLine = regexp.MustCompile(`^\s*//## File ".*?", line (\d+)\b`)

// sassGap is what nvdisasm prints before an instruction: its address, in the middle of much space.
var sassGap = regexp.MustCompile(`^\s+(/\*[0-9a-f]+\*/)\s+`)

// sassLines makes lines of what nvdisasm prints.
func sassLines(text string, of *emit.Text) []Line {
	a := annotator{text: of}
	var chain []int
	for line := range strings.Lines(text) {
		if m := found(sassLine, "//##", line); m != nil {
			chain = append(chain, number(m[1]))
			continue
		}
		if len(chain) > 0 {
			a.from(chain...)
			chain = nil
		}
		a.add(sassGap.ReplaceAllString(line, "\t$1  "))
	}
	return a.lines
}

// found is what a pattern finds in a line, which cannot be there without a part: most lines are asked for that alone,
// which is faster.
func found(pattern *regexp.Regexp, part, line string) []string {
	if !strings.Contains(line, part) {
		return nil
	}
	return pattern.FindStringSubmatch(line)
}

// number is a number in a text that a pattern has found.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

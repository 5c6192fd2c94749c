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
	if missing != nil {
		v.Missing = missing.Error()
	}
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
	began := time.Now()
	text, remarks, err := g.CXX.Annotated(ctx, u.Text.Source)
	g.time("cpu", "build", time.Since(began))
	if err == nil {
		asm.Lines = assembly(text, u.Text)
		asm.Doc += ", by " + g.CXX.Path + " for " + g.CXX.Arch()
	}
	g.add(asm, err)
	reasons := make(map[int]bool) // lines that have a remark with a reason
	for _, m := range remarks {
		reasons[m.Line] = reasons[m.Line] || strings.HasPrefix(m.Text, notVectorized+": ")
	}
	for _, m := range remarks {
		if !reasons[m.Line] || !strings.HasPrefix(m.Text, notVectorized+" [") {
			g.ofCompiler(m, u.Text)
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

// ofCompiler notes what the C++ compiler says about a line that comes from Go.
func (g *gatherer) ofCompiler(m clang.Message, text *emit.Text) {
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
		began := time.Now()
		made, err := g.NVRTC.Compile(u.Text.Source, u.Module.Name+".cu", nvrtc.Options{Arch: arch, LineInfo: true, Usage: true})
		g.time("cuda", "build "+arch, time.Since(began))
		if err != nil {
			g.add(ptx, err)
			g.add(sass, err)
			continue
		}
		ptx.Lines = ptxLines(string(made.PTX), u.Text)
		ptx.Doc += ", by " + g.NVRTC.String()
		g.add(ptx, nil)
		if strings.HasPrefix(arch, "sm_") {
			if list, err := cost.Of(u.Module, u.Text, g.NVRTC, arch, made); err == nil {
				g.costs(list)
			}
		}
		g.add(sass, g.disassemble(ctx, sass, made.Cubin, u.Text))
	}
}

// disassemble fills in the view of machine code.
func (g *gatherer) disassemble(ctx context.Context, v *View, cubin []byte, text *emit.Text) error {
	switch {
	case cubin == nil:
		return errors.New("NVRTC gives no machine code for it: there is only PTX")
	case g.Disassembler == nil:
		return g.NoDisassembler
	}
	began := time.Now()
	sass, err := g.Disassembler.Disassemble(ctx, cubin)
	g.time("cuda", "nvdisasm", time.Since(began))
	if err != nil {
		return err
	}
	v.Lines = sassLines(sass, text)
	v.Doc += ", by " + g.Disassembler.Path
	return nil
}

// An annotator makes the lines of a view from text with marks of the lines that it comes from.
type annotator struct {
	text  *emit.Text
	lines []Line
	up    int
	at    Pos
	via   []Pos
}

// from notes that what follows comes from a line of the emitted code, which was inlined at the lines behind it: the first one that
// comes from Go counts.
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
		switch m := locLine.FindStringSubmatch(line); {
		case m != nil:
			at = number(m[2])
		case strings.HasPrefix(strings.TrimSpace(line), ".section"), strings.TrimSpace(line) == ".text":
			hidden = debugLine.MatchString(line) || strings.Contains(line, ".note.") || strings.Contains(line, ".comment")
			if !hidden && strings.Contains(line, "rodata") {
				a.from()
				a.add(line)
			}
		case hidden, hiddenLine.MatchString(line):
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
		switch m := locLine.FindStringSubmatch(line); {
		case m != nil:
			chain := []int{number(m[2])}
			if in := inlinedLine.FindStringSubmatch(line); in != nil {
				chain = append(chain, number(in[1]))
			}
			a.from(chain...)
		case debugLine.MatchString(line):
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

// sassLine is how nvdisasm gives the line that instructions come from. For an inlined function there are several in a row.
var sassLine = regexp.MustCompile(`^\s*//## File ".*?", line (\d+)\b`)

// sassLines makes lines of what nvdisasm prints.
func sassLines(text string, of *emit.Text) []Line {
	a := annotator{text: of}
	var chain []int
	for line := range strings.Lines(text) {
		if m := sassLine.FindStringSubmatch(line); m != nil {
			chain = append(chain, number(m[1]))
			continue
		}
		if len(chain) > 0 {
			a.from(chain...)
			chain = nil
		}
		a.add(line)
	}
	return a.lines
}

// number is a number in a text that a pattern has found.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

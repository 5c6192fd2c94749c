package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/ssa"
)

// showSASS has NVRTC compile a module to machine code, and nvdisasm print it. The Go
// statement that instructions come from stands above them.
func showSASS(_ *emitOptions, u *compile.Unit, arch string) (string, error) {
	text := u.Named.Print(emit.Options{}) // whose lines the disassembler gives, and Text.Lines translates
	sass, err := disassembled(u.Module.Name, text.Source, nvrtc.Options{Arch: arch, LineInfo: true})
	if err != nil {
		return "", err
	}
	return withGoLines(sass, text.Lines), nil
}

// sassOf is the machine code of a module's source, without Go's lines.
func sassOf(name, source, arch string) (string, error) {
	return disassembled(name, source, nvrtc.Options{Arch: arch})
}

// disassembled compiles a source to machine code and disassembles that.
func disassembled(name, source string, options nvrtc.Options) (string, error) {
	if !strings.HasPrefix(options.Arch, "sm_") {
		return "", fmt.Errorf("machine code exists for architectures such as sm_90; for %s there is only PTX: use --target ptx", options.Arch)
	}
	tool, err := nvrtc.FindDisassembler()
	if err != nil {
		return "", err
	}
	lib, err := nvrtc.Find()
	if err != nil {
		return "", err
	}
	r, err := lib.Compile(source, name+".cu", options)
	if err != nil {
		return "", err
	}
	if r.Cubin == nil {
		return "", fmt.Errorf("%s produces no machine code: it is older than CUDA 11.1", lib)
	}
	return tool.Disassemble(context.Background(), r.Cubin)
}

// sassLine is how nvdisasm gives the line that instructions come from. For an inlined
// function there are several in a row, the calls after the line itself:
//
//	//## File "/home/me/saxpy.cu", line 11 inlined at "/home/me/saxpy.cu", line 54
//	//## File "/home/me/saxpy.cu", line 54
var sassLine = regexp.MustCompile(`^\s*//## File ".*?", line (\d+)\b`)

// withGoLines replaces the lines of emitted text in a disassembly by Go's statements: of
// those in a row the first that comes from Go. Lines that come from none are left out.
func withGoLines(sass string, lines []*ssa.Stmt) string {
	var b strings.Builder
	var last, next *ssa.Stmt // the statement of the instructions before, and after
	for line := range strings.Lines(sass) {
		if m := sassLine.FindStringSubmatch(line); m != nil {
			n, err := strconv.Atoi(m[1])
			if err == nil && next == nil && n >= 1 && n <= len(lines) {
				next = lines[n-1]
			}
			continue
		}
		if next != nil && next != last {
			fmt.Fprintf(&b, "\t// %s: %s\n", next.At(), next.Text)
			last = next
		}
		next = nil
		if strings.TrimSpace(line) == "" && strings.HasSuffix(b.String(), "\n\n") {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/ssa"
)

// textOf is emitted code whose line n comes from line n*10 of the Go source; line 3 comes from none.
func textOf() *emit.Text {
	t := &emit.Text{}
	for n := 1; n <= 9; n++ {
		s := &ssa.Stmt{Pos: ssa.Pos{File: "k.go", Line: 10 * n}}
		if n == 3 {
			s = nil
		}
		t.Lines = append(t.Lines, s)
	}
	return t
}

// find gives the line of a view that has a text.
func find(t *testing.T, lines []Line, text string) Line {
	t.Helper()
	for _, l := range lines {
		if strings.Contains(l.Text, text) {
			return l
		}
	}
	t.Fatalf("no line has %s: %v", text, lines)
	return Line{}
}

// Lines of assembly have the line of the code that they come from, and the calls by which functions were inlined.
func TestAssembly(t *testing.T) {
	const text = `	.text
	.file	"kernel.cpp"
k:                                      # @k
.Lfunc_begin0:
	.loc	1 1 0                           # kernel.cpp:1:0
	push
.Ltmp0:
	.loc	1 3 0                           # kernel.cpp:3:0
	add
.Ltmp1:
	.loc	1 4 0                           # kernel.cpp:4:0
	mul
.Ltmp2:
	.loc	1 2 0                           # kernel.cpp:2:0
	ret
.Ltmp3:
.Lfunc_end0:
	.section	.debug_info,"",@progbits
	.byte	3                               # Abbrev [3] 0x2a:0x20 DW_TAG_subprogram
	.byte	4                               # Abbrev [4] 0x43:0x14 DW_TAG_inlined_subroutine
	.long	55                              # DW_AT_abstract_origin
	.quad	.Ltmp0                          # DW_AT_low_pc
	.long	.Ltmp2-.Ltmp0                   # DW_AT_high_pc
	.byte	1                               # DW_AT_call_file
	.byte	7                               # DW_AT_call_line
	.byte	5                               # Abbrev [5] 0x63:0x14 DW_TAG_inlined_subroutine
	.long	.Ldebug_ranges0                 # DW_AT_ranges
	.byte	8                               # DW_AT_call_line
	.section	.debug_ranges,"",@progbits
.Ldebug_ranges0:
	.quad	.Ltmp1-.Lfunc_begin0
	.quad	.Ltmp2-.Lfunc_begin0
	.quad	0
	.quad	0
`
	lines := assembly(text, textOf())
	at := func(line int) Pos { return Pos{File: "k.go", Line: line} }
	for _, want := range []struct {
		text string
		up   int
		at   Pos
		via  []Pos
	}{
		{"push", 1, at(10), nil},
		{"add", 7, at(70), nil}, // inlined from a line that comes from no line of Go
		{"mul", 4, at(40), []Pos{at(80), at(70)}},
		{"ret", 2, at(20), nil},
	} {
		l := find(t, lines, want.text)
		if l.Up != want.up || l.Go != want.at || !slices.Equal(l.Via, want.via) {
			t.Errorf("%+v, want %+v", l, want)
		}
	}
	for _, l := range lines {
		if strings.Contains(l.Text, "DW_") || strings.Contains(l.Text, ".loc") || strings.Contains(l.Text, ".Ltmp") {
			t.Errorf("a line for debuggers: %q", l.Text)
		}
	}
}

// PTX and machine code tell the calls themselves.
func TestGPULines(t *testing.T) {
	ptx := ptxLines(".visible .entry k()\n{\n\t.loc\t1 4 9, function_name $L__info_string0, inlined_at 1 7 5\n\tmul.f32 \t%f1, %f2;\n}\n\t.section\t.debug_str\n", textOf())
	if l := find(t, ptx, "mul"); l.Go.Line != 40 || len(l.Via) != 1 || l.Via[0].Line != 70 {
		t.Errorf("%+v", l)
	}
	sass := sassLines("\t//## File \"/a/k.cu\", line 4 inlined at \"/a/k.cu\", line 8\n\t//## File \"/a/k.cu\", line 8\n        /*0010*/  FMUL R1 ;\n", textOf())
	if l := find(t, sass, "FMUL"); l.Go.Line != 40 || len(l.Via) != 1 || l.Via[0].Line != 80 {
		t.Errorf("%+v", l)
	}
}

// The linker's names are those of the source.
func TestPlainName(t *testing.T) {
	for symbol, want := range map[string]string{"_ZN4mathL3LogEDv8_d": "math::Log", "_ZL13escape_thread6Threadd": "escape_thread", "_Z3sumf": "sum", "_Zx": "_Zx"} {
		if got := plainName(symbol); got != want {
			t.Errorf("%s is %s, want %s", symbol, got, want)
		}
	}
}

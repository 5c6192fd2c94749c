package nvrtc

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Message is one diagnostic of NVRTC.
type Message struct {
	File      string // the name that Compile was given, or what a #line directive says; "" without a position
	Line, Col int    // from 1; 0 where NVRTC gives none
	Severity  string // "error", "catastrophic error", "fatal", "warning", "remark"
	Text      string
}

// String gives the message in the form that C++ compilers use.
func (m Message) String() string {
	switch {
	case m.File == "":
		return fmt.Sprintf("%s: %s", m.Severity, m.Text)
	case m.Col == 0:
		return fmt.Sprintf("%s:%d: %s: %s", m.File, m.Line, m.Severity, m.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s: %s", m.File, m.Line, m.Col, m.Severity, m.Text)
}

// isError reports whether the message says that the compile failed.
func (m Message) isError() bool {
	return strings.HasSuffix(m.Severity, "error") || m.Severity == "fatal"
}

var (
	// saxpy.cu(3): warning #177-D: variable "u" was declared but never referenced
	positioned = regexp.MustCompile(`^(.+)\((\d+)\): ((?:catastrophic |internal )?error|warning|remark)(?: #[\w-]+)?: (.*)$`)
	// nvrtc: error: invalid value for --gpu-architecture (-arch)
	// ptxas fatal   : Unresolved extern function 'f'
	ofTool = regexp.MustCompile(`^(?:nvrtc: |ptxas |nvvm |nvlink )\s*(?:.*[:;] )?(error|fatal|warning)\s*: (.*)$`)
	caret  = regexp.MustCompile(`^\s+\^\s*$`)
)

// parseMessages finds the diagnostics in a program's log. Since CUDA 12 the
// source line follows each, indented by two, and a line with a caret, which gives
// the column:
//
//	saxpy.cu(3): error: identifier "q" is undefined
//	    x[i] = q;
//	           ^
func parseMessages(log string) []Message {
	var list []Message
	last := -1 // the message that a caret belongs to
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\r\n")
		if m := positioned.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[2]) // 0 where the number is beyond reason
			list = append(list, Message{File: m[1], Line: n, Severity: m[3], Text: m[4]})
			last = len(list) - 1
			continue
		}
		if m := ofTool.FindStringSubmatch(line); m != nil {
			list = append(list, Message{Severity: m[1], Text: m[2]})
			last = -1
			continue
		}
		if last >= 0 && caret.MatchString(line) {
			list[last].Col = max(strings.IndexByte(line, '^')-1, 0)
			last = -1
		}
	}
	return list
}

package clang

import (
	"fmt"
	"strconv"
	"strings"
)

// A Message is one diagnostic of a compiler.
type Message struct {
	File      string // as the compiler names it: SourceName, or what a #line directive says; "" without a position
	Line, Col int    // from 1; 0 where the compiler gives none
	Severity  string // "error", "fatal error", "internal compiler error", "warning", "note" or "remark"
	Text      string
}

// String returns the message in the compilers' own form.
func (m Message) String() string {
	switch {
	case m.File == "":
		return fmt.Sprintf("%s: %s", m.Severity, m.Text)
	case m.Col == 0:
		return fmt.Sprintf("%s:%d: %s: %s", m.File, m.Line, m.Severity, m.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s: %s", m.File, m.Line, m.Col, m.Severity, m.Text)
}

// The severities as clang and gcc print them in the C locale.
var severities = []string{"internal compiler error", "fatal error", "error", "warning", "note", remark}

// remark is the severity of what clang says about its optimizations.
const remark = "remark"

// isError reports whether the message says that the compile failed.
func (m Message) isError() bool { return strings.HasSuffix(m.Severity, "error") }

// parseMessages finds the diagnostics in what a compiler or a linker printed:
//
//	kernel.cpp:3:14: error: use of undeclared identifier 'q'
//	clang: error: unknown argument: '-fno-such-flag'
//	ld: kernel.o:(.text+0x1): undefined reference to `f'
//
// Lines that quote the source, and all else, are left to the log.
func parseMessages(log string) []Message {
	var list []Message
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\r\n")
		if m, ok := parseMessage(line); ok {
			list = append(list, m)
		}
	}
	return list
}

func parseMessage(line string) (Message, bool) {
	// A quoted source line may contain anything, but is indented or has a bar
	// before it.
	if line == "" || line[0] == ' ' || line[0] == '\t' {
		return Message{}, false
	}
	for _, severity := range severities {
		if text, ok := strings.CutPrefix(line, severity+": "); ok {
			return Message{Severity: severity, Text: text}, true
		}
		where, text, ok := strings.Cut(line, ": "+severity+": ")
		if !ok {
			continue
		}
		m := Message{Severity: severity, Text: text}
		m.File, m.Line, m.Col = parsePosition(where)
		if m.Line == 0 {
			m.File = "" // the name of a program, not of a source
		}
		return m, true
	}
	for _, phrase := range []string{"undefined reference to ", "undefined symbol: ", "multiple definition of "} {
		if i := strings.Index(line, phrase); i >= 0 {
			return Message{Severity: "error", Text: line[i:]}, true
		}
	}
	return Message{}, false
}

// parsePosition takes "file:line:col", "file:line" or "program" apart.
func parsePosition(s string) (file string, line, col int) {
	rest, last, ok := cutNumber(s)
	if !ok {
		return s, 0, 0
	}
	if file, line, ok := cutNumber(rest); ok {
		return file, line, last
	}
	return rest, last, 0
}

// cutNumber cuts ":" and a positive number off the end of s.
func cutNumber(s string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	if err != nil || n <= 0 {
		return s, 0, false
	}
	return s[:i], n, true
}

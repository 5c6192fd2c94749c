package build

import (
	"fmt"
	"strings"

	"github.com/qdgen/qd/emit"
)

// An Error says that a compiler has refused emitted code. The fault is then qdgen's or the compiler's, because the
// front end reports all errors of a kernel.
type Error struct {
	Kernel   string
	Target   string // "cpp" or "cuda"
	Messages []Message
	Source   string // the emitted text
	Err      error  // the compiler's own error, with its command and log
}

// A Message is one message of a compiler about emitted code.
type Message struct {
	Severity string // "error", "warning"
	Text     string
	Line     int    // in the emitted text, from 1; 0 when the message is about no line
	Code     string // that line
	GoPos    string // "saxpy.go:14", the statement that the line comes from, "" for none
	GoText   string // the statement's first line
}

// Error prints every message with the emitted line and the Go line.
func (e *Error) Error() string {
	var b strings.Builder
	what := "does not compile"
	if len(e.Messages) == 0 { // the compiler has failed, not the text
		what = "cannot be compiled"
	}
	fmt.Fprintf(&b, "qd: the emitted %s of kernel %s %s: %v", e.Target, e.Kernel, what, e.Err)
	for _, m := range e.Messages {
		fmt.Fprintf(&b, "\n\t%s: %s", m.Severity, m.Text)
		if m.Code != "" {
			fmt.Fprintf(&b, "\n\t\tline %d: %s", m.Line, strings.TrimSpace(m.Code))
		}
		if m.GoPos != "" {
			fmt.Fprintf(&b, "\n\t\t%s: %s", m.GoPos, m.GoText)
		}
	}
	return b.String()
}

// Unwrap gives the compiler's own error.
func (e *Error) Unwrap() error { return e.Err }

// newError locates a compiler's messages in the emitted text and in the Go source.
func newError(name, target string, text *emit.Text, err error, messages []Message) *Error {
	lines := strings.Split(text.Source, "\n")
	for i := range messages {
		m := &messages[i]
		if m.Line < 1 || m.Line > len(lines) {
			continue
		}
		m.Code = lines[m.Line-1]
		if m.Line <= len(text.Lines) {
			if s := text.Lines[m.Line-1]; s != nil {
				m.GoPos, m.GoText = fmt.Sprintf("%s:%d", s.Pos.File, s.Pos.Line), s.Text
			}
		}
	}
	return &Error{Kernel: name, Target: target, Messages: messages, Source: text.Source, Err: err}
}

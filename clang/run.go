package clang

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// maxLog is how much of what a compiler prints is kept. A compiler that has lost
// its way prints without end.
const maxLog = 1 << 20

// run runs a command in dir and returns what it printed to both outputs. The error
// is a *CompileError. When ctx ends, the command and all that it has started are
// killed.
func (c *Compiler) run(ctx context.Context, dir string, argv []string) (string, error) {
	var log limitedLog
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	// Messages are parsed, so they have to be in English; temporary files of the
	// compiler's own belong where they are removed even if it is killed.
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	if dir != "" {
		cmd.Env = append(cmd.Env, "TMPDIR="+dir)
	}
	cmd.Stdout, cmd.Stderr = &log, &log
	// Something that outlives the compiler may hold its output open.
	cmd.WaitDelay = 2 * time.Second
	KillAllOnCancel(cmd)

	// The system takes the thread that starts a process for its parent.
	runtime.LockOSThread()
	err := cmd.Run()
	runtime.UnlockOSThread()
	text := log.String()
	if err == nil {
		return text, nil
	}
	ce := &CompileError{Compiler: c.Path, Command: quote(argv), Log: text, Messages: parseMessages(text)}
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		ce.Reason, ce.Err = "took too long and was stopped", context.Cause(ctx)
	case ctx.Err() != nil:
		ce.Reason, ce.Err = "was stopped", context.Cause(ctx)
	case errors.As(err, &exit) && !exit.Exited():
		ce.Reason = exit.String() // "signal: segmentation fault"
	case errors.As(err, &exit):
		if len(ce.Messages) == 0 {
			ce.Reason = fmt.Sprintf("failed with exit status %d", exit.ExitCode())
		}
		ce.Hint = ce.hint()
	default:
		ce.Reason, ce.Err = "cannot be run", err
	}
	return text, ce
}

// limitedLog keeps the first maxLog bytes written to it.
type limitedLog struct {
	b       []byte
	dropped bool
}

func (l *limitedLog) Write(p []byte) (int, error) {
	keep := p[:min(len(p), maxLog-len(l.b))]
	l.b = append(l.b, keep...)
	l.dropped = l.dropped || len(keep) < len(p)
	return len(p), nil
}

func (l *limitedLog) String() string {
	s := strings.ToValidUTF8(string(l.b), "\uFFFD")
	if l.dropped {
		s += "\n[the rest of the output was dropped]\n"
	}
	return s
}

// quote writes a command line for a shell.
func quote(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`*?[]{}()<>|&;#~!") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}

// removeAll removes a temporary directory. That it may fail is no concern of the
// build: a leftover is the system's to clear away.
func removeAll(dir string) { _ = os.RemoveAll(dir) }

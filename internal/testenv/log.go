package testenv

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A Log is a slog handler that keeps what is logged at level Warn.
type Log struct {
	mu    sync.Mutex
	lines []string
}

func (l *Log) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }
func (l *Log) WithAttrs([]slog.Attr) slog.Handler               { return l }
func (l *Log) WithGroup(string) slog.Handler                    { return l }

func (l *Log) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString(r.Message)
	r.Attrs(func(a slog.Attr) bool {
		fmt.Fprintf(&b, " %s=%v", a.Key, a.Value)
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, b.String())
	return nil
}

// Take gives what was logged since the last take.
func (l *Log) Take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := slices.Clone(l.lines)
	l.lines = nil
	return lines
}

// Want fails the test unless exactly one line was logged, and that has the parts.
func (l *Log) Want(t testing.TB, parts ...string) {
	t.Helper()
	lines := l.Take()
	if len(lines) != 1 {
		t.Fatalf("%d warnings, want 1: %q", len(lines), lines)
	}
	for _, p := range parts {
		if !strings.Contains(lines[0], p) {
			t.Errorf("the warning %q does not say %q", lines[0], p)
		}
	}
}

// WantNone fails the test if something was logged.
func (l *Log) WantNone(t testing.TB) {
	t.Helper()
	if lines := l.Take(); len(lines) > 0 {
		t.Errorf("warnings: %q", lines)
	}
}

// Logged makes slog's default logger write to a Log for the length of a test.
func Logged(t testing.TB) *Log {
	l := &Log{}
	before := slog.Default()
	slog.SetDefault(slog.New(l))
	t.Cleanup(func() { slog.SetDefault(before) })
	return l
}

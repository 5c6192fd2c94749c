// Package report writes what qdgen does to the user's log, as far as the program or its user has
// asked for it. A library does not write to its user's log unasked. It also has advice that errors of several packages
// give.
package report

import (
	"fmt"
	"log"
	"log/slog"
	"os"
	"strings"
	"sync"
)

// Env is the environment variable that has reports printed to standard error.
const Env = "QD_LOG"

// Info reports what is no reason to worry, with attributes as for [slog.Debug]: through the
// default logger of log/slog, at level Debug, and on standard error where QD_LOG is info.
func Info(msg string, attrs ...any) {
	slog.Debug(msg, attrs...)
	if !printed() {
		return
	}
	r := slog.Record{}
	r.Add(attrs...)
	r.Attrs(func(a slog.Attr) bool {
		msg += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		return true
	})
	// Not by log.Default: slog.SetDefault sends what that prints to the program's handler.
	log.New(os.Stderr, "", log.LstdFlags).Print("INFO " + msg)
}

// printed reports whether QD_LOG asks for reports on standard error.
func printed() bool {
	switch v := strings.ToLower(strings.TrimSpace(os.Getenv(Env))); v {
	case "", "warn":
		return false
	case "info", "debug":
		return true
	default:
		unknown.Do(func() {
			slog.Warn(fmt.Sprintf("qd: %s=%s: use info, which prints each loaded module, or warn", Env, v))
		})
		return false
	}
}

// unknown is what says once that QD_LOG is wrong.
var unknown sync.Once

package report

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// TestInfo reads what each value of QD_LOG prints, and what the default logger is given.
func TestInfo(t *testing.T) {
	line := `^(\d{4}/\d\d/\d\d \d\d:\d\d:\d\d INFO module k loaded key=12\n){2}$`
	for value, want := range map[string]string{"": `^$`, "warn": `^$`, "info": line, " Debug ": line, "verbose": `^$`} {
		t.Run("QD_LOG="+value, func(t *testing.T) {
			t.Setenv(Env, value)
			unknown = sync.Once{}
			var logged bytes.Buffer
			before := slog.Default()
			slog.SetDefault(slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
			defer slog.SetDefault(before)
			printed := stderr(t, func() {
				Info("module k loaded", "key", 12)
				Info("module k loaded", "key", 12)
			})
			if !regexp.MustCompile(want).MatchString(printed) {
				t.Errorf("printed %q, want %s", printed, want)
			}
			if n := strings.Count(logged.String(), `level=DEBUG msg="module k loaded" key=12`); n != 2 {
				t.Errorf("%d reports of 2 are in the log:\n%s", n, logged.String())
			}
			if n, want := strings.Count(logged.String(), "level=WARN"), strings.Count(value, "verbose"); n != want {
				t.Errorf("%d warnings, want %d:\n%s", n, want, logged.String())
			}
		})
	}
}

// stderr gives what f prints to standard error.
func stderr(t *testing.T, f func()) string {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stderr
	os.Stderr = w
	f()
	os.Stderr = before
	w.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

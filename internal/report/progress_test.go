package report

import (
	"strings"
	"testing"
	"time"
)

// A bar is drawn once something takes long, not too often, and nothing of it stays.
func TestProgress(t *testing.T) {
	var screen strings.Builder
	now := time.Unix(0, 0)
	p := newProgress(&screen, "tuning k on cpu", 4, func() time.Time { return now })
	for _, tt := range []struct {
		after time.Duration
		want  string
	}{
		{patience - 1, ""},
		{1, "\rqd: tuning k on cpu [###############...............] 50%, 700ms"},
		{redrawEvery - 1, ""},
		{1, "\rqd: tuning k on cpu [##############################] 100%, 800ms"},
		{time.Hour, "\rqd: tuning k on cpu [##############################] 100%, 1h0m0.8s"},
	} {
		now = now.Add(tt.after)
		p.Step(1)
		if got := screen.String(); got != tt.want {
			t.Errorf("after %v: %q, want %q", tt.after, got, tt.want)
		}
		screen.Reset()
	}
	p.End()
	if got := screen.String(); strings.TrimSpace(got) != "" || !strings.HasSuffix(got, " \r") {
		t.Errorf("the end writes %q", got)
	}
	screen.Reset()
	short := newProgress(&screen, "tuning k on cpu", 4, func() time.Time { return now })
	short.Step(4)
	short.End()
	var none *Progress
	none.Step(1)
	none.End()
	if screen.Len() > 0 {
		t.Errorf("what is short writes %q", screen.String())
	}
}

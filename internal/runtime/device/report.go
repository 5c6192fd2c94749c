package device

import (
	"fmt"
	"time"

	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/report"
)

// Report counts and reports the module that was loaded on a device for a specialization, if one was, and how long that
// took.
func (l *Loaded) Report(device string, took time.Duration) {
	m := l.Module
	if m == nil {
		return
	}
	build.Count.Loaded.Add(1)
	how := "cached"
	if m.Fresh {
		how = "compiled"
	}
	report.Info(fmt.Sprintf("module %s %.7s loaded on %s in %v (%s)", m.Name, m.Key.String(), device, roundTime(took), how))
}

// roundTime rounds a duration for people.
func roundTime(d time.Duration) time.Duration {
	switch {
	case d > 10*time.Millisecond:
		return d.Round(time.Millisecond)
	case d > time.Millisecond:
		return d.Round(100 * time.Microsecond)
	}
	return d.Round(time.Microsecond)
}

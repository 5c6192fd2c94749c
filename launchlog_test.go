package qd_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd"
)

//qd:kernel
func launchedByLog(t qd.Thread, by qd.Const[int32], x []int32) { x[t.ID()] += by.V }

// launching is the handler of a log that launches the kernel of whose module it is told.
type launching struct {
	slog.Handler
	dev  *qd.Device
	by   int32
	x    []int32
	errs []error
}

// byLog is the constant of the next launch, for which nothing is loaded yet.
var byLog = int32(40)

func (*launching) Enabled(context.Context, slog.Level) bool { return true }

func (l *launching) Handle(_ context.Context, r slog.Record) error {
	if !strings.Contains(r.Message, "launchedByLog") {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second) // rather than for ever
	defer cancel()
	l.errs = append(l.errs, l.dev.WithContext(ctx).Launch(launchedByLog, qd.Dim(1), qd.C(l.by), l.x))
	return nil
}

// When the log reports that a module has been loaded, the kernel can be launched, by the log's handler too.
func TestLaunchFromLog(t *testing.T) {
	old := slog.Default()
	defer slog.SetDefault(old)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		byLog++
		l := &launching{Handler: old.Handler(), dev: dev, by: byLog, x: make([]int32, 1)}
		slog.SetDefault(slog.New(l))
		y := make([]int32, 1)
		if err := dev.Launch(launchedByLog, qd.Dim(1), qd.C(l.by), y); err != nil || y[0] != l.by {
			t.Errorf("the launch: %v, %d", err, y[0])
		}
		want := 1
		if dev.String() == "go" { // which loads no module
			want = 0
		}
		if len(l.errs) != want || want > 0 && (l.errs[0] != nil || l.x[0] != l.by) {
			t.Errorf("launches by the log: %v, which have left %d", l.errs, l.x[0])
		}
	})
}

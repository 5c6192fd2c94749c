//go:build !race

package qd_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func printsOnce(t qd.Thread, x []int32) {
	if t.ID() == 0 {
		qd.Printf("x has %d elements\n", len(x))
	}
	x[t.ID()] = 7
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// What a writer does is no error of a launch, and hides none. A warning says it once.
func TestOutputFails(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		if strings.HasPrefix(dev.String(), "cuda") {
			t.Skip("a GPU is of no use any more after a fault")
		}
		var log, out bytes.Buffer
		defer slog.SetDefault(slog.Default())
		slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
		for _, test := range []struct {
			writer io.Writer
			want   string
		}{
			{writerFunc(func([]byte) (int, error) { return 0, errors.New("the disk is full") }), "qd.SetOutput: the disk is full"},
			{writerFunc(func(p []byte) (int, error) { return len(p) - 1, nil }), "qd.SetOutput: short write"},
			{writerFunc(func([]byte) (int, error) { panic("no way") }), "qd.SetOutput: it panics: no way"},
			{(*bytes.Buffer)(nil), "it panics: runtime error: invalid memory address"},
		} {
			log.Reset()
			out.Reset()
			old := qd.SetOutput(test.writer)
			x := make([]int32, 4)
			must(t, dev.Launch(printsOnce, qd.Dim(4), x), dev.Launch(printsOnce, qd.Dim(4), x), dev.Wait())
			var f *qd.Fault
			if err := dev.Checked().Launch(printsOnce, qd.Dim(5), x); !errors.As(err, &f) || f.Index != 4 {
				t.Errorf("%s: the fault is %v", test.want, err)
			}
			if x[3] != 7 {
				t.Errorf("%s: x is %v", test.want, x)
			}
			if strings.Count(log.String(), "what kernels print is lost: the writer given to ") != 1 || !strings.Contains(log.String(), test.want) {
				t.Errorf("%s: the log is %s", test.want, &log)
			}
			qd.SetOutput(&out)
			must(t, dev.Launch(printsOnce, qd.Dim(4), x), dev.Wait())
			if out.String() != "x has 4 elements\n" {
				t.Errorf("%s: another writer has %q", test.want, &out)
			}
			qd.SetOutput(old)
		}
	})
}

package qd_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime"
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
			if !strings.HasPrefix(dev.String(), "cuda") { // which is of no use any more after a fault
				var f *qd.Fault
				if err := dev.Checked().Launch(printsOnce, qd.Dim(5), x); !errors.As(err, &f) || f.Index != 4 {
					t.Errorf("%s: the fault is %v", test.want, err)
				}
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

// callingBack is a log that calls a function for each record.
type callingBack struct {
	slog.Handler
	call func()
}

func (c callingBack) Handle(ctx context.Context, r slog.Record) error {
	c.call()
	return c.Handler.Handle(ctx, r)
}

// A log that prints, or sets where kernels print, does not wait for the print that it has a warning about.
func TestOutputFailsToALogThatPrints(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		var log, out bytes.Buffer
		defer slog.SetDefault(slog.Default())
		slog.SetDefault(slog.New(callingBack{slog.NewTextHandler(&log, nil), func() {
			qd.SetOutput(&out)
			qd.Printf("the log\n")
		}}))
		defer qd.SetOutput(qd.SetOutput(writerFunc(func([]byte) (int, error) { return 0, errors.New("the disk is full") })))
		x := make([]int32, 4)
		must(t, dev.Launch(printsOnce, qd.Dim(4), x), dev.Wait(), dev.Launch(printsOnce, qd.Dim(4), x), dev.Wait())
		if out.String() != "the log\nx has 4 elements\n" || strings.Count(log.String(), "the disk is full") != 1 {
			t.Errorf("printed is %q, logged %s", &out, &log)
		}
	})
}

// A writer that ends its goroutine, as a test does that fails at once, ends nothing else.
func TestOutputEndsGoroutine(t *testing.T) {
	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer qd.SetOutput(qd.SetOutput(writerFunc(func([]byte) (int, error) {
		runtime.Goexit()
		return 0, nil
	})))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		qd.Printf("lost\n")
	}()
	<-ended
	if !strings.Contains(log.String(), "qd.SetOutput: it ends its goroutine with runtime.Goexit") || strings.Contains(log.String(), "short write") {
		t.Errorf("the log is %s", &log)
	}
}

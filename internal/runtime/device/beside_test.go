package device

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/runtime/kernel"
)

// noContext is that of a launch without one.
var noContext context.Context

// TestBeside has a build fail once: the next launch tries again, and then there is one for all.
func TestBeside(t *testing.T) {
	failed := errors.New("the disk is full")
	builds := 0
	b := &beside[int]{of: new(kernel.Func), build: func(context.Context) (int, error) {
		if builds++; builds == 1 {
			return 0, failed
		}
		return 7, nil
	}}
	if _, err := b.get(noContext); err != failed {
		t.Errorf("error %v, want %v", err, failed)
	}
	for range 2 {
		if v, err := b.get(noContext); v != 7 || err != nil || builds != 2 {
			t.Errorf("%d, error %v after %d builds, want 7 after 2", v, err, builds)
		}
	}
}

// TestBesideContext has the context of a launch end while it builds, and while it waits for the build of another one. That
// one goes on, and a launch without a context waits for it, or builds again.
func TestBesideContext(t *testing.T) {
	began, goOn := make(chan bool), make(chan bool)
	b := &beside[int]{of: new(kernel.Func), build: func(ctx context.Context) (int, error) {
		began <- true
		select {
		case <-goOn:
			return 7, nil
		case <-ctx.Done():
			return 0, fmt.Errorf("clang: killed: %w", ctx.Err())
		}
	}}
	type answer struct {
		v   int
		err error
	}
	get := func(within context.Context) chan answer {
		c := make(chan answer, 1)
		go func() {
			v, err := b.get(within)
			c <- answer{v, err}
		}()
		return c
	}
	ends, end := context.WithCancel(context.Background())
	first := get(ends)
	<-began
	second := get(noContext) // which waits for the first one, then builds
	end()
	if a := <-first; !errors.Is(a.err, context.Canceled) || strings.Contains(a.err.Error(), "clang") {
		t.Errorf("error %v, want one that says that the context has ended", a.err)
	}
	<-began
	if a := <-get(ends); !errors.Is(a.err, context.Canceled) {
		t.Errorf("error %v of a launch whose context has ended, want %v", a.err, context.Canceled)
	}
	goOn <- true
	if a := <-second; a != (answer{7, nil}) {
		t.Errorf("%d, error %v, want 7", a.v, a.err)
	}
}

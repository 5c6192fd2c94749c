package failure

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

type named string

func (n named) Name() string { return string(n) }

// A build that its context has ended says so, whatever was stopped. Other errors stay.
func TestBuilding(t *testing.T) {
	enough := errors.New("enough")
	ends, end := context.WithCancelCause(context.Background())
	end(enough)
	wrong := errors.New("clang: kernel.cpp:1: error")
	for _, tt := range []struct {
		err    error
		within context.Context
		ended  bool
	}{
		{nil, ends, false},
		{nil, nil, false},
		{wrong, ends, false},
		{wrong, nil, false},
		{context.DeadlineExceeded, nil, false}, // of the compiler's own time
		{context.DeadlineExceeded, context.Background(), false},
		{fmt.Errorf("clang was stopped: %w", context.Canceled), ends, true},
		{fmt.Errorf("clang was stopped: %w", enough), ends, true},
	} {
		err := Building(named("k"), tt.err, tt.within)
		if !tt.ended && err != tt.err {
			t.Errorf("%v became %v", tt.err, err)
		}
		if tt.ended && (!errors.Is(err, enough) || strings.Contains(err.Error(), "clang") || !strings.Contains(err.Error(), "build of k: ended before")) {
			t.Errorf("%v became %v", tt.err, err)
		}
	}
}

package equal

import (
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
)

func TestMain(m *testing.M) { ptest.Main(m) }

// A pipeline fails if an element is missing, or another one, or is there more often.
func TestValues(t *testing.T) {
	for _, tt := range []struct {
		want []any
		err  string // a part of it, "" for none
	}{
		{[]any{3, 1, 2, 2}, ""},
		{[]any{1, 2, 3}, "not wanted:\nint 2\nmissing:\n\n"},
		{[]any{1, 2, 2, 3, 3}, "not wanted:\n\nmissing:\nint 3"},
		{[]any{1, 2, 2, 4}, "not wanted:\nint 3\nmissing:\nint 4"},
		{[]any{1, 2, 2, int64(3)}, "not wanted:\nint 3\nmissing:\nint64 3"},
		{nil, "there are 4 elements, want 0"},
	} {
		p, s := beam.NewPipelineWithRoot()
		Values(s, beam.Create(s, 1, 2, 2, 3), tt.want...)
		err := ptest.Run(p)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error()+"\n", tt.err) {
			t.Errorf("%v: the error is %v, want %q", tt.want, err, tt.err)
		}
	}
}

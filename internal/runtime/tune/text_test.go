package tune_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/tune"
)

// vague has values of which its String method says the same.
type vague int

func (vague) String() string { return "some" }

type ofVague struct {
	first, Second vague
	name          string
}

// The text of a value tells it apart from others of its type, whatever String methods say. What can be much counts with
// its shape.
func TestText(t *testing.T) {
	array := qd.Zeros[float32](goDevice(t), 2, 3)
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "nil"},
		{3, "3"},
		{uint8(200), "200"},
		{float32(0.1), "0.1"},
		{math.Copysign(0, -1), "-0"},
		{complex(1, 2), "(1+2i)"},
		{true, "true"},
		{`a", b`, `"a\", b"`},
		{vague(1), "some(1)"},
		{[2]vague{1, 2}, "[some(1) some(2)]"},
		{ofVague{1, 2, "x y"}, `{first:some(1) Second:some(2) name:"x y"}`},
		{qd.ToFloat16(1.5), "1.5"},
		{struct {
			x []int
			a *qd.Array[float32]
		}{make([]int, 5), array}, "{x:5 a:2x3}"},
		{math.Sqrt, "math.Sqrt"},
	} {
		if got := tune.AppendArg(nil, c.value, true); string(got) != c.want {
			t.Errorf("%#v is %q, want %q", c.value, got, c.want)
		}
	}
	if short := tune.AppendArg(nil, ofVague{1, 2, ""}, false); string(short) != `{first:1 Second:2 name:""}` {
		t.Errorf("without the names it is %q", short)
	}
}

func goDevice(t *testing.T) *qd.Device {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	return dev
}

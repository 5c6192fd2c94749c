package opt_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
)

// What is fused, with which signs, and what is not.
func TestFuse(t *testing.T) {
	for name, c := range map[string]struct {
		make func(b ssatest.Builder, x, y, z *ssa.Value) *ssa.Value
		want string // the instructions after the product
	}{
		"sum":            {func(b ssatest.Builder, p, _, z *ssa.Value) *ssa.Value { return b.Op(ssa.OpAdd, p, z) }, "math muladd x.v0, y.v1, z.v2"},
		"sum, other way": {func(b ssatest.Builder, p, _, z *ssa.Value) *ssa.Value { return b.Op(ssa.OpAdd, z, p) }, "math muladd x.v0, y.v1, z.v2"},
		"difference":     {func(b ssatest.Builder, p, _, z *ssa.Value) *ssa.Value { return b.Op(ssa.OpSub, p, z) }, "neg z.v2; math muladd x.v0, y.v1, v5"},
		"other way":      {func(b ssatest.Builder, p, _, z *ssa.Value) *ssa.Value { return b.Op(ssa.OpSub, z, p) }, "neg x.v0; math muladd v5, y.v1, z.v2"},
		"product twice":  {func(b ssatest.Builder, p, _, _ *ssa.Value) *ssa.Value { return b.Op(ssa.OpAdd, p, p) }, "math muladd x.v0, y.v1, v3"},
		"converted": {func(b ssatest.Builder, p, _, z *ssa.Value) *ssa.Value {
			return b.Op(ssa.OpAdd, b.Append(&ssa.Instr{Op: ssa.OpConvert, Args: []*ssa.Value{p}}, p.Type).Result(), z)
		}, "convert v3; add v3, z.v2"},
		"no product": {func(b ssatest.Builder, _, y, z *ssa.Value) *ssa.Value { return b.Op(ssa.OpAdd, y, z) }, "add y.v1, z.v2"},
	} {
		m := &ssa.Module{Name: "f"}
		params := []*ssa.Value{ssatest.Arg(ssa.Float32, "x"), ssatest.Arg(ssa.Float32, "y"), ssatest.Arg(ssa.Float32, "z")}
		f := ssatest.AddFunc(m, "f", false, params, []ssa.Type{ssa.Float32}, func(b ssatest.Builder, p []*ssa.Value) {
			r := c.make(b, b.Op(ssa.OpMul, p[0], p[1]), p[1], p[2])
			b.Append(&ssa.Instr{Op: ssa.OpReturn, Args: []*ssa.Value{r}})
		})
		opt.Fuse(f)
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var ops []string
		for _, op := range regexp.MustCompile(`(?m)v\d+:float32 = (.*)$`).FindAllStringSubmatch(f.String(), -1) {
			ops = append(ops, op[1])
		}
		if got := strings.Join(ops[1:], "; "); got != c.want {
			t.Errorf("%s: %s, want %s\n%v", name, got, c.want, f)
		}
	}
}

// Integers stay as they are: products of them are exact.
func TestFuseIntegers(t *testing.T) {
	m := &ssa.Module{Name: "f"}
	f := ssatest.AddFunc(m, "f", false, []*ssa.Value{ssatest.Arg(ssa.Int64, "x")}, []ssa.Type{ssa.Int64}, func(b ssatest.Builder, p []*ssa.Value) {
		b.Append(&ssa.Instr{Op: ssa.OpReturn, Args: []*ssa.Value{b.Op(ssa.OpAdd, b.Op(ssa.OpMul, p[0], p[0]), p[0])}})
	})
	if opt.Fuse(f) {
		t.Errorf("fused:\n%v", f)
	}
}

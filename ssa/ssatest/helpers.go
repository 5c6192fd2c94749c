package ssatest

import (
	"strings"

	"github.com/qdgen/qd/ssa"
)

// Count is a loop of i from lo by step while "i op n".
func Count(b Builder, lo, n *ssa.Value, op ssa.Op, step int64, do func(b Builder, i *ssa.Value)) {
	b.Loop([]*ssa.Value{lo}, func(b Builder, v []*ssa.Value) *ssa.Value { return b.Op(op, v[0], n) },
		func(b Builder, loop *ssa.Instr, v []*ssa.Value) { do(b, v[0]); b.Next(loop, v...) },
		func(b Builder, v []*ssa.Value) []*ssa.Value {
			if step < 0 {
				return []*ssa.Value{b.Op(ssa.OpSub, v[0], b.Int(v[0].Type, -step))}
			}
			return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(v[0].Type, step))}
		})
}

// When is an If with a block.
func When(b Builder, cond *ssa.Value, do func(b Builder)) {
	b.IfElse(cond, nil, func(b Builder) { do(b); b.Yield() }, nil)
}

// AndAlso is Go's x && y, orElse x || y.
func AndAlso(b Builder, x *ssa.Value, y func(b Builder) *ssa.Value) *ssa.Value {
	return b.IfElse(x, []ssa.Type{ssa.Bool}, func(b Builder) { b.Yield(y(b)) }, func(b Builder) { b.Yield(b.Bool(false)) }).Result()
}

// Emit appends an instruction of one result to a block.
func Emit(b *ssa.Block, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return b.Append(&ssa.Instr{Op: op, Args: args}, t).Result()
}

// EmitStore appends a store.
func EmitStore(b *ssa.Block, addr, v *ssa.Value) {
	b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{addr, v}})
}

// Params are the parameters of the functions under test.
type Params struct {
	A, B, C, X, Y, S *ssa.Value
	Module           *ssa.Module
}

// testFunc is a device function (a, b int64, c bool, x, y float32, s []int64),
// after those that build adds to the module.
func Kernel(m *ssa.Module, build func(b Builder, p Params)) *ssa.Func {
	args := []*ssa.Value{Arg(ssa.Int64, "a"), Arg(ssa.Int64, "b"), Arg(ssa.Bool, "c"), Arg(ssa.Float32, "x"), Arg(ssa.Float32, "y"), Arg(ssa.Slice{Elem: ssa.Int64}, "s")}
	f := AddFunc(m, "f", false, args, nil, func(b Builder, p []*ssa.Value) {
		build(b, Params{p[0], p[1], p[2], p[3], p[4], p[5], m})
	})
	m.Funcs = append(m.Funcs[1:], f)
	return f
}

// Body is a function's text without its first and last line, one level out.
func Body(f *ssa.Func) string {
	lines := strings.Split(f.String(), "\n")
	return Outdent(strings.Join(lines[1:len(lines)-2], "\n"))
}

// Outdent takes the indentation of the first line off all lines of a text, and
// empty lines off its ends.
func Outdent(text string) string {
	text = strings.Trim(text, "\n")
	indent := text[:len(text)-len(strings.TrimLeft(text, "\t"))]
	return strings.TrimPrefix(strings.ReplaceAll(text, "\n"+indent, "\n"), indent)
}

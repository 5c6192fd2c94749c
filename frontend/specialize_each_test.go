package frontend

import (
	"testing"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// Of several kernels those are lowered that can be without anybody noticing, whatever is
// wrong with the others.
func TestSpecializeEach(t *testing.T) {
	src := sources(t, onePackage("k", "k/k.go", `package k

import (
	"os"

	"github.com/qdgen/qd"
)

var Scale = 2

func fine(t qd.Thread, x []int) { x[t.ID()] *= 3 }

func unrolled(t qd.Thread, x []int) {
	for i := range qd.Static(100) {
		x[t.ID()] += i
	}
}

func scaled(t qd.Thread, x []int) { x[t.ID()] *= Scale }

func large(t qd.Thread, x []int) {
	for i := range qd.Static(1000) {
		x[t.ID()] += i*i*i*i*i*i*i*i + i*i*i*i*i*i*i*i
	}
}

func generic[T qd.Number](t qd.Thread, x []T) { x[t.ID()] *= 3 }

func constant(t qd.Thread, n qd.Const[int], x []int) { x[t.ID()] *= n.V }

func refused(t qd.Thread, x []int) { go fine(t, x) }

func untyped(t qd.Thread, x []int) { x[0] = "one" }

func prints(t qd.Thread, x []int) { qd.StaticPrint("hello") }

func runs(t qd.Thread, x []int) { x[t.ID()] = qd.Static(len(os.Args)) }

func asserts(t qd.Thread, x []int) { qd.StaticAssert(false, "never") }

type holder struct{}

func (holder) Kernel(t qd.Thread, x []int) { x[t.ID()] = 1 }
`))
	env := &table{vars: map[string]comptime.Value{"k.Scale": {Kind: comptime.Int, Type: "int", Bits: 5}}}
	all := []string{"untyped", "fine", "unrolled", "scaled", "large", "generic", "constant", "refused", "prints", "runs", "asserts", "holder.Kernel"}
	want := map[string]bool{"fine": true, "unrolled": true, "scaled": true}
	for len(all) > 0 {
		var refs []load.Ref
		for _, name := range all {
			refs = append(refs, load.Ref{Pkg: "k", Name: name})
		}
		for i, s := range SpecializeEach(Options{Env: env}, src, refs...) {
			name := all[i]
			switch {
			case (s != nil) != want[name]:
				t.Errorf("of %d kernels: %s is lowered: %t", len(all), name, s != nil)
			case s == nil:
			case ssa.Verify(s.Module) != nil || s.Module.Name != name:
				t.Errorf("%s has the module %s", name, s.Module)
			case (len(s.Asked) == 1) != (name == "scaled"):
				t.Errorf("%s has asked %v", name, s.Asked)
			}
		}
		all = all[1:]
	}
	if list := SpecializeEach(Options{}, src); len(list) != 0 {
		t.Errorf("of no kernels there are %d", len(list))
	}
}

package build

import (
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/ssa"
)

// An ABI is what a launch must know of a compiled kernel. It is kept in the
// cache beside the artifact.
type ABI struct {
	Symbol  string          // of the entry point
	Rank    int             // dimensions a launch must have, 0 for any
	Size    int             // bytes of the argument struct
	Params  []Param         // the kernel's, without its Thread
	Formats []printf.Format // of its printf calls
}

// A Param is one parameter of a kernel.
type Param struct {
	Name    string
	Type    string // in Go's notation, "float32" or "[]float32"
	Offset  int    // in the argument struct
	Written bool   // of a slice: whether the kernel may write to its elements
}

// abiOf describes the only kernel of a module.
func abiOf(m *ssa.Module) *ABI {
	k := m.Kernels()[0]
	layout := emit.ArgsLayout(k)
	abi := &ABI{Symbol: emit.Symbol(k), Rank: k.Rank, Size: layout.Size}
	written := writtenParams(k)
	for i, p := range k.Params()[1:] {
		abi.Params = append(abi.Params, Param{
			Name:    p.Name,
			Type:    p.Type.String(),
			Offset:  layout.Offsets[i],
			Written: written[p],
		})
	}
	for _, f := range m.Formats {
		pf := printf.Format{Text: f.Text}
		for _, a := range f.Args {
			pf.Args = append(pf.Args, printf.Arg{Kind: a.Type.String(), GoType: a.GoType})
		}
		abi.Formats = append(abi.Formats, pf)
	}
	return abi
}

// writtenParams finds the slice parameters whose elements a kernel may write:
// those that are the root of an address that is stored through or updated
// atomically. A slice or an address that takes another way (a call, the result
// of an If or a Loop) counts as written: the answer may only err on that side,
// because what is not written is not copied back from the device.
func writtenParams(k *ssa.Func) map[*ssa.Value]bool {
	written := make(map[*ssa.Value]bool)
	mark := func(v *ssa.Value) {
		for v.Def != nil && (v.Def.Op == ssa.OpIndexAddr || v.Def.Op == ssa.OpSubslice) {
			v = v.Def.Args[0]
		}
		written[v] = true
	}
	k.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoad, ssa.OpLen, ssa.OpIndexAddr, ssa.OpSubslice:
			return // reads, or only makes an address
		case ssa.OpStore, ssa.OpAtomic:
			mark(in.Args[0])
			return
		}
		for _, a := range in.Args {
			switch a.Type.(type) {
			case ssa.Slice, ssa.Pointer:
				mark(a)
			}
		}
	})
	return written
}

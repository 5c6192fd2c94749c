package build

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/abi"
)

// An ABI tells a launch how to call a compiled kernel. The cache keeps it beside the artifact.
type ABI struct {
	Symbol       string               // of the entry point
	Rank         int                  // dimensions a launch must have, 0 for any
	Size         int                  // bytes of the argument struct
	Sizes        abi.Sizes            // where it has the sizes of the launch
	Blocked      bool                 // results may depend on the number of threads in a block: the argument struct has it
	Block        bool                 // the kernel is the code of a block: a launch is over blocks
	Ordered      bool                 // its results may depend on the order of its threads: see [analysis.Ordered]
	Params       []Param              // the kernel's parameters, without its Thread
	Prints       bool                 // it has printf calls
	Formats      []printf.Format      // of the printf calls of all kernels in the module
	Sites        []abi.FaultSite      // of its checks and panics; if it has any, the artifact has fault records
	Record       int                  `json:",omitempty"` // which of these is the kernel's
	Hoisted      *Hoisted             // the kernel with fewer checks, nil if there is none
	Small        *Small               `json:",omitempty"` // the launches that it is built for, nil for all
	Lanes        int                  `json:",omitempty"` // how many threads run at once in vectors, 0 for one
	Collapse     []*target.LaunchTest `json:",omitempty"` // of launches in which axes are one with those behind them, see [target.Collapse]
	Interchanged int                  `json:",omitempty"` // 1 more than the axis of its launches that has changed places with the last one, 0 for none
}

// hoistedSymbol is the entry point of the kernel with fewer checks, "" if there is none.
func (a *ABI) hoistedSymbol() string {
	if a.Hoisted == nil {
		return ""
	}
	return a.Hoisted.Symbol
}

// A Param is one parameter of a kernel.
type Param struct {
	Name    string
	Type    string // in Go's notation, "float32" or "[]float32"
	Offset  int    // in the argument struct
	Size    int    // in bytes
	Read    bool   // whether the kernel may read elements of a slice, alone or in a struct
	Written bool   // and whether it may write to some

	// Fields is the type in Go's notation with the fields of structs in the place of their names,
	// "[]{A float32; B int64}"; "" where Type says it all.
	Fields string `json:",omitempty"`
}

// abiOf describes a kernel of a module.
func abiOf(m *ssa.Module, k *ssa.Func, hoisted *Hoisted, layout abi.Layout) *ABI {
	abi := &ABI{Symbol: emit.Symbol(k), Rank: k.Rank, Size: layout.Size, Sizes: layout.Sizes, Blocked: abi.Blocked(k, new(analysis.Summaries)), Block: k.Kind == ssa.BlockKernel, Ordered: analysis.Ordered(k), Sites: abi.FaultSites(m), Hoisted: hoisted, Small: SmallOf(m, k, layout), Interchanged: k.Interchanged}
	memory := new(analysis.Summaries).Memory(k)
	for i, p := range k.Params()[1:] {
		abi.Params = append(abi.Params, paramOf(p, layout.Offsets[i], memory))
	}
	abi.Collapse = target.Collapse(k)
	abi.Formats = formatsOf(m)
	abi.Prints = len(abi.Formats) > 0
	return abi
}

// noteLanes notes how many threads of each kernel run at once, after a stage has decided that.
func (m *Module) noteLanes(ir *ssa.Module) {
	abis := []*ABI{m.ABI}
	if m.Backward != nil {
		abis = append(append(abis, m.Backward.Count), m.Backward.Gather.kernels()...)
	}
	if m.Grid != nil {
		abis = slices.AppendSeq(abis, maps.Values(m.Grid.Kernels))
	}
	lanes := map[string]int{}
	for _, k := range ir.Device().Kernels() {
		if k.Phased || k.Kind == ssa.BlockKernel { // of these a launch sees blocks alone
			continue
		}
		wide := k.Wide
		if k.Interior != nil {
			wide = k.Interior.Inside.Wide
		}
		if wide != nil && wide.By != nil {
			lanes[emit.Symbol(k)] = wide.Lanes
		}
	}
	for _, a := range abis {
		if a != nil {
			a.Lanes = max(lanes[a.Symbol], lanes[a.hoistedSymbol()]) // with checks, threads run alone
		}
	}
}

// paramOf describes the parameter at an offset in the argument struct.
func paramOf(p *ssa.Value, offset int, memory *analysis.Memory) Param {
	use := memory.Use(p)
	return Param{
		Name:    p.Name,
		Type:    p.Type.String(),
		Offset:  offset,
		Size:    p.Type.Size(),
		Read:    use&analysis.Read != 0,
		Written: use&analysis.Written != 0,
		Fields:  fieldsOf(p.Type),
	}
}

func formatsOf(m *ssa.Module) []printf.Format {
	var formats []printf.Format
	for _, f := range m.Formats {
		pf := printf.Format{Text: f.Text}
		for _, a := range f.Args {
			pf.Args = append(pf.Args, printf.Arg{Kind: a.Type.String(), GoType: a.GoType})
		}
		formats = append(formats, pf)
	}
	return formats
}

// fieldsOf is a type for [Param].Fields.
func fieldsOf(t ssa.Type) string {
	if text := withFields(t); text != t.String() {
		return text
	}
	return ""
}

func withFields(t ssa.Type) string {
	switch t := t.(type) {
	case ssa.Slice:
		return "[]" + withFields(t.Elem)
	case ssa.Array:
		return "[" + strconv.Itoa(t.Len) + "]" + withFields(t.Elem)
	case *ssa.Struct:
		fields := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = f.Name + " " + withFields(f.Type)
		}
		return "{" + strings.Join(fields, "; ") + "}"
	}
	return t.String()
}

// Uses tells which parameters of an optimized kernel lead to memory that it may read, and which to memory that it may
// write. The first parameter is left out.
func Uses(m *ssa.Module) (read, written []bool) {
	f := m.Host()
	var params []*ssa.Value
	if f != nil {
		params = f.Params()
	} else {
		f = m.Kernels()[0]
		params = f.Params()[1:]
	}
	memory := new(analysis.Summaries).Memory(f)
	for _, p := range params {
		use := memory.Use(p)
		read, written = append(read, use&analysis.Read != 0), append(written, use&analysis.Written != 0)
	}
	return read, written
}

package cost

import (
	"fmt"
	"strings"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/nvrtc/cubin"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

// A Kernel is what one kernel costs on one architecture. Sizes are bytes, and for each
// thread where nothing else is said.
type Kernel struct {
	Package     string     `json:"package"`
	Kernel      string     `json:"kernel"`
	Arch        string     `json:"arch"`
	Registers   int        `json:"registers"`
	Frame       int        `json:"frame"`       // the stack frame
	SpillStores int        `json:"spillStores"` // of all instructions that store for want of registers, each counted once
	SpillLoads  int        `json:"spillLoads"`
	Shared      int        `json:"shared"`     // for each block
	Local       int        `json:"local"`      // the frame, with those of the functions below it; -1 where recursion lets nobody tell
	Constant    int        `json:"constant"`   // for each launch: parameters, what the driver passes, literals
	Code        int        `json:"code"`       // of the kernel, with the functions that are not inlined
	MaxThreads  int        `json:"maxThreads"` // in a block, as far as registers allow
	Functions   []Function `json:"functions,omitempty"`
	Warnings    []Warning  `json:"warnings,omitempty"`
}

// A Function is a device function that the compiler has not inlined.
type Function struct {
	Name  string `json:"name"` // in Go, or in CUDA's library
	Frame int    `json:"frame"`
	Code  int    `json:"code"`
}

// A Warning is a use of local memory.
type Warning struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Kind   Kind   `json:"kind"`
	Local  string `json:"local,omitempty"` // the Go variable, where it is known
	Text   string `json:"text"`
	Hint   string `json:"hint,omitempty"`
	Stores int    `json:"stores"` // bytes that instructions store, each counted once
	Loads  int    `json:"loads"`
}

// Kind is the way into local memory.
type Kind string

// The kinds of warnings.
const (
	Array   Kind = "array"   // an array that is indexed at run time
	Spill   Kind = "spill"   // values for which there are no registers
	Library Kind = "library" // a function of CUDA's library: nothing to warn of
	Unknown Kind = "local"   // one of the first two: before CUDA 12, cubins do not tell them apart
)

// Measure compiles the text of a module for an architecture such as sm_90 and says what each of its
// kernels costs, in the order of the source.
func Measure(m *ssa.Module, text *emit.Text, lib *nvrtc.Library, arch string) ([]*Kernel, error) {
	if !strings.HasPrefix(arch, "sm_") {
		return nil, fmt.Errorf("the cost of a kernel is read from machine code, which exists for architectures such as sm_90, not for %s", arch)
	}
	made, err := lib.Compile(text.Source, m.Name+".cu", nvrtc.Options{Arch: arch, LineInfo: true, Usage: true})
	if err != nil {
		return nil, err
	}
	return Of(m, text, lib, arch, made)
}

// Of is [Measure] of what has been compiled already, with the options LineInfo and Usage.
func Of(m *ssa.Module, text *emit.Text, lib *nvrtc.Library, arch string, made *nvrtc.Result) ([]*Kernel, error) {
	if made.Cubin == nil {
		return nil, fmt.Errorf("%s produces no machine code: it is older than CUDA 11.1; the cost of kernels needs a newer one", lib)
	}
	file, err := cubin.Read(made.Cubin)
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", lib, arch, err)
	}
	return report(m.Device(), text, made, file, arch), nil
}

// report puts together what is known of the kernels of a module.
func report(m *ssa.Module, text *emit.Text, made *nvrtc.Result, file *cubin.File, arch string) []*Kernel {
	bySymbol := make(map[string]*cubin.Kernel, len(file.Kernels))
	for _, k := range file.Kernels {
		bySymbol[k.Name] = k
	}
	usage := made.Usage()
	frames := hasFrames(made.PTX)
	var list []*Kernel
	for _, f := range m.Kernels() {
		c := bySymbol[emit.Symbol(f)]
		if c == nil {
			panic("BUG: kernel " + f.Name + " is not in the cubin")
		}
		k := &Kernel{
			Kernel:      f.Name,
			Arch:        arch,
			Registers:   c.Registers,
			Frame:       c.Frame,
			SpillStores: usage[c.Name].SpillStores,
			SpillLoads:  usage[c.Name].SpillLoads,
			Shared:      c.Shared,
			Local:       c.Local,
			Constant:    c.Constant,
			Code:        c.Code,
			MaxThreads:  maxThreads(c),
		}
		if abi.OnePiece(f) {
			_, bytes := abi.BlockMemory(f)
			k.Shared += bytes // which the launch asks for
		}
		for _, fn := range c.Functions {
			k.Functions = append(k.Functions, Function{Name: goName(m, fn.Name), Frame: fn.Frame, Code: fn.Code})
		}
		x := &explainer{kernel: k, cubin: c, fn: f, lines: text.Lines, locals: localsOf(m), own: namesOf(m), frames: frames}
		k.Warnings = x.warnings()
		list = append(list, k)
	}
	return list
}

// namesOf are the names of a module's device functions.
func namesOf(m *ssa.Module) (list []string) {
	for _, f := range m.Funcs {
		if !f.Kernel {
			list = append(list, f.Name)
		}
	}
	return list
}

// maxThreads is the number of threads that a block of a kernel can have: by its launch
// bounds, and by the registers of a multiprocessor. Those are 64 Ki in four parts, each of
// which holds whole warps, and each warp takes them by the 256 (CUDA C++ Programming
// Guide, technical specifications per compute capability; the occupancy calculator of
// Nsight Compute).
func maxThreads(k *cubin.Kernel) int {
	const most = 1024
	threads := most
	if k.MaxThreads > 0 {
		threads = min(threads, k.MaxThreads)
	}
	if k.Registers > 0 {
		threads = min(threads, part/registersOfWarp(k.Registers)*parts*warp)
	}
	return threads
}

// A multiprocessor's registers.
const (
	warp  = 32
	parts = 4
	part  = 64 << 10 / parts
)

// registersOfWarp is how many registers a warp takes whose threads have so many.
func registersOfWarp(registers int) int {
	const unit = 256
	return (registers*warp + unit - 1) / unit * unit
}

// goName is the Go name of a device function, given the name that C++ has for it, which
// has the emitted one in it behind its length: _ZN12_GLOBAL__N_13sumE5arrayIfLl12EEx is
// of sum. A function of CUDA's library keeps its name.
func goName(m *ssa.Module, symbol string) string {
	best, length := symbol, 0
	for _, f := range m.Funcs {
		emitted := emit.Symbol(f)
		if len(emitted) > length && strings.Contains(symbol, fmt.Sprint(len(emitted), emitted)) {
			best, length = f.Name, len(emitted)
		}
	}
	return best
}

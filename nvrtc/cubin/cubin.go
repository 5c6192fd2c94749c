package cubin

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A File has the facts about the kernels of a cubin.
type File struct {
	Arch      int // the compute capability: 90 for sm_90
	Constant  int // bytes of constant memory that all kernels share: tables of the source
	Global    int // bytes of global memory: variables of the source
	Kernels   []*Kernel
	Functions []*Function // device functions in sections of their own, which any kernel may call
}

// A Kernel has the resources of one kernel, per thread unless noted otherwise.
type Kernel struct {
	Name         string
	Registers    int
	MaxRegisters int // that the compiler was allowed
	MaxThreads   int // in a block, of __launch_bounds__; 0 if nothing was said
	Frame        int // bytes of the kernel's own stack frame
	Local        int // bytes of local memory: the frame, those of the functions below it, and variables; -1 where recursion lets nobody tell
	Shared       int // bytes for each block, without what a launch adds
	Constant     int // bytes of its own, for the launch: parameters, what the driver passes, and literals
	Params       int // bytes of the parameters alone
	Code         int // bytes, with the functions that are not inlined

	Functions []*Function // in its code: those that were not inlined
	Accesses  []Access    // its instructions that go to local memory, in the order of the code

	spills  []uint32 // offsets of those that the file calls spills
	endless bool     // the stack of its functions has no bound
}

// A Function is a device function that was not inlined.
type Function struct {
	Name   string // without what the compiler puts before it
	Offset int    // in the code that it is part of
	Code   int    // bytes
	Frame  int    // bytes of its stack frame

	Accesses []Access // of one with a section of its own; else they are among the kernel's
}

// An Access is an instruction that loads from local memory or stores to it.
type Access struct {
	Offset int  // of the instruction in the code
	Store  bool // else a load
	Bytes  int  // for each thread
	// Spill says that the compiler has put it there for want of registers. It is known
	// only where the file is annotated so, from CUDA 12 on: see [Kernel.Annotated].
	Spill bool
	Lines []Line // where it comes from: the line itself, then the calls around it, inlined; nil without line information
}

// A Line is a line of source, as #line directives give it.
type Line struct {
	File string
	Line int
}

// Annotated reports whether the file tells which accesses are spills: whether it says so
// of any.
func (k *Kernel) Annotated() bool {
	return slices.ContainsFunc(k.Accesses, func(a Access) bool { return a.Spill })
}

// A FormatError says that data is no cubin, or a damaged one.
type FormatError struct {
	Where string // the section, "" for the whole
	Err   error
}

func (e *FormatError) Error() string {
	if e.Where == "" {
		return fmt.Sprintf("not a cubin: %v", e.Err)
	}
	return fmt.Sprintf("damaged cubin: section %s: %v", e.Where, e.Err)
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// Numbers of the format.
const (
	machineCUDA = 190  // e_machine, EM_CUDA
	entryPoint  = 0x10 // in st_other: STO_CUDA_ENTRY

	// reservedShared is what a block's shared memory begins with from sm_90 on: the
	// system's, which the section counts and ptxas does not.
	reservedShared     = 1024
	reservedSharedArch = 90
)

// Read reads a cubin. The error is a *FormatError.
func Read(data []byte) (*File, error) {
	r, err := open(data)
	if err != nil {
		return nil, err
	}
	if err := r.entries(); err != nil {
		return nil, err
	}
	if err := r.info(); err != nil {
		return nil, err
	}
	if err := r.sizes(); err != nil {
		return nil, err
	}
	if err := r.accesses(); err != nil {
		return nil, err
	}
	slices.SortFunc(r.file.Kernels, func(a, b *Kernel) int { return strings.Compare(a.Name, b.Name) })
	return r.file, nil
}

// A reader is a cubin being read.
type reader struct {
	elf     *elf.File
	symbols []elf.Symbol // by their number
	file    *File

	kernels   map[int]*Kernel   // by the number of the section of their code
	functions map[int]*Function // by the number of the symbol
}

// open reads the header, the sections and the symbols.
func open(data []byte) (*reader, error) {
	if len(data) >= 24 && bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		// Up to ABI 7 the version is that of CUDA, and package elf wants ELF's there.
		data = slices.Clone(data)
		binary.LittleEndian.PutUint32(data[20:], uint32(elf.EV_CURRENT))
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, &FormatError{Err: err}
	}
	if f.Machine != machineCUDA || f.Class != elf.ELFCLASS64 || f.ByteOrder != binary.LittleEndian {
		return nil, &FormatError{Err: fmt.Errorf("an ELF file for %v", f.Machine)}
	}
	r := &reader{elf: f, file: new(File), kernels: make(map[int]*Kernel), functions: make(map[int]*Function)}
	flags := binary.LittleEndian.Uint32(data[48:])
	r.file.Arch = int(flags & 0xff)
	if f.ABIVersion >= 8 {
		r.file.Arch = int(flags >> 8 & 0xff)
	}
	symbols, err := f.Symbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return nil, &FormatError{Where: ".symtab", Err: err}
	}
	r.symbols = append([]elf.Symbol{{}}, symbols...) // package elf leaves out the first, which is empty
	return r, nil
}

// section is a section by its number, nil if there is none.
func (r *reader) section(index int) *elf.Section {
	if index <= 0 || index >= len(r.elf.Sections) {
		return nil
	}
	return r.elf.Sections[index]
}

// byName are the kernels by their names.
func (r *reader) byName() map[string]*Kernel {
	all := make(map[string]*Kernel, len(r.file.Kernels))
	for _, k := range r.file.Kernels {
		all[k.Name] = k
	}
	return all
}

// contents are the bytes of a section, which may be none.
func contents(s *elf.Section) ([]byte, error) {
	if s.Type == elf.SHT_NOBITS {
		return nil, nil
	}
	b, err := s.Data()
	if err != nil {
		return nil, &FormatError{Where: s.Name, Err: err}
	}
	return b, nil
}

// entries finds the kernels and the functions: symbols of sections with code.
func (r *reader) entries() error {
	isCode := func(s elf.Symbol) (*elf.Section, bool) {
		code := r.section(int(s.Section))
		return code, elf.ST_TYPE(s.Info) == elf.STT_FUNC && code != nil && strings.HasPrefix(code.Name, ".text.")
	}
	for _, s := range r.symbols {
		code, ok := isCode(s)
		if !ok || s.Other&entryPoint == 0 {
			continue
		}
		if other := r.kernels[int(s.Section)]; other != nil {
			return &FormatError{Where: code.Name, Err: fmt.Errorf("it belongs to %s and to %s", other.Name, s.Name)}
		}
		k := &Kernel{Name: s.Name, Code: int(code.Size)}
		if r.elf.ABIVersion < 8 {
			k.Registers = int(code.Info >> 24) // where EIATTR_REGCOUNT does not say it
		}
		r.kernels[int(s.Section)] = k
		r.file.Kernels = append(r.file.Kernels, k)
	}
	for i, s := range r.symbols {
		code, ok := isCode(s)
		if !ok || s.Other&entryPoint != 0 {
			continue
		}
		if s.Value > code.Size || s.Size > code.Size-s.Value {
			return &FormatError{Where: code.Name, Err: fmt.Errorf("function %s is outside of it", s.Name)}
		}
		f := &Function{Name: plainName(s.Name), Offset: int(s.Value), Code: int(s.Size)}
		r.functions[i] = f
		if k := r.kernels[int(s.Section)]; k != nil {
			k.Functions = append(k.Functions, f)
		} else {
			r.file.Functions = append(r.file.Functions, f)
		}
	}
	return nil
}

// plainName is the name of a function that stands in a kernel's code:
// "$saxpy$_Z6helperfi" and "$__internal_0_$__cuda_sm20_div_rn_f64_full" are of functions
// that are named by what follows the last dollar sign.
func plainName(name string) string {
	if strings.HasPrefix(name, "$") {
		return name[strings.LastIndexByte(name, '$')+1:]
	}
	return name
}

// sizes adds up the sections that hold memory.
func (r *reader) sizes() error {
	byName := r.byName()
	for _, s := range r.elf.Sections {
		const most = 1 << 40 // of any memory
		if s.Size > most {
			return &FormatError{Where: s.Name, Err: fmt.Errorf("%d bytes", s.Size)}
		}
		size := int(s.Size)
		kind, name, _ := strings.Cut(strings.TrimPrefix(s.Name, ".nv."), ".")
		k := byName[name]
		switch {
		case !strings.HasPrefix(s.Name, ".nv."):
		case kind == "shared" && k != nil:
			if r.file.Arch >= reservedSharedArch && size >= reservedShared {
				size -= reservedShared
			}
			k.Shared += size
		case kind == "local" && k != nil:
			k.Local += size
		case strings.HasPrefix(kind, "constant"):
			if k != nil {
				k.Constant += size
			} else {
				r.file.Constant += size
			}
		case kind == "global":
			r.file.Global += size
		}
	}
	for _, k := range r.file.Kernels {
		if k.endless {
			k.Local = -1
		}
	}
	return nil
}

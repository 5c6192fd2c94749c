package cubin

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"strings"
)

// Formats of an attribute, its first byte. All but the last are four bytes long, with
// the value in the last two.
const (
	formatNone  = 1 // EIFMT_NVAL
	formatByte  = 2 // EIFMT_BVAL
	formatHalf  = 3 // EIFMT_HVAL
	formatSized = 4 // EIFMT_SVAL: the length in two bytes, then so many
)

// Attributes, the second byte.
const (
	attrMaxThreads  = 0x05 // EIATTR_MAX_THREADS: of a block, along x, y and z
	attrReqThreads  = 0x10 // EIATTR_REQNTID: the same, where no other number will do
	attrFrameSize   = 0x11 // EIATTR_FRAME_SIZE: a symbol, bytes
	attrMinStack    = 0x12 // EIATTR_MIN_STACK_SIZE: a symbol, bytes
	attrParamsSize  = 0x19 // EIATTR_CBANK_PARAM_SIZE: bytes
	attrMaxRegs     = 0x1b // EIATTR_MAXREG_COUNT
	attrRegCount    = 0x2f // EIATTR_REGCOUNT: a symbol, registers
	attrAnnotations = 0x55 // EIATTR_ANNOTATIONS: pairs of a kind and an offset in the code

	unknownStack = 1<<32 - 1 // of what calls itself

	annotatedSpill = 1 // the kind of annotation that cuobjdump calls SpillRefill
)

// An attribute of a section .nv.info: its values as words.
type attribute struct {
	kind  byte
	words []uint32
}

// attributes takes a section .nv.info apart. Attributes that are longer than whole words
// lose the rest: none that is used here is.
func attributes(b []byte) ([]attribute, error) {
	var list []attribute
	for len(b) > 0 {
		if len(b) < 4 {
			return nil, errors.New("an attribute is cut off")
		}
		a := attribute{kind: b[1]}
		value := int(binary.LittleEndian.Uint16(b[2:]))
		format := b[0]
		b = b[4:]
		switch format {
		case formatNone:
		case formatByte:
			a.words = []uint32{uint32(value & 0xff)}
		case formatHalf:
			a.words = []uint32{uint32(value)}
		case formatSized:
			if value > len(b) {
				return nil, errors.New("an attribute is longer than the section")
			}
			for v := b[:value]; len(v) >= 4; v = v[4:] {
				a.words = append(a.words, binary.LittleEndian.Uint32(v))
			}
			b = b[value:]
		default:
			return nil, errors.New("an attribute is of no known format")
		}
		list = append(list, a)
	}
	return list, nil
}

// info reads the attributes of all kernels: .nv.info has those that name a symbol,
// .nv.info.NAME those of one kernel.
func (r *reader) info() error {
	byName := r.byName()
	for _, s := range r.elf.Sections {
		name, ok := strings.CutPrefix(s.Name, ".nv.info")
		if !ok {
			continue
		}
		b, err := contents(s)
		if err != nil {
			return err
		}
		list, err := attributes(b)
		if err != nil {
			return &FormatError{Where: s.Name, Err: err}
		}
		k := byName[strings.TrimPrefix(name, ".")]
		for _, a := range list {
			switch {
			case name == "":
				r.ofSymbol(a)
			case k != nil:
				k.set(a)
			}
		}
	}
	return nil
}

// ofSymbol takes in an attribute of a function that it names by its symbol. Others than
// those of functions are left out.
func (r *reader) ofSymbol(a attribute) {
	if len(a.words) < 2 || uint64(a.words[0]) >= uint64(len(r.symbols)) {
		return
	}
	n := int(a.words[1])
	if f := r.functions[int(a.words[0])]; f != nil {
		if a.kind == attrFrameSize {
			f.Frame = n
		}
		return
	}
	s := r.symbols[a.words[0]]
	k := r.kernels[int(s.Section)]
	if k == nil || elf.ST_TYPE(s.Info) != elf.STT_FUNC {
		return
	}
	switch a.kind {
	case attrRegCount:
		k.Registers = n
	case attrFrameSize:
		k.Frame = n
	case attrMinStack:
		if k.endless = k.endless || uint32(n) == unknownStack; !k.endless {
			k.Local += n
		}
	}
}

// set takes in an attribute of the kernel itself. Spills are marked by [reader.accesses].
func (k *Kernel) set(a attribute) {
	switch {
	case len(a.words) == 0:
	case a.kind == attrMaxRegs:
		k.MaxRegisters = int(a.words[0])
	case a.kind == attrParamsSize:
		k.Params = int(a.words[0])
	case a.kind == attrMaxThreads || a.kind == attrReqThreads:
		threads := uint64(1)
		for _, n := range a.words[:min(3, len(a.words))] {
			threads = min(threads*uint64(n), 1<<31) // of three factors below 2^32 none overflows
		}
		k.MaxThreads = int(threads)
	case a.kind == attrAnnotations:
		for w := a.words; len(w) >= 2 && w[0] == annotatedSpill; w = w[2:] {
			k.spills = append(k.spills, w[1])
		}
	}
}

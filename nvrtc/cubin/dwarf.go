package cubin

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"strings"
)

// Opcodes of line programs: DWARF 4, section 6.2.5. Package debug/dwarf reads them too,
// but not the last, which tells what code was inlined for.
const (
	lnsCopy           = 1
	lnsAdvancePC      = 2
	lnsAdvanceLine    = 3
	lnsSetFile        = 4
	lnsConstAddPC     = 8
	lnsFixedAdvancePC = 9

	lneEndSequence = 1
	lneSetAddress  = 2
	lneInlinedCall = 0x90 // DW_LNE_NVIDIA_inlined_call: the row of the call, the name of the function
)

// errCut says that something goes on past the end of what it is in.
var errCut = errors.New("it is cut off")

// A lineProgram reads a section .debug_line.
type lineProgram struct {
	data []byte
	at   int // in data
	end  int // of the unit that is being read

	// sequence gets the rows of each sequence, which is of one section of code, and where
	// its address stands: a relocation of that place tells which.
	sequence func(addressAt int, table []row)

	unit lineUnit
}

// A lineUnit is the header of a line program.
type lineUnit struct {
	minLength  uint64 // of an instruction
	lineBase   int
	lineRange  int
	opcodeBase int
	lengths    []byte // the number of arguments of each standard opcode, less the first
	files      []string
}

// run reads all units.
func (p *lineProgram) run() error {
	for p.at < len(p.data) {
		p.end = len(p.data)
		length := int64(p.fixed(4))
		if length >= 0xfffffff0 || length > int64(len(p.data)-p.at) || p.at > len(p.data) {
			return errCut
		}
		p.end = p.at + int(length)
		if err := p.oneUnit(); err != nil {
			return err
		}
		p.at = p.end
	}
	return nil
}

// oneUnit reads a unit: its header, and the sequences after it.
func (p *lineProgram) oneUnit() error {
	version := p.fixed(2)
	if version < 2 || version > 4 {
		return fmt.Errorf("line information of DWARF %d", version)
	}
	headerLength := p.fixed(4)
	if headerLength > uint64(max(p.end-p.at, 0)) {
		return errCut
	}
	program := p.at + int(headerLength)
	u := lineUnit{minLength: p.fixed(1)}
	if version >= 4 {
		p.fixed(1) // the operations of an instruction, for VLIW
	}
	p.fixed(1) // whether a row begins a statement
	u.lineBase = int(int8(p.fixed(1)))
	u.lineRange = int(p.fixed(1))
	u.opcodeBase = int(p.fixed(1))
	if u.opcodeBase == 0 || u.opcodeBase-1 > p.end-p.at {
		return errCut
	}
	u.lengths = p.data[p.at : p.at+u.opcodeBase-1]
	p.at += u.opcodeBase - 1
	dirs := []string{""}
	for p.at < p.end {
		dir := p.text()
		if dir == "" {
			break
		}
		dirs = append(dirs, dir)
	}
	u.files = []string{""}
	for p.at < p.end {
		name := p.text()
		if name == "" {
			break
		}
		if dir := p.unsigned(); dir < uint64(len(dirs)) && !path.IsAbs(name) {
			name = path.Join(dirs[dir], name)
		}
		p.unsigned() // when it was changed
		p.unsigned() // how long it is
		u.files = append(u.files, name)
	}
	if p.at > p.end || program < p.at {
		return errCut
	}
	p.at, p.unit = program, u
	for p.at < p.end {
		if err := p.oneSequence(); err != nil {
			return err
		}
	}
	return nil
}

// oneSequence runs the program up to the end of a sequence.
func (p *lineProgram) oneSequence() error {
	u := &p.unit
	var table []row
	address, file, line, context := uint64(0), uint64(1), 1, 0
	addressAt := -1
	emit := func() {
		name := ""
		if file < uint64(len(u.files)) {
			name = u.files[file]
		}
		table = append(table, row{address: address, line: Line{File: name, Line: line}, context: context})
	}
	for p.at < p.end {
		op := int(p.fixed(1))
		switch {
		case op >= u.opcodeBase: // a special opcode: both advance, and there is a row
			if u.lineRange == 0 {
				return errors.New("its line range is 0")
			}
			n := op - u.opcodeBase
			address += uint64(n/u.lineRange) * u.minLength
			line += u.lineBase + n%u.lineRange
			emit()
		case op == 0:
			length := p.unsigned()
			if length == 0 || length > uint64(max(p.end-p.at, 0)) {
				return errCut
			}
			next := p.at + int(length)
			switch p.fixed(1) {
			case lneEndSequence:
				p.at = next
				if addressAt >= 0 {
					p.sequence(addressAt, table)
				}
				return nil
			case lneSetAddress:
				addressAt = p.at
				address = p.fixed(8)
			case lneInlinedCall:
				context = int(min(p.unsigned(), 1<<31))
				p.unsigned() // the function's name
			}
			p.at = next
		case op == lnsCopy:
			emit()
		case op == lnsAdvancePC:
			address += p.unsigned() * u.minLength
		case op == lnsAdvanceLine:
			line += int(p.signed())
		case op == lnsSetFile:
			file = p.unsigned()
		case op == lnsConstAddPC:
			if u.lineRange == 0 {
				return errors.New("its line range is 0")
			}
			address += uint64((255-u.opcodeBase)/u.lineRange) * u.minLength
		case op == lnsFixedAdvancePC:
			address += p.fixed(2)
		default: // one that says nothing about lines
			for range u.lengths[op-1] {
				p.unsigned()
			}
		}
	}
	return errCut // there is no end of the sequence
}

// fixed reads an integer of up to 8 bytes. What is past the end reads as zeros, and at is
// then past the end too.
func (p *lineProgram) fixed(size int) uint64 {
	var b [8]byte
	if p.at < p.end {
		copy(b[:size], p.data[p.at:p.end])
	}
	p.at += size
	return binary.LittleEndian.Uint64(b[:])
}

// unsigned reads a number in LEB128.
func (p *lineProgram) unsigned() uint64 {
	v, _ := p.leb128()
	return v
}

// signed reads one with a sign.
func (p *lineProgram) signed() int64 {
	v, bits := p.leb128()
	if bits < 64 && bits > 0 && v>>(bits-1)&1 != 0 {
		return int64(v | ^uint64(0)<<bits)
	}
	return int64(v)
}

// leb128 reads a number of 7 bits for each byte, and tells how many bits it has.
func (p *lineProgram) leb128() (v uint64, bits int) {
	for {
		b := p.fixed(1)
		if bits < 64 {
			v |= b & 0x7f << bits
		}
		bits += 7
		if b&0x80 == 0 {
			return v, bits
		}
	}
}

// text reads a string that a zero ends.
func (p *lineProgram) text() string {
	if p.at >= p.end {
		return ""
	}
	s, _, _ := strings.Cut(string(p.data[p.at:p.end]), "\x00")
	p.at += len(s) + 1
	return s
}

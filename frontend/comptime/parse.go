package comptime

import (
	"encoding/binary"
	"errors"

	"github.com/qdgen/qd/frontend/load"
)

// errShort is all that Parse says: its input was made by a program.
var errShort = errors.New("comptime: not a value in the form of Append")

// Parse reads a value that Append has appended to a key, and gives what follows it.
func Parse(key []byte) (v Value, rest []byte, err error) {
	p := parser{rest: key}
	v = p.value(0)
	if p.failed {
		return Value{}, nil, errShort
	}
	return v, p.rest, nil
}

// maxDepth is how deep values may be nested in one another.
const maxDepth = 1000

type parser struct {
	rest   []byte
	failed bool
}

// take takes n bytes, of which there is none but zeros once something has failed.
func (p *parser) take(n uint64) []byte {
	if p.failed || n > uint64(len(p.rest)) {
		p.failed = true
		return make([]byte, min(n, 8))
	}
	taken := p.rest[:n]
	p.rest = p.rest[n:]
	return taken
}

func (p *parser) uvarint() uint64 {
	n, size := binary.Uvarint(p.rest)
	if size <= 0 {
		p.failed = true
		return 0
	}
	p.take(uint64(size))
	return n
}

func (p *parser) string() string {
	n := p.uvarint()
	return string(p.take(n))
}

func (p *parser) value(depth int) (v Value) {
	v.Kind = Kind(p.take(1)[0])
	v.Type = p.string()
	switch v.Kind {
	case Invalid, Interface:
	case Bool, Int, Uint, Float32, Float64:
		v.Bits = binary.LittleEndian.Uint64(p.take(8))
	case String:
		v.Str = p.string()
	case Slice:
		v.Bits = uint64(p.take(1)[0])
		v.Elems = p.elems(depth)
	case Array, Struct, Map, Pointer:
		v.Elems = p.elems(depth)
	case Func:
		if p.take(1)[0] == 0 {
			break
		}
		v.Func = &load.Ref{Pkg: p.string(), Name: p.string(), File: p.string(), Params: p.string(), Captures: p.string()}
		v.Func.Line = int(p.uvarint())
		v.Func.Col = int(p.uvarint())
		v.Elems = p.elems(depth)
	default:
		p.failed = true
	}
	return v
}

// elems are the parts of a value that is nested so deep.
func (p *parser) elems(depth int) (list []Value) {
	n := p.uvarint()
	if depth == maxDepth {
		p.failed = true
	}
	for i := uint64(0); i < n && !p.failed; i++ {
		list = append(list, p.value(depth+1))
	}
	return list
}

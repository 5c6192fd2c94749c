package printf

import (
	"fmt"
	"io"
	"math"
)

// A Format is one Printf call of a module: its format, and its arguments' types.
type Format struct {
	Text string
	Args []Arg
}

// An Arg is the type of one argument. Kind is the type that the device recorded,
// one of bool, int8 to int64, uint8 to uint64, float32 and float64. GoType is the
// argument's type in the kernel, which tells int from int64 where %T is printed. The two
// parts of a complex number are an Arg each, with its GoType.
type Arg struct {
	Kind   string
	GoType string
}

// Capacity is the size in words of the buffers that the devices give to modules
// that print: 1 MiB, for some tens of thousands of lines a launch.
const Capacity = 1 << 17

// Unwritten is the value of each word that no record has been written to. It has
// no meaning as the first word of a record: no module has that many formats.
const Unwritten = ^uint64(0)

// Reset makes a buffer ready for a launch.
func Reset(words []uint64) {
	for i := range words {
		words[i] = Unwritten
	}
}

// Records are what one or several launches of a module recorded. Words is the
// whole buffer, Used the value of its counter.
type Records struct {
	Words []uint64
	Used  uint64
}

// A Handler is given the records of launches that have been waited for. The
// words are the handler's until it returns.
type Handler func(Records)

// A LostError says that kernels printed more than the buffer holds.
type LostError struct {
	Words    uint64 // that the records which were dropped would have taken
	Capacity int    // words in the buffer
}

// Error says how much was lost and what to do about it.
func (e *LostError) Error() string {
	return fmt.Sprintf("printf: the kernel printed more than the buffer's %d KiB: records of %d KiB are lost; print from fewer threads or wait for launches more often",
		e.Capacity*8/1024, (e.Words*8+1023)/1024)
}

// A CorruptError is a buffer whose contents are no records, which a kernel that
// writes out of range can bring about. The records before the place were printed.
type CorruptError struct {
	Word   int // index of the record's first word
	Header uint64
}

// Error says where the first bad record is.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("printf: word %d of the buffer is %#x, which is not the start of a record of this kernel: the kernel has written out of range", e.Word, e.Header)
}

// flushSize is how much output is gathered before it is written.
const flushSize = 1 << 16

// Decode prints records to w, in the order in which threads recorded them. The
// error is w's, a *CorruptError, or, when everything that there is was printed, a
// *LostError.
func Decode(w io.Writer, r Records, formats []Format) error {
	var out []byte
	var args []any
	end := int(min(r.Used, uint64(len(r.Words))))
	at := 0
	for at < end {
		header := r.Words[at]
		if header == Unwritten && r.Used > uint64(len(r.Words)) {
			break // the gap that the first dropped record left
		}
		index, n := uint32(header), int(header>>32)
		if int64(index) >= int64(len(formats)) || n != len(formats[index].Args) || n > end-at-1 {
			return flush(w, out, &CorruptError{Word: at, Header: header})
		}
		f := formats[index]
		args = args[:0]
		for i := 0; i < len(f.Args); i++ {
			a, words := f.Args[i], r.Words[at+1+i:]
			switch a.GoType {
			case "complex64":
				args = append(args, complex(math.Float32frombits(uint32(words[0])), math.Float32frombits(uint32(words[1]))))
				i++
			case "complex128":
				args = append(args, complex(math.Float64frombits(words[0]), math.Float64frombits(words[1])))
				i++
			default:
				args = append(args, a.Value(words[0]))
			}
		}
		out = fmt.Appendf(out, f.Text, args...)
		at += 1 + n
		if len(out) >= flushSize {
			if _, err := w.Write(out); err != nil {
				return err
			}
			out = out[:0]
		}
	}
	var lost error
	if r.Used > uint64(len(r.Words)) {
		lost = &LostError{Words: r.Used - uint64(at), Capacity: len(r.Words)}
	}
	return flush(w, out, lost)
}

// flush writes what is left and returns err, unless writing fails.
func flush(w io.Writer, out []byte, err error) error {
	if len(out) > 0 {
		if _, werr := w.Write(out); werr != nil {
			return werr
		}
	}
	return err
}

// Value is a recorded word as the Go value that the kernel printed.
func (a Arg) Value(word uint64) any {
	switch a.GoType {
	case "int":
		return int(word)
	case "uint":
		return uint(word)
	case "uintptr":
		return uintptr(word)
	}
	switch a.Kind {
	case "bool":
		return word != 0
	case "int8":
		return int8(word)
	case "int16":
		return int16(word)
	case "int32":
		return int32(word)
	case "int64":
		return int64(word)
	case "uint8":
		return uint8(word)
	case "uint16":
		return uint16(word)
	case "uint32":
		return uint32(word)
	case "uint64":
		return word
	case "float32":
		return math.Float32frombits(uint32(word))
	case "float64":
		return math.Float64frombits(word)
	}
	panic("BUG: printf argument of kind " + a.Kind)
}

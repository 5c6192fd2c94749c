// Package harness is the part of package randprog that runs inside a batch's binary. It launches
// the programs as Go functions, or as compiled C++ or CUDA code, on inputs that depend only on a
// seed, and prints a hash of the results of each launch.
package harness

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"time"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/ssa/target/abi"
)

// A Job says what to run.
type Job struct {
	Side     string // "go", "cpp" or "cuda"
	Library  string // of the compiled sides
	Programs []Program
	Sites    []FaultSite // of the compiled sides
	Values   bool        // print values too
}

// A Program is one kernel of the batch.
type Program struct {
	Name     string
	Inputs   []Input
	Launches []Launch

	// For the compiled sides.
	Symbol string
	Layout abi.Layout // of CUDA; the argument struct of C++ is the beginning of it
	Block  bool       // it is for a block: launches are of so many of them

	Small *build.Small // for which launches the CUDA text is, nil for all

	BlockThreads int // how many threads a block of the CUDA text must have, 0 if it does for any number
}

// An Input says what a launch passes for a parameter.
type Input struct {
	Len     int    // of a slice
	Threads bool   // so many for each thread
	Elem    string // of a slice with elements for each thread: the name of their type
}

// A FaultSite is a place where a launch may fail.
type FaultSite struct {
	Kind, Message string
	Types         []string // of what is recorded
	File          string
	Line          int
}

// A Launch is one launch.
type Launch struct {
	Dims []int
	Seed uint64
}

// Fault is what the record of a check or a panic at the site says, as an error.
func (s FaultSite) Fault(r *fault.Record) error {
	return fmt.Errorf("%s:%d: %s", filepath.Base(s.File), s.Line, r.Reason(s.Kind, s.Message, s.Types))
}

// Threads is the number of threads.
func (l Launch) Threads() int {
	n := 1
	for _, d := range l.Dims {
		n *= d
	}
	return n
}

// Main runs the job in the file that the command line names. Its lines of output are
//
//	begin PROGRAM            before anything of a program runs
//	hash PROGRAM LAUNCH HEX
//	values PROGRAM LAUNCH TEXT
//	fault PROGRAM LAUNCH TEXT
//	took PROGRAM LAUNCH MICROSECONDS
func Main(kernels map[string]any) {
	slog.SetLogLoggerLevel(slog.LevelError)
	text, err := os.ReadFile(os.Args[1])
	var job Job
	if err == nil {
		err = json.Unmarshal(text, &job)
	}
	if err == nil {
		err = job.run(kernels)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func (job *Job) run(kernels map[string]any) error {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	launch := launchGo
	if job.Side != "go" {
		lib, err := dl.Open(job.Library)
		if err != nil {
			return err
		}
		launch = func(p *Program, l Launch, _ any, args []reflect.Value) error {
			return launchCompiled(lib, job, p, l, args)
		}
	}
	for i := range job.Programs {
		p := &job.Programs[i]
		fmt.Fprintln(out, "begin", p.Name)
		out.Flush() // it may be the last that is heard
		for n, l := range p.Launches {
			args, whole := Args(reflect.TypeOf(kernels[p.Name]), p.Inputs, l)
			if job.Side == "cuda" && p.Small != nil && !p.Small.Holds(l.Threads(), p.Pack(l, args, reflect.Value.Pointer)) {
				fmt.Fprintf(out, "hash %s %d %s\n", p.Name, n, Large)
				continue
			}
			start := time.Now()
			err := launch(p, l, kernels[p.Name], args)
			took := time.Since(start)
			sum := Sum(whole)
			if err != nil {
				fmt.Fprintf(out, "fault %s %d %v; %x\n", p.Name, n, err, sum)
			} else {
				fmt.Fprintf(out, "hash %s %d %x\n", p.Name, n, sum)
			}
			fmt.Fprintln(out, "took", p.Name, n, took.Microseconds())
			if job.Values {
				for k, v := range whole {
					fmt.Fprintf(out, "values %s %d parameter %d: %v\n", p.Name, n, k+1, v)
				}
			}
		}
	}
	return nil
}

// Large stands for what a launch leaves that is not small, and so is not for the CUDA text.
const Large = "large"

// guard is how many elements lie behind each slice, where nothing may be written.
const guard = 4

// Args makes a launch's arguments, and the memory of the slices among them with
// what lies behind. Slices of which each thread has a part of its own are now and then one
// and the same: a thread may meet its elements under two names.
func Args(kernel reflect.Type, inputs []Input, l Launch) (args, whole []reflect.Value) {
	r := rand.New(rand.NewPCG(l.Seed, 11))
	for i, in := range inputs {
		t := kernel.In(i + 1)
		if t.Kind() != reflect.Slice {
			v := reflect.New(t).Elem()
			fill(r, v)
			args = append(args, v)
			continue
		}
		n := in.Len
		if in.Threads {
			n *= l.Threads()
		}
		if j := same(kernel, inputs, i); j >= 0 && r.IntN(4) == 0 {
			args = append(args, args[j])
			continue
		}
		s := reflect.MakeSlice(t, n+guard, n+guard)
		for k := range n + guard {
			fill(r, s.Index(k))
		}
		args = append(args, s.Slice3(0, n, n))
		whole = append(whole, s)
	}
	return args, whole
}

// same is the first input before number i that is divided among the threads as i is, -1
// if there is none.
func same(kernel reflect.Type, inputs []Input, i int) int {
	for j, in := range inputs[:i] {
		if in.Threads && in == inputs[i] {
			return j
		}
	}
	return -1
}

// fill sets a variable to a value of its type, mostly a special one.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		bits := v.Type().Bits()
		var x int64
		switch r.IntN(6) {
		case 0:
			x = -1 << (bits - 1)
		case 1:
			x = 1<<(bits-1) - 1
		case 2:
			x = r.Int64() >> r.IntN(64)
		default:
			x = int64(r.IntN(21)) - 10
		}
		v.SetInt(x << (64 - bits) >> (64 - bits))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		bits := v.Type().Bits()
		var x uint64
		switch r.IntN(5) {
		case 0:
			x = 1<<bits - 1
		case 1:
			x = 1 << (bits - 1)
		case 2:
			x = r.Uint64() >> r.IntN(64)
		default:
			x = uint64(r.IntN(12))
		}
		v.SetUint(x << (64 - bits) >> (64 - bits))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float(r, v.Type().Bits()))
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			fill(r, reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	default:
		panic("BUG: no values of type " + v.Type().String())
	}
}

func float(r *rand.Rand, bits int) float64 {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, math.SmallestNonzeroFloat32, 1 << 24, 1 << 31, 1 << 53, 1 << 63, -1 << 63, 0.1}
	switch r.IntN(3) {
	case 0:
		return special[r.IntN(len(special))]
	case 1:
		return float64(r.IntN(200)-100) / 8
	}
	if bits == 32 {
		return float64(math.Float32frombits(r.Uint32()))
	}
	return math.Float64frombits(r.Uint64())
}

// Sum is a hash of the memory that Args gave.
func Sum(whole []reflect.Value) uint64 {
	h := fnv.New64a()
	for _, v := range whole {
		hash(h.Write, v)
	}
	return h.Sum64()
}

// hash gives the bits of a value to write; all NaNs are one.
func hash(write func([]byte) (int, error), v reflect.Value) {
	put := func(x uint64) { write(unsafe.Slice((*byte)(unsafe.Pointer(&x)), 8)) }
	switch v.Kind() {
	case reflect.Bool:
		// Its byte, which a compiled kernel could have made anything.
		put(uint64(*(*byte)(v.Addr().UnsafePointer())))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		put(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		put(v.Uint())
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); f == f {
			put(math.Float64bits(f))
		} else {
			put(math.Float64bits(math.NaN()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			hash(write, v.Field(i))
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			hash(write, v.Index(i))
		}
	default:
		panic("BUG: no hash of type " + v.Type().String())
	}
}

// launchGo runs the function itself, on device "go".
func launchGo(_ *Program, l Launch, kernel any, args []reflect.Value) error {
	dev, err := qd.Open("go")
	if err != nil {
		return err
	}
	var a []any
	for _, v := range args {
		a = append(a, v.Interface())
	}
	err = dev.Launch(kernel, qd.Dim(l.Dims...), a...)
	if f := (*qd.Fault)(nil); errors.As(err, &f) {
		return fmt.Errorf("%s:%d: %s", filepath.Base(f.File), f.Line, f.Reason)
	}
	return err
}

// Block is how many threads a block of the CUDA text has behind the shim, if it does for any number.
const Block = 32

// Pack makes the argument struct of a launch. address says where a slice is in the memory of the device.
func (p *Program) Pack(l Launch, args []reflect.Value, address func(slice reflect.Value) uintptr) []byte {
	words := make([]uint64, (p.Layout.Size+7)/8)
	base := unsafe.Pointer(&words[0])
	dims := [4]int64{1, 1, 1, 1}
	for axis, n := range l.Dims {
		dims[axis] = int64(n)
	}
	p.Layout.Sizes.Put(unsafe.Slice((*byte)(base), p.Layout.Size), dims)
	for i, v := range args {
		at := unsafe.Add(base, p.Layout.Offsets[i])
		if v.Kind() == reflect.Slice {
			*(*[2]uint64)(at) = [2]uint64{uint64(address(v)), uint64(v.Len())}
			continue
		}
		size := int(v.Type().Size())
		copy(unsafe.Slice((*byte)(at), size), unsafe.Slice((*byte)(v.Addr().UnsafePointer()), size))
	}
	return unsafe.Slice((*byte)(base), p.Layout.Size)
}

// launchCompiled calls a kernel's entry point.
func launchCompiled(lib *dl.Lib, job *Job, p *Program, l Launch, args []reflect.Value) error {
	name := p.Symbol
	if job.Side == "cuda" {
		name += "_host"
	}
	fn, err := lib.Symbol(name)
	if err != nil {
		return err
	}
	base := unsafe.Pointer(unsafe.SliceData(p.Pack(l, args, reflect.Value.Pointer)))
	n := l.Threads()
	var record *fault.Record
	if addr, err := lib.Symbol(fault.Symbol); err == nil {
		// The address comes from the dynamic linker and is none of Go's memory.
		record = *(**fault.Record)(unsafe.Pointer(&addr))
		*record = fault.Record{}
	}
	if job.Side == "cuda" {
		threads := cmp.Or(p.BlockThreads, Block)
		grid := (n + threads - 1) / threads
		if p.Block {
			grid = n
		}
		dl.Call(fn, uintptr(base), uintptr(grid), uintptr(threads))
	} else {
		// In two parts, which must not matter.
		dl.Call(fn, uintptr(base), 0, uintptr(n/3))
		dl.Call(fn, uintptr(base), uintptr(n/3), uintptr(n))
	}
	runtime.KeepAlive(base)
	runtime.KeepAlive(args)
	if record != nil && record.State == fault.Set {
		return job.Sites[record.Site].Fault(record)
	}
	return nil
}

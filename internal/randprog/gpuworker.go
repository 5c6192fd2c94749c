package randprog

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"time"
	"unsafe"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/randprog/harness"
	"github.com/qdgen/qd/internal/runtime/cuda"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/ssa"
)

// A GPU worker is a process that compiles batches and launches their programs on the first GPU. A kernel that fails or
// does not end costs a worker and no more.

// workerArg is the argument of the test binary that makes it a worker.
const workerArg = "randprog-gpu-worker"

// A gpuRequest asks a worker to run programs of a batch.
type gpuRequest struct {
	Batch *Portable
	From  int    // the first program to run
	Image string // a file for the compiled module: it is read if there, and else written
}

// A gpuReply is what a worker says.
type gpuReply struct {
	State           string // one of the states below
	Program, Launch int
	Text            string // the outcome, an error, or what the worker runs on
	Again           string // of an outcome that is wrong: that of the same launch once more
	Seconds         float64
}

// States of a worker.
const (
	workerReady    = "ready"
	workerRefused  = "refused"  // NVRTC refuses the text
	workerCompiled = "compiled" // after Seconds
	workerBegins   = "begins"   // a launch
	workerOutcome  = "outcome"  // of that launch
	workerDone     = "done"     // with the request
	workerFailed   = "failed"   // and ends
)

// gpuWorkerMain is the whole of a worker's process, if the process was started for it.
func gpuWorkerMain() {
	if len(os.Args) != 2 || os.Args[1] != workerArg {
		return
	}
	out := json.NewEncoder(os.Stdout)
	w := &gpuWorker{reply: func(r gpuReply) { _ = out.Encode(r) }} // a parent that is gone ends the input too
	if err := w.serve(os.Stdin); err != nil {
		w.reply(gpuReply{State: workerFailed, Text: err.Error()})
		os.Exit(1)
	}
	os.Exit(0)
}

type gpuWorker struct {
	reply    func(gpuReply)
	dev      *cuda.Device
	compiler build.CUDA
	memory   *cuda.Memory // for the slices of a launch
}

// serve does what requests say.
func (w *gpuWorker) serve(in io.Reader) error {
	name, err := w.open()
	if err != nil {
		return err
	}
	w.reply(gpuReply{State: workerReady, Text: name})
	requests := json.NewDecoder(bufio.NewReader(in))
	for {
		var r gpuRequest
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := w.run(&r); err != nil {
			return err
		}
		w.reply(gpuReply{State: workerDone})
	}
}

// open opens the first GPU, and NVRTC as device "cuda:0" does.
func (w *gpuWorker) open() (name string, err error) {
	driver, err := cuda.Open()
	if err != nil {
		return "", err
	}
	info, err := driver.Info(0)
	if err != nil {
		return "", err
	}
	lib, err := nvrtc.FindUpTo(driver.Version().Major)
	if err != nil {
		return "", err
	}
	arch, err := lib.Target(10*info.Major + info.Minor)
	if err != nil {
		return "", err
	}
	w.compiler = build.CUDA{Library: lib, Options: nvrtc.Options{Arch: arch}}
	w.dev, err = driver.Device(0)
	return fmt.Sprintf("%v, driver for CUDA %v, %v", info, driver.Version(), lib), err
}

// run runs programs of a batch. The error is one after which the worker is of no use.
func (w *gpuWorker) run(r *gpuRequest) error {
	image, err := os.ReadFile(r.Image)
	if err != nil {
		start := time.Now()
		if image, _, err = w.compiler.Compile(context.Background(), "batch", &emit.Text{Source: r.Batch.Text}); err != nil {
			w.reply(gpuReply{State: workerRefused, Text: err.Error()})
			return nil
		}
		w.reply(gpuReply{State: workerCompiled, Seconds: time.Since(start).Seconds()})
		if err := os.WriteFile(r.Image, image, 0o666); err != nil {
			return err
		}
	}
	module, err := w.dev.Load(image, nil)
	if err != nil {
		return err
	}
	for i := r.From; i < len(r.Batch.Programs); i++ {
		if err := w.program(r.Batch, module, i); err != nil {
			return err
		}
	}
	return nil
}

// program runs the launches of a program, those with a wrong outcome twice.
func (w *gpuWorker) program(b *Portable, module *cuda.Module, number int) error {
	p := &b.Programs[number]
	made, err := p.program()
	if err != nil {
		return err
	}
	kernel, err := module.Kernel(p.Job.Symbol)
	if err != nil {
		return err
	}
	for i := range p.Job.Launches {
		w.reply(gpuReply{State: workerBegins, Program: number, Launch: i})
		r := gpuReply{State: workerOutcome, Program: number, Launch: i}
		for _, block := range p.blocks(i) {
			if r.Text, err = w.launch(b, p, kernel, made.kernelType(), i, block); err != nil {
				return err
			}
			if r.Text == harness.Large || p.isRight(i, r.Text) {
				continue
			}
			if r.Again, err = w.launch(b, p, kernel, made.kernelType(), i, block); err != nil {
				return err
			}
			r.Again += fmt.Sprintf(", in blocks of %d", block)
			break
		}
		w.reply(r)
	}
	return nil
}

// blocks are the numbers of threads in a block with which a launch runs, one after the other.
func (p *PortableProgram) blocks(launch int) []int {
	if p.Job.Block || p.Job.BlockThreads != 0 || p.Job.Launches[launch].Threads() == 1 {
		return []int{cmp.Or(p.Job.BlockThreads, harness.Block)}
	}
	return []int{harness.Block, cuda.DefaultBlock, 7}
}

// Around each slice in the memory of a launch is a border, in which nothing may be written.
const (
	border     = 256
	borderByte = 0xA5
)

// launch runs one launch, in blocks of so many threads, and gives its outcome, as compare has those of other sides.
func (w *gpuWorker) launch(b *Portable, p *PortableProgram, kernel *cuda.Kernel, t reflect.Type, number, block int) (string, error) {
	l := p.Job.Launches[number]
	args, whole := harness.Args(t, p.Job.Inputs, l)
	offsets := map[uintptr]int{}
	end := border
	for _, s := range whole {
		offsets[s.Pointer()] = end
		end = ssa.AlignUp(end+len(bytesOf(s)), border) + border
	}
	host := make([]byte, end)
	for i := range host {
		host[i] = borderByte
	}
	for _, s := range whole {
		copy(host[offsets[s.Pointer()]:], bytesOf(s))
	}
	if w.memory == nil || w.memory.Size() < end {
		var err error
		if w.memory, err = w.dev.Alloc(max(end, 1<<20)); err != nil {
			return "", err
		}
	}
	if err := w.memory.Write(host); err != nil {
		return "", err
	}
	packed := p.Job.Pack(l, args, func(s reflect.Value) uintptr { return w.memory.Address() + uintptr(offsets[s.Pointer()]) })
	if p.Job.Small != nil && !p.Job.Small.Holds(l.Threads(), packed) {
		return harness.Large, nil
	}
	threads := l.Threads()
	if p.Job.Block {
		threads *= block
	}
	run, err := kernel.Launch(w.dev.Stream(), packed, int64(threads), block)
	if err != nil {
		return "", err
	}
	run.OnFault(func(r *fault.Record) error { return faulted{b.Sites[r.Site].Fault(r).Error()} })
	if err := run.Run(); err != nil {
		return "", err
	}
	panicked := w.dev.Stream().Sync(context.Background())
	if panicked != nil && !errors.As(panicked, new(faulted)) {
		return "", panicked
	}
	if err := w.memory.Read(host); err != nil {
		return "", err
	}
	for _, s := range whole {
		part := host[offsets[s.Pointer()]:][:len(bytesOf(s))]
		copy(bytesOf(s), part)
		for i := range part {
			part[i] = borderByte
		}
	}
	for i, v := range host {
		if v != borderByte {
			return fmt.Sprintf("byte %d of the memory, which is of no slice, is written", i), nil
		}
	}
	if panicked != nil {
		return fmt.Sprintf("fault: %v; %x", panicked, harness.Sum(whole)), nil
	}
	return fmt.Sprintf("%x", harness.Sum(whole)), nil
}

// A faulted is how a check or a panic has ended a launch.
type faulted struct{ text string }

func (f faulted) Error() string { return f.text }

// bytesOf is the memory of a slice.
func bytesOf(s reflect.Value) []byte {
	return unsafe.Slice((*byte)(s.UnsafePointer()), s.Len()*int(s.Type().Elem().Size()))
}

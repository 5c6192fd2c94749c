package device

import (
	"errors"
	"sync"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa"
)

// Go's runtime tells the line of a panic, and not the column. A checked build of the kernel knows the places where it
// may stop: if the line has one for the fault's reason, that is the place.

// places are where a kernel may stop, found when the first fault is reported.
type places struct {
	kernel *kernel.Func
	src    load.Sources
	opts   build.Options

	once sync.Once
	cols map[place]int // 0 where a line has several
}

// A place is a line with checks of one kind, or with panics.
type place struct {
	op    ssa.Op
	check ssa.Check
	file  string
	line  int
}

// column is that of a fault, 0 if it is not known.
func (p *places) column(f *fault.Fault) int {
	op, check, ok := fault.KindOf(f.Reason)
	if !ok {
		return 0
	}
	p.once.Do(p.find)
	return p.cols[place{op, check, f.File, f.Line}]
}

// find lowers the kernel with checks. Where that fails, as for a file that has been edited since, nothing is known.
func (p *places) find() {
	p.cols = map[place]int{}
	opts := p.opts
	opts.Checked, opts.Print, opts.Warn, opts.Remark = true, nil, nil, nil
	spec, err := builder().Lower(p.src, p.kernel.Ref, opts)
	if err != nil {
		return
	}
	for _, f := range spec.Module.Funcs {
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op != ssa.OpCheck && in.Op != ssa.OpPanic {
				return
			}
			at := place{in.Op, in.Check, in.Pos.File, in.Pos.Line}
			if col, ok := p.cols[at]; ok && col != in.Pos.Col {
				p.cols[at] = 0
			} else {
				p.cols[at] = in.Pos.Col
			}
		})
	}
}

// A placedRun is a run of the Go function whose faults have columns.
type placedRun struct {
	Runner
	places *places
}

// Run implements [Runner].
func (r placedRun) Run() error {
	err := r.Runner.Run()
	var f *fault.Fault
	if errors.As(err, &f) && f.Col == 0 {
		f.Col = r.places.column(f)
	}
	return err
}

package explain

import (
	"runtime"

	"github.com/qdgen/qd/internal/parallel"
)

// jobs is the work of compilers: it takes by far the longest, and one needs nothing of another.
type jobs struct{ list []job }

// A job runs a compiler, beside others, and then reads what it has written, when all have run, in order.
type job struct{ run, read func() }

func (j *jobs) add(run, read func()) { j.list = append(j.list, job{run, read}) }

// run runs the compilers, one on each core.
func (j *jobs) run() {
	parallel.Each(runtime.GOMAXPROCS(0), len(j.list), func(i int) { j.list[i].run() })
}

// read reads what they have written.
func (j *jobs) read() {
	for _, job := range j.list {
		job.read()
	}
}

package explain

import (
	"runtime"
	"sync"
)

// jobs is the work of compilers: it takes by far the longest, and one needs nothing of another.
type jobs struct{ list []job }

// A job runs a compiler, beside others, and then reads what it has written, when all have run, in order.
type job struct{ run, read func() }

func (j *jobs) add(run, read func()) { j.list = append(j.list, job{run, read}) }

// run runs the compilers, one on each core.
func (j *jobs) run() {
	var wg sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for _, job := range j.list {
		free <- true
		wg.Go(func() {
			job.run()
			<-free
		})
	}
	wg.Wait()
}

// read reads what they have written.
func (j *jobs) read() {
	for _, job := range j.list {
		job.read()
	}
}

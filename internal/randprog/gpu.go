package randprog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/qdgen/qd/internal/randprog/harness"
)

// A GPURun runs batches on the first GPU of the machine, in processes of their own.
type GPURun struct {
	Workers int           // processes
	Dir     string        // for temporary files
	For     time.Duration // no batch begins after this time, 0 for no limit
	Limit   time.Duration // of one launch
	Compile time.Duration // the limit of a compile

	GPU                                  string // what the workers run on
	Programs, Launches, Faulted, Large   int    // that have run
	Differ, Refused, Crashed, Unfinished int    // programs
	CompileSeconds                       float64
	Findings                             []GPUFinding

	start time.Time
	deep  int // how many workers have run deep batches
	mu    sync.Mutex
	err   error
	files int
}

// A GPUFinding is what is wrong with a program on the GPU.
type GPUFinding struct {
	Batch   *Portable
	Program *PortableProgram
	Launch  int // -1 before the first
	Detail  string
}

// hardStop is how much longer than For all may take.
const hardStop = 30 * time.Second

// Run runs batches. The error is about the run itself: a worker that cannot start, for example. Others go on.
func (g *GPURun) Run(batches []*Portable) error {
	g.start = time.Now()
	// What takes long to compile first, so that no worker is left with it.
	batches = slices.SortedFunc(slices.Values(batches), func(a, b *Portable) int { return len(b.Text) - len(a.Text) })
	for _, b := range batches {
		for i := range b.Programs {
			if _, err := b.Programs[i].program(); err != nil {
				return err
			}
		}
	}
	var wg sync.WaitGroup
	for range g.Workers {
		wg.Go(func() {
			var w *gpuProcess
			deep := false
			for b := g.next(&batches, &deep); b != nil; b = g.next(&batches, &deep) {
				if w == nil {
					if w = g.worker(); w == nil {
						g.count(func() { g.Unfinished += len(b.Programs) })
						return
					}
				}
				w = g.batch(w, b)
			}
			w.end()
		})
	}
	wg.Wait()
	for _, b := range batches {
		g.Unfinished += len(b.Programs)
	}
	return g.err
}

// mostDeep is how many workers may run deep batches.
const mostDeep = 5

// isDeep reports whether a program of the batch recurses. The stack that it needs is reserved for as many threads as
// the GPU can have, in each process and until its end: of 32 KiB that are 9 GB on an H100. So few workers may have it.
func (p *Portable) isDeep() bool { return strings.Contains(p.Text, "qd_stack[") }

// next takes a batch from some for a worker, nil where there is none for it. deep is set from its first deep batch on;
// then it takes these first, which others may not take.
func (g *GPURun) next(batches *[]*Portable, deep *bool) *Portable {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.isOver() {
		return nil
	}
	i := -1
	if *deep || g.deep < mostDeep {
		i = slices.IndexFunc(*batches, (*Portable).isDeep)
	}
	if i >= 0 && !*deep {
		*deep = true
		g.deep++
	}
	if i < 0 {
		i = slices.IndexFunc(*batches, func(b *Portable) bool { return !b.isDeep() })
	}
	if i < 0 {
		return nil
	}
	b := (*batches)[i]
	*batches = slices.Delete(*batches, i, i+1)
	return b
}

func (g *GPURun) count(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f()
}

// fail notes the first error of the run itself.
func (g *GPURun) fail(err error) {
	g.count(func() {
		if g.err == nil {
			g.err = err
		}
	})
}

// found notes a finding, and counts its program.
func (g *GPURun) found(f GPUFinding, counter *int) {
	g.count(func() {
		g.Findings = append(g.Findings, f)
		*counter++
	})
}

// image is the name of a file that does not exist.
func (g *GPURun) image() (file string) {
	g.count(func() {
		g.files++
		file = filepath.Join(g.Dir, fmt.Sprintf("batch%d.cubin", g.files))
	})
	return file
}

// batch runs the programs of a batch, by a worker or by a new one if that is nil, and gives the worker, nil if it is
// gone. After a program that ends its worker the others go on in the next.
func (g *GPURun) batch(w *gpuProcess, b *Portable) *gpuProcess {
	image := g.image()
	defer os.Remove(image)
	for from := 0; from < len(b.Programs); {
		if w == nil {
			if w = g.worker(); w == nil {
				g.count(func() { g.Unfinished += len(b.Programs) - from })
				return nil
			}
		}
		end := g.request(w, b, gpuRequest{Batch: b, From: from, Image: image})
		if end.worker == "" {
			if end.refused == "" {
				return w
			}
			return g.apart(w, b, &g.Refused, "NVRTC refuses it: "+end.refused)
		}
		w.kill()
		w = nil
		switch {
		case end.stopped:
			g.count(func() { g.Unfinished += len(b.Programs) - max(from, end.program) })
			return nil
		case end.program < 0:
			rest := *b // others have run
			rest.Programs = b.Programs[from:]
			return g.apart(nil, &rest, &g.Crashed, "before a launch: "+end.worker)
		}
		g.found(GPUFinding{b, &b.Programs[end.program], end.launch, end.worker}, &g.Crashed)
		from = end.program + 1
	}
	return w
}

// apart runs the programs of a batch that fails as a whole, each in a module of its own.
func (g *GPURun) apart(w *gpuProcess, b *Portable, counter *int, detail string) *gpuProcess {
	if len(b.Programs) == 1 {
		g.found(GPUFinding{b, &b.Programs[0], -1, detail}, counter)
		return w
	}
	var parts []*Portable
	for i, p := range b.Programs {
		if g.isOver() {
			g.count(func() { g.Unfinished += len(b.Programs) - i })
			return w
		}
		one, err := b.alone(p)
		if err != nil {
			g.fail(err)
			g.count(func() { g.Unfinished += len(b.Programs) - i })
			return w
		}
		parts = append(parts, one)
		w = g.batch(w, one)
	}
	g.count(func() {
		if !slices.ContainsFunc(g.Findings, func(f GPUFinding) bool { return slices.Contains(parts, f.Batch) }) {
			g.Findings = append(g.Findings, GPUFinding{b, &b.Programs[0], -1, fmt.Sprintf("%d programs fail together, and none of them alone: %s", len(b.Programs), detail)})
		}
	})
	return w
}

// A requestEnd is how a request ended.
type requestEnd struct {
	refused         string // what NVRTC said
	worker          string // how the worker ended; "" if it goes on
	program, launch int    // that ran then; program is -1 if none did
	stopped         bool   // the time of the run was up
}

// request has a worker run programs.
func (g *GPURun) request(w *gpuProcess, b *Portable, r gpuRequest) requestEnd {
	end := requestEnd{program: -1, launch: -1}
	wrong := -1 // the last program with a wrong launch: only its first one is reported
	last := -1  // the last program that has begun
	if err := json.NewEncoder(w.in).Encode(r); err != nil {
		end.worker = err.Error()
		return end
	}
	for {
		limit := g.Compile
		if end.program >= 0 {
			limit = g.Limit
		}
		reply, err := w.next(limit, g.deadline())
		switch {
		case err != nil:
			end.worker, end.stopped = err.Error(), g.isLate()
			return end
		case reply.State == workerRefused:
			end.refused = reply.Text
		case reply.State == workerCompiled:
			g.count(func() { g.CompileSeconds += reply.Seconds })
		case reply.State == workerDone:
			return end
		case reply.State == workerFailed:
			end.worker = reply.Text
			return end
		case reply.State == workerBegins:
			if end.program, end.launch = reply.Program, reply.Launch; last != reply.Program {
				last = reply.Program
				g.count(func() { g.Programs++ })
			}
		case reply.State == workerOutcome:
			if !g.outcome(b, reply) && wrong != reply.Program {
				wrong = reply.Program
				p := &b.Programs[wrong]
				g.found(GPUFinding{b, p, reply.Launch, fmt.Sprintf("want %q, got %s, once more %s", p.Right[reply.Launch], reply.Text, reply.Again)}, &g.Differ)
			}
		}
	}
}

// outcome counts a launch and reports whether it is right.
func (g *GPURun) outcome(b *Portable, r gpuReply) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := &b.Programs[r.Program]
	if r.Text == harness.Large {
		g.Large++
		return true
	}
	g.Launches++
	if strings.HasPrefix(p.Right[r.Launch][0], "fault") {
		g.Faulted++
	}
	return p.isRight(r.Launch, r.Text)
}

// isOver reports whether no batch may begin any more.
func (g *GPURun) isOver() bool { return g.For > 0 && time.Since(g.start) > g.For }

// deadline ends everything; it is the zero time if there is none.
func (g *GPURun) deadline() time.Time {
	if g.For == 0 {
		return time.Time{}
	}
	return g.start.Add(g.For + hardStop)
}

func (g *GPURun) isLate() bool { return g.For > 0 && time.Now().After(g.deadline()) }

// Summary is a line about the run.
func (g *GPURun) Summary() string {
	return fmt.Sprintf("%d programs, %d launches of which %d panic, %d programs differ, %d refused by NVRTC, %d crashed or without an end, %d not run, %d launches too large for their text, in %.1f s; NVRTC took %.0f s of %d workers; on %s",
		g.Programs, g.Launches, g.Faulted, g.Differ, g.Refused, g.Crashed, g.Unfinished, g.Large, time.Since(g.start).Seconds(), g.CompileSeconds, g.Workers, g.GPU)
}

// A gpuProcess is a worker, seen from the process that has started it.
type gpuProcess struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	replies chan gpuReply // closed when the worker is gone
	stderr  *bytes.Buffer
	gone    chan struct{} // closed when the process has ended
}

// worker starts a worker, nil if that is not possible: then the run has failed.
func (g *GPURun) worker() *gpuProcess {
	self, err := os.Executable()
	if err != nil {
		g.fail(err)
		return nil
	}
	w := &gpuProcess{cmd: exec.Command(self, workerArg), replies: make(chan gpuReply), stderr: new(bytes.Buffer), gone: make(chan struct{})}
	w.cmd.Stderr = w.stderr
	in, err := w.cmd.StdinPipe()
	if err != nil {
		g.fail(err)
		return nil
	}
	out, err := w.cmd.StdoutPipe()
	if err == nil {
		err = w.cmd.Start()
	}
	if err != nil {
		g.fail(err)
		return nil
	}
	w.in = in
	go func() {
		defer close(w.gone)
		decoder := json.NewDecoder(bufio.NewReader(out))
		for {
			var r gpuReply
			if decoder.Decode(&r) != nil {
				break
			}
			w.replies <- r
		}
		_ = w.cmd.Wait() // how it ended is in the ProcessState
		close(w.replies)
	}()
	r, err := w.next(g.Compile, g.deadline())
	if err == nil && r.State != workerReady {
		err = fmt.Errorf("a worker does not start: %s", r.Text)
	}
	if err != nil {
		w.kill()
		g.fail(err)
		return nil
	}
	g.count(func() { g.GPU = r.Text })
	return w
}

// next is the next reply of a worker. The error says how the worker ended, or that it has not replied in time.
func (w *gpuProcess) next(limit time.Duration, deadline time.Time) (gpuReply, error) {
	if !deadline.IsZero() {
		limit = min(limit, time.Until(deadline))
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r, ok := <-w.replies:
		if !ok {
			return r, fmt.Errorf("the process ended: %v %s", w.cmd.ProcessState, firstLines(w.stderr.String(), 3))
		}
		return r, nil
	case <-timer.C:
		return gpuReply{}, fmt.Errorf("no end after %v", limit.Round(time.Millisecond))
	}
}

// kill ends a worker, whatever it does. It does not wait: the driver may take its time over a kernel without an end.
func (w *gpuProcess) kill() {
	_ = w.cmd.Process.Kill() // it may be gone
	go func() {
		for range w.replies {
		}
	}()
}

// end ends a worker that waits for a request.
func (w *gpuProcess) end() {
	if w == nil {
		return
	}
	_ = w.in.Close() // it ends by that
	select {
	case <-w.gone:
	case <-time.After(10 * time.Second):
		w.kill()
	}
}

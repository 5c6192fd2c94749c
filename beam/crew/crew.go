// Package crew runs a pipeline on Beam's Prism runner with several worker processes on this machine.
//
// Prism knows one worker for each environment of a pipeline, and gives up at the first bundle that fails. A Crew stands
// between Prism and the processes: to Prism it is one worker, to a process it is the runner. It gives each bundle to
// the process that has the fewest; a bundle that fails, or whose process ends, it gives to another one, from the
// beginning. Prism sees the results of an attempt only when the attempt has succeeded. So a process can be killed at
// any time, and nothing is lost or doubled.
//
//	flag.Parse()
//	beam.Init() // a worker process never returns from here
//	...
//	result, err := crew.Run(ctx, p, crew.Config{Workers: 4})
//
// What a bundle writes to user state is not undone: such a bundle is not repeated, and its error fails the pipeline.
package crew

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"google.golang.org/grpc"
)

// A Config says what a crew is.
type Config struct {
	// Workers is the number of processes, 1 if it is 0.
	Workers int

	// Command is the program of the workers and its arguments; without it, they run this program without arguments. It
	// must call beam.Init after flag.Parse.
	Command []string

	// Env is added to the environment of the workers: QD_DEVICE, for example.
	Env []string

	// Attempts is how often a bundle is tried before its error is that of the pipeline, 4 if it is 0. A process that ends is
	// replaced, unless Workers times Attempts of them have been started since a bundle was last done.
	Attempts int

	// Started is called with the process ID of each worker.
	Started func(pid int)

	// Divided is called when Prism has divided a bundle that is slow, so that another worker gets a part of it.
	Divided func()
}

// Run runs a pipeline on Prism, in this process, with a crew of workers. It sets Beam's flags of the environment
// while it runs, so that pipelines must not run at the same time.
func Run(ctx context.Context, p *beam.Pipeline, config Config) (beam.PipelineResult, error) {
	c, err := Start(config)
	if err != nil {
		return nil, err
	}
	defer c.Stop()
	// Prism hands the workers' program on to those who ask for it; our workers have it.
	program, err := os.CreateTemp("", "crew")
	if err != nil {
		return nil, err
	}
	defer os.Remove(program.Name())
	program.Close()
	defer set(jobopts.EnvironmentType, "EXTERNAL")()
	defer set(jobopts.EnvironmentConfig, c.Endpoint())()
	defer set(jobopts.WorkerBinary, program.Name())()
	result, err := prism.Execute(ctx, p)
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return result, err
}

// set sets a flag, and gives a function that takes that back.
func set(flag *string, value string) func() {
	old := *flag
	*flag = value
	return func() { *flag = old }
}

// A Crew is a pool of worker processes: what Beam calls an external environment.
type Crew struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	config Config
	listen net.Listener
	server *grpc.Server

	mu      sync.Mutex
	jobs    map[string]*job    // by the worker IDs that the runner gives
	members map[string]*member // by the worker IDs that the crew gives
	stopped bool
}

// Start starts a crew. Its processes begin when a runner asks for a worker.
func Start(config Config) (*Crew, error) {
	if config.Workers < 1 {
		config.Workers = 1
	}
	if config.Attempts < 1 {
		config.Attempts = 4
	}
	if len(config.Command) == 0 {
		program, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("crew: %w", err)
		}
		config.Command = []string{program}
	}
	listen, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return nil, fmt.Errorf("crew: %w", err)
	}
	c := &Crew{config: config, listen: listen, jobs: map[string]*job{}, members: map[string]*member{}}
	c.server = grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage))
	fnpb.RegisterBeamFnExternalWorkerPoolServer(c.server, c)
	s := &services{crew: c}
	fnpb.RegisterBeamFnControlServer(c.server, s)
	fnpb.RegisterBeamFnDataServer(c.server, s)
	fnpb.RegisterBeamFnStateServer(c.server, s)
	fnpb.RegisterBeamFnLoggingServer(c.server, s)
	go c.server.Serve(listen)
	return c, nil
}

const maxMessage = 1<<31 - 1

// Endpoint is where a runner finds the crew: the environment_config of an EXTERNAL environment.
func (c *Crew) Endpoint() string { return c.listen.Addr().String() }

// Stop ends the workers.
func (c *Crew) Stop() {
	c.mu.Lock()
	c.stopped = true
	jobs := c.jobs
	c.jobs = map[string]*job{}
	c.mu.Unlock()
	for _, j := range jobs {
		j.stop()
	}
	c.server.Stop()
}

// StartWorker implements Beam's external worker pool.
func (c *Crew) StartWorker(_ context.Context, req *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	c.mu.Lock()
	_, running := c.jobs[req.GetWorkerId()]
	stopped := c.stopped
	c.mu.Unlock()
	if running || stopped {
		return &fnpb.StartWorkerResponse{Error: fmt.Sprintf("crew: worker %s cannot be started", req.GetWorkerId())}, nil
	}
	j, err := newJob(c, req)
	if err != nil {
		return &fnpb.StartWorkerResponse{Error: err.Error()}, nil
	}
	c.mu.Lock()
	c.jobs[req.GetWorkerId()] = j
	c.mu.Unlock()
	return &fnpb.StartWorkerResponse{}, nil
}

// StopWorker implements Beam's external worker pool.
func (c *Crew) StopWorker(_ context.Context, req *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	c.mu.Lock()
	j := c.jobs[req.GetWorkerId()]
	delete(c.jobs, req.GetWorkerId())
	c.mu.Unlock()
	if j == nil {
		return &fnpb.StopWorkerResponse{Error: fmt.Sprintf("crew: no worker %s", req.GetWorkerId())}, nil
	}
	j.stop()
	return &fnpb.StopWorkerResponse{}, nil
}

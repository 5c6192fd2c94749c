package crew

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// shortIDs is the capability of a runner to know metrics by short names.
const shortIDs = "beam:protocol:monitoring_info_short_ids:v1"

// A job is one worker to the runner: its streams, and the processes behind it.
type job struct {
	crew    *Crew
	id      string // the worker ID that the runner has given
	options string // a file with the options of the pipeline
	conn    *grpc.ClientConn
	client  fnpb.BeamFnControlClient
	ctx     context.Context // of calls to the runner
	cancel  context.CancelFunc
	control *queue[*fnpb.InstructionResponse]
	data    *queue[*fnpb.Elements]
	state   *queue[*fnpb.StateRequest]
	logging *queue[*fnpb.LogEntry_List]

	mu      sync.Mutex
	stopped bool
	hired   int // how many processes have been started
	inVain  int // and how many of them since a bundle was last done
	members []*member
	bundles map[string]*bundle // by the runner's instructions
	names   map[string]*bundle // by the names of their attempts
	final   map[string]*bundle // those that wait to be finalized, by the runner's instructions
	plans   map[string]*plan   // by the IDs of descriptors
	states  map[string]asker   // state requests that wait for the runner, by the crew's IDs
	stated  int
	metrics metrics
}

// An asker is who waits for an answer about state, under which name.
type asker struct {
	member *member
	id     string
}

// newJob connects to the runner and starts the processes.
func newJob(c *Crew, req *fnpb.StartWorkerRequest) (_ *job, err error) {
	j := &job{
		crew: c, id: req.GetWorkerId(),
		control: newQueue[*fnpb.InstructionResponse](), data: newQueue[*fnpb.Elements](), state: newQueue[*fnpb.StateRequest](), logging: newQueue[*fnpb.LogEntry_List](),
		bundles: map[string]*bundle{}, names: map[string]*bundle{}, final: map[string]*bundle{}, plans: map[string]*plan{}, states: map[string]asker{},
	}
	j.ctx, j.cancel = context.WithCancel(grpcx.WriteWorkerID(context.Background(), j.id))
	defer func() {
		if err != nil {
			j.stop()
			err = fmt.Errorf("crew: worker %s: %w", j.id, err)
		}
	}()
	if err := j.writeOptions(req.GetProvisionEndpoint().GetUrl()); err != nil {
		return nil, err
	}
	big := grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage))
	// All of Beam's runners serve these at one endpoint.
	j.conn, err = grpc.NewClient(req.GetControlEndpoint().GetUrl(), grpc.WithTransportCredentials(insecure.NewCredentials()), big)
	if err != nil {
		return nil, err
	}
	j.client = fnpb.NewBeamFnControlClient(j.conn)
	control, err := j.client.Control(j.ctx)
	if err != nil {
		return nil, err
	}
	data, err := fnpb.NewBeamFnDataClient(j.conn).Data(j.ctx)
	if err != nil {
		return nil, err
	}
	state, err := fnpb.NewBeamFnStateClient(j.conn).State(j.ctx)
	if err != nil {
		return nil, err
	}
	logging, err := fnpb.NewBeamFnLoggingClient(j.conn).Logging(j.ctx)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for range c.config.Workers {
		if err := j.hire(); err != nil {
			return nil, err
		}
	}
	go j.control.sendAll(control.Send)
	go j.data.sendAll(data.Send)
	go j.state.sendAll(state.Send)
	go j.logging.sendAll(logging.Send)
	go receive(control.Recv, j.instruct)
	go receive(data.Recv, j.feed)
	go receive(state.Recv, j.answer)
	return j, nil
}

// receive handles what comes from a stream until it ends.
func receive[T any](recv func() (T, error), handle func(T)) error {
	for {
		x, err := recv()
		if err != nil {
			return err
		}
		handle(x)
	}
}

// writeOptions writes the pipeline's options to the file in which workers look for them.
func (j *job) writeOptions(endpoint string) error {
	text := "{}"
	if endpoint != "" {
		info, err := tools.ProvisionInfo(j.ctx, endpoint)
		if err != nil {
			return err
		}
		if text, err = tools.ProtoToJSON(info.GetPipelineOptions()); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp("", "crew-options")
	if err != nil {
		return err
	}
	j.options = f.Name()
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// stop ends the processes.
func (j *job) stop() {
	j.mu.Lock()
	j.stopped = true
	members := append([]*member(nil), j.members...)
	j.mu.Unlock()
	for _, m := range members {
		m.kill()
	}
	for _, q := range []interface{ close() }{j.control, j.data, j.state, j.logging} {
		q.close()
	}
	j.cancel()
	if j.conn != nil {
		j.conn.Close()
	}
	if j.options != "" {
		os.Remove(j.options)
	}
}

// instruct handles an instruction of the runner.
func (j *job) instruct(req *fnpb.InstructionRequest) {
	j.mu.Lock()
	defer j.mu.Unlock()
	reply := func(resp *fnpb.InstructionResponse) {
		resp.InstructionId = req.GetInstructionId()
		j.control.put(resp)
	}
	switch r := req.GetRequest().(type) {
	case *fnpb.InstructionRequest_ProcessBundle:
		b := j.bundleOf(req.GetInstructionId())
		b.request = req
		b.plan = j.plans[r.ProcessBundle.GetProcessBundleDescriptorId()]
		j.begin(b)
	case *fnpb.InstructionRequest_ProcessBundleProgress:
		empty := &fnpb.InstructionResponse{Response: &fnpb.InstructionResponse_ProcessBundleProgress{ProcessBundleProgress: &fnpb.ProcessBundleProgressResponse{}}}
		b := j.bundles[r.ProcessBundleProgress.GetInstructionId()]
		if b == nil || b.member == nil {
			reply(empty)
			return
		}
		m := b.member
		j.ask(m, req.GetInstructionId(), &fnpb.InstructionRequest{Request: &fnpb.InstructionRequest_ProcessBundleProgress{
			ProcessBundleProgress: &fnpb.ProcessBundleProgressRequest{InstructionId: b.name}}},
			func(resp *fnpb.InstructionResponse) {
				if resp == nil || resp.GetError() != "" {
					reply(empty)
					return
				}
				p := resp.GetProcessBundleProgress()
				j.translate(m, p.GetMonitoringData(), func(data map[string][]byte) {
					p.MonitoringData, p.MonitoringInfos = data, nil
					reply(resp)
				})
			})
	case *fnpb.InstructionRequest_ProcessBundleSplit:
		j.divide(r.ProcessBundleSplit, req.GetInstructionId(), reply)
	case *fnpb.InstructionRequest_FinalizeBundle:
		done := &fnpb.InstructionResponse{Response: &fnpb.InstructionResponse_FinalizeBundle{FinalizeBundle: &fnpb.FinalizeBundleResponse{}}}
		b := j.final[r.FinalizeBundle.GetInstructionId()]
		delete(j.final, r.FinalizeBundle.GetInstructionId())
		if b == nil || b.member.gone {
			reply(done) // the callbacks of a worker that is gone are lost in Beam
			return
		}
		j.ask(b.member, req.GetInstructionId(), &fnpb.InstructionRequest{Request: &fnpb.InstructionRequest_FinalizeBundle{
			FinalizeBundle: &fnpb.FinalizeBundleRequest{InstructionId: b.name}}},
			func(resp *fnpb.InstructionResponse) {
				if resp == nil {
					resp = done
				}
				reply(resp)
			})
	case *fnpb.InstructionRequest_MonitoringInfos:
		reply(&fnpb.InstructionResponse{Response: &fnpb.InstructionResponse_MonitoringInfos{
			MonitoringInfos: &fnpb.MonitoringInfosMetadataResponse{MonitoringInfo: j.metrics.infos(r.MonitoringInfos.GetMonitoringInfoId())}}})
	default:
		reply(&fnpb.InstructionResponse{Error: fmt.Sprintf("crew: instruction %T is not supported", r)})
	}
}

// divide lets a member give away a part of its bundle. What is left of it is all that another attempt gets. Prism asks
// once: a member that has nothing to give yet, because its process has just begun, is asked again until the bundle
// ends.
func (j *job) divide(r *fnpb.ProcessBundleSplitRequest, id string, reply func(*fnpb.InstructionResponse)) {
	b := j.bundles[r.GetInstructionId()]
	if b == nil || j.stopped || b.plan != nil && !b.plan.dividing {
		reply(&fnpb.InstructionResponse{Response: &fnpb.InstructionResponse_ProcessBundleSplit{ProcessBundleSplit: &fnpb.ProcessBundleSplitResponse{}}})
		return
	}
	later := func() {
		time.AfterFunc(50*time.Millisecond, func() {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.divide(r, id, reply)
		})
	}
	if b.member == nil || b.plan == nil {
		later()
		return
	}
	name := b.name
	j.ask(b.member, id, &fnpb.InstructionRequest{Request: &fnpb.InstructionRequest_ProcessBundleSplit{
		ProcessBundleSplit: &fnpb.ProcessBundleSplitRequest{InstructionId: name, DesiredSplits: r.GetDesiredSplits()}}},
		func(resp *fnpb.InstructionResponse) {
			s := resp.GetProcessBundleSplit()
			// A bundle that has begun anew has all its elements again.
			if resp.GetError() != "" || len(s.GetChannelSplits()) == 0 || b.name != name || b.member == nil {
				later()
				return
			}
			for _, c := range s.GetChannelSplits() {
				b.split[c.GetTransformId()] = c.GetLastPrimaryElement() + 1
			}
			if j.crew.config.Divided != nil {
				j.crew.config.Divided()
			}
			reply(resp)
		})
}

// ask gives an instruction to a member. The answer is called with the job locked.
func (j *job) ask(m *member, id string, req *fnpb.InstructionRequest, answer func(resp *fnpb.InstructionResponse)) {
	req.InstructionId = "ask/" + id
	m.asked[req.InstructionId] = &question{answer}
	m.control.put(req)
}

// feed handles data of the runner.
func (j *job) feed(e *fnpb.Elements) {
	j.mu.Lock()
	defer j.mu.Unlock()
	by := map[string]*fnpb.Elements{}
	of := func(id string) *fnpb.Elements {
		if by[id] == nil {
			by[id] = &fnpb.Elements{}
		}
		return by[id]
	}
	for _, d := range e.GetData() {
		to := of(d.GetInstructionId())
		to.Data = append(to.Data, d)
	}
	for _, t := range e.GetTimers() {
		to := of(t.GetInstructionId())
		to.Timers = append(to.Timers, t)
	}
	for id, e := range by {
		b := j.bundleOf(id)
		b.in = append(b.in, e)
		if b.member != nil {
			part := bundle{name: b.name, in: []*fnpb.Elements{e}}
			again, _ := part.again()
			b.member.data.put(again[0])
		}
	}
}

// answer hands the runner's answer about state to who has asked.
func (j *job) answer(resp *fnpb.StateResponse) {
	j.mu.Lock()
	defer j.mu.Unlock()
	a, ok := j.states[resp.GetId()]
	if !ok {
		return
	}
	delete(j.states, resp.GetId())
	resp.Id = a.id
	a.member.state.put(resp)
}

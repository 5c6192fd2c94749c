package crew

import (
	"context"
	"fmt"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// services are what a runner serves to workers.
type services struct {
	fnpb.UnimplementedBeamFnControlServer
	fnpb.UnimplementedBeamFnDataServer
	fnpb.UnimplementedBeamFnStateServer
	fnpb.UnimplementedBeamFnLoggingServer
	crew *Crew
}

// member is who calls.
func (s *services) member(ctx context.Context) (*member, error) {
	id, err := grpcx.ReadWorkerID(ctx)
	if err != nil {
		return nil, err
	}
	s.crew.mu.Lock()
	defer s.crew.mu.Unlock()
	m := s.crew.members[id]
	if m == nil {
		return nil, fmt.Errorf("crew: no worker has ID %s", id)
	}
	return m, nil
}

// GetProcessBundleDescriptor hands on what the runner says, with the endpoint of the crew.
func (s *services) GetProcessBundleDescriptor(ctx context.Context, req *fnpb.GetProcessBundleDescriptorRequest) (*fnpb.ProcessBundleDescriptor, error) {
	m, err := s.member(ctx)
	if err != nil {
		return nil, err
	}
	j, id := m.job, req.GetProcessBundleDescriptorId()
	j.mu.Lock()
	p := j.plans[id]
	j.mu.Unlock()
	if p == nil {
		desc, err := j.client.GetProcessBundleDescriptor(j.ctx, req)
		if err != nil {
			return nil, err
		}
		if p, err = newPlan(desc, s.crew.Endpoint()); err != nil {
			return nil, err
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.plans[id] = p
	for _, b := range j.bundles {
		if b.request.GetProcessBundle().GetProcessBundleDescriptorId() == id {
			b.plan = p
		}
	}
	return p.desc, nil
}

// Control is the stream of instructions to a member.
func (s *services) Control(stream fnpb.BeamFnControl_ControlServer) error {
	m, err := s.member(stream.Context())
	if err != nil {
		return err
	}
	go m.control.sendAll(stream.Send)
	err = receive(stream.Recv, m.respond)
	m.kill() // without instructions it is of no use
	return err
}

// respond handles the answer to an instruction.
func (m *member) respond(resp *fnpb.InstructionResponse) {
	j := m.job
	j.mu.Lock()
	defer j.mu.Unlock()
	if q := m.asked[resp.GetInstructionId()]; q != nil {
		delete(m.asked, resp.GetInstructionId())
		q.answer(resp)
		return
	}
	b := m.bundles[resp.GetInstructionId()]
	switch {
	case b == nil:
	case resp.GetError() != "":
		j.failed(b, resp.GetError())
	default:
		done := resp.GetProcessBundle()
		j.translate(m, done.GetMonitoringData(), func(data map[string][]byte) {
			if m.bundles[resp.GetInstructionId()] != b {
				return // the member has gone
			}
			done.MonitoringData, done.MonitoringInfos = data, nil
			b.response = resp
			j.finish(b)
		})
	}
}

// Data is the stream of elements to and from a member.
func (s *services) Data(stream fnpb.BeamFnData_DataServer) error {
	m, err := s.member(stream.Context())
	if err != nil {
		return err
	}
	go m.data.sendAll(stream.Send)
	return receive(stream.Recv, m.job.results)
}

// State is the stream of a member's questions about state and side inputs.
func (s *services) State(stream fnpb.BeamFnState_StateServer) error {
	m, err := s.member(stream.Context())
	if err != nil {
		return err
	}
	go m.state.sendAll(stream.Send)
	j := m.job
	return receive(stream.Recv, func(req *fnpb.StateRequest) {
		j.mu.Lock()
		defer j.mu.Unlock()
		b := j.names[req.GetInstructionId()]
		if b == nil {
			m.state.put(&fnpb.StateResponse{Id: req.GetId(), Error: "crew: the bundle has ended"})
			return
		}
		if req.GetGet() == nil {
			b.wrote = true
		}
		j.stated++
		id := fmt.Sprintf("%s/%d", m.id, j.stated)
		j.states[id] = asker{m, req.GetId()}
		req.Id, req.InstructionId = id, b.id
		j.state.put(req)
	})
}

// Logging hands the messages of the members on to the runner.
func (s *services) Logging(stream fnpb.BeamFnLogging_LoggingServer) error {
	m, err := s.member(stream.Context())
	if err != nil {
		return err
	}
	return receive(stream.Recv, func(list *fnpb.LogEntry_List) { m.job.logging.put(list) })
}

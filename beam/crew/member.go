package crew

import (
	"fmt"
	"os"
	"os/exec"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
)

// A member is a worker process.
type member struct {
	job     *job
	id      string
	cmd     *exec.Cmd
	control *queue[*fnpb.InstructionRequest]
	data    *queue[*fnpb.Elements]
	state   *queue[*fnpb.StateResponse]
	gone    bool                 // the process has ended
	bundles map[string]*bundle   // by the names of their attempts
	asked   map[string]*question // by instruction IDs
	short   map[string]string    // the crew's names of metrics, by those of the process
}

// A question is an instruction to a member that is not a bundle.
type question struct {
	answer func(resp *fnpb.InstructionResponse) // nil if the member is gone
}

// hire starts a process. The job is locked.
func (j *job) hire() error {
	j.hired++
	j.inVain++
	m := &member{
		job: j, id: fmt.Sprintf("%s-%d", j.id, j.hired),
		control: newQueue[*fnpb.InstructionRequest](), data: newQueue[*fnpb.Elements](), state: newQueue[*fnpb.StateResponse](),
		bundles: map[string]*bundle{}, asked: map[string]*question{}, short: map[string]string{},
	}
	config := &j.crew.config
	m.cmd = exec.Command(config.Command[0], append(append([]string(nil), config.Command[1:]...),
		"--worker=true", "--id="+m.id, "--logging_endpoint="+j.crew.Endpoint(), "--control_endpoint="+j.crew.Endpoint())...)
	m.cmd.Env = append(os.Environ(), config.Env...)
	m.cmd.Env = append(m.cmd.Env, "RUNNER_CAPABILITIES="+shortIDs, "PIPELINE_OPTIONS_FILE="+j.options)
	m.cmd.Stderr = os.Stderr
	j.crew.mu.Lock()
	j.crew.members[m.id] = m
	j.crew.mu.Unlock()
	if err := m.cmd.Start(); err != nil {
		return fmt.Errorf("crew: %w", err)
	}
	if config.Started != nil {
		config.Started(m.cmd.Process.Pid)
	}
	j.members = append(j.members, m)
	go func() {
		err := m.cmd.Wait()
		j.lost(m, err)
	}()
	return nil
}

// lost gives the bundles of a process that has ended to others, and starts another process. It starts none if many have ended
// and no bundle was done: the next one would end, too.
func (j *job) lost(m *member, cause error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	m.gone = true
	for _, q := range []interface{ close() }{m.control, m.data, m.state} {
		q.close()
	}
	for i, other := range j.members {
		if other == m {
			j.members = append(j.members[:i], j.members[i+1:]...)
			break
		}
	}
	if j.stopped {
		return
	}
	var hireErr error
	if j.inVain < j.crew.config.Workers*j.crew.config.Attempts {
		hireErr = j.hire()
	}
	for id, q := range m.asked {
		delete(m.asked, id)
		q.answer(nil)
	}
	for name, b := range m.bundles {
		delete(m.bundles, name)
		err := fmt.Sprintf("crew: worker process %d ended: %v", m.cmd.Process.Pid, cause)
		if hireErr != nil {
			err += "; " + hireErr.Error()
		}
		j.failed(b, err)
	}
}

// kill ends a process whose connection is lost.
func (m *member) kill() {
	if m.cmd.Process != nil {
		m.cmd.Process.Kill()
	}
}

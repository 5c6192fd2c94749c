package crew

import (
	"fmt"
	"strings"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
)

// A bundle is a ProcessBundle instruction of the runner, with what belongs to it.
type bundle struct {
	id      string                   // the runner's
	request *fnpb.InstructionRequest // nil until it has come: the data may come before
	plan    *plan                    // what its descriptor says; nil until a member has asked for that
	in      []*fnpb.Elements         // all its data so far: for another attempt
	split   map[string]int64         // by transform: how many elements are left to the bundle after a split
	wrote   bool                     // an attempt has written to user state

	attempt  int
	name     string  // of this attempt: the instruction that the member knows
	member   *member // who works at it
	out      []*fnpb.Elements
	ended    int                       // outputs that are complete
	response *fnpb.InstructionResponse // of the member, without an error
}

// bundleOf is the bundle of a runner's instruction. The job is locked.
func (j *job) bundleOf(id string) *bundle {
	b := j.bundles[id]
	if b == nil {
		b = &bundle{id: id, split: map[string]int64{}}
		j.bundles[id] = b
	}
	return b
}

// begin gives a bundle to the member that has the fewest.
func (j *job) begin(b *bundle) {
	var to *member
	for _, m := range j.members {
		if to == nil || len(m.bundles) < len(to.bundles) {
			to = m
		}
	}
	if to == nil {
		j.fail(b, "crew: no worker process is left")
		return
	}
	b.attempt++
	b.name = fmt.Sprintf("%s/%d", b.id, b.attempt)
	b.member, b.out, b.ended, b.response = to, nil, 0, nil
	to.bundles[b.name] = b
	j.names[b.name] = b
	req := &fnpb.InstructionRequest{InstructionId: b.name, Request: b.request.Request}
	data, err := b.again()
	if err != nil {
		delete(to.bundles, b.name)
		j.fail(b, fmt.Sprintf("crew: the bundle cannot be repeated: %v", err))
		return
	}
	to.control.put(req)
	for _, e := range data {
		to.data.put(e)
	}
}

// again is the data of a bundle for a new attempt: what a split has given away is not in it.
func (b *bundle) again() ([]*fnpb.Elements, error) {
	left := map[string]int64{}
	for t, n := range b.split {
		left[t] = n
	}
	var list []*fnpb.Elements
	for _, e := range b.in {
		c := &fnpb.Elements{}
		for _, d := range e.GetData() {
			d = &fnpb.Elements_Data{InstructionId: b.name, TransformId: d.TransformId, Data: d.Data, IsLast: d.IsLast}
			if n, ok := left[d.TransformId]; ok {
				var taken int64
				var err error
				if d.Data, taken, err = b.plan.first(d.TransformId, d.Data, n); err != nil {
					return nil, err
				}
				left[d.TransformId] = n - taken
			}
			c.Data = append(c.Data, d)
		}
		for _, t := range e.GetTimers() {
			c.Timers = append(c.Timers, &fnpb.Elements_Timers{InstructionId: b.name, TransformId: t.TransformId, TimerFamilyId: t.TimerFamilyId, Timers: t.Timers, IsLast: t.IsLast})
		}
		list = append(list, c)
	}
	return list, nil
}

// failed repeats a bundle, or tells the runner that it has failed. The job is locked.
func (j *job) failed(b *bundle, err string) {
	delete(j.names, b.name)
	if b.member != nil {
		delete(b.member.bundles, b.name)
		b.member = nil
	}
	switch {
	case j.bundles[b.id] != b || j.stopped:
	case b.wrote:
		j.fail(b, err+"\nThe bundle has written to user state, and is not repeated.")
	case b.attempt >= j.crew.config.Attempts:
		j.fail(b, fmt.Sprintf("%s\n(%d attempts)", err, b.attempt))
	default:
		j.begin(b)
	}
}

func (j *job) fail(b *bundle, err string) {
	delete(j.bundles, b.id)
	j.control.put(&fnpb.InstructionResponse{InstructionId: b.id, Error: strings.TrimSpace(err)})
}

// finish hands the results of a bundle to the runner, when all of them are there.
func (j *job) finish(b *bundle) {
	if b.response == nil || b.plan == nil || b.ended < b.plan.outputs {
		return
	}
	for _, e := range b.out {
		j.data.put(e)
	}
	resp := &fnpb.InstructionResponse{InstructionId: b.id, Response: b.response.Response}
	j.control.put(resp)
	j.inVain = 0
	delete(j.bundles, b.id)
	delete(j.names, b.name)
	delete(b.member.bundles, b.name)
	if b.response.GetProcessBundle().GetRequiresFinalization() {
		j.final[b.id] = b
	}
	b.in, b.out = nil, nil
}

// results keeps what a member has computed.
func (j *job) results(e *fnpb.Elements) {
	j.mu.Lock()
	defer j.mu.Unlock()
	by := map[*bundle]*fnpb.Elements{}
	of := func(name string) *fnpb.Elements {
		b := j.names[name]
		if b == nil {
			return nil // an attempt that has been given up
		}
		if by[b] == nil {
			by[b] = &fnpb.Elements{}
		}
		return by[b]
	}
	for _, d := range e.GetData() {
		if to := of(d.GetInstructionId()); to != nil {
			b := j.names[d.GetInstructionId()]
			if d.GetIsLast() {
				b.ended++
			}
			d.InstructionId = b.id
			to.Data = append(to.Data, d)
		}
	}
	for _, t := range e.GetTimers() {
		if to := of(t.GetInstructionId()); to != nil {
			b := j.names[t.GetInstructionId()]
			if t.GetIsLast() {
				b.ended++
			}
			t.InstructionId = b.id
			to.Timers = append(to.Timers, t)
		}
	}
	for b, e := range by {
		b.out = append(b.out, e)
		j.finish(b)
	}
}

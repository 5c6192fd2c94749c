package crew

import (
	"bytes"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/coder"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/protobuf/proto"
)

// A plan is what a bundle's descriptor says about its data.
type plan struct {
	desc     *fnpb.ProcessBundleDescriptor // with the crew's endpoints
	outputs  int                           // streams of data and timers that end when a bundle does
	coders   map[string]*coder.Coder       // by transform: the coder of what comes in
	dividing bool                          // an attempt can be repeated after the runner has split it
}

const (
	urnSource   = "beam:runner:source:v1"
	urnSink     = "beam:runner:sink:v1"
	urnParDo    = "beam:transform:pardo:v1"
	urnElements = "beam:transform:sdf_process_sized_element_and_restrictions:v1"
)

// newPlan reads a descriptor, and puts the endpoint of the crew into it.
func newPlan(desc *fnpb.ProcessBundleDescriptor, endpoint string) (*plan, error) {
	p := &plan{desc: proto.Clone(desc).(*fnpb.ProcessBundleDescriptor), coders: map[string]*coder.Coder{}, dividing: true}
	here := &pipepb.ApiServiceDescriptor{Url: endpoint}
	if p.desc.StateApiServiceDescriptor != nil {
		p.desc.StateApiServiceDescriptor = here
	}
	if p.desc.TimerApiServiceDescriptor != nil {
		p.desc.TimerApiServiceDescriptor = here
	}
	for id, t := range p.desc.GetTransforms() {
		switch urn := t.GetSpec().GetUrn(); urn {
		case urnSource, urnSink:
			var port fnpb.RemoteGrpcPort
			if err := proto.Unmarshal(t.GetSpec().GetPayload(), &port); err != nil {
				return nil, fmt.Errorf("crew: transform %s: %w", id, err)
			}
			port.ApiServiceDescriptor = here
			payload, err := proto.Marshal(&port)
			if err != nil {
				return nil, fmt.Errorf("crew: transform %s: %w", id, err)
			}
			t.Spec.Payload = payload
			if urn == urnSink {
				p.outputs++
				continue
			}
			c, err := graphx.NewCoderUnmarshaller(p.desc.GetCoders()).Coder(port.GetCoderId())
			if err != nil || !coder.IsW(c) || coder.IsCoGBK(coder.SkipW(c)) {
				p.dividing = false
				continue
			}
			p.coders[id] = c
		case urnElements:
			p.dividing = false // a split gives parts of an element away
		case urnParDo:
			var pardo pipepb.ParDoPayload
			if err := proto.Unmarshal(t.GetSpec().GetPayload(), &pardo); err != nil {
				return nil, fmt.Errorf("crew: transform %s: %w", id, err)
			}
			p.outputs += len(pardo.GetTimerFamilySpecs())
		}
	}
	return p, nil
}

// first is the encoding of the first n elements, and how many there are.
func (p *plan) first(transform string, data []byte, n int64) ([]byte, int64, error) {
	c := p.coders[transform]
	windows, elem := exec.MakeWindowDecoder(c.Window), exec.MakeElementDecoder(coder.SkipW(c))
	r := bytes.NewReader(data)
	var taken int64
	for taken < n && r.Len() > 0 {
		if _, _, _, err := exec.DecodeWindowedValueHeader(windows, r); err != nil {
			return nil, 0, err
		}
		if _, err := elem.Decode(r); err != nil {
			return nil, 0, err
		}
		taken++
	}
	return data[:len(data)-r.Len()], taken, nil
}

package crew

import (
	"fmt"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/protobuf/proto"
)

// Each process has short names of its own for metrics. The crew has others, which are the same for all of them.
type metrics struct {
	names     map[string]string // by the encoded description
	described map[string]*pipepb.MonitoringInfo
}

// name is the crew's name of a metric.
func (m *metrics) name(info *pipepb.MonitoringInfo) string {
	if m.names == nil {
		m.names, m.described = map[string]string{}, map[string]*pipepb.MonitoringInfo{}
	}
	about := &pipepb.MonitoringInfo{Urn: info.GetUrn(), Type: info.GetType(), Labels: info.GetLabels()}
	text, err := proto.MarshalOptions{Deterministic: true}.Marshal(about)
	if err != nil {
		text = []byte(about.String())
	}
	name, ok := m.names[string(text)]
	if !ok {
		name = fmt.Sprintf("crew%d", len(m.names))
		m.names[string(text)], m.described[name] = name, about
	}
	return name
}

// infos describes metrics.
func (m *metrics) infos(names []string) map[string]*pipepb.MonitoringInfo {
	infos := map[string]*pipepb.MonitoringInfo{}
	for _, name := range names {
		if info, ok := m.described[name]; ok {
			infos[name] = info
		}
	}
	return infos
}

// translate puts the crew's names into a member's metrics. It asks the member about those that it does not know; if
// that is gone, they are left out. The job is locked, now and when then is called.
func (j *job) translate(m *member, data map[string][]byte, then func(map[string][]byte)) {
	var unknown []string
	for short := range data {
		if _, ok := m.short[short]; !ok {
			unknown = append(unknown, short)
		}
	}
	rename := func() {
		renamed := map[string][]byte{}
		for short, payload := range data {
			if name, ok := m.short[short]; ok {
				renamed[name] = payload
			}
		}
		then(renamed)
	}
	if len(unknown) == 0 {
		rename()
		return
	}
	j.stated++
	j.ask(m, fmt.Sprintf("metrics/%d", j.stated), &fnpb.InstructionRequest{Request: &fnpb.InstructionRequest_MonitoringInfos{
		MonitoringInfos: &fnpb.MonitoringInfosMetadataRequest{MonitoringInfoId: unknown}}},
		func(resp *fnpb.InstructionResponse) {
			for short, info := range resp.GetMonitoringInfos().GetMonitoringInfo() {
				m.short[short] = j.metrics.name(info)
			}
			rename()
		})
}

package qdbeam

import (
	"context"
	"reflect"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"
)

// A result of a batch has the windows, the timestamp and the pane of its element. The emitters of Beam's Go SDK give it those of
// the call in which it is emitted: the last element of a batch, or the global window at the end of a
// bundle. The SDK lets a package bring emitters for function types of its own, and these here do better.

// A sink is the type of our emitters. A DoFn does not call it to emit: it asks for the emitter behind
// it.
type sink func(beam.Y)

// A sinkKV is a sink of keys and values.
type sinkKV func(beam.W, beam.Y)

func init() {
	exec.RegisterEmitter(reflect.TypeFor[sink](), func(n exec.ElementProcessor) exec.ReusableEmitter {
		e := &emitter{to: n}
		e.self = sink(func(beam.Y) { asked = e })
		return e
	})
	exec.RegisterEmitter(reflect.TypeFor[sinkKV](), func(n exec.ElementProcessor) exec.ReusableEmitter {
		e := &emitter{to: n}
		e.self = sinkKV(func(beam.W, beam.Y) { asked = e })
		return e
	})
}

// asked is the answer of the sink that was called last.
var (
	asking sync.Mutex
	asked  *emitter
)

func (s sink) emitter() *emitter {
	asking.Lock()
	defer asking.Unlock()
	s(nil)
	return asked
}

func (s sinkKV) emitter() *emitter {
	asking.Lock()
	defer asking.Unlock()
	s(nil, nil)
	return asked
}

// An origin is where an element is in time.
type origin struct {
	windows []typex.Window
	time    typex.EventTime
	pane    typex.PaneInfo
}

// same reports whether two origins are the same, as those of elements are that nobody has given a time or a window. It may miss
// some.
func (o *origin) same(p *origin) bool {
	return o.time == p.time && o.pane == p.pane && len(o.windows) == len(p.windows) &&
		(len(o.windows) == 0 || &o.windows[0] == &p.windows[0])
}

// An emitter knows the origin of the element that is being processed, and emits with any. What is the same for
// elements that follow each other is written once: writing takes longer than comparing.
type emitter struct {
	to    exec.ElementProcessor
	self  any
	ctx   context.Context
	now   origin
	moved bool // now is another one than that of the element before, for all that is known
	value exec.FullValue
}

// Init implements [exec.ReusableEmitter].
func (e *emitter) Init(ctx context.Context, pane typex.PaneInfo, windows []typex.Window, time typex.EventTime) error {
	e.ctx = ctx
	if now := (origin{windows, time, pane}); !e.now.same(&now) {
		e.now, e.moved = now, true
	}
	return nil
}

// Value implements [exec.ReusableEmitter].
func (e *emitter) Value() any { return e.self }

// from sets the origin of what is emitted next.
func (e *emitter) from(o *origin) {
	e.value = exec.FullValue{Timestamp: o.time, Windows: o.windows, Pane: o.pane}
}

// emit emits a value, or a key and a value. Whoever gets a FullValue does not change it.
func (e *emitter) emit(elm, elm2 any) error {
	e.value.Elm = elm
	if elm2 != nil {
		e.value.Elm2 = elm2
	}
	return e.to.ProcessElement(e.ctx, &e.value)
}
